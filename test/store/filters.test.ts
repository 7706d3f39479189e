/** What every store promises about searching some memories alone: the best of those are found, however many others are nearer. */
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { MemoryFilter } from '../../src/store/memory-life.ts'
import { openSqliteStore } from '../../src/store/sqlite/store.ts'
import type { NewMemory, Store } from '../../src/store/store.ts'
import { options, temporaryDirectory } from './brain-file.ts'
import { adapters } from './contract.ts'
import { flagsOf, matchingOf } from './matching.ts'
import { embed, model, vectorOf } from './test-embedder.ts'

const text = 'the cache is warm'

/** Many that say the very words that are asked for, and one that is asked for and says less of them. */
async function crowd(
  store: Store,
  wanted: Partial<NewMemory>,
  others: Partial<NewMemory> = {},
): Promise<number> {
  const note = (own: string, rest: Partial<NewMemory>): NewMemory => ({
    text: own,
    caution: 0,
    agent: 'crowd',
    createdAt: 1_000,
    embedding: embed(own),
    ...rest,
  })
  await store.memories.addMany(
    'mine',
    Array.from({ length: 700 }, () => note(text, others)),
  )
  const { id } = await store.memories.add('mine', note(`${text}, or so they said of it last winter`, wanted))
  await store.memories.addMany(
    'mine',
    Array.from({ length: 700 }, () => note(text, others)),
  )
  return id
}

async function found(store: Store, among: MemoryFilter): Promise<{ near: number[]; matching: number[] }> {
  const terms = ['cach', 'warm']
  const near = await store.index.nearest('mine', { model, vector: vectorOf(text), limit: 5, among })
  const matching = await matchingOf(store, { terms, limit: 5, among })
  return { near: near.map(({ memoryId }) => memoryId), matching: matching.map(({ id }) => id) }
}

async function live(): Promise<Store> {
  const file = join(temporaryDirectory(), 'brain.db')
  const store = await openSqliteStore(file, { ...options, create: true, mode: 'service' })
  onTestFinished(() => store.close())
  return store
}

describe.each([...adapters, ['SQLite with vectors in memory', live] as const])(
  'a search in %s',
  (_, open) => {
    it.each([
      ['tag', { tags: ['wanted', 'other'] }, { tags: ['b', 'wanted'] }, {}],
      ['agent', { agent: 'wanted' }, { agent: 'wanted' }, {}],
      ['first moment', { since: 1_001 }, { createdAt: 1_001 }, {}],
      ['last moment', { until: 999 }, { createdAt: 999 }, {}],
      ['kind', { kind: 'flag' }, { caution: 0.5 }, {}],
      ['other kind', { kind: 'memory' }, {}, { caution: 0.5 }],
      ['end', { now: 500 }, {}, { expiresAt: 500 }],
    ] as const)(
      'by %s finds the one that is meant among many that are nearer',
      async (_name, among, wanted, others) => {
        const store = await open()
        const id = await crowd(store, wanted as Partial<NewMemory>, others)
        expect(await found(store, { now: 0, ...among })).toEqual({ near: [id], matching: [id] })
      },
    )

    it('finds nothing where nothing is meant', async () => {
      const store = await open()
      await crowd(store, {})
      expect(await found(store, { now: 0, tags: ['none'] })).toEqual({ near: [], matching: [] })
    })
  },
)

describe.each(adapters)('the gut-check’s flags in %s', (_, open) => {
  it('are those that have not expired', async () => {
    const store = await open()
    const flag = (expiresAt: number): NewMemory => ({
      text: 'never drop tables',
      caution: 0.5,
      agent: 'a',
      createdAt: 1,
      expiresAt,
    })
    const [, coming] = await store.memories.addMany('mine', [flag(100), flag(101)])
    const held = new Map([[coming?.id, ['tabl']]])
    expect(await flagsOf(store, { terms: ['tabl'], now: 100 })).toEqual({ flags: 1, held })
    expect(await store.index.countFlags('mine', 100)).toBe(1)
    expect((await flagsOf(store, { terms: ['tabl'] })).flags).toBe(2)
    expect(await store.index.countFlags('mine', 0)).toBe(2)
  })
})
