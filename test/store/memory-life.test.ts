/** What every store promises about a memory after it was kept: versions, tags, pins and its end. */
import { describe, expect, it } from 'vitest'
import type { NewMemory, Store } from '../../src/store/store.ts'
import { forget } from './by-project.ts'
import { adapters } from './contract.ts'
import { flagsOf, matchingOf } from './matching.ts'
import { embed, model, vectorOf } from './test-embedder.ts'

const note = (text: string, rest: Partial<NewMemory> = {}): NewMemory => ({
  text,
  caution: 0,
  agent: 'writer',
  createdAt: 1_000,
  embedding: embed(text),
  ...rest,
})

const amend = ({ memories }: Store, id: number, text: string, caution = 0) =>
  memories.amend('mine', id, () => ({ text, caution, agent: 'editor', now: 2_000, embedding: embed(text) }))

const flagsAlone = { among: { now: 0, kind: 'flag' } } as const

const nearestTo = async ({ index }: Store, text: string, flagsOnly = false) =>
  (
    await index.nearest('mine', { model, vector: vectorOf(text), limit: 9, ...(flagsOnly && flagsAlone) })
  ).map(({ memoryId }) => memoryId)

describe.each(adapters)('the life of a memory in %s', (_, open) => {
  it('goes on under its id with another text, which alone is found by words and by vector', async () => {
    const store = await open()
    const { id } = await store.memories.add('mine', note('the cache is warm'))
    const other = await store.memories.add('mine', note('zebras graze'))
    const amended = await amend(store, id, 'queues drain slowly')
    expect(amended).toEqual({
      id,
      text: 'queues drain slowly',
      caution: 0,
      agent: 'editor',
      createdAt: 1_000,
      editedAt: 2_000,
      semantic: true,
      versions: 1,
    })
    expect(await matchingOf(store, { terms: ['cach'] })).toEqual([])
    expect((await matchingOf(store, { terms: ['queue'] })).map((match) => match.id)).toEqual([id])
    expect(await nearestTo(store, 'queues drain slowly')).toEqual([id, other.id])
    expect(await store.memories.count('mine')).toBe(2)
    expect((await store.maintenance.check()).filter(({ ok }) => !ok)).toEqual([])
  })

  it('keeps what it said before, oldest first, with who said it and when', async () => {
    const store = await open()
    const { id } = await store.memories.add('mine', note('first'))
    await amend(store, id, 'second')
    await store.memories.amend('mine', id, () => ({
      text: 'third',
      caution: 0.5,
      agent: 'other',
      now: 3_000,
    }))
    expect(await store.memories.versions('mine', id)).toEqual([
      { text: 'first', caution: 0, agent: 'writer', createdAt: 1_000, replacedAt: 2_000 },
      { text: 'second', caution: 0, agent: 'editor', createdAt: 2_000, replacedAt: 3_000 },
    ])
  })

  it('becomes a flag and ceases to be one by its caution', async () => {
    const store = await open()
    const { id } = await store.memories.add('mine', note('drop the table'))
    await amend(store, id, 'never drop the table', 0.9)
    expect(await nearestTo(store, 'never drop the table', true)).toEqual([id])
    expect((await flagsOf(store, { terms: ['tabl'] })).flags).toBe(1)
    await amend(store, id, 'tables may be dropped')
    expect(await nearestTo(store, 'never drop the table', true)).toEqual([])
    expect(await flagsOf(store, { terms: ['tabl', 'drop'] })).toEqual({ flags: 0, held: new Map() })
  })

  it('keeps its vectors when its caution alone changes, though no embedder answers', async () => {
    const store = await open()
    const text = 'drop the table\nor the whole base'
    const { id } = await store.memories.add('mine', note(text))
    for (const caution of [0.5, 0.9, 0]) {
      const amended = await store.memories.amend('mine', id, () => ({
        text,
        caution,
        agent: 'editor',
        now: 2_000,
      }))
      expect(amended.semantic).toBe(true)
      const nearest = { model, vector: vectorOf('or the whole base'), limit: 9 }
      const [found] = await store.index.nearest('mine', nearest)
      expect(found).toMatchObject({ memoryId: id, tokens: Uint16Array.of(2, 3, 5, 4) })
      expect(found?.similarity).toBeCloseTo(1, 2)
      expect(await nearestTo(store, 'drop the table', true)).toEqual(caution > 0 ? [id, id] : [])
    }
    expect(await store.index.backlog('mine')).toBe(0)
    expect((await store.maintenance.check()).filter(({ ok }) => !ok)).toEqual([])
  })

  it('waits for its vector when no embedder answered, and never gets that of a text it no longer has', async () => {
    const store = await open()
    const { id } = await store.memories.add('mine', note('the old text'))
    await store.memories.amend('mine', id, () => ({ text: 'the new text', caution: 0, agent: 'a', now: 2 }))
    expect(await store.index.backlog('mine')).toBe(1)
    const stale = { ...embed('the old text'), text: 'the old text' }
    expect(await store.index.addEmbeddings('mine', new Map([[id, stale]]))).toBe(0)
    const fresh = { ...embed('the new text'), text: 'the new text' }
    expect(await store.index.addEmbeddings('mine', new Map([[id, fresh]]))).toBe(1)
    expect(await store.index.backlog('mine')).toBe(0)
  })

  it('is as it was when the change is refused', async () => {
    const store = await open()
    const { id } = await store.memories.add('mine', note('it stays', { tags: ['a'] }))
    const before = await store.memories.find('mine', id)
    const refuse = (): never => {
      throw new Error('no')
    }
    await expect(store.memories.amend('mine', id, refuse)).rejects.toThrow('no')
    await expect(store.memories.mark('mine', id, refuse)).rejects.toThrow('no')
    expect(await store.memories.find('mine', id)).toEqual(before)
    expect(await store.memories.versions('mine', id)).toEqual([])
  })

  it('has tags, a pin and an end, each by itself, which can be taken back', async () => {
    const store = await open()
    const { id } = await store.memories.add('mine', note('tagged', { tags: ['b', 'a'], expiresAt: 9_000 }))
    expect(await store.memories.find('mine', id)).toMatchObject({ tags: ['a', 'b'], expiresAt: 9_000 })
    await store.memories.mark('mine', id, () => ({ pinnedAt: 5_000 }))
    expect(await store.memories.mark('mine', id, () => ({ tags: ['c'] }))).toMatchObject({
      tags: ['c'],
      pinnedAt: 5_000,
      expiresAt: 9_000,
    })
    const plain = await store.memories.mark('mine', id, () => ({ tags: [], pinnedAt: null, expiresAt: null }))
    expect(Object.keys(plain)).toEqual(['id', 'text', 'caution', 'agent', 'createdAt'])
  })

  it('is listed among the pinned until it expires, the last pinned first', async () => {
    const store = await open()
    const pinnedIds = async (now: number) =>
      (await store.memories.pinned('mine', { limit: 9, now })).map(({ id }) => id)
    const first = await store.memories.add('mine', note('one', { pinnedAt: 10, expiresAt: 100 }))
    const second = await store.memories.add('mine', note('two', { pinnedAt: 20 }))
    await store.memories.add('mine', note('three'))
    await store.memories.add('theirs', note('four', { pinnedAt: 30 }))
    expect(await pinnedIds(99)).toEqual([second.id, first.id])
    expect(await pinnedIds(100)).toEqual([second.id])
  })

  it('hides what has expired from those who ask as of a moment', async () => {
    const { memories } = await open()
    const past = await memories.add('mine', note('past', { expiresAt: 100 }))
    const coming = await memories.add('mine', note('coming', { expiresAt: 101 }))
    const ids = (found: readonly { id: number }[]) => found.map(({ id }) => id)
    expect(ids(await memories.newest('mine', { limit: 9, now: 100 }))).toEqual([coming.id])
    expect(ids(await memories.list('mine', { after: 0, limit: 9, now: 100 }))).toEqual([coming.id])
    expect(ids(await memories.list('mine', { after: 0, limit: 9 }))).toEqual([past.id, coming.id])
  })

  it('is among the newest unless it is a flag', async () => {
    const { memories } = await open()
    const { id } = await memories.add('mine', note('one'))
    await memories.add('mine', note('two', { caution: 0.7 }))
    const newest = await memories.newest('mine', { limit: 1, now: 0 })
    expect(newest.map((one) => one.id)).toEqual([id])
  })

  it('leaves nothing behind when it is forgotten', async () => {
    const store = await open()
    const { id } = await store.memories.add('mine', note('first', { tags: ['a'] }))
    await amend(store, id, 'second')
    await forget(store, 'mine', id)
    expect(await store.memories.versions('mine', id)).toEqual([])
    expect(await store.transfer.count('mine')).toBe(0)
    expect((await store.maintenance.check()).filter(({ ok }) => !ok)).toEqual([])
  })
})
