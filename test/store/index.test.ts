/** What every store promises about search: by vector of the right model, by keyword, a project at a time. */
import { describe, expect, it } from 'vitest'
import type { ModelIdentity } from '../../src/models/embedder.ts'
import type { Embedding, Store } from '../../src/store/store.ts'
import { forget } from './by-project.ts'
import { adapters } from './contract.ts'
import { matchingOf } from './matching.ts'
import { embed, keep, model, vectorOf } from './test-embedder.ts'

const other: ModelIdentity = { name: 'test', hash: 'beef', dimension: 16 }

async function add(
  { memories }: Store,
  text: string,
  {
    project = 'mine',
    caution = 0,
    embedding,
  }: { project?: string; caution?: number; embedding?: Embedding } = {},
): Promise<number> {
  const added = await memories.add(project, {
    text,
    caution,
    agent: 'tester',
    createdAt: 1_000,
    ...(embedding && { embedding }),
  })
  return added.id
}

const addEmbedded = (store: Store, text: string, rest: { project?: string; caution?: number } = {}) =>
  add(store, text, { ...rest, embedding: embed(text) })

const nearest = async (
  { index }: Store,
  query: string,
  rest: { project?: string; flagsOnly?: boolean } = {},
) => {
  const { project = 'mine', flagsOnly } = rest
  const found = await index.nearest(project, {
    model,
    vector: vectorOf(query),
    limit: 10,
    ...(flagsOnly === true && { among: { now: 0, kind: 'flag' } as const }),
  })
  return found.map(({ memoryId }) => memoryId)
}

const matching = async (store: Store, terms: string[]) =>
  (await matchingOf(store, { terms })).map(({ id }) => id)

describe.each(adapters)('the index in %s', (_, open) => {
  it('compares what was written around turns of a conversation, and nothing that is not wanted', async () => {
    const store = await open()
    const turns = [
      'Did you sell the boat?',
      'I did, yes!',
      'Who bought it from you?',
      'My uncle Piet.',
      'You miss it?',
    ]
    const ids: number[] = []
    for (const [at, text] of turns.entries()) {
      ids.push(await addEmbedded(store, text))
      await add(store, `elsewhere ${at}`, { project: 'other', embedding: embed('boat') })
    }
    const asked = (limit: number, among = {}) =>
      store.index.candidates('mine', {
        terms: [],
        matches: 10,
        nearest: { model, vector: vectorOf('boat'), limit },
        among: { now: 0, ...among },
        texts: false,
      })
    const all = await asked(10)
    expect(all.conversation).toBe(true)
    expect(new Set(all.passages.map(({ memoryId }) => memoryId))).toEqual(new Set(ids))
    // Four do not tell; neither do notes.
    expect((await asked(4)).conversation).toBe(false)
    expect((await asked(10, { since: 2_000 })).passages).toEqual([])
  })

  it('finds passages by nearness, best first, with their cosine and word pieces', async () => {
    const store = await open()
    const warm = await addEmbedded(store, 'the cache is warm')
    await addEmbedded(store, 'rust builds slowly')
    const found = await store.index.nearest('mine', {
      model,
      vector: vectorOf('the cache is warm'),
      limit: 10,
    })
    expect(found[0]?.memoryId).toBe(warm)
    // Rounded to int8.
    expect(found[0]?.similarity).toBeCloseTo(1, 3)
    expect([...(found[0]?.tokens ?? [])]).toEqual([3, 5, 2, 4])
    expect(found[1]?.similarity).toBeLessThan(found[0]?.similarity ?? 0)
  })

  it('keeps every passage of a long text', async () => {
    const store = await open()
    const id = await addEmbedded(store, 'the cache is warm\nrust builds slowly')
    const found = await store.index.nearest('mine', {
      model,
      vector: vectorOf('rust builds slowly'),
      limit: 10,
    })
    expect(found.map(({ memoryId }) => memoryId)).toEqual([id, id])
    const passages = await store.index.passages('mine', model, [id])
    expect(passages.map(({ memoryId }) => memoryId)).toEqual([id, id])
    const kept = keep(vectorOf('rust builds slowly'))
    expect(passages[1]?.vector).toEqual(Float32Array.from(kept.row, (component) => component * kept.factor))
  })

  it('finds nothing of another project, by vector, by keyword or by id', async () => {
    const store = await open()
    const theirs = await addEmbedded(store, 'the cache is warm', { project: 'theirs' })
    await addEmbedded(store, 'rust builds slowly')
    expect(await nearest(store, 'the cache is warm')).not.toContain(theirs)
    expect(await matching(store, ['cach'])).toEqual([])
    expect(await store.index.passages('mine', model, [theirs])).toEqual([])
  })

  it('gives all that a search compares as of one moment, while others write', async () => {
    const store = await open()
    const ids = await Promise.all(
      Array.from({ length: 8 }, (_, at) => addEmbedded(store, at % 2 === 0 ? `rust ${at}` : `tool ${at}`)),
    )
    const nearest = { model, vector: vectorOf('rust'), limit: 50 }
    const ask = () =>
      store.index.candidates('mine', {
        terms: ['rust'],
        matches: 50,
        nearest,
        among: { now: 0 },
        texts: true,
      })
    const turn = (id: number) =>
      store.memories.amend('mine', id, (before) => {
        const text = before !== 'elsewhere' && before?.text.startsWith('rust') ? `tool ${id}` : `rust ${id}`
        return { text, caution: 0, agent: 'tester', now: 2, embedding: embed(text) }
      })
    for (let round = 0; round < 20; round += 1) {
      const [found] = await Promise.all([ask(), ...ids.map(turn)])
      const holding = [...found.memories].filter(([, { text }]) => text.startsWith('rust'))
      expect(found.matches.map(({ id }) => id).sort()).toEqual(holding.map(([id]) => id).sort())
      expect(found.statistics).toMatchObject({ documents: 8, frequency: new Map([['rust', holding.length]]) })
      expect(new Set(found.passages.map(({ memoryId }) => memoryId))).toEqual(new Set(ids))
      expect(found.served).toEqual(model)
    }
  })

  it('tells texts of matches without a vector, of others when asked, and a sample of a project of some size', async () => {
    const store = await open()
    const bare = await add(store, 'a rust b')
    const near = await addEmbedded(store, 'rust')
    await addEmbedded(store, 'rust of another', { project: 'theirs' })
    const query = {
      terms: ['rust', 'absent'],
      matches: 9,
      nearest: { model, vector: vectorOf('rust'), limit: 9 },
      among: { now: 0 },
    }
    const some = await store.index.candidates('mine', {
      ...query,
      sample: { size: 5, from: 3 },
      texts: false,
    })
    expect(some.matches.map(({ id }) => id).sort()).toEqual([bare, near])
    expect(some.passages.map(({ memoryId }) => memoryId)).toEqual([near])
    expect([...some.memories]).toEqual([[bare, { text: 'a rust b', createdAt: 1_000 }]])
    expect(some.sample).toEqual([])
    const all = await store.index.candidates('mine', { ...query, sample: { size: 5, from: 2 }, texts: true })
    expect([...all.memories.keys()].sort()).toEqual([bare, near])
    expect(all.sample.map(({ memoryId }) => memoryId)).toEqual([near])
    const words = await store.index.candidates('mine', { ...query, nearest: undefined, texts: false })
    expect(words).toMatchObject({ passages: [], sample: [], memories: new Map() })
    const nobody = await store.index.candidates('nobody', { ...query, texts: true })
    expect(nobody).toMatchObject({ matches: [], passages: [], statistics: { documents: 0 } })
  })

  it('finds flags alone when asked', async () => {
    const store = await open()
    await addEmbedded(store, 'the cache is warm')
    const flag = await addEmbedded(store, 'never clear the cache', { caution: 0.9 })
    expect(await nearest(store, 'cache', { flagsOnly: true })).toEqual([flag])
    expect((await nearest(store, 'cache')).sort()).toHaveLength(2)
  })

  it('never compares with vectors of another model', async () => {
    const store = await open()
    await add(store, 'the cache is warm', { embedding: embed('the cache is warm', other) })
    expect(await nearest(store, 'the cache is warm')).toEqual([])
    expect(await store.index.servedModel()).toEqual(other)
  })

  it('refuses a query vector that is not finite', async () => {
    const store = await open()
    await addEmbedded(store, 'the cache is warm')
    const vector = new Float32Array(model.dimension).fill(Number.NaN)
    await expect(store.index.nearest('mine', { model, vector, limit: 10 })).rejects.toThrow(/unusable/)
  })

  it.each(['"', 'a" OR "b', 'NEAR(a b)', 'a*', '(', 'term:x', '-a', '^a', 'AND', '🔥', "'", 'a""b'])(
    'takes %j as a term and not as syntax',
    async (term) => {
      const store = await open()
      const id = await add(store, 'rust builds slowly')
      expect(await matching(store, [term, 'rust'])).toEqual([id])
    },
  )

  it('answers more terms than a query may have', async () => {
    const store = await open()
    const id = await add(store, 'rust builds slowly')
    const terms = ['rust', ...Array.from({ length: 5_000 }, (_item, at) => `word${at}`)]
    expect(await matching(store, terms)).toEqual([id])
  })

  it('counts terms of one project', async () => {
    const store = await open()
    await add(store, 'rust rust builds')
    await add(store, 'rust')
    await add(store, 'rust rust rust rust', { project: 'theirs' })
    const { documents, averageLength, frequency } = await store.index.termStatistics('mine', [
      'rust',
      'zebra',
    ])
    expect({ documents, averageLength }).toEqual({ documents: 2, averageLength: 2 })
    expect([...frequency]).toEqual([['rust', 2]])
  })

  it('tells which memories wait for a vector, and counts them a project', async () => {
    const store = await open()
    await addEmbedded(store, 'the cache is warm')
    const first = await add(store, 'rust builds slowly')
    const second = await add(store, 'tests are slow', { project: 'theirs' })
    const waiting = async (project: string, after = 0) =>
      (await store.index.withoutVector(project, model, { after, limit: 10 })).map(({ id }) => id)
    expect([await waiting('mine'), await waiting('theirs')]).toEqual([[first], [second]])
    expect(await waiting('mine', first)).toEqual([])
    expect(new Set((await store.index.upkeep()).waiting)).toEqual(new Set(['mine', 'theirs']))
    expect([await store.index.backlog('mine'), await store.index.backlog('theirs')]).toEqual([1, 1])
  })

  it('heals what waits, once, and leaves out what was forgotten meanwhile', async () => {
    const store = await open()
    await addEmbedded(store, 'the cache is warm')
    const id = await add(store, 'rust builds slowly')
    const gone = await add(store, 'forget me')
    await forget(store, 'mine', gone)
    const healed = new Map([
      [id, embed('rust builds slowly')],
      [gone, embed('forget me')],
    ])
    expect(await store.index.addEmbeddings('mine', healed)).toBe(1)
    expect(await store.index.addEmbeddings('mine', healed)).toBe(0)
    expect(await store.index.backlog('mine')).toBe(0)
    expect((await nearest(store, 'rust builds slowly'))[0]).toBe(id)
  })

  it('switches to another model once every memory has its vectors, and drops the old ones', async () => {
    const store = await open()
    const ids = [
      await addEmbedded(store, 'the cache is warm'),
      await addEmbedded(store, 'rust builds slowly'),
    ]
    await store.index.addEmbeddings('mine', new Map([[ids[0] ?? 0, embed('the cache is warm', other)]]))
    expect(await store.index.serve(other)).toBe(false)
    expect(await store.index.backlog('mine')).toBe(0)
    expect(await store.index.servedModel()).toEqual(model)
    expect((await nearest(store, 'cache')).sort()).toEqual(ids)
    await store.index.addEmbeddings('mine', new Map([[ids[1] ?? 0, embed('rust builds slowly', other)]]))
    expect(await store.index.serve(other)).toBe(true)
    expect(await store.index.servedModel()).toEqual(other)
    expect(await nearest(store, 'cache')).toEqual([])
    expect((await store.maintenance.check()).filter(({ ok }) => !ok)).toEqual([])
  })
})
