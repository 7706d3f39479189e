/** Resolving a prediction: once, by its owner, with a surprise that follows from the confidence. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  isOverdue,
  isScored,
  maxForecasts,
  overdueAt,
  reopenPrediction,
  resolvePrediction,
  reviseForecast,
} from '../../src/core/predictions.ts'
import { type Found, outcomes, type Prediction } from '../../src/core/records.ts'
import { deriveSurprise } from '../../src/core/surprise.ts'

const open: Prediction = {
  id: 3,
  prediction: 'the migration takes under an hour',
  domain: 'infra',
  confidence: 0.8,
  firstConfidence: 0.6,
  basis: null,
  agent: null,
  createdAt: 1,
  dueAt: null,
  check: null,
  resolution: null,
}
const closing = { outcome: 'incorrect', actual: 'it took two', surprise: null, resolvedAt: 9 } as const

describe('surprise', () => {
  it('is the distance of the outcome from the confidence', () => {
    expect(deriveSurprise(0.8, 'correct')).toBe(Math.abs(1 - 0.8))
    expect(deriveSurprise(0.8, 'partial')).toBe(0.8 - 0.5)
    expect(deriveSurprise(0.8, 'incorrect')).toBe(0.8)
  })

  it('lies in 0..1 and is the same for a claim and its mirror image', () => {
    const mirror = { correct: 'incorrect', incorrect: 'correct', partial: 'partial' } as const
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.constantFrom(...outcomes),
        (confidence, outcome) => {
          const surprise = deriveSurprise(confidence, outcome)
          expect(surprise).toBeGreaterThanOrEqual(0)
          expect(surprise).toBeLessThanOrEqual(1)
          expect(deriveSurprise(1 - confidence, mirror[outcome])).toBeCloseTo(surprise, 12)
        },
      ),
    )
  })
})

describe('resolving', () => {
  it('derives the surprise unless the caller gives one', () => {
    expect(resolvePrediction(open, 3, closing)).toEqual({ ...closing, surprise: 0.8 })
    expect(resolvePrediction(open, 3, { ...closing, surprise: 0 }).surprise).toBe(0)
  })

  it('is refused for a prediction that is missing, foreign or resolved', () => {
    const attempt = (found: Found<Prediction>) => () => resolvePrediction(found, 3, closing)
    const resolution = { outcome: 'correct', actual: 'so', surprise: 0.2, resolvedAt: 2 } as const
    expect(attempt(undefined)).toThrow('prediction 3 not found')
    expect(attempt('elsewhere')).toThrow('prediction 3 belongs to another project')
    expect(attempt({ ...open, resolution })).toThrow('prediction 3 is already resolved')
  })
})

describe('annulling', () => {
  it('has no surprise and is no score', () => {
    const annulled = resolvePrediction(open, 3, { ...closing, outcome: 'annulled' })
    expect(annulled).toEqual({ ...closing, outcome: 'annulled', surprise: null })
    expect(isScored(annulled)).toBe(false)
    expect(isScored(resolvePrediction(open, 3, closing))).toBe(true)
  })
})

describe('revising', () => {
  const stated = { confidence: 0.3, note: null, createdAt: 5 }
  const resolution = { outcome: 'correct', actual: 'so', surprise: 0.2, resolvedAt: 2 } as const

  it("is for predictions that are there, the project's and open", () => {
    expect(reviseForecast(open, 3, { stated, earlier: 1 })).toEqual(stated)
    const attempt = (found: Found<Prediction>) => () => reviseForecast(found, 3, { stated, earlier: 1 })
    expect(attempt(undefined)).toThrow('prediction 3 not found')
    expect(attempt('elsewhere')).toThrow('prediction 3 belongs to another project')
    expect(attempt({ ...open, resolution })).toThrow('prediction 3 is already resolved')
  })

  it('ends at some hundred forecasts', () => {
    expect(() => reviseForecast(open, 3, { stated, earlier: maxForecasts })).toThrow('resolve it')
  })
})

describe('reopening', () => {
  it('keeps what it undoes, and is refused where nothing is resolved', () => {
    const resolution = { outcome: 'correct', actual: 'so', surprise: 0.2, resolvedAt: 2 } as const
    const said = { note: 'not yet', createdAt: 9 }
    expect(reopenPrediction({ ...open, resolution }, 3, said)).toEqual({ ...resolution, ...said })
    expect(() => reopenPrediction(open, 3, said)).toThrow('prediction 3 is not resolved')
    expect(() => reopenPrediction(undefined, 3, said)).toThrow('prediction 3 not found')
  })
})

describe('a prediction is overdue', () => {
  const day = 86_400_000
  const now = 100 * day

  it('after the moment at which it is due, and without one after 30 days', () => {
    const is = (change: Partial<Prediction>) => isOverdue({ ...open, ...change }, overdueAt(now))
    expect([now - 1, now].map((dueAt) => is({ dueAt }))).toEqual([true, false])
    expect([70 * day - 1, 70 * day].map((createdAt) => is({ createdAt }))).toEqual([true, false])
  })
})
