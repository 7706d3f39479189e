/** Many clients at one row: exactly one may win, and nothing that was acknowledged is lost. */
import { describe, expect, it } from 'vitest'
import { startClient } from './client.ts'

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i))

const statusesOf = (replies: readonly { status: number }[]) => replies.map(({ status }) => status).sort()

describe('at once', () => {
  it('50 resolutions of one prediction: one is taken, 49 are told it is resolved', async () => {
    const client = await startClient()
    const { id } = await client.write('/v1/predict', { prediction: 'it holds', domain: 'infra' })
    const replies = await Promise.all(
      times(50, (attempt) =>
        client.post('/v1/resolve', {
          prediction_id: id,
          outcome: 'correct',
          actual: `attempt ${attempt}`,
          surprise: attempt / 50,
        }),
      ),
    )
    expect(statusesOf(replies)).toEqual([200, ...times(49, () => 404)])
    for (const { status, body } of replies) {
      if (status !== 200) expect(body).toEqual({ error: `prediction ${id} is already resolved` })
    }
    const won = replies.find(({ status }) => status === 200)?.body as { surprise: number }
    expect(await client.read('/v1/calibration')).toMatchObject({
      total_resolved: 1,
      overall: { mean_surprise: won.surprise },
    })
  })

  it('50 revisions of one belief: one is taken, 49 are told it was revised', async () => {
    const client = await startClient()
    const { id } = await client.write('/v1/believe', { text: 'it is so' })
    const replies = await Promise.all(
      times(50, (attempt) => client.post('/v1/revise', { belief_id: id, new_text: `attempt ${attempt}` })),
    )
    expect(statusesOf(replies)).toEqual([200, ...times(49, () => 404)])
    for (const { status, body } of replies) {
      if (status !== 200) expect(body).toEqual({ error: `belief ${id} was already revised` })
    }
    const won = replies.find(({ status }) => status === 200)?.body as { text: string; new_belief_id: number }
    expect((await client.read('/v1/beliefs')).beliefs).toEqual([
      expect.objectContaining({ id: won.new_belief_id, text: won.text }),
    ])
  })

  it('1,000 observations of one belief: the exact sum and count', async () => {
    const client = await startClient()
    const { id } = await client.write('/v1/believe', { text: 'it is so', confidence: 0.5 })
    const strengths = [0.1, 0.3, 0.5, 0.7, 0.9]
    const replies = await Promise.all(
      times(1_000, (index) =>
        client.post('/v1/evidence', {
          belief_id: id,
          kind: index % 3 === 0 ? 'refuting' : 'supporting',
          strength: strengths[index % strengths.length],
        }),
      ),
    )
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1_000)
    const { belief, events } = (await client.read(`/v1/evidence/${id}`)) as {
      belief: { sprt_log_ratio: number; evidence_count: number; confidence: number }
      events: { id: number; log_likelihood: number }[]
    }
    expect(belief.evidence_count).toBe(1_000)
    expect(new Set(events.map((event) => event.id)).size).toBe(1_000)
    expect(belief.sprt_log_ratio).toBe(events.reduce((sum, event) => sum + event.log_likelihood, 0))
    const acknowledged = replies.map(({ body }) => (body as { evidence_id: number }).evidence_id)
    expect(new Set(acknowledged)).toEqual(new Set(events.map((event) => event.id)))
  })

  it('evidence and a revision: whatever came after the revision was refused', async () => {
    const client = await startClient()
    const { id } = await client.write('/v1/believe', { text: 'it is so' })
    const attempts = times(40, (index) =>
      index === 20
        ? client.post('/v1/revise', { belief_id: id, new_text: 'it is not' })
        : client.post('/v1/evidence', { belief_id: id, kind: 'supporting', strength: 0.2 }),
    )
    const replies = await Promise.all(attempts)
    const taken = replies.filter(({ status }, index) => status === 200 && index !== 20).length
    for (const { status, body } of replies) {
      if (status !== 200) expect(body).toEqual({ error: `belief ${id} is superseded` })
    }
    const { events } = (await client.read(`/v1/evidence/${id}`)) as { events: unknown[] }
    expect(events).toHaveLength(taken)
  })
})
