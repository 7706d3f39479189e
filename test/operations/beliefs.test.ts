/** Believe, revise, evidence, evidence_for, beliefs: as the specification tells them. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Config, defaults } from '../../src/config/config.ts'
import { beliefStatuses } from '../../src/core/records.ts'
import { openSmallBrain, type SmallBrain } from './small-brain.ts'

const believe = async (brain: SmallBrain, input: object = {}) =>
  (await brain.call('believe', { text: 'the cache is warm', ...input })).id

describe('believe', () => {
  it('answers id, text as sent and confidence, 0.7 unless told', async () => {
    const brain = await openSmallBrain()
    expect(await brain.call('believe', { text: ' spaced ' })).toEqual({
      id: 1,
      text: ' spaced ',
      confidence: 0.7,
    })
    expect((await brain.call('believe', { text: 'x', confidence: null })).confidence).toBe(0.7)
    expect((await brain.call('believe', { text: 'x', confidence: 0.3 })).confidence).toBe(0.3)
  })

  it('keeps any confidence within 0.05 and 0.95', async () => {
    const brain = await openSmallBrain()
    expect((await brain.call('believe', { text: 'x', confidence: 1 })).confidence).toBe(0.95)
    expect((await brain.call('believe', { text: 'x', confidence: 0 })).confidence).toBe(0.05)
    expect((await brain.call('believe', { text: 'x', confidence: -3 })).confidence).toBe(0.05)
    for (const confidence of [80, 1.01, 1e300])
      expect((await brain.call('believe', { text: 'x', confidence })).confidence).toBe(0.95)
  })
})

describe('revise', () => {
  it('answers both ids and the new text, and leaves the new belief alone in the list', async () => {
    const brain = await openSmallBrain()
    const id = await believe(brain)
    const revised = await brain.call('revise', { belief_id: id, new_text: 'the cache is cold' })
    expect(revised).toEqual({ revised_from: id, new_belief_id: id + 1, text: 'the cache is cold' })
    const { beliefs } = await brain.call('beliefs')
    expect(beliefs).toHaveLength(1)
    expect(beliefs[0]).toMatchObject({ id: id + 1, confidence: 0.8, sprt_log_ratio: 0, evidence_count: 0 })
  })

  it('clamps the confidence it is given', async () => {
    const brain = await openSmallBrain()
    await brain.call('revise', { belief_id: await believe(brain), new_text: 'x', confidence: 1 })
    expect((await brain.call('beliefs')).beliefs[0]?.confidence).toBe(0.95)
  })

  it('is refused in the words of the specification', async () => {
    const brain = await openSmallBrain()
    const id = await believe(brain)
    const input = { belief_id: id, new_text: 'x' }
    await expect(brain.call('revise', { ...input, belief_id: 99 })).rejects.toThrow('belief 99 not found')
    await expect(brain.call('revise', input, { project: 'theirs' })).rejects.toThrow(
      `belief ${id} belongs to another project`,
    )
    await brain.call('revise', input)
    await expect(brain.call('revise', input)).rejects.toThrow(`belief ${id} was already revised`)
  })
})

describe('evidence', () => {
  it('answers the event, the new numbers and the boundaries they are judged by', async () => {
    const brain = await openSmallBrain()
    const id = await believe(brain)
    const answer = await brain.call('evidence', {
      belief_id: id,
      kind: 'supporting',
      strength: 0.5,
      note: 'seen',
    })
    const odds = (0.7 / 0.3) * 3
    expect(answer).toEqual({
      evidence_id: 1,
      belief_id: id,
      kind: 'supporting',
      strength: 0.5,
      log_likelihood: Math.log(3),
      new_log_ratio: Math.log(3),
      new_confidence: expect.closeTo(odds / (1 + odds), 12),
      confidence_delta: expect.closeTo(odds / (1 + odds) - 0.7, 12),
      status: 'accumulating',
      boundaries: { promote: Math.log(0.9 / 0.05), demote: Math.log(0.1 / 0.95), alpha: 0.05, beta: 0.1 },
    })
  })

  it('promotes, and takes a promotion back', async () => {
    const brain = await openSmallBrain()
    const id = await believe(brain)
    const give = async (kind: string) =>
      (await brain.call('evidence', { belief_id: id, kind, strength: 0.9 })).status
    expect(await give('supporting')).toBe('promoted')
    expect(await give('refuting')).toBe('accumulating')
    expect(await give('refuting')).toBe('demoted')
  })

  it('is judged by the error rates of the brain', async () => {
    const brain = await openSmallBrain({ config: { 'sprt.alpha': 0.01, 'sprt.beta': 0.2 } })
    const id = await believe(brain)
    const { boundaries } = await brain.call('evidence', { belief_id: id, kind: 'refuting', strength: 0.1 })
    expect(boundaries).toEqual({
      promote: Math.log(80),
      demote: Math.log(0.2 / 0.99),
      alpha: 0.01,
      beta: 0.2,
    })
  })

  it('is refused for missing, foreign and superseded beliefs', async () => {
    const brain = await openSmallBrain()
    const id = await believe(brain)
    const input = { belief_id: id, kind: 'supporting', strength: 0.5 }
    await expect(brain.call('evidence', { ...input, belief_id: 99 })).rejects.toThrow('belief 99 not found')
    await expect(brain.call('evidence', input, { project: 'theirs' })).rejects.toThrow(
      `belief ${id} belongs to another project`,
    )
    await brain.call('revise', { belief_id: id, new_text: 'x' })
    await expect(brain.call('evidence', input)).rejects.toThrow(`belief ${id} is superseded`)
  })
})

describe('evidence_for', () => {
  it('shows the belief and its events, oldest first, even of a superseded belief', async () => {
    const brain = await openSmallBrain()
    const id = await believe(brain)
    await brain.call('evidence', { belief_id: id, kind: 'refuting', strength: 0.2, note: null })
    brain.clock.now += 60_000
    await brain.call('evidence', { belief_id: id, kind: 'supporting', strength: 0.6, note: ' kept as sent ' })
    await brain.call('revise', { belief_id: id, new_text: 'x' })
    const { belief, events } = await brain.call('evidence_for', { belief_id: id })
    expect(belief).toMatchObject({
      id,
      text: 'the cache is warm',
      evidence_count: 2,
      sprt_status: 'accumulating',
      last_evidence_at: '2026-05-20T12:01:00.000+00:00',
    })
    expect(events).toEqual([
      {
        id: 1,
        kind: 'refuting',
        strength: 0.2,
        log_likelihood: -Math.log(1.2 / 0.8),
        note: null,
        created_at: '2026-05-20T12:00:00.000+00:00',
      },
      expect.objectContaining({ id: 2, kind: 'supporting', note: ' kept as sent ' }),
    ])
  })

  it('replays to the stored numbers, bit for bit', async () => {
    const brain = await openSmallBrain()
    const observation = fc.record({
      kind: fc.constantFrom('supporting', 'refuting'),
      strength: fc.double({ min: 0.1, max: 0.9, noNaN: true }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(observation, { minLength: 1, maxLength: 12 }), async (observations) => {
        const id = await believe(brain, { confidence: 0.5 })
        for (const one of observations) await brain.call('evidence', { belief_id: id, ...one })
        const { belief, events } = await brain.call('evidence_for', { belief_id: id })
        const sum = events.reduce((total, event) => total + event.log_likelihood, 0)
        const posterior = 1 / (1 + Math.exp(-(Math.log(0.5 / (1 - 0.5)) + sum)))
        expect(belief.sprt_log_ratio).toBe(sum)
        expect(belief.confidence).toBe(Math.min(0.95, Math.max(0.05, posterior)))
        expect(belief.evidence_count).toBe(observations.length)
      }),
      { numRuns: 25 },
    )
  })

  it('has no last evidence before any', async () => {
    const brain = await openSmallBrain()
    const { belief, events } = await brain.call('evidence_for', { belief_id: await believe(brain) })
    expect(belief.last_evidence_at).toBeNull()
    expect(events).toEqual([])
  })

  it('is refused in the words of revise', async () => {
    const brain = await openSmallBrain()
    const id = await believe(brain)
    await expect(brain.call('evidence_for', { belief_id: 99 })).rejects.toThrow('belief 99 not found')
    await expect(brain.call('evidence_for', { belief_id: id }, { project: 'theirs' })).rejects.toThrow(
      `belief ${id} belongs to another project`,
    )
  })
})

describe('beliefs', () => {
  it('lists current ones of the project, newest first, at most 50 unless told', async () => {
    const brain = await openSmallBrain()
    for (let made = 0; made < 52; made++) await believe(brain)
    await brain.call('believe', { text: 'x' }, { project: 'theirs' })
    const ids = async (input?: object) => (await brain.call('beliefs', input)).beliefs.map(({ id }) => id)
    expect(await ids()).toHaveLength(50)
    expect(await ids({ limit: 2 })).toEqual([52, 51])
    expect(await ids({ limit: 100 })).toHaveLength(52)
  })

  it('lists what moved last first when asked, however many were asserted before that', async () => {
    const brain = await openSmallBrain()
    const moved = await believe(brain)
    for (let made = 0; made < 100; made++) await believe(brain)
    brain.clock.now += 1
    await brain.call('evidence', { belief_id: moved, kind: 'supporting', strength: 0.9 })
    const ids = async (input: object) => (await brain.call('beliefs', input)).beliefs.map(({ id }) => id)
    expect(await ids({ order: 'moved', limit: 2 })).toEqual([moved, moved + 100])
    expect(await ids({ order: 'created', limit: 1 })).toEqual([moved + 100])
  })

  it('lists one status when asked, each with every field of a belief', async () => {
    const brain = await openSmallBrain()
    const promoted = await believe(brain)
    await believe(brain)
    await brain.call('evidence', { belief_id: promoted, kind: 'supporting', strength: 0.9 })
    const { beliefs } = await brain.call('beliefs', { status: 'promoted' })
    expect(beliefs).toEqual([
      {
        id: promoted,
        text: 'the cache is warm',
        confidence: 0.95,
        sprt_log_ratio: expect.closeTo(Math.log(19), 12),
        evidence_count: 1,
        sprt_status: 'promoted',
        last_evidence_at: '2026-05-20T12:00:00.000+00:00',
        created_at: '2026-05-20T12:00:00.000+00:00',
      },
    ])
    expect((await brain.call('beliefs', { status: 'demoted' })).beliefs).toEqual([])
  })

  it('lists one verdict when asked, whatever the status of the test, however many others there are', async () => {
    const brain = await openSmallBrain()
    const observe = (source: string, ...ids: number[]) =>
      Promise.all(
        ids.map((belief_id) =>
          brain.call('evidence', { belief_id, kind: 'supporting', strength: 0.9, source }),
        ),
      )
    const [promoted, alone] = [await believe(brain), await believe(brain)]
    for (let made = 0; made < 9; made++) await observe('ci', await believe(brain))
    await observe('ci', promoted, alone)
    await observe('ops', promoted)
    const find = async (input: object) => (await brain.call('beliefs', input)).beliefs
    const ids = async (input: object) => (await find(input)).map(({ id }) => id)
    expect(await ids({ verdict: 'promoted', limit: 2 })).toEqual([promoted])
    expect(await ids({ verdict: 'accumulating', limit: 10 })).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, alone])
    expect(await ids({ verdict: 'accumulating', status: 'accumulating' })).toEqual([])
    expect(await ids({ verdict: 'demoted' })).toEqual([])
    expect(await ids({ status: 'promoted' })).toHaveLength(11)
    expect((await find({ verdict: 'accumulating' })).at(-1)).toMatchObject({
      sprt_status: 'promoted',
      verdict: 'accumulating',
      caveats: [expect.stringContaining('One source'), expect.stringContaining('Only supporting')],
    })
  })

  it('stands by the error rates of now, whatever they were when its evidence came', async () => {
    const brain = await openSmallBrain()
    const belief_id = await believe(brain)
    await brain.call('evidence', { belief_id, kind: 'refuting', strength: 0.1 })
    await brain.call('evidence', { belief_id, kind: 'supporting', strength: 0.9 })
    const look = async (rates: Partial<Config>) => {
      const options = { config: { ...defaults, ...rates } }
      const listed = await Promise.all(
        beliefStatuses.map(async (status) => {
          const { beliefs } = await brain.call('beliefs', { status }, options)
          return beliefs.map(({ sprt_status }) => sprt_status)
        }),
      )
      const { belief } = await brain.call('evidence_for', { belief_id }, options)
      const { drivers } = await brain.call('state', {}, options)
      return { listed: listed.flat(), status: belief.sprt_status, drivers: drivers.map(({ name }) => name) }
    }
    expect(await look({})).toMatchObject({ listed: ['accumulating'], status: 'accumulating' })
    expect((await look({})).drivers).toContain('contested_beliefs')
    const lax = await look({ 'sprt.alpha': 0.2 })
    expect(lax).toMatchObject({ listed: ['promoted'], status: 'promoted' })
    expect(lax.drivers).not.toContain('contested_beliefs')
  })
})
