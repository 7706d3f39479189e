/** From one model to another while a brain is in use. */
import { describe, expect, test } from 'vitest'
import { BrainError } from '../../src/core/errors.ts'
import type { Embedder, ModelIdentity } from '../../src/models/embedder.ts'
import {
  type Reindexed,
  type ReindexOptions,
  type ReindexProgress,
  reindex,
} from '../../src/sleep/reindex.ts'
import type { NewMemory, Store } from '../../src/store/store.ts'
import { forget } from '../store/by-project.ts'
import { adapters } from '../store/contract.ts'
import { embed, model, vectorOf } from '../store/test-embedder.ts'

const next: ModelIdentity = { name: 'next', hash: 'beef', dimension: 8 }

function createEmbedder(onTexts: (texts: readonly string[]) => void = () => {}): Embedder {
  return {
    identity: next,
    embedTexts: async (texts) => {
      onTexts(texts)
      return texts.map((text) => [...embed(text, next).passages])
    },
    embedQuery: async (query) => ({
      start: 0,
      end: 1,
      vector: vectorOf(query, next),
      tokens: new Uint16Array(),
    }),
    close: async () => {},
  }
}

const memory = (text: string): NewMemory => ({
  text,
  caution: 0,
  agent: 'a',
  createdAt: 1,
  embedding: embed(text),
})

const run = (store: Store, options: Partial<ReindexOptions> = {}): Promise<Reindexed> =>
  reindex({
    store,
    embedder: createEmbedder(),
    signal: new AbortController().signal,
    pause: async () => {},
    ...options,
  })

const fill = (store: Store, count: number) =>
  store.memories.addMany(
    'mine',
    Array.from({ length: count }, (_, at) => memory(`note ${at}`)),
  )

describe.each(adapters)('reindexing %s', (_, open) => {
  test('gives every memory a vector of the new model, then switches and drops the old ones', async () => {
    const store = await open()
    await fill(store, 300)
    await store.memories.add('other', memory('elsewhere'))
    const steps: ReindexProgress[] = []
    const done = await run(store, { progress: (step) => steps.push(step) })
    expect(done).toEqual({ embedded: 301, refused: [] })
    expect(await store.index.servedModel()).toEqual(next)
    expect(steps[0]).toEqual({ phase: 'embedding', done: 0, total: 301 })
    expect(steps.at(-1)).toEqual({ phase: 'clearing', done: 301, total: 301 })
    expect(await store.index.tidy()).toBe(false)
    const checks = (await store.maintenance.check()).map(({ check }) => check)
    expect(checks).toContain('vectors of next')
    expect(checks.filter((check) => /vectors of .*test/.test(check))).toEqual([])
    const [nearest] = await store.index.nearest('mine', {
      model: next,
      vector: vectorOf('note 7', next),
      limit: 1,
    })
    expect(nearest?.similarity).toBeCloseTo(1, 2)
    expect(await store.index.nearest('mine', { model, vector: vectorOf('note 7'), limit: 1 })).toEqual([])
  })

  test('leaves the old vectors in service until it is whole, and goes on where it stopped', async () => {
    const store = await open()
    await fill(store, 400)
    const controller = new AbortController()
    const stopped = run(store, {
      signal: controller.signal,
      progress: ({ done }) => {
        if (done > 0) controller.abort(new Error('stop'))
      },
    })
    await expect(stopped).rejects.toThrow('stop')
    expect(await store.index.servedModel()).toEqual(model)
    expect(await store.index.nearest('mine', { model, vector: vectorOf('note 7'), limit: 1 })).toHaveLength(1)
    const lacking = await store.index.lacking(next)
    expect(lacking).toBeLessThan(400)
    expect((await run(store)).embedded).toBe(lacking)
    expect(await store.index.servedModel()).toEqual(next)
  })

  test('takes in what others add and remove meanwhile', async () => {
    const store = await open()
    const [first] = await fill(store, 200)
    let batches = -1
    const progress = (): void => {
      batches += 1
      if (batches === 1) void forget(store, 'mine', first?.id)
      if (batches === 2) void store.memories.add('mine', memory('late'))
    }
    await run(store, { progress })
    expect(await store.index.servedModel()).toEqual(next)
    expect(await store.index.lacking(next)).toBe(0)
    expect(await store.memories.count('mine')).toBe(200)
  })

  test('leaves a memory that cannot be embedded to keyword search, to be healed some day', async () => {
    const store = await open()
    const memories = await fill(store, 40)
    const strange = [memories[3]?.id ?? 0, memories[30]?.id ?? 0]
    const embedder = createEmbedder((texts) => {
      if (texts.includes('note 3') || texts.includes('note 30')) throw new BrainError('failed', 'too strange')
    })
    expect(await run(store, { embedder })).toEqual({ embedded: 38, refused: strange })
    expect(await store.index.servedModel()).toEqual(next)
    expect(await store.index.backlog('mine')).toBe(2)
    expect(await run(store)).toEqual({ embedded: 2, refused: [] })
    expect(await store.index.backlog('mine')).toBe(0)
  })

  test('waits for an embedder that fails for a while', async () => {
    const store = await open()
    await fill(store, 40)
    const pauses: number[] = []
    let calls = 0
    const embedder = createEmbedder(() => {
      calls += 1
      if (calls > 1 && calls < 5) throw new BrainError('failed', 'no answer')
    })
    const pause = async (milliseconds: number) => void pauses.push(milliseconds)
    expect(await run(store, { embedder, pause })).toEqual({ embedded: 40, refused: [] })
    expect(pauses.filter((milliseconds) => milliseconds > 1_000)).toHaveLength(3)
  })

  test('an embedder that goes on failing ends it with the reason, and nothing is lost', async () => {
    const store = await open()
    await fill(store, 40)
    let calls = 0
    const embedder = createEmbedder(() => {
      calls += 1
      if (calls > 1) throw new BrainError('failed', 'no answer')
    })
    await expect(run(store, { embedder })).rejects.toThrow(/no answer; 16 of 40 memories.*run brain reindex/)
    expect(await store.index.servedModel()).toEqual(model)
    expect(await store.index.backlog('mine')).toBe(0)
    expect((await run(store)).embedded).toBe(24)
    expect(await store.index.servedModel()).toEqual(next)
  })

  test('what a run left behind that was ended after the switch is cleared by the next', async () => {
    const store = await open()
    await fill(store, 300)
    const ids = (await store.memories.list('mine', { after: 0, limit: 500 })).map(({ id }) => id)
    await store.index.addEmbeddings('mine', new Map(ids.map((id) => [id, embed(`note ${id}`, next)])))
    expect(await store.index.serve(next)).toBe(true)
    await store.index.tidy()
    expect((await run(store)).embedded).toBe(0)
    expect(await store.index.tidy()).toBe(false)
    expect((await store.maintenance.check()).filter(({ ok }) => !ok)).toEqual([])
  })

  test('the same model can be made anew while its old vectors go', async () => {
    const store = await open()
    await fill(store, 300)
    const back = { ...createEmbedder(), identity: model }
    back.embedTexts = async (texts) => texts.map((text) => [...embed(text).passages])
    const toward = new AbortController()
    await run(store, {
      signal: toward.signal,
      progress: ({ phase }) => {
        if (phase === 'clearing') toward.abort()
      },
    })
    expect(await store.index.servedModel()).toEqual(next)
    expect((await run(store, { embedder: back })).embedded).toBe(300)
    expect(await store.index.servedModel()).toEqual(model)
    const found = await store.index.nearest('mine', { model, vector: vectorOf('note 7'), limit: 1 })
    expect(found[0]?.similarity).toBeCloseTo(1, 2)
    expect((await store.maintenance.check()).filter(({ ok }) => !ok)).toEqual([])
  })

  test('of an empty brain only chooses the model', async () => {
    const store = await open()
    expect((await run(store)).embedded).toBe(0)
    expect(await store.index.servedModel()).toEqual(next)
  })
})
