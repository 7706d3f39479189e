/** Whole brains copied from a store of one kind into the other, and gone on with where a copy was cut off. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { openStore } from '../../src/store/open.ts'
import type { Store } from '../../src/store/store.ts'
import type { CopiedRecord, Receiving } from '../../src/store/transfer.ts'
import { copyBrain } from '../../src/transfer/copy.ts'
import { childEnvironment, createPlace, program, runBuilt } from '../cli/command-line.ts'
import { temporaryDirectory } from '../models/temporary-directory.ts'
import { adapters, emptyServer } from '../store/contract.ts'
import { fill, readAll } from '../store/everything.ts'
import { embed } from '../store/test-embedder.ts'

const [, [, openInFile] = expect.unreachable(), [, openOnServer] = expect.unreachable()] = adapters
const ways = [
  ['SQLite', openInFile, openOnServer],
  ['PostgreSQL', openOnServer, openInFile],
] as const

const copy = (from: Store, to: Store, options: Partial<Parameters<typeof copyBrain>[0]> = {}) =>
  copyBrain({
    from,
    to,
    source: 'a brain',
    signal: new AbortController().signal,
    progress: () => {},
    ...options,
  })

describe.each(ways)('a copy of a brain in %s', (_, openFrom, openTo) => {
  test('answers whatever is asked as the brain does', async () => {
    const [from, to] = [await openFrom(), await openTo()]
    const ids = [await fill(from, 'mine'), await fill(from, 'theirs')] as const
    await from.dreams.take('mine', 1, 5)
    const { counts, vectors, keys, resumed } = await copy(from, to)
    expect({ ...counts, vectors, keys, resumed }).toMatchObject({
      memory: 6,
      version: 2,
      dream: 4,
      belief: 6,
      evidence: 4,
      prediction: 4,
      observation: 2,
      vectors: 4,
      keys: 2,
      resumed: false,
    })
    for (const project of ['mine', 'theirs']) {
      // Calls are those of the store that was asked; a check is run for whoever wrote it, where he wrote it.
      const { calls: _calls, checks: _checks, ...copied } = await readAll(to, project, ...ids)
      const { calls, checks, ...own } = await readAll(from, project, ...ids)
      expect(copied).toEqual(own)
    }
    expect(await to.keys.list()).toEqual(await from.keys.list())
    const added = await to.memories.add('mine', { text: 'next', caution: 0, agent: 'a', createdAt: 1 })
    expect(added.id).toBe(Math.max(ids[0].flag, ids[1].flag) + 2)
  })

  test('goes on from any record it was cut off at, and has nothing twice', async () => {
    const [from, to] = [await openFrom(), await openTo()]
    await fill(from, 'mine')
    await fill(from, 'theirs')
    const all: [project: string, CopiedRecord[]][] = []
    for (const project of ['mine', 'theirs']) all.push([project, await copiesOf(from, project)])
    for (const [project, records] of all) {
      for (const one of records) {
        const receiving = await to.transfer.receive('a brain')
        expect(await copiesOf(from, project, receiving?.reached)).toContainEqual(one)
        await receiving?.add(project, [one])
      }
    }
    const { resumed, counts } = await copy(from, to)
    expect([resumed, counts.memory]).toEqual([true, 6])
    await expect(copy(from, to)).resolves.toMatchObject({ resumed: true, counts })
  })

  test('is taken no further by a second process, or with another brain', async () => {
    const [from, to] = [await openFrom(), await openTo()]
    await fill(from, 'mine')
    const [first, second] = await copiesOf(from, 'mine')
    const [one, other] = [await to.transfer.receive('a brain'), await to.transfer.receive('a brain')]
    if (first === undefined || second === undefined) expect.unreachable()
    await one?.add('mine', [first])
    await expect(other?.add('mine', [first])).rejects.toMatchObject({ kind: 'busy' })
    await one?.add('mine', [second])
    await expect(copy(from, to, { source: 'another' })).rejects.toMatchObject({
      kind: 'refused',
      message: 'a part of a copy of another brain is there: finish that one, or copy into an empty brain',
    })
  })
})

/** Records of a project, after the place that a copy has reached in it. */
async function copiesOf(
  store: Store,
  project: string,
  reached?: Receiving['reached'],
): Promise<CopiedRecord[]> {
  const records: CopiedRecord[] = []
  const after = reached?.project === project ? reached : undefined
  for await (const record of store.transfer.copies(project, after)) records.push(record)
  return records
}

/** Memories enough for many batches. */
async function fillLargely(store: Store): Promise<void> {
  for (let from = 0; from < 3_000; from += 500) {
    const memories = Array.from({ length: 500 }, (_, at) => {
      const text = `note ${from + at} on the cache of the booking service and its warm start`
      return { text, caution: 0, agent: 'a', createdAt: from + at, embedding: embed(text) }
    })
    await store.memories.addMany('default', memories)
  }
}

// PGlite has a single session, which the transaction of a process that was killed keeps.
describe.skipIf(process.env.BRAIN_TEST_POSTGRES === undefined)('brain store copy that is killed', () => {
  const options = { durability: 'normal', label: 'test', warn: () => {} } as const

  test.each(['SQLite', 'PostgreSQL'])(
    'leaves a part of a brain in %s that only itself opens',
    async (kind) => {
      const { url } = await emptyServer()
      const { password, href } = new URL(url)
      const address = href.replace(`:${password}@`, '@')
      const env = { PGPASSWORD: password }
      const [home, elsewhere] = [temporaryDirectory(), temporaryDirectory()]
      const file = (directory: string): string => join(directory, '.brain', 'brain.db')
      const toServer = kind === 'PostgreSQL'
      const [from, to] = toServer ? [home, address] : [address, elsewhere]
      const store = await openStore(toServer ? file(home) : address, { ...options, create: true, password })
      await fillLargely(store)
      await store.close()

      const child = spawn(process.execPath, [program, 'store', 'copy', from, to], {
        env: { ...childEnvironment(home), ...env },
        stdio: 'ignore',
      })
      const ended = once(child, 'close')
      const target = toServer ? address : file(elsewhere)
      const receiving = { ...options, create: false, receives: true, password }
      const arrived = () =>
        openStore(target, receiving).then(
          async (store) => {
            const count = await store.transfer.count()
            await store.close()
            return count
          },
          () => 0,
        )
      await vi.waitUntil(async () => (await arrived()) > 0, { timeout: 60_000, interval: 20 })
      child.kill('SIGKILL')
      expect(await ended).toEqual([null, 'SIGKILL'])
      const part = await arrived()
      expect(part).toBeLessThan(3_000)

      const there = toServer ? { BRAIN_STORE: address } : {}
      expect(await runBuilt(elsewhere, ['list'], { env: { ...env, ...there } })).toMatchObject({
        code: 5,
        stderr:
          'brain: this is a part of a copy that was interrupted: run the same `brain store copy` again to finish it, or copy into an empty brain\n',
      })
      const again = await runBuilt(home, ['store', 'copy', from, to, '--json'], { env })
      expect(again).toMatchObject({ code: 0, stderr: '' })
      expect(JSON.parse(again.stdout)).toMatchObject({ counts: { memory: 3_000 }, resumed: true })
      const [first, second] = [toServer ? file(home) : address, target]
      const exported = await Promise.all(
        [first, second].map(async (one) => {
          const opened = await openStore(one, { ...options, create: false, password })
          onTestFinished(() => opened.close())
          return copiesOf(opened, 'default')
        }),
      )
      expect(exported[1]).toEqual(exported[0])
    },
  )
})

test('the demo’s brain is the same in PostgreSQL and back in a file, record by record', async () => {
  const { url } = await emptyServer()
  const { password, href } = new URL(url)
  const address = href.replace(`:${password}@`, '@')
  const at = createPlace({ PGPASSWORD: password, BRAIN_EMBEDDER: '' })
  const out = async (...argv: string[]): Promise<string> => {
    const { code, stdout, stderr } = await at.run(argv)
    if (code !== 0) throw new Error(`${argv.join(' ')}: ${stderr}`)
    return stdout
  }
  await out('demo', '--keep', 'demo')
  const there = JSON.parse(await out('store', 'copy', 'demo', address, '--json'))
  const back = JSON.parse(await out('store', 'copy', address, 'back', '--json'))
  expect(there.counts).toMatchObject({ memory: expect.any(Number), dream: expect.any(Number) })
  expect(back).toEqual({ ...there, from: address, to: 'back' })
  const stores = await Promise.all(
    ['demo', 'back'].map((name) =>
      openStore(join(at.directory, name, '.brain', 'brain.db'), {
        durability: 'normal',
        create: false,
        label: 'test',
        warn: () => {},
      }),
    ),
  )
  const [first, last] = await Promise.all(
    stores.map(async (store) => {
      onTestFinished(() => store.close())
      return copiesOf(store, 'default')
    }),
  )
  expect(last).toEqual(first)
})
