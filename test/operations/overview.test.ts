/** Overview, and what readers make of dreams: what the page and a person at a terminal look at together. */
import { describe, expect, it } from 'vitest'
import { createKey } from '../../src/config/keys.ts'
import { openSmallBrain, type SmallBrain } from './small-brain.ts'

async function dreaming(): Promise<SmallBrain> {
  const brain = await openSmallBrain()
  await brain.call('remember', { text: 'a note' })
  await brain.store.dreams.addMany('mine', [
    { kind: 'echo', thought: 'again', sourceMemoryIds: [1], novelty: 1, createdAt: 1, reasons: ['twice'] },
  ])
  return brain
}

describe('overview', () => {
  it('counts what the project holds, by kind and by who wrote it', async () => {
    const brain = await dreaming()
    await brain.call('flag', { text: 'take care' })
    await brain.call('predict', { prediction: 'it holds', domain: 'd' })
    const { project, counts, agents, boundaries } = await brain.call('overview', {})
    expect({ project, counts, agents }).toEqual({
      project: 'mine',
      counts: {
        memories: 2,
        flags: 1,
        beliefs: 0,
        open_predictions: 1,
        resolved_predictions: 0,
        dreams: 1,
        unread_dreams: 1,
        observations: 0,
      },
      agents: [{ name: expect.any(String), records: 3 }],
    })
    expect(boundaries.promote).toBeGreaterThan(0)
    expect(boundaries.demote).toBeLessThan(0)
  })

  it('counts by who wrote it however many there are, and leaves that out when asked to be brief', async () => {
    const brain = await openSmallBrain()
    await brain.store.memories.addMany(
      'mine',
      Array.from({ length: 10_500 }, (_, at) => ({
        text: `note ${at}`,
        caution: 0,
        agent: at % 3 === 0 ? 'seldom' : 'often',
        createdAt: at,
      })),
    )
    await brain.call('believe', { text: 'it holds' })
    const whole = await brain.call('overview', {})
    expect(whole.agents?.slice(0, 2)).toEqual([
      { name: 'often', records: 7_000 },
      { name: 'seldom', records: 3_500 },
    ])
    expect(whole.counts).toMatchObject({ memories: 10_500, beliefs: 1 })
    expect(await brain.call('overview', { brief: true })).toEqual({ ...whole, agents: null })
  })

  it('names the keys of its own project by label and last use, and never tells one', async () => {
    const brain = await openSmallBrain()
    const make = (project: string, label: string) =>
      createKey(brain.store.keys, { project, label, lifetime: null, now: 1 })
    const { text, key } = await make('mine', 'laptop')
    await make('other', 'theirs')
    await brain.store.keys.touch(key.id, 60_000)
    const told = await brain.call('overview', {})
    expect(told.keys).toEqual([
      {
        id: key.id,
        label: 'laptop',
        created_at: '1970-01-01T00:00:00.001+00:00',
        expires_at: null,
        revoked_at: null,
        last_used_at: '1970-01-01T00:01:00.000+00:00',
      },
    ])
    expect(JSON.stringify(told)).not.toContain(text.slice(-32))
  })
})

describe('what a reader makes of a dream', () => {
  it('is kept, replaced and taken back, and moves the weight of its kind and back', async () => {
    const brain = await dreaming()
    const said = async (verdict: 'keep' | 'dismiss' | 'none') =>
      brain.call('dream_feedback', { dream_id: 1, verdict })
    expect(await said('keep')).toMatchObject({ feedback: 'keep', weight_before: 1 })
    const dismissed = await said('dismiss')
    expect(dismissed.feedback).toBe('dismiss')
    expect(dismissed.weight).toBeLessThan(1)
    expect(await said('none')).toMatchObject({ feedback: null, weight: 1 })
  })

  it('marks it read only when that is what is said, and says so once for all', async () => {
    const brain = await dreaming()
    await brain.call('dream_feedback', { dream_id: 1, verdict: 'keep' })
    expect(await brain.store.dreams.countUnread('mine')).toBe(1)
    expect(await brain.call('dream_feedback', { dream_id: 1, verdict: 'read' })).toMatchObject({
      feedback: 'keep',
    })
    expect(await brain.store.dreams.countUnread('mine')).toBe(0)
    const { record } = await brain.call('show', { kind: 'dream', id: 1 })
    brain.clock.now += 1_000
    await brain.call('dream_feedback', { dream_id: 1, verdict: 'read' })
    expect((await brain.call('show', { kind: 'dream', id: 1 })).record).toEqual(record)
    expect(record).toMatchObject({ reasons: ['twice'], feedback: 'keep' })
  })

  it('is refused of a dream there is none of, or of another project', async () => {
    const brain = await dreaming()
    const source = { text: 'theirs', caution: 0, agent: 'a', createdAt: 1 }
    const { id } = await brain.store.memories.add('other', source)
    const [theirs] = await brain.store.dreams.addMany('other', [
      { kind: 'echo', thought: 'theirs', sourceMemoryIds: [id], novelty: 1, createdAt: 1 },
    ])
    for (const [dream_id, why] of [
      [theirs?.id, 'belongs to another project'],
      [99, 'not found'],
    ] as const)
      await expect(brain.call('dream_feedback', { dream_id, verdict: 'keep' })).rejects.toThrow(
        `dream ${dream_id} ${why}`,
      )
  })
})

describe('keys', () => {
  it('of one label are swept once they have expired, and no others', async () => {
    const { store } = await openSmallBrain()
    const make = (label: string, lifetime: number | null) =>
      createKey(store.keys, { project: 'mine', label, lifetime, now: 0 })
    for (const [label, lifetime] of [
      ['brain open', 10],
      ['brain open', 30],
      ['laptop', 10],
      ['brain open', null],
    ] as const)
      await make(label, lifetime)
    await store.keys.sweep('brain open', 20)
    expect((await store.keys.list()).map(({ label, expiresAt }) => [label, expiresAt]).sort()).toEqual([
      ['brain open', null],
      ['brain open', 30],
      ['laptop', 10],
    ])
  })
})
