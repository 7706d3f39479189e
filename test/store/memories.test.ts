/** What every store promises about memories: together with their keywords and vectors, or not at all. */
import { describe, expect, it } from 'vitest'
import { BrainError } from '../../src/core/errors.ts'
import type { NewMemory, Store } from '../../src/store/store.ts'
import { forget } from './by-project.ts'
import { adapters } from './contract.ts'
import { matchingOf } from './matching.ts'
import { embed, model, vectorOf } from './test-embedder.ts'

const memory = (text: string, rest: Partial<NewMemory> = {}): NewMemory => ({
  text,
  caution: 0,
  agent: 'tester',
  createdAt: 1_000,
  ...rest,
})

const refuse = (): never => {
  throw new BrainError('refused', 'no')
}

const textsOf = async ({ memories }: Store, project = 'mine') =>
  (await memories.list(project, { after: 0, limit: 1_000 })).map(({ text }) => text)

describe.each(adapters)('memories in %s', (_, open) => {
  it('are found as they were added, by their own project alone', async () => {
    const { memories } = await open()
    const added = await memories.add('mine', memory('  the cache\n is warm 🔥 ', { caution: 0.5 }))
    expect(await memories.find('mine', added.id)).toEqual({
      id: added.id,
      text: '  the cache\n is warm 🔥 ',
      caution: 0.5,
      agent: 'tester',
      createdAt: 1_000,
    })
    expect(await memories.find('mine', added.id + 1)).toBeUndefined()
    expect(await memories.find('theirs', added.id)).toBe('elsewhere')
  })

  it('are listed oldest first, page by page, of one project only, flags alone when asked', async () => {
    const { memories } = await open()
    const [first, second] = await memories.addMany('mine', [memory('a'), memory('b', { caution: 0.9 })])
    await memories.add('theirs', memory('c'))
    const third = await memories.add('mine', memory('d'))
    const ids = async (page: Parameters<typeof memories.list>[1]) =>
      (await memories.list('mine', page)).map(({ id }) => id)
    expect(await ids({ after: 0, limit: 10 })).toEqual([first?.id, second?.id, third.id])
    expect(await ids({ after: first?.id ?? 0, limit: 1 })).toEqual([second?.id])
    expect(await ids({ after: 0, limit: 10, flagsOnly: true })).toEqual([second?.id])
    expect(await memories.list('nobody', { after: 0, limit: 10 })).toEqual([])
  })

  it('of another project are not among those found by id', async () => {
    const { memories } = await open()
    const mine = await memories.add('mine', memory('mine'))
    const theirs = await memories.add('theirs', memory('theirs'))
    const found = await memories.findMany('mine', [mine.id, theirs.id, 999])
    expect(found.map(({ id }) => id)).toEqual([mine.id])
  })

  it('are counted a project, through adding and forgetting', async () => {
    const { memories, removal } = await open()
    expect(await memories.count('mine')).toBe(0)
    const [first] = await memories.addMany('mine', [memory('a'), memory('b'), memory('c')])
    await memories.add('theirs', memory('d'))
    await forget({ removal }, 'mine', first?.id)
    expect(await memories.count('mine')).toBe(2)
    expect(await memories.count('theirs')).toBe(1)
  })

  it('never take the id of a forgotten one', async () => {
    const { memories, removal } = await open()
    const first = await memories.add('mine', memory('a'))
    await forget({ removal }, 'mine', first.id)
    const second = await memories.add('mine', memory('b'))
    expect(second.id).toBeGreaterThan(first.id)
  })

  it('are added all or none', async () => {
    const store = await open()
    const broken = embed('two')
    broken.passages[0]?.vector.fill(Number.NaN)
    const batch = [
      memory('one', { embedding: embed('one') }),
      memory('two', { embedding: broken }),
      memory('three', { embedding: embed('three') }),
    ]
    await expect(store.memories.addMany('mine', batch)).rejects.toThrow(/unusable vector/)
    await expect(
      store.memories.addMany('mine', [memory('four'), memory('five', { caution: 7 })]),
    ).rejects.toThrow()
    expect(await textsOf(store)).toEqual([])
    expect(await matchingOf(store, { terms: ['one', 'four'], limit: 10 })).toEqual([])
    expect(await store.memories.count('mine')).toBe(0)
  })

  it.each([
    ['not a number', [Number.NaN, 1]],
    ['infinite', [Number.POSITIVE_INFINITY, 1]],
    ['all zeros', [0, 0]],
  ])('with a vector that is %s are refused', async (_name, components) => {
    const store = await open()
    const vector = new Float32Array(model.dimension)
    vector.set(components)
    const embedding = { model, passages: [{ start: 0, end: 1, vector, tokens: new Uint16Array() }] }
    await expect(store.memories.add('mine', memory('a', { embedding }))).rejects.toThrow(/unusable vector/)
    expect(await textsOf(store)).toEqual([])
  })

  it('with a vector of another dimension are refused', async () => {
    const store = await open()
    const passages = [{ start: 0, end: 1, vector: new Float32Array([1, 0]), tokens: new Uint16Array() }]
    const added = store.memories.add('mine', memory('a', { embedding: { model, passages } }))
    await expect(added).rejects.toThrow(/expected \d+ finite numbers/)
    expect(await textsOf(store)).toEqual([])
  })

  it('are kept when forgetting is refused', async () => {
    const store = await open()
    const { id } = await store.memories.add(
      'mine',
      memory('the cache is warm', { embedding: embed('cache') }),
    )
    await expect(store.removal.forget('mine', { kind: 'memory', ids: [id] }, refuse)).rejects.toThrow('no')
    expect(await textsOf(store)).toEqual(['the cache is warm'])
    expect(await matchingOf(store, { terms: ['cach'], limit: 10 })).toHaveLength(1)
  })

  it('go with their keyword entry and vectors when they are forgotten', async () => {
    const store = await open()
    const { id } = await store.memories.add(
      'mine',
      memory('the cache is warm', { embedding: embed('cache') }),
    )
    await store.memories.add('mine', memory('rust builds slowly', { embedding: embed('rust') }))
    await forget(store, 'mine', id)
    expect(await store.memories.find('mine', id)).toBeUndefined()
    expect(await matchingOf(store, { terms: ['cach', 'warm'], limit: 10 })).toEqual([])
    const near = await store.index.nearest('mine', { model, vector: vectorOf('cache'), limit: 10 })
    expect(near.map(({ memoryId }) => memoryId)).not.toContain(id)
    expect((await store.maintenance.check()).filter(({ ok }) => !ok)).toEqual([])
  })

  it('that are not there are for the caller to judge when they are forgotten', async () => {
    const { removal } = await open()
    let judged: unknown = 'nothing'
    await removal.forget('mine', { kind: 'memory', ids: [7] }, (_id, found) => {
      judged = found
    })
    expect(judged).toBeUndefined()
  })

  it('added at once all arrive, a refused one among them alone left out', async () => {
    const store = await open()
    const outcomes = await Promise.allSettled(
      Array.from({ length: 200 }, (_, at) =>
        store.memories.add('mine', memory(`note ${at}`, { caution: at === 77 ? 7 : 0 })),
      ),
    )
    expect(outcomes.flatMap(({ status }, at) => (status === 'rejected' ? [at] : []))).toEqual([77])
    const texts = await textsOf(store)
    expect(texts).toHaveLength(199)
    expect(texts).not.toContain('note 77')
    expect((await store.maintenance.check()).filter(({ ok }) => !ok)).toEqual([])
  })

  it('keep their words and vectors when other writes at the same time are refused', async () => {
    const store = await open()
    const outcomes = await Promise.allSettled(
      Array.from({ length: 90 }, (_, at): Promise<unknown> => {
        if (at % 3 === 1) return store.removal.forget('mine', { kind: 'memory', ids: [1_000 + at] }, refuse)
        const [caution, embedding] = [at % 9 === 2 ? 7 : 0, { embedding: embed('cache') }]
        return store.memories.add('mine', memory(`cache${at} is warm`, { caution, ...embedding }))
      }),
    )
    const refused = outcomes.flatMap(({ status }, at) => (status === 'rejected' ? [at] : []))
    expect(refused).toEqual(
      Array.from({ length: 90 }, (_, at) => at).filter((at) => at % 3 === 1 || at % 9 === 2),
    )
    expect(await textsOf(store)).toHaveLength(90 - refused.length)
    const words = ['cache3', 'cache4', 'cache2']
    const { frequency } = await store.index.termStatistics('mine', words)
    expect(words.map((word) => frequency.get(word) ?? 0)).toEqual([1, 0, 0])
    expect((await store.maintenance.check()).filter(({ ok }) => !ok)).toEqual([])
  })
})
