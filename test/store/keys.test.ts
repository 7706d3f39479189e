/** What every store promises about keys: bound to a project, ended at once and for good. */
import { describe, expect, it } from 'vitest'
import { loadDatabase } from '../../src/store/sqlite/binding.ts'
import { Connection } from '../../src/store/sqlite/connection.ts'
import { createKeyStore } from '../../src/store/sqlite/keys.ts'
import { migrate, migrations } from '../../src/store/sqlite/migrations.ts'
import type { NewKey } from '../../src/store/store.ts'
import { adapters } from './contract.ts'

const key = (id: string, rest: Partial<NewKey> = {}): NewKey => ({
  id,
  project: 'mine',
  label: null,
  createdAt: 1_000,
  expiresAt: null,
  secretHash: new Uint8Array(32).fill(7),
  ...rest,
})

describe.each(adapters)('keys in %s', (_, open) => {
  it('are found by id with their project and the hash of their secret', async () => {
    const { keys } = await open()
    await keys.add(key('aaaaaaaa', { label: 'laptop', expiresAt: 9_000 }))
    const found = await keys.find('aaaaaaaa')
    expect(found).toMatchObject({ project: 'mine', label: 'laptop', expiresAt: 9_000, revokedAt: null })
    expect([...(found?.secretHash ?? [])]).toEqual(Array(32).fill(7))
    expect(await keys.find('bbbbbbbb')).toBeUndefined()
  })

  it('are listed and counted without their hashes', async () => {
    const { keys } = await open()
    expect(await keys.count()).toBe(0)
    await keys.add(key('aaaaaaaa'))
    await keys.add(key('bbbbbbbb', { project: 'theirs', createdAt: 2_000 }))
    expect(await keys.count()).toBe(2)
    const listed = await keys.list()
    expect(listed.map(({ id, project }) => [id, project])).toEqual([
      ['aaaaaaaa', 'mine'],
      ['bbbbbbbb', 'theirs'],
    ])
    expect(listed.some((item) => 'secretHash' in item)).toBe(false)
  })

  it('are revoked once, at the first time of asking', async () => {
    const { keys } = await open()
    await keys.add(key('aaaaaaaa'))
    expect((await keys.revoke('aaaaaaaa', 5_000)).revokedAt).toBe(5_000)
    expect((await keys.revoke('aaaaaaaa', 6_000)).revokedAt).toBe(5_000)
    await expect(keys.revoke('bbbbbbbb', 5_000)).rejects.toMatchObject({ kind: 'refused' })
  })

  it('are succeeded by another, and end when told', async () => {
    const { keys } = await open()
    await keys.add(key('aaaaaaaa', { expiresAt: 9_000 }))
    const next = await keys.succeed('aaaaaaaa', (old) => key('bbbbbbbb', { project: old.project }))
    expect(next).toMatchObject({ id: 'bbbbbbbb', project: 'mine' })
    expect((await keys.find('aaaaaaaa'))?.expiresAt).toBe(9_000)
    await keys.end('aaaaaaaa', 5_000)
    expect((await keys.find('aaaaaaaa'))?.expiresAt).toBe(5_000)
  })

  it('end no later for being told', async () => {
    const { keys } = await open()
    await keys.add(key('aaaaaaaa', { expiresAt: 3_000 }))
    await keys.end('aaaaaaaa', 5_000)
    expect((await keys.find('aaaaaaaa'))?.expiresAt).toBe(3_000)
  })

  it('are not succeeded once revoked, and a successor that fails leaves the old one as it was', async () => {
    const { keys } = await open()
    await keys.add(key('aaaaaaaa'))
    await keys.add(key('bbbbbbbb'))
    await expect(keys.succeed('aaaaaaaa', () => key('bbbbbbbb'))).rejects.toThrow()
    expect((await keys.find('aaaaaaaa'))?.expiresAt).toBeNull()
    await keys.revoke('aaaaaaaa', 1_000)
    await expect(keys.succeed('aaaaaaaa', () => key('cccccccc'))).rejects.toMatchObject({ kind: 'refused' })
    expect(await keys.count()).toBe(2)
  })

  it('of an unknown id are none, whatever is asked for', async () => {
    const { keys } = await open()
    await keys.add(key('aaaaaaaa'))
    expect([await keys.find('zzzzzzzz'), await keys.find('')]).toEqual([undefined, undefined])
  })
})

it('a key that nobody has costs the same reading as one that somebody has', async () => {
  const read: unknown[] = []
  const database = loadDatabase(':memory:')
  migrate(database, 0, migrations)
  const store = createKeyStore(
    Object.assign(new Connection(database, { file: undefined, holders: () => [] }), {
      find: async (sql: string, id: string) => {
        const rows = database.prepare<[string], Record<string, unknown>>(sql).all(id)
        read.push(rows.map((row) => [Object.keys(row), (row.secretHash as Uint8Array).length]))
        return rows[0]
      },
    }),
  )
  await store.add(key('aaaaaaaa'))
  expect([(await store.find('aaaaaaaa'))?.id, await store.find('bbbbbbbb')]).toEqual(['aaaaaaaa', undefined])
  // One row of the same columns, a hash of the same length in it.
  expect(read).toHaveLength(2)
  expect(read[1]).toEqual(read[0])
  expect(read[0]).toHaveLength(1)
})
