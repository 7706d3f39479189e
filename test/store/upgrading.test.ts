/** From an older schema to a newer one: once, whole, with a copy made first. */
import { chmodSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadDatabase } from '../../src/store/sqlite/binding.ts'
import { type Migrations, migrate, migrations } from '../../src/store/sqlite/migrations.ts'
import { openConnection } from '../../src/store/sqlite/open.ts'
import { openSqliteStore } from '../../src/store/sqlite/store.ts'
import { asUser, makeBrain, options, remember, textsOf, withStore } from './brain-file.ts'

describe('upgrading', () => {
  const grown = [...migrations, 'ALTER TABLE memory ADD COLUMN mood TEXT']

  const open = (file: string, steps: Migrations) => openConnection(file, { ...options, migrations: steps })

  it('brings an older brain up to date once, with a copy of it made first', async () => {
    const file = await makeBrain()
    const opened = await Promise.all([open(file, grown), open(file, grown), open(file, grown)])
    for (const { connection, presence } of opened) {
      expect(connection.first('SELECT text, mood FROM memory')).toEqual({
        text: 'the cache is warm',
        mood: null,
      })
      await connection.close()
      presence?.leave()
    }
    const copies = readdirSync(join(file, '..')).filter((name) => name.startsWith('before-schema-'))
    expect(copies).toHaveLength(1)
    const copy = join(file, '..', copies[0] ?? '')
    expect(statSync(copy).mode & 0o777).toBe(0o600)
    expect(await withStore(copy, textsOf)).toEqual(['the cache is warm'])
  })

  it("by another process while this one looks at the schema is no stranger's doing", async () => {
    const file = await makeBrain()
    let others = 0
    const upgradeBehind = (): void => {
      others += 1
      if (others > 1) return
      const other = loadDatabase(file, { timeout: 0 })
      other.transaction(() => migrate(other, migrations.length, grown))()
      other.close()
    }
    // What is expected of the older schema is made between reading its version and reading itself.
    const [first, ...further] = grown
    const steps: Migrations = [[String(first), upgradeBehind], ...further]
    const { connection, presence } = await open(file, steps)
    expect(others).toBeGreaterThan(0)
    expect(connection.first('SELECT text, mood FROM memory')).toMatchObject({ text: 'the cache is warm' })
    await connection.close()
    presence?.leave()
  })

  it('that fails leaves the old schema and every record', async () => {
    const file = await makeBrain()
    const broken = [...migrations, 'ALTER TABLE memory ADD COLUMN mood TEXT; SELECT * FROM nowhere']
    await expect(open(file, broken)).rejects.toThrow()
    expect(await withStore(file, textsOf)).toEqual(['the cache is warm'])
  })

  it('killed on the way leaves a log that is known to be ours', async () => {
    const file = await makeBrain()
    const logs: string[] = []
    const provenance = {
      find: () => undefined,
      note: (_: string, { log }: { log: string }) => void logs.push(log),
      precedesRun: () => false,
    }
    const broken = [...migrations, 'SELECT * FROM nowhere']
    await expect(openConnection(file, { ...options, migrations: broken, provenance })).rejects.toThrow()
    expect(logs).toEqual([expect.stringMatching(/^\d+:\d+$/)])
  })

  it('is seen by a process that had the older brain open: it writes no more', async () => {
    const file = await makeBrain()
    const old = await openSqliteStore(file, options)
    const { connection, presence } = await open(file, grown)
    await expect(remember(old, 'in the old way')).rejects.toThrow(/upgraded by a newer version/)
    await connection.close()
    presence?.leave()
    await old.close()
    await expect(openSqliteStore(file, options)).rejects.toThrow(/written by a newer brain/)
  })

  it('happens in memory where nothing can be written', async () => {
    const file = await makeBrain()
    const directory = join(file, '..')
    chmodSync(directory, 0o500)
    chmodSync(file, 0o400)
    await asUser(directory, async () => {
      const { connection } = await open(file, grown)
      expect(connection.first('SELECT mood FROM memory')).toEqual({ mood: null })
      await connection.close()
    })
  })
})
