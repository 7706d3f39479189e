/** What every store promises about dreams. */
import { describe, expect, it } from 'vitest'
import type { DreamStanding, RecordKind } from '../../src/core/records.ts'
import type { NewDream } from '../../src/store/dream-store.ts'
import { listedKinds, type Store } from '../../src/store/store.ts'
import { forget } from './by-project.ts'
import { adapters } from './contract.ts'

const remember = async (store: Store, project: string, count: number): Promise<number[]> => {
  const memories = await store.memories.addMany(
    project,
    Array.from({ length: count }, (_, at) => ({ text: `note ${at}`, caution: 0, agent: 'a', createdAt: at })),
  )
  return memories.map(({ id }) => id)
}

const dream = (sourceMemoryIds: readonly number[], more: Partial<NewDream> = {}): NewDream => ({
  kind: 'bridge',
  thought: `about ${sourceMemoryIds.join(' and ')}`,
  sourceMemoryIds,
  novelty: 0.5,
  createdAt: 1_000,
  ...more,
})

describe.each(adapters)('dreams in %s', (_, open) => {
  it('are listed by what became of them, of their own project alone', async () => {
    const store = await open()
    for (const project of ['mine', 'theirs']) {
      const [a = 0, b = 0, c = 0] = await remember(store, project, 3)
      const [, second, third, fourth] = await store.dreams.addMany(project, [
        dream([a]),
        dream([b]),
        dream([c]),
        dream([a, b]),
      ])
      await store.dreams.rate(project, { id: second?.id ?? 0, verdict: 'keep', now: 1 })
      await store.dreams.rate(project, { id: third?.id ?? 0, verdict: 'dismiss', now: 1 })
      await store.dreams.markRead(project, fourth?.id ?? 0, 1)
    }
    const texts = async (dreams: DreamStanding) => {
      const query = { kinds: listedKinds, now: 2_000, limit: 10, skip: 0, dreams }
      const { total, records } = await store.records.list('mine', query)
      expect(total).toBe(records.length)
      return records.map(({ text }) => text)
    }
    expect(await texts('unread')).toEqual(['about 1'])
    expect(await texts('kept')).toEqual(['about 2'])
    expect(await texts('dismissed')).toEqual(['about 3'])
  })

  it('are taken oldest first, each once, and are read from then on', async () => {
    const store = await open()
    const [a = 0, b = 0, c = 0] = await remember(store, 'mine', 3)
    const kept = await store.dreams.addMany('mine', [dream([a, b]), dream([b, c]), dream([a, c])])
    expect(kept.map(({ readAt }) => readAt)).toEqual([null, null, null])
    expect(await store.dreams.countUnread('mine')).toBe(3)
    const [first, second, third] = kept
    expect(await store.dreams.take('mine', 2, 5_000)).toEqual([
      { ...first, readAt: 5_000 },
      { ...second, readAt: 5_000 },
    ])
    expect(await store.dreams.take('mine', 2, 6_000)).toEqual([{ ...third, readAt: 6_000 }])
    expect(await store.dreams.take('mine', 2, 7_000)).toEqual([])
    expect(await store.dreams.countUnread('mine')).toBe(0)
  })

  it('taken by many at once come to one of them each', async () => {
    const store = await open()
    const ids = await remember(store, 'mine', 40)
    await store.dreams.addMany(
      'mine',
      ids.map((id) => dream([id])),
    )
    const taken = await Promise.all(Array.from({ length: 25 }, () => store.dreams.take('mine', 3, 1)))
    const seen = taken.flat().map(({ id }) => id)
    expect(seen).toHaveLength(40)
    expect(new Set(seen).size).toBe(40)
  })

  it('of the same kind and sources are kept once, in whatever order the sources come', async () => {
    const store = await open()
    const [a = 0, b = 0] = await remember(store, 'mine', 2)
    expect(await store.dreams.addMany('mine', [dream([a, b]), dream([b, a])])).toHaveLength(1)
    expect(await store.dreams.addMany('mine', [dream([a, b], { thought: 'said otherwise' })])).toEqual([])
    expect(await store.dreams.addMany('mine', [dream([a, b], { kind: 'tension' })])).toHaveLength(1)
  })

  it('keep their text and drop the id of a forgotten memory, and stay dreamt', async () => {
    const store = await open()
    const [a = 0, b = 0] = await remember(store, 'mine', 2)
    const [kept] = await store.dreams.addMany('mine', [dream([a, b])])
    await forget(store, 'mine', a)
    expect(await store.dreams.list('mine', { limit: 5 })).toEqual([{ ...kept, sourceMemoryIds: [b] }])
    expect(await store.dreams.addMany('mine', [dream([a, b]), dream([a])])).toEqual([])
    await forget(store, 'mine', b)
    expect(await store.dreams.take('mine', 5, 9)).toEqual([{ ...kept, sourceMemoryIds: [], readAt: 9 }])
  })

  it('quote no belief and no prediction that was forgotten while the night thought, or is of another project', async () => {
    const store = await open()
    const [a = 0, b = 0] = await remember(store, 'mine', 2)
    const forgetOne = ({ kind, id }: { kind: RecordKind; id: number }) =>
      store.removal.forget('mine', { kind, ids: [id] }, () => {})
    const held = { text: 'the backup is done by six', confidence: 0.7, createdAt: 1 }
    const guess = {
      domain: 'infra',
      prediction: 'it will be',
      confidence: 0.5,
      basis: null,
      createdAt: 1,
      dueAt: 5,
    }
    const belief = { kind: 'belief', id: (await store.beliefs.add('mine', held)).id } as const
    const prediction = { kind: 'prediction', id: (await store.predictions.add('mine', guess)).id } as const
    const theirs = { kind: 'belief', id: (await store.beliefs.add('theirs', held)).id } as const
    expect(await store.dreams.addMany('mine', [dream([a], { quoted: [belief, theirs] })])).toEqual([])
    for (const { kind, id } of [belief, prediction]) {
      const [kept] = await store.dreams.addMany('mine', [
        dream([a, b], { kind: 'drift', quoted: [{ kind, id }] }),
      ])
      expect(kept).not.toHaveProperty('quoted')
      await forgetOne({ kind: 'dream', id: kept?.id ?? 0 })
    }
    await forgetOne(belief)
    await forgetOne(prediction)
    for (const quoted of [[belief], [prediction], [prediction, belief]])
      expect(await store.dreams.addMany('mine', [dream([a, b], { quoted })])).toEqual([])
  })

  it('never rest on a memory of another project or on none', async () => {
    const store = await open()
    const [mine = 0] = await remember(store, 'mine', 1)
    const [theirs = 0] = await remember(store, 'theirs', 1)
    expect(await store.dreams.addMany('mine', [dream([mine, theirs]), dream([]), dream([999_999])])).toEqual(
      [],
    )
  })

  it('belong to their project', async () => {
    const store = await open()
    const [mine = 0] = await remember(store, 'mine', 1)
    await store.dreams.addMany('mine', [dream([mine])])
    expect(await store.dreams.take('theirs', 5, 1)).toEqual([])
    expect(await store.dreams.list('theirs', { limit: 5 })).toEqual([])
    expect(await store.dreams.countUnread('theirs')).toBe(0)
    expect(await store.dreams.countUnread('mine')).toBe(1)
  })

  it('are listed newest first, all or only those already read', async () => {
    const store = await open()
    const [a = 0, b = 0] = await remember(store, 'mine', 2)
    const [first, second] = await store.dreams.addMany('mine', [dream([a]), dream([b])])
    await store.dreams.take('mine', 1, 7)
    expect(await store.dreams.list('mine', { limit: 5 })).toEqual([second, { ...first, readAt: 7 }])
    expect(await store.dreams.list('mine', { limit: 1 })).toEqual([second])
    expect(await store.dreams.list('mine', { limit: 5, read: true })).toEqual([{ ...first, readAt: 7 }])
  })
})

describe.each(adapters)('nights in %s', (_, open) => {
  const night = (since: number, now: number) => ({ since, now, holdFor: 100 })

  it('are claimed once, by one of many who ask together', async () => {
    const store = await open()
    await remember(store, 'mine', 1)
    const claims = await Promise.all(
      Array.from({ length: 10 }, () => store.dreams.claimNight('mine', night(1_000, 1_050))),
    )
    expect(claims.filter(Boolean)).toHaveLength(1)
  })

  it('that ended are not due again until the next one', async () => {
    const store = await open()
    await remember(store, 'mine', 1)
    expect(await store.dreams.claimNight('mine', night(1_000, 1_050))).toBe(true)
    await store.dreams.endNight('mine', 1_060)
    expect(await store.dreams.claimNight('mine', night(1_000, 9_000))).toBe(false)
    expect(await store.dreams.claimNight('mine', night(2_000, 9_000))).toBe(true)
  })

  it('that never ended are due again after the hold, not before', async () => {
    const store = await open()
    await remember(store, 'mine', 1)
    expect(await store.dreams.claimNight('mine', night(1_000, 1_050))).toBe(true)
    expect(await store.dreams.claimNight('mine', night(1_000, 1_100))).toBe(false)
    expect(await store.dreams.claimNight('mine', night(1_090, 1_100))).toBe(false)
    expect(await store.dreams.claimNight('mine', night(1_000, 1_200))).toBe(true)
  })

  it('of one project leave another alone, and a project without records has none', async () => {
    const store = await open()
    await remember(store, 'mine', 1)
    await remember(store, 'theirs', 1)
    expect(await store.dreams.claimNight('mine', night(1_000, 1_050))).toBe(true)
    expect(await store.dreams.claimNight('theirs', night(1_000, 1_050))).toBe(true)
    expect(await store.dreams.claimNight('nobody', night(1_000, 1_050))).toBe(false)
  })

  it('keep why they were told and what their reader made of them, the last word counting', async () => {
    const store = await open()
    const [a = 0, b = 0] = await remember(store, 'mine', 2)
    const [first, second] = await store.dreams.addMany('mine', [
      dream([a], { kind: 'trend', reasons: ['one', 'two'] }),
      dream([b], { kind: 'question' }),
    ])
    const [one = 0, two = 0] = [first?.id, second?.id]
    expect(await store.dreams.rate('mine', { id: one, verdict: 'keep', now: 1 })).toEqual(first)
    await store.dreams.rate('mine', { id: one, verdict: 'dismiss', now: 2 })
    expect(await store.dreams.explain('mine', [two, one])).toEqual([
      { dreamId: two, reasons: [], feedback: null },
      { dreamId: one, reasons: ['one', 'two'], feedback: 'dismiss' },
    ])
    expect(await store.dreams.feedback('mine')).toEqual([{ kind: 'trend', kept: 0, dismissed: 1 }])
  })

  it('were read when they were first read, and by nobody of another project', async () => {
    const store = await open()
    const [a = 0] = await remember(store, 'mine', 1)
    const [kept] = await store.dreams.addMany('mine', [dream([a])])
    const id = kept?.id ?? 0
    expect(await store.dreams.markRead('theirs', id, 1)).toBeUndefined()
    expect(await store.dreams.markRead('mine', id, 2)).toMatchObject({ readAt: 2 })
    expect(await store.dreams.markRead('mine', id, 3)).toMatchObject({ readAt: 2 })
  })

  it('of another project can be neither explained nor judged', async () => {
    const store = await open()
    const [a = 0] = await remember(store, 'mine', 1)
    const [kept] = await store.dreams.addMany('mine', [dream([a])])
    const id = kept?.id ?? 0
    expect(await store.dreams.rate('theirs', { id, verdict: 'keep', now: 1 })).toBeUndefined()
    expect(await store.dreams.explain('theirs', [id])).toEqual([])
    expect(await store.dreams.feedback('theirs')).toEqual([])
  })

  it('are due although a night was claimed by a clock that ran ahead', async () => {
    const store = await open()
    await remember(store, 'mine', 1)
    const [today, ahead] = [Date.UTC(2026, 4, 1), Date.UTC(2036, 4, 1)]
    const holdFor = 1_800_000
    expect(await store.dreams.claimNight('mine', { since: ahead, now: ahead, holdFor })).toBe(true)
    expect(await store.dreams.claimNight('mine', { since: today, now: today, holdFor })).toBe(true)
    expect(await store.dreams.claimNight('mine', { since: today, now: today + 1, holdFor })).toBe(false)
    await store.dreams.endNight('mine', today + 2)
    expect(await store.dreams.claimNight('mine', { since: today, now: today + 3, holdFor })).toBe(false)
  })
})
