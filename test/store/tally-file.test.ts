/** Counts of one-shot processes: left beside the brain, seen by everyone, taken in once. */
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { BrainError } from '../../src/core/errors.ts'
import { createActivityStore } from '../../src/store/sqlite/activity.ts'
import { loadDatabase } from '../../src/store/sqlite/binding.ts'
import { Connection } from '../../src/store/sqlite/connection.ts'
import { openSqliteStore } from '../../src/store/sqlite/store.ts'
import type { Store } from '../../src/store/store.ts'

const minute = 60_000

let directory = ''
const open = (live: boolean): Promise<Store> =>
  openSqliteStore(join(directory, 'brain.db'), {
    durability: 'normal',
    create: true,
    label: 'a test',
    warn: () => {},
    mode: live ? 'service' : 'embedded',
  })
const calls = async (store: Pick<Store, 'activity'>): Promise<number> =>
  (await store.activity.window('mine', 0)).minutes.reduce((sum, one) => sum + one.calls, 0)

async function countOnce(times = 1): Promise<void> {
  const store = await open(false)
  for (let at = 0; at < times; at += 1) store.activity.count('mine', 5 * minute + at)
  await store.close()
}

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'brain-tally-'))
  const store = await open(false)
  await store.beliefs.add('mine', { text: 'this project is there', confidence: 0.5, createdAt: 0 })
  await store.close()
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

describe('a call of a one-shot process', () => {
  test('is seen by the next process, and by one that was open before', async () => {
    const before = await open(true)
    await countOnce(3)
    expect(await calls(before)).toBe(3)
    const next = await open(false)
    expect(await calls(next)).toBe(3)
    await next.close()
    await before.close()
  })

  test('is counted once, also after a process that lives has taken it in', async () => {
    await countOnce(2)
    const daemon = await open(true)
    daemon.activity.count('mine', 6 * minute)
    await daemon.close()
    expect(existsSync(join(directory, 'tally'))).toBe(false)
    const next = await open(false)
    expect(await calls(next)).toBe(3)
    await next.close()
  })

  test('is seen and counted though a process that lives cannot write it, and is left to the next', async () => {
    await countOnce(2)
    const file = join(directory, 'brain.db')
    const refusal = new BrainError('storage', 'the disk is full')
    const connection = new Connection(loadDatabase(file), { file, holders: () => [], refusal })
    const activity = createActivityStore(connection, { file: join(directory, 'tally'), mode: 'service' })
    activity.count('mine', 6 * minute)
    for (let at = 0; at < 2; at += 1) {
      await expect(activity.flush()).rejects.toThrow('the disk is full')
      expect(await calls({ activity })).toBe(3)
    }
    await activity.end()
    await connection.close()
    expect(readdirSync(directory).filter((name) => name.startsWith('tally'))).toEqual(['tally'])
    const next = await open(true)
    expect(await calls(next)).toBe(3)
    await next.close()
  })

  test('leaves a file for its owner only, that does not grow without end', async () => {
    await countOnce()
    expect(statSync(join(directory, 'tally')).mode & 0o777).toBe(0o600)
    const store = await open(false)
    for (let at = 0; at < 1000; at += 1) store.activity.count('mine', at * minute)
    await store.close()
    expect(statSync(join(directory, 'tally')).size).toBeGreaterThan(16_384)
    await countOnce()
    expect(existsSync(join(directory, 'tally'))).toBe(false)
    const next = await open(false)
    expect(await calls(next)).toBe(1002)
    await next.close()
  })

  test('of a project that holds nothing is seen, and makes no project and no index', async () => {
    const names = async (): Promise<unknown> => {
      const database = loadDatabase(join(directory, 'brain.db'), { readonly: true })
      const found = database
        .prepare("SELECT name FROM sqlite_schema WHERE name GLOB 'keyword_*'")
        .pluck()
        .all()
      database.close()
      return found
    }
    const before = await names()
    const daemon = await open(true)
    daemon.activity.count('mistyped', 5 * minute)
    expect((await daemon.activity.window('mistyped', 0)).lastActive).toBe(5 * minute)
    await daemon.close()
    expect(await names()).toEqual(before)
  })

  test('of a project with a space in its name keeps it', async () => {
    const store = await open(false)
    store.activity.count('my own project', minute)
    await store.close()
    expect(readFileSync(join(directory, 'tally'), 'utf8')).toBe('60000 1 60000 my own project\n')
    const next = await open(false)
    expect((await next.activity.window('my own project', 0)).lastActive).toBe(minute)
    await next.close()
  })

  test('is not written through a link that appears while the brain is open', async () => {
    const target = join(directory, 'target')
    writeFileSync(target, 'mine')
    const store = await open(false)
    symlinkSync(target, join(directory, 'tally'))
    store.activity.count('mine', 5 * minute)
    await store.close()
    expect(readFileSync(target, 'utf8')).toBe('mine')
    rmSync(join(directory, 'tally'), { force: true })
    const next = await open(false)
    expect(await calls(next)).toBe(1)
    await next.close()
  })
})
