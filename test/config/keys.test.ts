import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createKey, findLiveKey, isLive, parseDuration, parseKey, rotateKey } from '../../src/config/keys.ts'
import { adapters } from '../store/contract.ts'

const request = { project: 'p', label: null, lifetime: null, now: 1_000 }

describe.each(adapters)('keys in %s', (_, open) => {
  test('a key has a typed prefix, eight public characters and thirty-eight more', async () => {
    const { keys } = await open()
    const { key, text } = await createKey(keys, request)
    expect(text).toMatch(/^brain_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}$/)
    expect(text.slice(6, 14)).toBe(key.id)
  })

  test('a key is found by its text, and only by its whole text', async () => {
    const { keys } = await open()
    const { key, text } = await createKey(keys, request)
    expect(await findLiveKey(keys, text, 2_000)).toMatchObject({ id: key.id, project: 'p' })
    for (const wrong of [text.slice(0, -1), `${text}0`, ` ${text}`, text.toLowerCase(), '', 'brain_']) {
      expect(await findLiveKey(keys, wrong, 2_000)).toBeUndefined()
    }
  })

  test('a well-formed key with another secret opens nothing', async () => {
    const { keys } = await open()
    const mine = await createKey(keys, request)
    const [, openElsewhere] = adapters[0] ?? expect.unreachable()
    const foreign = await createKey((await openElsewhere()).keys, request)
    expect(parseKey(foreign.text)).toBeDefined()
    expect(await findLiveKey(keys, foreign.text, 2_000)).toBeUndefined()
    expect(await findLiveKey(keys, mine.text, 2_000)).toBeDefined()
  })

  test('the store holds the hash of the secret and no part of it', async () => {
    const { keys } = await open()
    const { key, text } = await createKey(keys, request)
    const kept = await keys.find(key.id)
    const secret = text.slice(15, 47)
    expect(kept?.secretHash).toHaveLength(32)
    expect(JSON.stringify(kept)).not.toContain(secret)
    expect(Buffer.from(kept?.secretHash ?? []).toString('latin1')).not.toContain(secret.slice(0, 8))
  })

  test('a key opens until the millisecond it expires', async () => {
    const { keys } = await open()
    const { text } = await createKey(keys, { ...request, lifetime: 60_000 })
    expect(await findLiveKey(keys, text, 60_999)).toBeDefined()
    expect(await findLiveKey(keys, text, 61_000)).toBeUndefined()
  })

  test('a revoked key opens nothing any more', async () => {
    const { keys } = await open()
    const { key, text } = await createKey(keys, request)
    await keys.revoke(key.id, 1_500)
    expect(await findLiveKey(keys, text, 1_500)).toBeUndefined()
  })

  test('rotation without grace ends the old key at once', async () => {
    const { keys } = await open()
    const old = await createKey(keys, { ...request, label: 'editor' })
    const fresh = await rotateKey(keys, { id: old.key.id, grace: 0, now: 5_000 })
    expect(await findLiveKey(keys, old.text, 5_000)).toBeUndefined()
    expect(await findLiveKey(keys, fresh.text, 5_000)).toMatchObject({ project: 'p', label: 'editor' })
  })

  test('rotation with grace lets both keys open until it ends', async () => {
    const { keys } = await open()
    const old = await createKey(keys, request)
    const fresh = await rotateKey(keys, { id: old.key.id, grace: 1_000, now: 5_000 })
    expect(await findLiveKey(keys, old.text, 5_999)).toBeDefined()
    expect(await findLiveKey(keys, old.text, 6_000)).toBeUndefined()
    expect(await findLiveKey(keys, fresh.text, 6_000)).toBeDefined()
  })

  test('rotation never lengthens the life of the old key, and starts the lifetime afresh', async () => {
    const { keys } = await open()
    const old = await createKey(keys, { ...request, lifetime: 60_000 })
    const fresh = await rotateKey(keys, { id: old.key.id, grace: 3_600_000, now: 31_000 })
    expect((await keys.find(old.key.id))?.expiresAt).toBe(61_000)
    expect(fresh.key.expiresAt).toBe(91_000)
  })

  test('the old key opens until the new one was shown, so that whoever is cut off has one', async () => {
    const { keys } = await open()
    const old = await createKey(keys, request)
    await rotateKey(keys, {
      id: old.key.id,
      grace: 0,
      now: 5_000,
      show: async ({ text }) => {
        expect(await findLiveKey(keys, text, 5_000)).toBeDefined()
        expect(await findLiveKey(keys, old.text, 5_000)).toBeDefined()
      },
    })
    expect(await findLiveKey(keys, old.text, 5_000)).toBeUndefined()
  })

  test('a key that has expired, or was replaced, cannot be rotated and leaves no new one', async () => {
    const { keys } = await open()
    const { key } = await createKey(keys, { ...request, lifetime: 60_000 })
    const over = key.expiresAt ?? 0
    await expect(rotateKey(keys, { id: key.id, grace: 0, now: over })).rejects.toThrow(
      `key ${key.id} has expired: create a new one`,
    )
    const old = await createKey(keys, request)
    await rotateKey(keys, { id: old.key.id, grace: 0, now: 5_000 })
    await expect(rotateKey(keys, { id: old.key.id, grace: 0, now: 5_000 })).rejects.toThrow('has expired')
    expect(await keys.list()).toHaveLength(3)
    expect((await keys.find(key.id))?.expiresAt).toBe(over)
  })

  test('a revoked key cannot be rotated', async () => {
    const { keys } = await open()
    const { key } = await createKey(keys, request)
    await keys.revoke(key.id, 1_500)
    await expect(rotateKey(keys, { id: key.id, grace: 0, now: 2_000 })).rejects.toThrow(
      `key ${key.id} is revoked: create a new one`,
    )
  })
})

test('any single changed character of a key is told by its checksum', async () => {
  const [, open] = adapters[0] ?? expect.unreachable()
  const { keys } = await open()
  const { text } = await createKey(keys, request)
  fc.assert(
    fc.property(fc.nat(37), fc.constantFrom(...'0123456789ABCabcxyz'), (at, character) => {
      const position = 15 + at
      const changed = text.slice(0, position) + character + text.slice(position + 1)
      expect(parseKey(changed) === undefined).toBe(changed !== text)
    }),
  )
})

test('durations are a whole number of minutes, hours, days or weeks, as everywhere', () => {
  expect(parseDuration('grace', '30m')).toBe(1_800_000)
  expect(parseDuration('grace', '24h')).toBe(86_400_000)
  expect(parseDuration('grace', '90d')).toBe(7_776_000_000)
  expect(parseDuration('grace', '2w')).toBe(1_209_600_000)
  for (const wrong of ['', '0m', '24', 'h', '-1h', '1.5h', '1y', '36501d', '9999999999d']) {
    expect(() => parseDuration('grace', wrong)).toThrow(
      'grace must be a duration such as 30m, 24h, 90d or 2w',
    )
  }
})

test('a key without an end is live for ever, unless revoked', () => {
  const key = {
    id: 'a',
    project: 'p',
    label: null,
    createdAt: 0,
    expiresAt: null,
    revokedAt: null,
    lastUsedAt: null,
  }
  expect(isLive(key, Number.MAX_SAFE_INTEGER)).toBe(true)
  expect(isLive({ ...key, revokedAt: 1 }, 1)).toBe(false)
})
