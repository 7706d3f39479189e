/** Effort, drivers and advice: the decided thresholds, and that only what applies is said. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  adviseOn,
  type Contents,
  driversOf,
  effortOf,
  minuteOf,
  windowStart,
} from '../../src/core/activity.ts'

const empty: Contents = {
  resolved: 0,
  meanConfidence: null,
  accuracy: null,
  meanSurprise: null,
  recentSurprise: null,
  overduePredictions: 0,
  contestedBeliefs: 0,
  unreadDreams: 0,
  embeddingBacklog: 0,
}

describe('the window', () => {
  it('holds the current minute and the 59 before it', () => {
    const now = Date.UTC(2026, 4, 1, 12, 30, 59, 999)
    expect(minuteOf(now)).toBe(Date.UTC(2026, 4, 1, 12, 30))
    expect(windowStart(now)).toBe(Date.UTC(2026, 4, 1, 11, 31))
  })
})

describe('effort', () => {
  it('of nothing is rest with all reserve', () => {
    expect(effortOf([])).toEqual({ condition: 'rest', load: 0, deviation: 0, reserve: 1, activeMinutes: 0 })
  })

  it('is rest below 2 calls a minute, engaged from 2, overloaded above 15', () => {
    expect(effortOf([1, 2]).condition).toBe('rest')
    expect(effortOf([2, 2]).condition).toBe('engaged')
    expect(effortOf([15]).condition).toBe('engaged')
    expect(effortOf([15, 16]).condition).toBe('overloaded')
  })

  it('is overloaded by bursts above 4 calls a minute', () => {
    // Means 4 and 5, the deviation about twice the mean.
    expect(effortOf([1, 1, 1, 1, 1, 1, 1, 1, 1, 31]).condition).toBe('engaged')
    expect(effortOf([1, 1, 1, 1, 1, 1, 1, 1, 1, 41]).condition).toBe('overloaded')
    // Mean 8, deviation 12: one and a half times the mean are not above it.
    expect(effortOf([2, 2, 2, 2, 32]).condition).toBe('engaged')
  })

  it('reports mean, population deviation, reserve and active minutes', () => {
    const effort = effortOf([2, 4, 4, 4, 5, 5, 7, 9])
    expect(effort).toMatchObject({ load: 5, deviation: 2, activeMinutes: 8 })
    expect(effort.reserve).toBeCloseTo(1 - 5 / 60, 12)
    expect(effortOf([90]).reserve).toBe(0)
  })

  it('ignores minutes without calls and the order of the others', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 200 }), { maxLength: 60 }), (calls) => {
        const effort = effortOf(calls)
        const other = effortOf(calls.filter((count) => count > 0).reverse())
        expect(other.activeMinutes).toBe(effort.activeMinutes)
        expect(other.load).toBe(effort.load)
        expect(other.deviation).toBeCloseTo(effort.deviation, 10)
      }),
    )
  })
})

describe('drivers', () => {
  it('of an empty brain are none', () => {
    expect(driversOf(empty)).toEqual([])
  })

  it('carry the raw figure and its documented weight', () => {
    const [surprise] = driversOf({ ...empty, resolved: 4, meanSurprise: 0.25, recentSurprise: 0.5 })
    expect(surprise).toMatchObject({ name: 'surprise', value: 0.25, weight: 0.5 })
    const [miscalibration] = driversOf({ ...empty, resolved: 10, meanConfidence: 0.9, accuracy: 0.5 })
    expect(miscalibration?.name).toBe('miscalibration')
    expect(miscalibration?.value).toBeCloseTo(0.4, 12)
    expect(miscalibration?.weight).toBeCloseTo(0.8, 12)
    const [overdue] = driversOf({ ...empty, overduePredictions: 5 })
    expect(overdue).toMatchObject({ name: 'overdue_predictions', value: 5, weight: 0.5 })
    const [contested] = driversOf({ ...empty, contestedBeliefs: 1 })
    expect(contested).toMatchObject({ name: 'contested_beliefs', value: 1, weight: 1 / 6 })
    expect(contested?.why).toBe('1 belief has evidence on both sides and no verdict yet')
    const [dreams] = driversOf({ ...empty, unreadDreams: 20 })
    expect(dreams).toMatchObject({ name: 'unread_dreams', value: 20, weight: 0.5 })
    const [backlog] = driversOf({ ...empty, embeddingBacklog: 100 })
    expect(backlog).toMatchObject({ name: 'embedding_backlog', value: 100, weight: 0.5 })
  })

  it('say nothing of miscalibration below ten resolutions, nor of less surprise than usual', () => {
    expect(driversOf({ ...empty, resolved: 9, meanConfidence: 0.9, accuracy: 0.1 })).toEqual([])
    expect(driversOf({ ...empty, resolved: 9, meanSurprise: 0.5, recentSurprise: 0.4 })).toEqual([])
    expect(driversOf({ ...empty, resolved: 20, meanConfidence: 0.5, accuracy: 0.5 })).toEqual([])
  })

  it('come heaviest first, with weights in 0..1', () => {
    const share = fc.option(fc.double({ min: 0, max: 1, noNaN: true }))
    const contents = fc.record({
      resolved: fc.nat({ max: 50 }),
      meanConfidence: share,
      accuracy: share,
      meanSurprise: share,
      recentSurprise: share,
      overduePredictions: fc.nat(),
      contestedBeliefs: fc.nat(),
      unreadDreams: fc.nat(),
      embeddingBacklog: fc.nat(),
    })
    fc.assert(
      fc.property(contents, (some) => {
        const weights = driversOf(some).map((driver) => driver.weight)
        expect(weights).toEqual([...weights].sort((a, b) => b - a))
        for (const weight of weights) {
          expect(weight).toBeGreaterThan(0)
          expect(weight).toBeLessThanOrEqual(1)
        }
      }),
    )
  })
})

describe('advice', () => {
  it('is one sentence that names what weighs most', () => {
    expect(adviseOn({ condition: 'rest', activeMinutes: 0 }, [])).toBe('There is room to work.')
    const drivers = driversOf({ ...empty, unreadDreams: 2, overduePredictions: 9 })
    expect(adviseOn({ condition: 'overloaded', activeMinutes: 5 }, drivers)).toBe(
      'Slow down and let the brain sleep on it; 9 predictions are overdue.',
    )
  })
  it('tells nobody to slow down after a few minutes of use', () => {
    const advice = (calls: number[]) => adviseOn(effortOf(calls), [])
    expect(advice([20])).toBe('Busy, but 1 minute is too little to judge by: look again later.')
    expect(advice([20, 20, 20, 20])).toBe('Busy, but 4 minutes are too little to judge by: look again later.')
    expect(advice([20, 20, 20, 20, 20])).toBe('Slow down and let the brain sleep on it.')
    expect(advice([2])).toBe('The pace is steady, keep it.')
  })
})
