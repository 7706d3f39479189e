/** Due dates, revised forecasts, annulling and reopening, and calibration's questions: as a caller meets them. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openSmallBrain, type SmallBrain } from './small-brain.ts'

const day = 86_400_000

const predict = async (brain: SmallBrain, input: object = {}, agent = 'default') =>
  (await brain.call('predict', { prediction: 'it ships on time', domain: 'releases', ...input }, { agent }))
    .id

const resolve = (brain: SmallBrain, prediction_id: number, outcome = 'correct') =>
  brain.call('resolve', { prediction_id, outcome, actual: 'so it went' })

const shown = async (brain: SmallBrain, id: number) => {
  const { record } = await brain.call('show', { kind: 'prediction', id })
  return record.kind === 'prediction' ? record : expect.unreachable()
}

describe('a due date', () => {
  it('is a day to its end, or a span from now, of days to the end of the last', async () => {
    const brain = await openSmallBrain()
    const made = await brain.call('predict', { prediction: 'x', domain: 'd', due: '2026-06-01' })
    expect(made.due_at).toBe('2026-06-01T23:59:59.999+00:00')
    const soon = await brain.call('predict', { prediction: 'x', domain: 'd', due: '2w' })
    expect(soon.due_at).toBe('2026-06-03T23:59:59.999+00:00')
    const sooner = await brain.call('predict', { prediction: 'x', domain: 'd', due: '90m' })
    expect(sooner.due_at).toBe('2026-05-20T13:30:00.000+00:00')
    expect(await brain.call('predict', { prediction: 'x', domain: 'd' })).not.toHaveProperty('due_at')
  })

  it.each([
    ['2026-05-19', 'due must be a moment to come'],
    ['0h', 'due must be a moment to come'],
    ['999999w', 'due must be a date (2026-01-31, 31 January)'],
    ['someday', 'due must be a date (2026-01-31, 31 January)'],
    ['yesterday', 'due must be a moment to come'],
  ])('%s is refused', async (due, message) => {
    const brain = await openSmallBrain()
    await expect(brain.call('predict', { prediction: 'x', domain: 'd', due })).rejects.toThrow(message)
  })

  it('today is still to come, until it ends', async () => {
    const brain = await openSmallBrain()
    const id = await predict(brain, { due: 'today' })
    const listed = async () => (await brain.call('predictions', { standing: 'overdue' })).predictions
    expect(await listed()).toEqual([])
    brain.clock.now += day / 2
    expect(await listed()).toMatchObject([{ id, overdue: true }])
  })
})

describe('predictions', () => {
  it('lists what is due by a moment, overdue ones first and told as such', async () => {
    const brain = await openSmallBrain()
    for (const due of ['9d', '2d', '1d']) await predict(brain, { due }, due === '2d' ? 'planner' : 'default')
    await predict(brain)
    brain.clock.now += 1.5 * day
    const { predictions, total } = await brain.call('predictions', { due: '3d' })
    expect(predictions.map(({ id, overdue, agent }) => [id, overdue, agent])).toEqual([
      [3, true, null],
      [2, false, 'planner'],
    ])
    expect(total).toBe(2)
    expect((await brain.call('predictions', { agent: 'planner' })).total).toBe(1)
    expect((await brain.call('predictions', {}, { project: 'theirs' })).total).toBe(0)
  })

  it('leaves predictions_open as it was but for when it is due, with the confidence stated last', async () => {
    const brain = await openSmallBrain()
    await predict(brain, { due: '2d', confidence: 0.5 }, 'planner')
    await brain.call('forecast', { prediction_id: 1, confidence: 0.9 })
    expect((await brain.call('predictions_open')).predictions).toEqual([
      {
        ...{ id: 1, prediction: 'it ships on time', domain: 'releases', confidence: 0.9, basis: null },
        created_at: '2026-05-20T12:00:00.000+00:00',
        due_at: '2026-05-22T23:59:59.999+00:00',
      },
    ])
  })
})

describe('a forecast', () => {
  it('is told with the one before, and every one is shown with its time and note', async () => {
    const brain = await openSmallBrain()
    await predict(brain, { confidence: 0.5 })
    brain.clock.now += 8 * day
    expect(await brain.call('forecast', { prediction_id: 1, confidence: 0.9, note: 'all merged' })).toEqual({
      prediction_id: 1,
      confidence: 0.9,
      previous_confidence: 0.5,
      forecasts: 2,
    })
    brain.clock.now += 2 * day
    expect(await resolve(brain, 1)).toMatchObject({ surprise: expect.closeTo(0.1, 12) })
    expect(await shown(brain, 1)).toMatchObject({
      confidence: 0.9,
      forecasts: [
        { confidence: 0.5, note: null },
        { confidence: 0.9, note: 'all merged', created_at: '2026-05-28T12:00:00.000+00:00' },
      ],
      brier: { first: 0.25, last: expect.closeTo(0.01, 12), time_weighted: expect.closeTo(0.202, 12) },
    })
  })

  it('is refused once the prediction is resolved', async () => {
    const brain = await openSmallBrain()
    await predict(brain)
    await resolve(brain, 1)
    const again = brain.call('forecast', { prediction_id: 1, confidence: 0.9 })
    await expect(again).rejects.toThrow('prediction 1 is already resolved')
  })
})

describe('what is annulled', () => {
  it('is refused a surprise, and an unknown outcome is refused in the words of the specification', async () => {
    const brain = await openSmallBrain()
    await predict(brain)
    const annul = { prediction_id: 1, outcome: 'annulled', actual: 'dropped' }
    await expect(brain.call('resolve', { ...annul, surprise: 1 })).rejects.toThrow(
      'surprise must be left out',
    )
    await expect(brain.call('resolve', { ...annul, outcome: 'void' })).rejects.toThrow(
      /^outcome must be one of: correct, incorrect, partial$/,
    )
    expect(await brain.call('resolve', annul)).toEqual({
      prediction_id: 1,
      outcome: 'annulled',
      surprise: null,
    })
  })

  it('changes no figure that anything reports: they are those of a brain without it', async () => {
    const made = fc.array(
      fc.record({
        prediction: fc.constantFrom('the migration is quick', 'the vendor delivers', 'tests pass'),
        domain: fc.constantFrom('infra', 'people'),
        confidence: fc.double({ min: 0, max: 1, noNaN: true }),
        outcome: fc.constantFrom('correct', 'incorrect', 'partial', 'annulled'),
        revised: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
      }),
      { maxLength: 14 },
    )
    const figures = async (brain: SmallBrain) => {
      const { last_active: _, load: __, variance: ___, ...state } = await brain.call('state')
      const assess = await brain.call('assess', { topic: 'the migration of the vendor tests' })
      const most = assess.track_record?.most_surprising.map(({ id: _, ...one }) => one)
      return {
        drivers: state.drivers,
        calibration: await brain.call('calibration', { by: 'month' }),
        first: await brain.call('calibration', { scored: 'first', horizon: '9w' }),
        track: assess.track_record && { ...assess.track_record, most_surprising: most },
        open: (await brain.call('predictions_open')).predictions.length,
      }
    }
    await fc.assert(
      fc.asyncProperty(made, async (all) => {
        const [whole, without] = [await openSmallBrain(), await openSmallBrain()]
        for (const brain of [whole, without]) {
          for (const { outcome, revised, ...one } of all) {
            if (brain === without && outcome === 'annulled') continue
            const id = await predict(brain, one)
            if (revised !== null) await brain.call('forecast', { prediction_id: id, confidence: revised })
            await resolve(brain, id, outcome)
          }
        }
        expect(await figures(whole)).toEqual(await figures(without))
      }),
      { numRuns: 15 },
    )
  })
})

describe('reopening', () => {
  it('undoes a resolution, and the trail says so', async () => {
    const brain = await openSmallBrain()
    await predict(brain)
    await resolve(brain, 1, 'incorrect')
    await expect(resolve(brain, 1)).rejects.toThrow('prediction 1 is already resolved')
    expect(await brain.call('reopen', { id: 1, note: 'that was another one' })).toEqual({
      kind: 'prediction',
      id: 1,
      outcome: 'incorrect',
      resolved_at: '2026-05-20T12:00:00.000+00:00',
    })
    expect((await brain.call('calibration')).total_resolved).toBe(0)
    await resolve(brain, 1)
    expect(await shown(brain, 1)).toMatchObject({
      outcome: 'correct',
      reopenings: [{ outcome: 'incorrect', actual: 'so it went', note: 'that was another one' }],
    })
  })
})

describe('calibration', () => {
  const fill = async () => {
    const brain = await openSmallBrain()
    for (const [agent, due, confidence, outcome] of [
      ['planner', '72h', 0.9, 'correct'],
      ['planner', '960h', 0.9, 'incorrect'],
      ['default', '72h', 0.6, 'correct'],
    ] as const) {
      const id = await predict(brain, { due, confidence }, agent)
      brain.clock.now += day
      await brain.call('forecast', { prediction_id: id, confidence: 0.5 })
      brain.clock.now += 20 * day
      await resolve(brain, id, outcome)
    }
    return brain
  }

  it('is that of one agent, of a horizon, or since a day', async () => {
    const brain = await fill()
    const count = async (input: object) => (await brain.call('calibration', input)).total_resolved
    expect(await count({})).toBe(3)
    expect(await count({ agent: 'planner' })).toBe(2)
    expect(await count({ agent: 'default' })).toBe(1)
    expect(await count({ agent: 'nobody' })).toBe(0)
    expect(await count({ horizon: '1w' })).toBe(2)
    expect(await count({ horizon: '30d+' })).toBe(1)
    expect(await count({ since: '2026-07-01' })).toBe(2)
    expect(await count({ since: '2w', agent: 'planner' })).toBe(0)
  })

  it('scores the last forecast unless the first is asked for, and both with what stood in between', async () => {
    const brain = await fill()
    const plain = await brain.call('calibration')
    const last = await brain.call('calibration', { scored: 'last' })
    // Asked as in 0.1.0 it answers so.
    expect(Object.keys(plain)).toEqual(['total_resolved', 'window_days', 'domains', 'overall'])
    expect(plain.overall.brier).toBe(last.overall.brier)
    const first = await brain.call('calibration', { scored: 'first' })
    expect(last.overall.brier).toBeCloseTo(0.25, 12)
    expect(first.overall.brier).toBeCloseTo((0.01 + 0.81 + 0.16) / 3, 12)
    expect(first.scores).toEqual(last.scores)
    expect(last.scores?.first.brier).toBeCloseTo(first.overall.brier ?? 0, 12)
    // A day of three, of 21 and of three at the first confidence: lives end with the due date.
    const lives = [0.01 / 3 + 0.5 / 3, 0.81 / 21 + 5 / 21, 0.16 / 3 + 0.5 / 3]
    expect(last.scores?.time_weighted.brier).toBeCloseTo(lives.reduce((sum, one) => sum + one, 0) / 3, 12)
  })

  it('has parts that add up, a fit, bands, and groups where they are asked for', async () => {
    const brain = await fill()
    const { overall, fit, groups } = await brain.call('calibration', { scored: 'first', by: 'horizon' })
    const { brier, mcb, dsc, unc, bins } = overall
    expect((mcb ?? 0) - (dsc ?? 0) + (unc ?? 0)).toBeCloseTo(brier ?? -1, 12)
    expect(fit).toEqual([{ lower: 0.6, upper: 0.9, n: 3, observed: 2 / 3 }])
    expect(bins[1]).toMatchObject({ lower: 0.9, n: 2, expected_low: 0.5, expected_high: 1 })
    expect(groups?.map(({ group, n }) => [group, n])).toEqual([
      ['1w', 2],
      ['90d', 1],
    ])
    const nothing = await brain.call('calibration', { agent: 'nobody', by: 'month' })
    expect(nothing.groups).toEqual([])
    expect(nothing).not.toHaveProperty('fit')
  })
})
