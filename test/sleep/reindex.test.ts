/** From one model to another while a brain is in use. */
import { describe, expect, test } from 'vitest'
import { BrainError } from '../../src/core/errors.ts'
import type { Embedder, ModelIdentity } from '../../src/embed/embedder.ts'
import { type ReindexOptions, reindex } from '../../src/sleep/reindex.ts'
import type { NewMemory, Store } from '../../src/store/store.ts'
import { adapters } from '../store/temporary-store.ts'
import { embed, model, vectorOf } from '../store/test-embedder.ts'

const next: ModelIdentity = { name: 'next', hash: 'beef', dimension: 8 }

function createEmbedder(onTexts: (texts: readonly string[]) => void = () => {}): Embedder {
  return {
    identity: next,
    relevance: { slope: 1, midpoint: 0 },
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

const run = (store: Store, options: Partial<ReindexOptions> = {}): Promise<number> =>
  reindex({
    store,
    embedder: createEmbedder(),
    signal: new AbortController().signal,
    progress: () => {},
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
    const steps: [number, number][] = []
    expect(await run(store, { progress: (...step) => steps.push(step) })).toBe(301)
    expect(await store.index.servedModel()).toEqual(next)
    expect(steps.at(-1)).toEqual([301, 301])
    const [nearest] = await store.index.nearest('mine', {
      model: next,
      vector: vectorOf('note 7', next),
      limit: 1,
    })
    expect(nearest?.similarity).toBeCloseTo(1, 5)
    expect(await store.index.nearest('mine', { model, vector: vectorOf('note 7'), limit: 1 })).toEqual([])
  })

  test('leaves the old vectors in service until it is whole, and goes on where it stopped', async () => {
    const store = await open()
    await fill(store, 400)
    const controller = new AbortController()
    const stopped = run(store, {
      signal: controller.signal,
      progress: () => controller.abort(new Error('stop')),
    })
    await expect(stopped).rejects.toThrow('stop')
    expect(await store.index.servedModel()).toEqual(model)
    expect(await store.index.nearest('mine', { model, vector: vectorOf('note 7'), limit: 1 })).toHaveLength(1)
    const lacking = await store.index.lacking(next)
    expect(lacking).toBeLessThan(400)
    expect(await run(store)).toBe(lacking)
    expect(await store.index.servedModel()).toEqual(next)
  })

  test('takes in what others add and remove meanwhile', async () => {
    const store = await open()
    const [first] = await fill(store, 200)
    let rounds = 0
    const embedder = createEmbedder(() => {
      rounds += 1
    })
    const progress = (): void => {
      if (rounds === 2) void store.memories.add('mine', memory(`late ${rounds}`))
      if (rounds === 1) void store.memories.forget(first?.id ?? 0, () => {})
    }
    await run(store, { embedder, progress })
    expect(await store.index.servedModel()).toEqual(next)
    expect(await store.index.lacking(next)).toBe(0)
    expect(await store.memories.count('mine')).toBe(200)
  })

  test('names the memory that cannot be embedded, and keeps what could', async () => {
    const store = await open()
    const memories = await fill(store, 5)
    const embedder = createEmbedder((texts) => {
      if (texts.includes('note 3')) throw new BrainError('failed', 'too strange')
    })
    await expect(run(store, { embedder })).rejects.toThrow(
      `memory ${memories[3]?.id} cannot be embedded: too strange`,
    )
    expect(await store.index.servedModel()).toEqual(model)
    expect(await store.index.lacking(next)).toBe(2)
  })

  test('of an empty brain only chooses the model', async () => {
    const store = await open()
    expect(await run(store)).toBe(0)
    expect(await store.index.servedModel()).toEqual(next)
  })
})
