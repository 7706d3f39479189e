/** Past predictions: which are meant, which confidence counts, and how they score over their lives. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { outcomes } from '../../src/core/records.ts'
import {
  groupBy,
  horizonOf,
  type Past,
  readHorizon,
  scoresOf,
  sharesOf,
  toResolved,
} from '../../src/core/track-record.ts'

const day = 86_400_000

const past = (change: Partial<Past> = {}): Past => ({
  domain: 'ci',
  agent: null,
  createdAt: 0,
  dueAt: null,
  forecasts: [{ confidence: 0.5, createdAt: 0 }],
  outcome: 'correct',
  surprise: 0,
  resolvedAt: 10 * day,
  ...change,
})

const stated = (...forecasts: [confidence: number, atDay: number][]) =>
  forecasts.map(([confidence, atDay]) => ({ confidence, createdAt: atDay * day }))

const lives = fc
  .record({
    times: fc.array(fc.integer({ min: 0, max: 1_000 }), { minLength: 1, maxLength: 6 }),
    confidences: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 6, maxLength: 6 }),
    dueAt: fc.option(fc.integer({ min: 1, max: 2_000 })),
    resolvedAt: fc.integer({ min: 0, max: 2_000 }),
    outcome: fc.constantFrom(...outcomes),
  })
  .map(({ times, confidences, ...rest }) =>
    past({
      ...rest,
      forecasts: [0, ...times.sort((a, b) => a - b)].map((createdAt, at) => ({
        confidence: confidences[at % 6] ?? 0.5,
        createdAt,
      })),
    }),
  )

describe('the confidence that counts', () => {
  it('is the last, or the first', () => {
    const one = past({ forecasts: stated([0.2, 0], [0.9, 5]) })
    expect(toResolved(one, 'last').confidence).toBe(0.9)
    expect(toResolved(one, 'first').confidence).toBe(0.2)
  })
})

describe('the score over a life', () => {
  it('weighs each confidence by how long it stood', () => {
    const one = past({ forecasts: stated([0.5, 0], [0.9, 8]) })
    expect(sharesOf(one)).toEqual([
      { confidence: 0.5, share: 0.8 },
      { confidence: 0.9, share: 0.2 },
    ])
    const scores = scoresOf([one]) ?? expect.unreachable()
    expect(scores.first.brier).toBeCloseTo(0.25, 12)
    expect(scores.last.brier).toBeCloseTo(0.01, 12)
    expect(scores.timeWeighted.brier).toBeCloseTo(0.8 * 0.25 + 0.2 * 0.01, 12)
    expect(scores.timeWeighted.logLoss).toBeCloseTo(-0.8 * Math.log(0.5) - 0.2 * Math.log(0.9), 12)
  })

  it('ends when the prediction was due: what was said afterwards weighs nothing', () => {
    const one = past({ dueAt: 4 * day, forecasts: stated([0.5, 0], [0.7, 2], [1, 9]) })
    expect(sharesOf(one).map(({ share }) => share)).toEqual([0.5, 0.5, 0])
  })

  it('of what was due before it was recorded, as an import may bring it, ends with its resolution', () => {
    const one = past({ createdAt: 5 * day, dueAt: 4 * day, forecasts: stated([0.5, 5], [0.9, 9]) })
    expect(sharesOf(one).map(({ share }) => share)).toEqual([0.8, 0.2])
  })

  it('of no length is that of the last confidence', () => {
    expect(sharesOf(past({ resolvedAt: 0, forecasts: stated([0.5, 0], [0.9, 0]) }))).toEqual([
      { confidence: 0.9, share: 1 },
    ])
  })

  it('has shares that add up to 1, and lies between the best and the worst of its forecasts', () => {
    fc.assert(
      fc.property(lives, (one) => {
        const shares = sharesOf(one)
        expect(shares.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 9)
        expect(Math.min(...shares.map(({ share }) => share))).toBeGreaterThanOrEqual(0)
        const each = one.forecasts.map(
          ({ confidence, createdAt }) =>
            scoresOf([past({ outcome: one.outcome, forecasts: [{ confidence, createdAt }] })])?.last.brier ??
            -1,
        )
        const whole = scoresOf([one])?.timeWeighted.brier ?? -1
        expect(whole).toBeGreaterThanOrEqual(Math.min(...each) - 1e-12)
        expect(whole).toBeLessThanOrEqual(Math.max(...each) + 1e-12)
      }),
    )
  })

  it('is the same for first, last and time-weighted where nothing was revised', () => {
    const scores = scoresOf([past(), past({ outcome: 'incorrect' })])
    expect(scores?.first).toEqual(scores?.last)
    expect(scores?.timeWeighted).toEqual(scores?.last)
    expect(scoresOf([])).toBeNull()
  })
})

describe('a horizon', () => {
  it('reaches to the due date, else to the resolution', () => {
    expect(horizonOf(past({ dueAt: 3 * day }))).toBe(3 * day)
    expect(horizonOf(past())).toBe(10 * day)
  })

  it.each([
    ['1w', [1, 7], [8]],
    ['1d-2w', [1, 14], [0.5, 15]],
    ['2w+', [15, 400], [14, 1]],
  ])('of %s means some and not others', (text, inside, outside) => {
    const isMeant = readHorizon(text) ?? expect.unreachable()
    for (const days of inside) expect(isMeant(days * day), `${days} d`).toBe(true)
    for (const days of outside) expect(isMeant(days * day), `${days} d`).toBe(false)
  })

  it.each(['', 'soon', '2w-1d', '-2w', '1d-', '1d-2w+', '+', '2 w'])('%j is none', (text) => {
    expect(readHorizon(text)).toBeUndefined()
  })
})

describe('groups', () => {
  const all = [
    past({ resolvedAt: Date.UTC(2026, 2, 31, 23), agent: 'b', dueAt: 2 * day }),
    past({ resolvedAt: Date.UTC(2026, 3, 1), dueAt: 500 * day }),
    past({ resolvedAt: Date.UTC(2026, 2, 1), agent: 'b', dueAt: day }),
  ]

  it('are months of resolution, horizons from near to far, or agents', () => {
    const names = (by: Parameters<typeof groupBy>[1]) =>
      groupBy(all, by).map(({ group, members }) => [group, members.length])
    expect(names('month')).toEqual([
      ['2026-03', 2],
      ['2026-04', 1],
    ])
    expect(names('horizon')).toEqual([
      ['1d', 1],
      ['1w', 1],
      ['longer', 1],
    ])
    expect(names('agent')).toEqual([
      ['b', 2],
      ['default', 1],
    ])
  })
})
