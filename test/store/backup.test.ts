/** Copies of a brain that others are writing to. */
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openSqliteStore } from '../../src/store/sqlite/store.ts'
import { makeBrain, options, remember, temporaryDirectory, textsOf, withStore } from './brain-file.ts'

describe('a backup', () => {
  it('holds what the brain held at one moment, while others write', async () => {
    const file = await makeBrain()
    const store = await openSqliteStore(file, options)
    // Several turns of the event loop long: a copy that began anew at every commit would never end.
    const long = { text: 'x'.repeat(60_000), caution: 0, agent: 'a', createdAt: 1 }
    await store.memories.addMany('theirs', Array(80).fill(long))
    const writer = await openSqliteStore(file, options)
    let writing = true
    const written = (async () => {
      let count = 0
      while (writing) {
        await writer.memories.addMany('mine', [
          { text: `pair ${count}`, caution: 0, agent: 'a', createdAt: 1 },
          { text: `pair ${count}`, caution: 0, agent: 'b', createdAt: 1 },
        ])
        count += 1
      }
    })()
    const copy = join(temporaryDirectory(), 'copy.db')
    const steps: number[] = []
    await store.maintenance.backup(copy, (done, total) => steps.push(done / total))
    writing = false
    await written
    expect(steps.at(-1)).toBe(1)
    await withStore(copy, async (kept) => {
      const texts = (await textsOf(kept)).slice(1)
      expect(texts.length % 2).toBe(0)
      expect((await kept.maintenance.check()).filter(({ ok }) => !ok)).toEqual([])
    })
    await store.close()
    await writer.close()
  })

  it('never replaces a file', async () => {
    const file = await makeBrain()
    const taken = join(temporaryDirectory(), 'taken.db')
    writeFileSync(taken, 'precious')
    await withStore(file, async (store) => {
      await expect(store.maintenance.backup(taken)).rejects.toMatchObject({ kind: 'invalid' })
    })
    expect(readFileSync(taken, 'utf8')).toBe('precious')
    expect(readdirSync(join(taken, '..'))).toEqual(['taken.db'])
  })

  it('is a brain: put in the place of a lost one, it is opened', async () => {
    const file = await makeBrain()
    const copy = join(temporaryDirectory(), 'copy.db')
    await withStore(file, (store) => store.maintenance.backup(copy))
    rmSync(join(file, '..', 'brain.db'))
    cpSync(copy, file)
    expect(await withStore(file, textsOf)).toEqual(['the cache is warm'])
  })

  it('of a brain in memory can be made, too', async () => {
    const store = await openSqliteStore(':memory:', options)
    await remember(store, 'the cache is warm')
    const copy = join(temporaryDirectory(), 'copy.db')
    await store.maintenance.backup(copy)
    await store.close()
    expect(await withStore(copy, textsOf)).toEqual(['the cache is warm'])
  })
})
