/** List and show: records of all kinds. */
import { describe, expect, it } from 'vitest'
import { openSmallBrain, type SmallBrain } from './small-brain.ts'

const hour = 3_600_000

/** One record of each kind but dreams, an hour apart. */
async function filled(): Promise<SmallBrain> {
  const brain = await openSmallBrain()
  const calls = [
    () => brain.call('remember', { text: 'a note' }),
    () => brain.call('flag', { text: 'take care' }),
    () => brain.call('believe', { text: 'a claim' }),
    () => brain.call('predict', { prediction: 'it holds', domain: 'd' }),
    () => brain.call('note_about', { subject_agent: 'planner', observation: 'plans early' }),
  ]
  for (const call of calls) {
    await call()
    brain.clock.now += hour
  }
  return brain
}

const kindsIn = async (brain: SmallBrain, query: object) =>
  (await brain.call('list', query)).records.map(({ kind }) => kind)

describe('list', () => {
  it('has every kind, newest first, with how each stands', async () => {
    const { total, records } = await (await filled()).call('list')
    expect(total).toBe(5)
    expect(records.map(({ kind, text, status }) => [kind, text, status])).toEqual([
      ['observation', 'plans early', 'about planner'],
      ['prediction', 'it holds', 'open'],
      ['belief', 'a claim', 'accumulating'],
      ['flag', 'take care', null],
      ['memory', 'a note', null],
    ])
  })

  it('has only the kinds, the time and the agent that are asked for', async () => {
    const brain = await filled()
    expect(await kindsIn(brain, { kinds: 'belief, flag' })).toEqual(['belief', 'flag'])
    expect(await kindsIn(brain, { since: '2h' })).toEqual(['observation', 'prediction'])
    expect(await kindsIn(brain, { until: 'yesterday' })).toEqual([])
    expect(await kindsIn(brain, { agent: 'nobody' })).toEqual([])
    await expect(brain.call('list', { kinds: 'notes' })).rejects.toThrow('kinds must be some of: memory')
    await expect(brain.call('list', { since: 'soon' })).rejects.toThrow('since must be a date')
  })

  it('is refused for a span that ends before it begins, as recall is', async () => {
    const brain = await filled()
    const refusal = 'since (today) must not be later than until (yesterday)'
    const span = { since: 'today', until: 'yesterday' }
    await expect(brain.call('list', span)).rejects.toThrow(refusal)
    await expect(brain.call('recall', { query: 'note', ...span })).rejects.toThrow(refusal)
    expect(await kindsIn(brain, { since: 'yesterday', until: 'yesterday' })).toEqual([])
  })

  it('goes on page by page, and counts all of them', async () => {
    const brain = await filled()
    expect(await kindsIn(brain, { limit: 2, page: 2 })).toEqual(['belief', 'flag'])
    expect((await brain.call('list', { limit: 2, page: 9 })).total).toBe(5)
  })

  it('has each record on one page, whatever was kept in the same moment', async () => {
    const brain = await openSmallBrain()
    for (const n of [1, 2, 3, 4]) {
      await brain.call('remember', { text: `note ${n}` })
      await brain.call('flag', { text: `warning ${n}` })
      await brain.call('believe', { text: `claim ${n}` })
    }
    await brain.call('expire', { memory_id: 1, when: '1h' })
    brain.clock.now += 2 * hour
    for (const [kinds, expected] of [
      [undefined, 11],
      ['memory', 3],
      ['flag', 4],
      ['memory belief', 7],
    ] as const) {
      const found: string[] = []
      for (let page = 1; page <= 6; page += 1) {
        const { total, records } = await brain.call('list', { kinds, limit: 2, page })
        expect(total).toBe(expected)
        found.push(...records.map(({ kind, id }) => `${kind} ${id}`))
      }
      expect(new Set(found).size, kinds).toBe(expected)
      expect(found, kinds).toHaveLength(expected)
      expect(found).not.toContain('memory 1')
    }
  })

  it('says of a belief that was revised that it is superseded', async () => {
    const brain = await filled()
    await brain.call('revise', { belief_id: 1, new_text: 'another claim' })
    const { records } = await brain.call('list', { kinds: 'belief' })
    expect(records.map(({ id, status }) => [id, status])).toEqual([
      [2, 'accumulating'],
      [1, 'superseded'],
    ])
  })
})

describe('show', () => {
  it('gives a flag by its bare id, and every other kind by its name', async () => {
    const brain = await filled()
    expect((await brain.call('show', { id: 2 })).record).toMatchObject({ kind: 'flag', text: 'take care' })
    expect((await brain.call('show', { kind: 'prediction', id: 1 })).record).toMatchObject({ outcome: null })
    expect((await brain.call('show', { kind: 'observation', id: 1 })).record).toMatchObject({
      observer_agent: 'default',
    })
  })

  it('gives a belief with its trail and what it took the place of', async () => {
    const brain = await filled()
    await brain.call('evidence', { belief_id: 1, kind: 'supporting', strength: 0.5, note: 'seen' })
    await brain.call('revise', { belief_id: 1, new_text: 'another claim' })
    expect((await brain.call('show', { kind: 'belief', id: 1 })).record).toMatchObject({
      superseded_by: 2,
      revised_from: null,
      events: [{ kind: 'supporting', note: 'seen' }],
    })
    expect((await brain.call('show', { kind: 'belief', id: 2 })).record).toMatchObject({ revised_from: 1 })
  })

  it('gives a piece of evidence with the belief in whose trail it is', async () => {
    const brain = await filled()
    await brain.call('believe', { text: 'another claim' })
    const seen = { kind: 'refuting', strength: 0.5, note: 'seen', source: 'the load test' }
    await brain.call('evidence', { belief_id: 2, ...seen })
    const again = await brain.call('evidence', { belief_id: 2, ...seen, note: 'seen again' })
    expect(again).toMatchObject({ repeats: 1 })
    expect((await brain.call('show', { kind: 'evidence', id: 1, more: [2] })).more).toMatchObject([
      {
        kind: 'evidence',
        id: 2,
        evidence_kind: 'refuting',
        log_likelihood: 0,
        note: 'seen again',
        source: 'the load test',
        repeats: 1,
        belief_id: 2,
        text: 'another claim',
      },
    ])
    const shown = (project: string, id: number) => brain.call('show', { kind: 'evidence', id }, { project })
    await expect(shown('mine', 9)).rejects.toThrow('evidence 9 not found')
    await expect(shown('theirs', 1)).rejects.toThrow('evidence 1 belongs to another project')
    await expect(brain.call('forget', { kind: 'evidence', memory_id: 1 })).rejects.toThrow(
      'kind must be one of',
    )
  })

  it('refuses what is not there, in the words of every refusal', async () => {
    const brain = await filled()
    await expect(brain.call('show', { id: 9 })).rejects.toThrow('memory 9 not found')
    await expect(brain.call('show', { kind: 'dream', id: 9 })).rejects.toThrow('dream 9 not found')
    await expect(brain.call('show', { kind: 'observation', id: 9 })).rejects.toThrow(
      'observation 9 not found',
    )
  })
})

describe('what list is asked of memories alone', () => {
  const memories = async () => {
    const brain = await openSmallBrain()
    await brain.call('remember', { text: 'one', tags: ['a', 'b'] })
    await brain.call('remember', { text: 'two', tags: ['a'], expires: '1h' })
    await brain.call('flag', { text: 'three', tags: ['b'] })
    await brain.call('believe', { text: 'four' })
    await brain.call('pin', { memory_id: 3 })
    return brain
  }
  const texts = async (brain: SmallBrain, query: object) =>
    (await brain.call('list', query)).records.map(({ text }) => text).sort()

  it('is answered by tag, any of several or each, and by pin', async () => {
    const brain = await memories()
    expect(await texts(brain, { tags: ['a'] })).toEqual(['one', 'two'])
    expect(await texts(brain, { tags: ['a', ' b'] })).toEqual(['one', 'three', 'two'])
    expect(await texts(brain, { tags: ['a', 'b', 'b'], all_tags: true })).toEqual(['one'])
    expect(await texts(brain, { tags: ['A'] })).toEqual([])
    expect(await texts(brain, { pinned: true })).toEqual(['three'])
    expect(await texts(brain, { pinned: true, kinds: 'belief' })).toEqual([])
  })

  it('leaves out what has expired, and lists that alone when it is asked for', async () => {
    const brain = await memories()
    brain.clock.now += hour
    expect(await texts(brain, {})).toEqual(['four', 'one', 'three'])
    expect(await texts(brain, { expired: true })).toEqual(['two'])
    expect((await brain.call('list', { expired: true })).records).toMatchObject([
      { tags: ['a'], expires_at: '2026-05-20T13:00:00.000+00:00', pinned_at: null },
    ])
  })

  it('is answered by the branch that the record was kept on', async () => {
    const brain = await memories()
    expect(await texts(brain, { branch: 'main' })).toEqual([])
    await expect(brain.call('list', { branch: '' })).rejects.toThrow('branch must not be empty')
  })

  it('is answered by what became of dreams, which are read when handed out', async () => {
    const brain = await openSmallBrain()
    const { id } = await brain.call('remember', { text: 'a note' })
    const night = { kind: 'bridge', sourceMemoryIds: [id], novelty: 1, createdAt: 5 } as const
    await brain.store.dreams.addMany('mine', [
      { ...night, thought: 'a thought' },
      { ...night, kind: 'echo', thought: 'another' },
    ])
    await brain.call('dream_feedback', { dream_id: 2, verdict: 'keep' })
    expect(await texts(brain, { dreams: 'unread' })).toEqual(['a thought'])
    expect(await texts(brain, { dreams: 'kept' })).toEqual(['another'])
    expect(await texts(brain, { dreams: 'kept', kinds: 'memory' })).toEqual([])
    await brain.call('recall_dreams')
    expect(await texts(brain, { dreams: 'unread' })).toEqual([])
    await expect(brain.call('list', { dreams: 'old' })).rejects.toThrow(
      'dreams must be one of: unread, kept, dismissed',
    )
  })

  it('has as many pages as anybody asks for', async () => {
    const { total, records } = await (await memories()).call('list', { page: Number.MAX_SAFE_INTEGER })
    expect([total, records]).toEqual([4, []])
  })
})

describe('show of a memory', () => {
  it('tells its life: earlier texts, tags, pin, end, and of what a flag was said not to apply to', async () => {
    const brain = await openSmallBrain()
    await brain.call('flag', { text: 'mind the gap', tags: ['rail'], expires: '2026-06-01' })
    await brain.call('amend', { memory_id: 1, text: 'mind the doors' }, { agent: 'editor' })
    await brain.store.exemptions.add('mine', { flagId: 1, topic: 'open the doors', now: 5 })
    expect((await brain.call('show', { id: 1 })).record).toMatchObject({
      text: 'mind the doors',
      agent: 'editor',
      tags: ['rail'],
      pinned_at: null,
      expires_at: '2026-06-01T23:59:59.999+00:00',
      versions: [{ text: 'mind the gap', agent: 'default', former_id: null }],
      no_match_for: ['open the doors'],
    })
  })

  it('shows several at once, or refuses all where one is not there', async () => {
    const brain = await filled()
    const { record, more } = await brain.call('show', { id: 1, more: [2, 1] })
    expect([record, ...(more ?? [])].map(({ id }) => id)).toEqual([1, 2, 1])
    await expect(brain.call('show', { id: 1, more: [9] })).rejects.toThrow('memory 9 not found')
  })
})
