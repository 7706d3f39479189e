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

  it('shows none of another project', async () => {
    const brain = await openSmallBrain()
    await brain.call('note_about', { subject_agent: 'planner', observation: 'x' }, { project: 'theirs' })
    expect((await brain.call('outside_views')).observations).toEqual([])
  })
})
