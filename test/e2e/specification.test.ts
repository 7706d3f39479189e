/** Every endpoint of the specification, as a client meets it that has read nothing else. */
import { describe, expect, it } from 'vitest'
import { startClient } from './client.ts'

const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/
const keys = (value: unknown): string[] => Object.keys(value as object)

describe('a client that knows the specification', () => {
  it('asserts, tests and revises a belief', async () => {
    const client = await startClient()
    const believed = await client.write('/v1/believe', { text: 'retries hide the real fault' })
    expect(believed).toEqual({ id: 1, text: 'retries hide the real fault', confidence: 0.7 })
    const weighed = await client.write('/v1/evidence', { belief_id: 1, kind: 'supporting', strength: 0.9 })
    expect(keys(weighed)).toEqual([
      'evidence_id',
      'belief_id',
      'kind',
      'strength',
      'log_likelihood',
      'new_log_ratio',
      'new_confidence',
      'confidence_delta',
      'status',
      'boundaries',
    ])
    expect(weighed.status).toBe('promoted')
    const trail = (await client.read('/v1/evidence/1')) as {
      belief: object
      events: { created_at: string }[]
    }
    expect(keys(trail)).toEqual(['belief', 'events'])
    expect(keys(trail.belief)).toEqual([
      'id',
      'text',
      'confidence',
      'sprt_log_ratio',
      'evidence_count',
      'sprt_status',
      'last_evidence_at',
    ])
    expect(keys(trail.events[0])).toEqual(['id', 'kind', 'strength', 'log_likelihood', 'note', 'created_at'])
    expect(trail.events[0]?.created_at).toMatch(timestamp)
    expect(await client.write('/v1/revise', { belief_id: 1, new_text: 'some retries do' })).toEqual({
      revised_from: 1,
      new_belief_id: 2,
      text: 'some retries do',
    })
    const { beliefs } = (await client.read('/v1/beliefs')) as { beliefs: { id: number }[] }
    expect(beliefs.map(({ id }) => id)).toEqual([2])
  })

  it('predicts, resolves and reads its calibration', async () => {
    const client = await startClient()
    const made = { prediction: 'the build stays green', domain: 'ci', confidence: 0.9 }
    expect(await client.write('/v1/predict', made)).toEqual({ id: 1, domain: 'ci', confidence: 0.9 })
    const { predictions } = (await client.read('/v1/predictions/open')) as { predictions: object[] }
    expect(predictions.map(keys)).toEqual([
      ['id', 'prediction', 'domain', 'confidence', 'basis', 'created_at'],
    ])
    const closing = { prediction_id: 1, outcome: 'incorrect', actual: 'red by noon' }
    expect(await client.write('/v1/resolve', closing)).toEqual({
      prediction_id: 1,
      outcome: 'incorrect',
      surprise: 0.9,
    })
    expect((await client.read('/v1/predictions/open')).predictions).toEqual([])
    const calibration = (await client.read('/v1/calibration?since_days=7')) as { domains: object[] }
    expect(calibration).toMatchObject({ total_resolved: 1, window_days: 7 })
    expect(keys(calibration.domains[0]).slice(0, 10).sort()).toEqual(
      [
        'domain',
        'n',
        'accuracy',
        'correct',
        'incorrect',
        'partial',
        'mean_confidence_when_correct',
        'mean_confidence_when_incorrect',
        'confidence_gap',
        'mean_surprise',
      ].sort(),
    )
  })

  it('flags a danger and has its gut checked', async () => {
    const client = await startClient()
    const warning = 'never force-push to the release branch'
    expect(await client.write('/v1/flag', { text: warning })).toEqual({ id: 1, text: warning, caution: 0.85 })
    const assessed = await client.write('/v1/assess', { topic: 'force-push the release branch' })
    expect(keys(assessed)).toEqual(['topic', 'verdict', 'risk', 'why', 'based_on', 'nearest', 'track_record'])
    expect(assessed).toMatchObject({
      topic: 'force-push the release branch',
      verdict: 'danger',
      based_on: { memory_id: 1, caution: 0.85 },
      track_record: null,
    })
    const clear = await client.write('/v1/assess', { topic: 'water the office plants' })
    expect(clear).toMatchObject({ verdict: 'clear', based_on: null, track_record: null })
  })

  it('notes what it thinks of an agent under its own name', async () => {
    const client = await startClient()
    const note = { subject_agent: 'planner', observation: 'asks before it acts', kind: 'characterization' }
    const noted = await client.write('/v1/note_about', note, { 'x-svc-agent': 'reviewer' })
    expect(noted).toEqual({ id: 1, observer_agent: 'reviewer', subject_agent: 'planner' })
    await client.write('/v1/note_about', { subject_agent: 'reviewer', observation: 'brief' })
    const { observations } = (await client.read('/v1/outside_views')) as {
      observations: { id: number; observer_agent: string; created_at: string }[]
    }
    expect(observations.map(({ id, observer_agent }) => [id, observer_agent])).toEqual([
      [2, 'default'],
      [1, 'reviewer'],
    ])
    expect(keys(observations[1])).toEqual([
      'id',
      'observer_agent',
      'subject_agent',
      'observation',
      'kind',
      'created_at',
    ])
    expect(observations[0]?.created_at).toMatch(timestamp)
    const about = await client.read('/v1/outside_views?subject_agent=planner&limit=1')
    expect((about.observations as object[]).length).toBe(1)
  })

  it('reads the state of its project, which its own call does not change', async () => {
    const client = await startClient()
    const state = await client.read('/v1/state')
    expect(state).toMatchObject({
      state: 'rest',
      load: 0,
      active_minutes: 0,
      window_minutes: 60,
      last_active: null,
    })
    await client.write('/v1/believe', { text: 'x' })
    await client.post('/v1/resolve', { prediction_id: 9, outcome: 'correct', actual: 'x' })
    await client.post('/v1/resolve', { prediction_id: 9, outcome: 'never', actual: 'x' })
    const later = await client.read('/v1/state')
    expect(Number(later.load) * Number(later.active_minutes)).toBe(2)
    expect(later.last_active).toMatch(timestamp)
  })

  it('keeps texts exactly as they were sent', async () => {
    const client = await startClient()
    const text = '  “quoted” \\ \t 🦊 e\u0301 \u202e rtl\r\n '
    expect((await client.write('/v1/believe', { text })).text).toBe(text)
    const { beliefs } = (await client.read('/v1/beliefs')) as { beliefs: { text: string }[] }
    expect(beliefs[0]?.text).toBe(text)
  })
})
