import { describe, expect, it } from 'vitest'
import { dreamNight } from '../../src/dreams/night.ts'
import { noveltyOf } from '../../src/dreams/novelty.ts'
import { forget } from '../store/by-project.ts'
import { openInMemory } from '../store/temporary-store.ts'
import { contextOf, letterEmbedder, march, night, poolOf, remember, telling } from './night-context.ts'

describe('a night', () => {
  it('keeps what it thought, sourced, unread and new', async () => {
    const store = await openInMemory()
    const context = contextOf(store)
    const ids = await remember(context, telling)
    const kept = await dreamNight(context, night)
    expect(kept).toHaveLength(1)
    expect(kept[0]).toMatchObject({
      kind: 'bridge',
      sourceMemoryIds: [ids[0], ids.at(-1)],
      novelty: 1,
      createdAt: night.now,
      readAt: null,
    })
    expect(kept[0]?.thought).toContain('db-07')
    expect(await store.dreams.take('mine', 5, 1)).toEqual([{ ...kept[0], readAt: 1 }])
  })

  it('tells an edited memory by its last edit, not by the day on which it was kept', async () => {
    const store = await openInMemory()
    const context = contextOf(store)
    const [id = 0] = await remember(context, [
      [3, 'Sessions in Redis have a TTL of 30 minutes'],
      ...telling.slice(1, 6),
      [20, 'Raised the TTL of the sessions in Redis for the mobile app'],
    ])
    const text = 'Sessions in Redis must never have a TTL of 2 hours'
    await store.memories.amend('mine', id, () => ({ text, caution: 0.8, agent: 'a', now: march(15) }))
    const [dream] = await dreamNight(context, night)
    expect(dream).toMatchObject({ kind: 'echo', thought: expect.stringContaining('TTL of 2 hours') })
    expect(dream?.thought).toContain('15 March')
    expect(dream?.thought).not.toContain('3 March')
  })

  it('tells nothing of a belief that was forgotten while it thought', async () => {
    const store = await openInMemory()
    await remember(contextOf(store), [
      [6, 'The vendor does not honour the retry header'],
      ...telling.slice(1, 6),
    ])
    const held = { text: 'The vendor honours the retry header', confidence: 0.7, createdAt: march(1) }
    const { id } = await store.beliefs.add('mine', held)
    const forgetting = {
      ...store.dreams,
      addMany: async (...given: Parameters<typeof store.dreams.addMany>) => {
        await store.removal.forget('mine', { kind: 'belief', ids: [id] }, () => {})
        return store.dreams.addMany(...given)
      },
    }
    const told = async (dreams: typeof store.dreams) =>
      (await dreamNight(contextOf({ ...store, dreams }), night)).map(({ thought }) => thought).join()
    expect(await told(forgetting)).not.toContain('honours')
    await store.beliefs.add('mine', held)
    expect(await told(store.dreams)).toContain('honours')
  })

  it('thinks of the same notes only once, read or not, also when a source was forgotten', async () => {
    const store = await openInMemory()
    const context = contextOf(store)
    const [first = 0] = await remember(context, telling)
    expect(await dreamNight(context, night)).toHaveLength(1)
    expect(await dreamNight(context, { ...night, seed: 2 })).toEqual([])
    await forget(store, 'mine', first)
    expect(await dreamNight(context, night)).toEqual([])
  })

  it('of an empty or uneventful brain keeps nothing', async () => {
    const store = await openInMemory()
    const context = contextOf(store)
    expect(await dreamNight(context, night)).toEqual([])
    await remember(context, telling.slice(1, 6))
    expect(await dreamNight(context, night)).toEqual([])
  })

  it('looks at its own project only', async () => {
    const store = await openInMemory()
    await remember(contextOf(store, 'mine'), telling.slice(0, 4))
    await remember(contextOf(store, 'theirs'), telling.slice(4))
    expect(await dreamNight(contextOf(store, 'mine'), night)).toEqual([])
    expect(await dreamNight(contextOf(store, 'theirs'), night)).toEqual([])
  })

  it('keeps at most as many as asked for', async () => {
    const store = await openInMemory()
    const context = contextOf(store)
    await remember(context, telling)
    await remember(context, [
      [8, 'The session timeout is 30 minutes'],
      [12, 'The session timeout is 45 minutes'],
    ])
    expect(await dreamNight(context, { ...night, limit: 1 })).toHaveLength(1)
    expect(await dreamNight(context, { ...night, limit: 1 })).toHaveLength(1)
    expect(await dreamNight(context, { ...night, limit: 1 })).toEqual([])
  })

  it('measures novelty by the vectors of the earlier dreams, and drops what is no news', async () => {
    const store = await openInMemory()
    const context = contextOf(store, 'mine', poolOf(letterEmbedder))
    await remember(context, telling)
    await remember(context, [
      [8, 'The session timeout is 30 minutes'],
      [12, 'The session timeout is 45 minutes'],
    ])
    const kept = await dreamNight(context, night)
    expect(kept[0]?.novelty).toBe(1)
    const dreamt = []
    for (const { thought, novelty } of kept) {
      const vector = (await letterEmbedder.embedQuery(thought)).vector
      expect(novelty).toBeCloseTo(noveltyOf({ thought, vector }, dreamt), 6)
      expect(novelty).toBeGreaterThan(0.15)
      dreamt.push({ thought, vector })
    }
  })

  it('takes another wording for the thought, never other sources', async () => {
    const store = await openInMemory()
    const context = contextOf(store)
    const ids = await remember(context, telling)
    const [kept] = await dreamNight(context, {
      ...night,
      reword: async (thought, sources) => `${thought.kind} of ${sources.length}: ${sources[0]?.text}`,
    })
    expect(kept?.thought).toBe(`bridge of 2: ${telling[0]?.[1]}`)
    expect(kept?.sourceMemoryIds).toEqual([ids[0], ids.at(-1)])
  })

  it('asks for no wording of what is no news', async () => {
    const store = await openInMemory()
    const context = contextOf(store)
    const ids = await remember(context, telling)
    const [first] = await dreamNight(context, night)
    // The same thought of another kind: new to the store, old to a reader.
    const again = await openInMemory()
    const other = contextOf(again)
    const [source = 0] = await remember(other, telling)
    expect(ids[0]).toBe(source)
    await again.dreams.addMany('mine', [
      { kind: 'echo', thought: first?.thought ?? '', sourceMemoryIds: [source], novelty: 1, createdAt: 1 },
    ])
    let asked = 0
    const kept = await dreamNight(other, {
      ...night,
      reword: async () => {
        asked += 1
        return undefined
      },
    })
    expect(kept).toEqual([])
    expect(asked).toBe(0)
  })

  it('tells what it is at', async () => {
    const store = await openInMemory()
    const context = contextOf(store)
    await remember(context, telling)
    const steps: string[] = []
    await dreamNight(context, { ...night, onStep: ({ doing }) => steps.push(doing) })
    expect(steps).toEqual(['reading', 'thinking', 'wording'])
  })

  it('ends early when it is told to', async () => {
    const store = await openInMemory()
    const context = contextOf(store)
    await remember(context, telling)
    await expect(dreamNight(context, { ...night, signal: AbortSignal.abort() })).rejects.toThrow()
    expect(await store.dreams.list('mine', { limit: 5 })).toEqual([])
  })
})
