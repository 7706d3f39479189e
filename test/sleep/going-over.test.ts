/** From an earlier release's built-in model to this one's: nobody asks for it, and recall is never empty for it. */
import { expect, onTestFinished, test } from 'vitest'
import { defaults } from '../../src/config/config.ts'
import type { Embedder, ModelIdentity } from '../../src/models/embedder.ts'
import { type EmbedderPool, sameModel } from '../../src/models/pool.ts'
import { callOperation } from '../../src/operations/call.ts'
import { definitions } from '../../src/operations/index.ts'
import type { Context } from '../../src/operations/operation.ts'
import { heal } from '../../src/sleep/backfill.ts'
import { reindex, tidyIndex } from '../../src/sleep/reindex.ts'
import { openSqliteStore } from '../../src/store/sqlite/store.ts'
import type { Store } from '../../src/store/store.ts'
import { options, temporaryDirectory } from '../store/brain-file.ts'
import { embed, vectorOf } from '../store/test-embedder.ts'

const former: ModelIdentity = { name: 'builtin', hash: 'former', dimension: 16 }
const current: ModelIdentity = { name: 'builtin', hash: 'current', dimension: 24 }
const memories = 50

interface Pool extends EmbedderPool {
  /** Texts in the order in which they were embedded. */
  readonly embedded: string[]
  /** Told before each batch. */
  onBatch: () => void
}

function createPool(): Pool {
  const embedder: Embedder = {
    identity: current,
    embedTexts: async (texts) => {
      pool.onBatch()
      pool.embedded.push(...texts)
      return texts.map((text) => [...embed(text, current).passages])
    },
    embedQuery: async (query) => ({
      start: 0,
      end: query.length,
      vector: vectorOf(query, current),
      tokens: new Uint16Array(),
    }),
    close: async () => {},
  }
  const pool: Pool = {
    embedded: [],
    onBatch: () => {},
    current: async () => embedder,
    configured: async () => embedder,
    of: async (identity) => (sameModel(identity, current) ? embedder : undefined),
    successor: async (identity) => (sameModel(identity, former) ? embedder : undefined),
    attempt: (work) => work(),
    pieces: async () => undefined,
    reader: async () => undefined,
    nightReader: async () => undefined,
    neutralNotes: async () => ({ mean: new Float32Array(), products: () => [] }),
    close: async () => {},
  }
  return pool
}

/** A brain of the former model, with a flag among the oldest. */
async function openFormer(): Promise<{ store: Store; pool: Pool; context: Context }> {
  const file = `${temporaryDirectory()}/brain.db`
  const store = await openSqliteStore(file, { ...options, create: true })
  onTestFinished(() => store.close())
  for (let at = 1; at <= memories; at += 1) {
    const text = at === 3 ? 'never restart the third machine' : `note ${at} about machine ${at}`
    const caution = at === 3 ? 0.8 : 0
    await store.memories.add('mine', {
      text,
      caution,
      agent: 'a',
      createdAt: at,
      embedding: embed(text, former),
    })
  }
  const pool = createPool()
  const context = { project: 'mine', agent: 'a', config: defaults, store, embedders: pool, now: () => 1_000 }
  return { store, pool, context }
}

const recall = async (context: Context, query: string) =>
  (await callOperation(definitions.recall, context, { query })) as {
    mode: string
    results: { text: string }[]
    keyword_extra: { text: string }[]
  }

/** A signal that is given after so many batches. */
function after(batches: number, pool: Pool): AbortSignal {
  const controller = new AbortController()
  let left = batches
  pool.onBatch = () => {
    left -= 1
    if (left === 0) controller.abort()
  }
  return controller.signal
}

test('before anything is embedded recall finds by words, says so, and writes nothing', async () => {
  const { store, context } = await openFormer()
  const { mode, results } = await recall(context, 'machine 17')
  expect(mode).toBe('keyword')
  expect(results[0]?.text).toBe('note 17 about machine 17')
  expect(await store.index.servedModel()).toEqual(former)
})

test('the first step switches every process, and all that lack the new vector wait for it', async () => {
  const { store, pool } = await openFormer()
  expect(await heal({ store, embedders: pool, signal: AbortSignal.abort() })).toBe(0)
  expect(await store.index.servedModel()).toEqual(current)
  expect(await store.index.backlog('mine')).toBe(memories)
  expect(await store.index.upkeep()).toEqual({ waiting: ['mine'], untidy: true })
})

test('flags are embedded first, then the newest', async () => {
  const { store, pool } = await openFormer()
  await heal({ store, embedders: pool, signal: after(2, pool) })
  expect(pool.embedded[0]).toBe('never restart the third machine')
  expect(pool.embedded[1]).toBe(`note ${memories} about machine ${memories}`)
  expect(await store.index.backlog('mine')).toBe(memories - 17)
})

test('half way, the newest are found by meaning and the others by their words', async () => {
  const { store, pool, context } = await openFormer()
  await heal({ store, embedders: pool, signal: after(2, pool) })
  const newest = await recall(context, `note ${memories} about machine ${memories}`)
  expect(newest.mode).toBe('semantic')
  expect(newest.results[0]?.text).toBe(`note ${memories} about machine ${memories}`)
  const { results, keyword_extra } = await recall(context, 'note 17 about machine 17')
  expect([...results, ...keyword_extra].map(({ text }) => text)).toContain('note 17 about machine 17')
})

test('what is remembered meanwhile is found by meaning at once', async () => {
  const { store, context } = await openFormer()
  expect(await callOperation(definitions.remember, context, { text: 'something new' })).toMatchObject({
    semantic: true,
  })
  expect(await store.index.servedModel()).toEqual(current)
  expect((await recall(context, 'something new')).results[0]?.text).toBe('something new')
})

test('stopped and taken up again at every batch, it ends with every vector new and the old ones gone', async () => {
  const { store, pool } = await openFormer()
  for (let rounds = 0; (await store.index.upkeep()).waiting.length > 0 || rounds === 0; rounds += 1) {
    expect(rounds).toBeLessThan(memories)
    await heal({ store, embedders: pool, signal: after(1, pool) })
  }
  expect(pool.embedded).toHaveLength(memories)
  await tidyIndex(store, new AbortController().signal)
  expect(await store.index.upkeep()).toEqual({ waiting: [], untidy: false })
  expect(await store.index.lacking(former)).toBe(memories)
  expect((await store.maintenance.check()).filter(({ ok }) => !ok)).toEqual([])
})

test('a reindex beside it ends with the same', async () => {
  const { store, pool } = await openFormer()
  pool.onBatch = () => {
    pool.onBatch = () => {}
    void heal({ store, embedders: pool })
  }
  const embedder = await pool.configured()
  await reindex({ store, embedder, signal: new AbortController().signal, pause: async () => {} })
  expect(await store.index.servedModel()).toEqual(current)
  expect(await store.index.upkeep()).toEqual({ waiting: [], untidy: false })
  expect((await store.maintenance.check()).filter(({ ok }) => !ok)).toEqual([])
})

test('a model that is served by now is not replaced', async () => {
  const { store, pool } = await openFormer()
  await heal({ store, embedders: pool })
  await store.index.replaceServed(former, { ...current, hash: 'another' })
  expect(await store.index.servedModel()).toEqual(current)
})
