/** What every store promises about keys: bound to a project, ended at once and for good. */
import { describe, expect, it } from 'vitest'
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
