/** Note_about, outside_views: as the specification tells them. */
import { describe, expect, it } from 'vitest'
import { openSmallBrain } from './small-brain.ts'

describe('note_about', () => {
  it('names the caller as observer and trims the subject', async () => {
    const brain = await openSmallBrain()
    const note = { subject_agent: ' planner ', observation: 'plans first', kind: 'pattern' }
    expect(await brain.call('note_about', note, { agent: 'reviewer' })).toEqual({
      id: 1,
      observer_agent: 'reviewer',
      subject_agent: 'planner',
    })
  })

  it('lets an agent note about itself, without a kind', async () => {
    const brain = await openSmallBrain()
    await brain.call('note_about', { subject_agent: 'default', observation: 'slow today' })
    const { observations } = await brain.call('outside_views', { subject_agent: 'default' })
    expect(observations).toEqual([
      {
        id: 1,
        observer_agent: 'default',
        subject_agent: 'default',
        observation: 'slow today',
        kind: null,
        created_at: '2026-05-20T12:00:00.000+00:00',
      },
    ])
  })
})

describe('outside_views', () => {
  it('recalls newest first, about all subjects unless one is named, at most 20 unless told', async () => {
    const brain = await openSmallBrain()
    for (let made = 1; made <= 23; made++) {
      const subject_agent = made % 2 === 0 ? 'even' : 'odd'
      await brain.call('note_about', { subject_agent, observation: `note ${made}` })
    }
    const ids = async (input: object) =>
      (await brain.call('outside_views', input)).observations.map(({ id }) => id)
    expect(await ids({})).toEqual(Array.from({ length: 20 }, (_, at) => 23 - at))
    expect(await ids({ limit: 100 })).toHaveLength(23)
    expect(await ids({ subject_agent: ' even', limit: 2 })).toEqual([22, 20])
    expect(await ids({ subject_agent: null, limit: 1 })).toEqual([23])
    expect(await ids({ subject_agent: 'nobody' })).toEqual([])
  })

  it('takes a name for the same however its accents are encoded, and leaves old records as they are', async () => {
    const brain = await openSmallBrain()
    const [composed, decomposed] = ['Zo\u00eb', 'Zoe\u0308']
    const { subject_agent } = await brain.call('note_about', {
      subject_agent: decomposed,
      observation: 'new',
    })
    expect(subject_agent).toBe(composed)
    const old = {
      observerAgent: 'default',
      subjectAgent: decomposed,
      observation: 'old',
      kind: null,
      createdAt: 1,
    }
    await brain.store.observations.add('mine', { ...old, circumstances: {} })
    for (const subject_agent of [composed, decomposed]) {
      const { observations } = await brain.call('outside_views', { subject_agent })
      expect(observations.map((one) => one.subject_agent)).toEqual([composed, decomposed])
    }
    await brain.call('remember', { text: 'the key is under the mat' }, { agent: decomposed })
    await brain.call(
      'predict',
      { prediction: 'rain', domain: 'weather' },
      { circumstances: () => ({ agent: decomposed }), agent: decomposed },
    )
    for (const agent of [composed, decomposed]) {
      expect((await brain.call('list', { agent })).total).toBe(2)
      expect((await brain.call('recall', { query: 'key', agent })).results).toHaveLength(1)
      expect((await brain.call('predictions', { agent })).predictions).toHaveLength(1)
    }
    await brain.call('resolve', { prediction_id: 1, outcome: 'correct', actual: 'it rained' })
    expect((await brain.call('calibration', { agent: composed })).total_resolved).toBe(1)
  })

  it('shows none of another project', async () => {
    const brain = await openSmallBrain()
    await brain.call('note_about', { subject_agent: 'planner', observation: 'x' }, { project: 'theirs' })
    expect((await brain.call('outside_views')).observations).toEqual([])
  })
})
