/** Writes of many callers and processes: each acknowledged once it is durable, refused alone, never half. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openSqliteStore } from '../../src/store/sqlite/store.ts'
import type { Store } from '../../src/store/store.ts'
import { createSmallDisk } from '../faults/small-disk.ts'
import { makeBrain, options, remember, textsOf, withStore } from './brain-file.ts'
import { embedLacking } from './by-project.ts'
import { matchingOf } from './matching.ts'
import { embed, model, vectorOf } from './test-embedder.ts'

const troubles = async ({ maintenance }: Store) => (await maintenance.check()).filter(({ ok }) => !ok)

/** Another process that holds the write lock until it is killed. */
async function holdLock(file: string): Promise<ChildProcess> {
  const hold = `
    const { loadDatabase } = await import(process.argv[1])
    const database = loadDatabase(process.argv[2])
    database.exec('BEGIN IMMEDIATE')
    process.stdout.write('held')
    // Named again, so that it is not collected, and closed, as garbage.
    setInterval(() => database.inTransaction, 1000)`
  const { bundle } = await import('../faults/bundle.ts')
  const binding = await bundle('src/store/sqlite/binding.ts')
  const child = spawn(process.execPath, ['--input-type=module', '-e', hold, binding, file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  if (child.stdout) await once(child.stdout, 'data')
  return child
}

describe('a commit', () => {
  it('is refused after the busy timeout, with the name of who may hold the lock; reads go on', async () => {
    const file = await makeBrain()
    const store = await openSqliteStore(file, options)
    const child = await holdLock(file)
    mkdirSync(join(file, '..', 'run'), { recursive: true })
    writeFileSync(join(file, '..', 'run', `${child.pid}-1`), 'brain import')
    const refused = remember(store, 'too late')
    expect(await textsOf(store)).toEqual(['the cache is warm'])
    await expect(refused).rejects.toMatchObject({
      kind: 'busy',
      message: `store is busy, try again; it may be held by brain import (process ${child.pid})`,
    })
    // The lock goes with the process, and writing goes on without a new start.
    child.kill('SIGKILL')
    await once(child, 'exit')
    await remember(store, 'in time')
    expect(await textsOf(store)).toEqual(['the cache is warm', 'in time'])
    await store.close()
  })

  it('that meets a full disk acknowledges nothing it did not keep; reads go on, and writes once there is room', async () => {
    const disk = createSmallDisk()
    onTestFinished(() => disk.remove())
    const file = await makeBrain(disk.directory)
    const store = await openSqliteStore(file, { ...options, durability: 'normal' })
    const long = (at: number): string => `note ${at} ${'lorem ipsum '.repeat(100)}`
    disk.fill(600_000)
    const outcomes = await Promise.allSettled(
      Array.from({ length: 400 }, (_, at) =>
        store.memories.add('mine', {
          text: long(at),
          caution: 0,
          agent: 'a',
          createdAt: at,
          embedding: embed(long(at)),
        }),
      ),
    )
    const kept = outcomes.flatMap(({ status }, at) => (status === 'fulfilled' ? [long(at)] : []))
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
    expect(kept.length).toBeGreaterThan(0)
    expect(refused.length).toBeGreaterThan(0)
    for (const reason of refused) {
      expect(reason).toMatchObject({ kind: 'storage', message: expect.stringMatching(disk.sentence) })
    }
    const all = async () =>
      (await store.memories.list('mine', { after: 0, limit: 1_000 })).map(({ text }) => text)
    expect(await all()).toEqual(['the cache is warm', ...kept])
    disk.free()
    await remember(store, 'room again')
    expect(await all()).toEqual(['the cache is warm', ...kept, 'room again'])
    expect(await troubles(store)).toEqual([])
    await store.close()
  })

  it('of a full disk is refused to a process that opens it then, which can read all the same', async () => {
    const disk = createSmallDisk()
    onTestFinished(() => disk.remove())
    const file = await makeBrain(disk.directory)
    disk.fill(0)
    await withStore(file, async (store) => {
      expect(await textsOf(store)).toEqual(['the cache is warm'])
      await expect(remember(store, 'no room')).rejects.toMatchObject({
        kind: 'storage',
        message: expect.stringMatching(disk.sentence),
      })
      expect(await troubles(store)).toEqual([])
      expect(await textsOf(store)).toEqual(['the cache is warm'])
    })
    disk.free()
    await withStore(file, async (store) => {
      await remember(store, 'room again')
      expect(await textsOf(store)).toEqual(['the cache is warm', 'room again'])
    })
  })

  it('of one process is seen by another, through new projects, new models and models dropped', async () => {
    const file = await makeBrain()
    const [here, there] = await Promise.all([openSqliteStore(file, options), openSqliteStore(file, options)])
    const other = { name: 'test', hash: 'beef', dimension: 8 }
    const add = (store: Store, project: string, text: string, identity = model) =>
      store.memories.add(project, {
        text,
        caution: 0,
        agent: 'a',
        createdAt: 1,
        embedding: embed(text, identity),
      })
    const search = async (store: Store, project: string, identity = model) => {
      const query = { model: identity, vector: vectorOf('rust', identity), limit: 9 }
      const near = await store.index.nearest(project, query)
      const matches = await matchingOf(store, { project, terms: ['rust'], limit: 9 })
      return [near.length, matches.length]
    }
    for (const [at, project] of ['one', 'two', 'three'].entries()) {
      expect(await search(here, project)).toEqual([0, 0])
      await add(there, project, `rust number ${at}`)
      expect(await search(here, project)).toEqual([1, 1])
      await add(here, project, 'rust again')
      expect(await search(there, project)).toEqual([2, 2])
    }
    // The other process moves to another model while this one has statements of the old one.
    await embedLacking(there, other, ({ text }) => embed(text, other))
    expect(await there.index.serve(other)).toBe(true)
    expect(await search(here, 'one')).toEqual([0, 2])
    expect(await search(here, 'one', other)).toEqual([2, 2])
    await add(here, 'one', 'rust in the old space')
    expect(await here.index.backlog('one')).toBe(1)
    expect(await troubles(here)).toEqual([])
    await Promise.all([here.close(), there.close()])
  })

  it('that is refused in the making leaves no project, index or model behind', async () => {
    const file = await makeBrain()
    await withStore(file, async (store) => {
      const bad = { text: 'x', caution: 7, agent: 'a', createdAt: 1, embedding: embed('x') }
      await expect(store.memories.add('new', bad)).rejects.toThrow()
      expect(await store.maintenance.projects()).toEqual(['mine'])
      await store.memories.add('new', { ...bad, caution: 0 })
      expect(await matchingOf(store, { project: 'new', terms: ['x'], limit: 1 })).toHaveLength(1)
      expect(await troubles(store)).toEqual([])
    })
  })

  it('is not taken after closing, and what came before is finished', async () => {
    const file = await makeBrain()
    const store = await openSqliteStore(file, options)
    const before = Promise.all(Array.from({ length: 150 }, (_, at) => remember(store, `note ${at}`)))
    const closed = store.close()
    await before
    await closed
    await expect(remember(store, 'after')).rejects.toMatchObject({ kind: 'storage' })
    await expect(textsOf(store)).rejects.toMatchObject({ kind: 'storage' })
    await withStore(file, async ({ memories }) => expect(await memories.count('mine')).toBe(151))
  })
})
