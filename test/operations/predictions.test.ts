/** Predict, resolve, predictions_open, calibration: as the specification tells them. */
import { describe, expect, it } from 'vitest'
import { own } from '../store/by-project.ts'
import { openSmallBrain, type SmallBrain } from './small-brain.ts'

const day = 86_400_000

const predict = async (brain: SmallBrain, input: object = {}) =>
  (await brain.call('predict', { prediction: 'it ships on time', domain: 'releases', ...input })).id

async function resolveOne(brain: SmallBrain, made: object, outcome: string) {
  const id = await predict(brain, made)
  return brain.call('resolve', { prediction_id: id, outcome, actual: 'so it went' })
}

describe('predict', () => {
  it('answers id, domain and confidence, 0.5 unless told', async () => {
    const brain = await openSmallBrain()
    expect(await brain.call('predict', { prediction: 'x', domain: 'infra' })).toEqual({
      id: 1,
      domain: 'infra',
      confidence: 0.5,
    })
    expect((await brain.call('predict', { prediction: 'x', domain: 'd', confidence: 0 })).confidence).toBe(0)
  })

  it('takes no check that never runs, nor one with more than its line', async () => {
    const brain = await openSmallBrain()
    const checked = (input: object) =>
      expect(brain.call('predict', { prediction: 'x', domain: 'd', ...input })).rejects
    await checked({ check: 'true' }).toThrow('check needs due: it runs when the prediction is due')
    for (const check of ['true\nfalse', 'true\u001b[2J', 'true\u0007'])
      await checked({ check, due: '1d' }).toThrow('check must not contain control characters')
    expect((await brain.call('predictions_open')).predictions).toEqual([])
  })

  it('takes a domain of 128 characters, whatever they are made of', async () => {
    const brain = await openSmallBrain()
    const wide = (count: number) => brain.call('predict', { prediction: 'x', domain: '🙂'.repeat(count) })
    expect((await wide(128)).domain).toBe('🙂'.repeat(128))
    await expect(wide(129)).rejects.toThrow('domain must be at most 128 characters')
  })

  it('trims the domain and compares it exactly', async () => {
    const brain = await openSmallBrain()
    expect((await brain.call('predict', { prediction: 'x', domain: '  infra ' })).domain).toBe('infra')
    await resolveOne(brain, { domain: 'infra ' }, 'correct')
    await resolveOne(brain, { domain: 'Infra' }, 'correct')
    const { domains } = await brain.call('calibration')
    expect(domains.map(({ domain }) => domain)).toEqual(['Infra', 'infra'])
  })
})

describe('resolve', () => {
  it('answers the outcome and a surprise derived from the confidence, or the one given', async () => {
    const brain = await openSmallBrain()
    expect(await resolveOne(brain, { confidence: 0.75 }, 'incorrect')).toEqual({
      prediction_id: 1,
      outcome: 'incorrect',
      surprise: 0.75,
    })
    expect((await resolveOne(brain, { confidence: 0.75 }, 'correct')).surprise).toBe(0.25)
    expect((await resolveOne(brain, { confidence: 0.75 }, 'partial')).surprise).toBe(0.25)
    const id = await predict(brain)
    const given = { prediction_id: id, outcome: 'correct', actual: 'x', surprise: 1 }
    expect((await brain.call('resolve', given)).surprise).toBe(1)
  })

  it('is refused in the words of the specification and keeps the first resolution', async () => {
    const brain = await openSmallBrain()
    const id = await predict(brain)
    const input = { prediction_id: id, outcome: 'correct', actual: 'first' }
    await expect(brain.call('resolve', { ...input, prediction_id: 99 })).rejects.toThrow(
      'prediction 99 not found',
    )
    await expect(brain.call('resolve', input, { project: 'theirs' })).rejects.toThrow(
      `prediction ${id} belongs to another project`,
    )
    await brain.call('resolve', input)
    await expect(brain.call('resolve', { ...input, outcome: 'incorrect' })).rejects.toThrow(
      `prediction ${id} is already resolved`,
    )
    expect(own(await brain.store.predictions.find('mine', id))?.resolution).toMatchObject({
      outcome: 'correct',
      actual: 'first',
    })
  })
})

describe('predictions_open', () => {
  it('tells when a prediction is due, where it is', async () => {
    const brain = await openSmallBrain()
    const base = { domain: 'tide', confidence: 0.7 }
    await brain.call('predict', { ...base, prediction: 'The seals hold', due: '2099-03-01T12:00:00Z' })
    await brain.call('predict', { ...base, prediction: 'The pump lasts' })
    const { predictions } = await brain.call('predictions_open')
    expect(predictions.map((one) => one.due_at)).toEqual(['2099-03-01T12:00:00.000+00:00', undefined])
  })

  it('lists the unresolved ones of the project, oldest first, at most 20 unless told', async () => {
    const brain = await openSmallBrain()
    await resolveOne(brain, {}, 'correct')
    for (let made = 0; made < 22; made++) await predict(brain, { basis: made === 0 ? 'why not' : null })
    await brain.call('predict', { prediction: 'x', domain: 'd' }, { project: 'theirs' })
    const { predictions } = await brain.call('predictions_open')
    expect(predictions).toHaveLength(20)
    expect(predictions[0]).toEqual({
      id: 2,
      prediction: 'it ships on time',
      domain: 'releases',
      confidence: 0.5,
      basis: 'why not',
      created_at: '2026-05-20T12:00:00.000+00:00',
    })
    const all = await brain.call('predictions_open', { limit: 50 })
    expect(all.predictions.map(({ id }) => id)).toEqual(Array.from({ length: 22 }, (_, made) => made + 2))
  })
})

describe('calibration', () => {
  it('of nothing is zero and no invented mean', async () => {
    const brain = await openSmallBrain()
    await predict(brain)
    const answer = await brain.call('calibration')
    expect(answer).toMatchObject({ total_resolved: 0, window_days: null, domains: [] })
    expect(answer.overall).toEqual({
      n: 0,
      accuracy: null,
      correct: 0,
      incorrect: 0,
      partial: 0,
      mean_confidence_when_correct: null,
      mean_confidence_when_incorrect: null,
      confidence_gap: null,
      mean_surprise: null,
      brier: null,
      log_loss: null,
      bins: [],
    })
  })

  it('reports each domain, the one with most predictions first, and all together', async () => {
    const brain = await openSmallBrain()
    await resolveOne(brain, { domain: 'infra', confidence: 0.5 }, 'correct')
    await resolveOne(brain, { confidence: 0.75 }, 'correct')
    await resolveOne(brain, { confidence: 0.25 }, 'incorrect')
    await resolveOne(brain, { confidence: 0.5 }, 'partial')
    const { total_resolved, domains, overall } = await brain.call('calibration')
    expect(total_resolved).toBe(4)
    expect(domains.map(({ domain, n }) => [domain, n])).toEqual([
      ['releases', 3],
      ['infra', 1],
    ])
    expect(domains[0]).toMatchObject({
      accuracy: 0.5,
      correct: 1,
      incorrect: 1,
      partial: 1,
      mean_confidence_when_correct: 0.75,
      mean_confidence_when_incorrect: 0.25,
      confidence_gap: 0.5,
      mean_surprise: expect.closeTo(0.5 / 3, 12),
      brier: expect.closeTo(0.125 / 3, 12),
      log_loss: expect.closeTo(-(2 * Math.log(0.75) + Math.log(0.5)) / 3, 12),
      bins: [
        { lower: 0.2, upper: 0.3, n: 1, mean_confidence: 0.25, observed: 0 },
        {
          lower: 0.5,
          upper: 0.6,
          n: 1,
          mean_confidence: 0.5,
          observed: 0.5,
        },
        { lower: 0.7, upper: 0.8, n: 1, mean_confidence: 0.75, observed: 1 },
      ],
    })
    expect(domains[1]).toMatchObject({ mean_confidence_when_incorrect: null, confidence_gap: null })
    expect(overall).toMatchObject({ n: 4, accuracy: 0.625 })
    expect(overall).not.toHaveProperty('domain')
  })

  it('looks back over the time of resolution, however long ago the prediction was made', async () => {
    const brain = await openSmallBrain()
    const old = await predict(brain)
    await resolveOne(brain, {}, 'correct')
    brain.clock.now += 10 * day
    await brain.call('resolve', { prediction_id: old, outcome: 'correct', actual: 'late' })
    const resolvedWithin = async (since_days: number) => {
      const answer = await brain.call('calibration', { since_days })
      expect(answer.window_days).toBe(since_days)
      return answer.total_resolved
    }
    expect(await resolvedWithin(9)).toBe(1)
    expect(await resolvedWithin(10)).toBe(2)
    expect(await resolvedWithin(Number.MAX_SAFE_INTEGER)).toBe(2)
  })

  it('knows nothing of another project', async () => {
    const brain = await openSmallBrain()
    await resolveOne(brain, {}, 'correct')
    const theirs = await brain.call('calibration', {}, { project: 'theirs' })
    expect(theirs.total_resolved).toBe(0)
    expect(theirs.overall.n).toBe(0)
  })
})
