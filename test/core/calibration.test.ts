/** Calibration against an independent computation, and its refusal to invent figures. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Calibration, calibrate, calibrateDomains, type Resolved } from '../../src/core/calibration.ts'
import { outcomes } from '../../src/core/records.ts'

const resolvedOnes = fc.array(
  fc.record({
    domain: fc.constantFrom('infra', 'people', 'releases'),
    confidence: fc.oneof(
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.integer({ min: 0, max: 10 }).map((tenths) => tenths / 10),
    ),
    outcome: fc.constantFrom(...outcomes),
    surprise: fc.double({ min: 0, max: 1, noNaN: true }),
  }),
  { maxLength: 80 },
)

/** The same figures in one pass of running sums, written from the formulas alone. */
function independently(resolved: readonly Resolved[]) {
  const sums = { n: 0, value: 0, surprise: 0, brier: 0, logLoss: 0 }
  const whenCorrect = { n: 0, sum: 0 }
  const whenIncorrect = { n: 0, sum: 0 }
  const bins = Array.from({ length: 10 }, () => ({ n: 0, confidence: 0, value: 0 }))
  for (const { confidence: p, outcome, surprise } of resolved) {
    const v = outcome === 'correct' ? 1 : outcome === 'partial' ? 0.5 : 0
    const q = Math.max(1e-6, Math.min(1 - 1e-6, p))
    sums.n += 1
    sums.value += v
    sums.surprise += surprise
    sums.brier += p * p - 2 * p * v + v * v
    sums.logLoss -= v * Math.log(q) + Math.log1p(-q) - v * Math.log1p(-q)
    const group = outcome === 'correct' ? whenCorrect : outcome === 'incorrect' ? whenIncorrect : undefined
    if (group) {
      group.n += 1
      group.sum += p
    }
    let index = 9
    while (index > 0 && p < index / 10) index--
    const bin = bins[index]
    if (bin) {
      bin.n += 1
      bin.confidence += p
      bin.value += v
    }
  }
  const share = (sum: number, n: number) => (n === 0 ? null : sum / n)
  const a = share(whenCorrect.sum, whenCorrect.n)
  const b = share(whenIncorrect.sum, whenIncorrect.n)
  return {
    accuracy: share(sums.value, sums.n),
    meanConfidenceWhenCorrect: a,
    meanConfidenceWhenIncorrect: b,
    confidenceGap: a === null || b === null ? null : a - b,
    meanSurprise: share(sums.surprise, sums.n),
    brier: share(sums.brier, sums.n),
    logLoss: share(sums.logLoss, sums.n),
    bins: bins
      .map((bin, index) => ({ lower: index / 10, upper: (index + 1) / 10, ...bin }))
      .filter((bin) => bin.n > 0),
  }
}

function expectClose(actual: number | null, expected: number | null) {
  if (expected === null || actual === null) expect(actual).toBe(expected)
  else expect(Math.abs(actual - expected)).toBeLessThan(1e-12)
}

function expectSame(actual: Calibration, resolved: readonly Resolved[]) {
  const expected = independently(resolved)
  expectClose(actual.accuracy, expected.accuracy)
  expectClose(actual.meanConfidenceWhenCorrect, expected.meanConfidenceWhenCorrect)
  expectClose(actual.meanConfidenceWhenIncorrect, expected.meanConfidenceWhenIncorrect)
  expectClose(actual.confidenceGap, expected.confidenceGap)
  expectClose(actual.meanSurprise, expected.meanSurprise)
  expectClose(actual.brier, expected.brier)
  expectClose(actual.logLoss, expected.logLoss)
  expect(actual.bins.map(({ lower, upper, n }) => ({ lower, upper, n }))).toEqual(
    expected.bins.map(({ lower, upper, n }) => ({ lower, upper, n })),
  )
  for (const [index, bin] of expected.bins.entries()) {
    expectClose(actual.bins[index]?.meanConfidence ?? null, bin.confidence / bin.n)
    expectClose(actual.bins[index]?.observed ?? null, bin.value / bin.n)
  }
}

const one = (confidence: number, outcome: Resolved['outcome'], domain = 'infra'): Resolved => ({
  domain,
  confidence,
  outcome,
  surprise: 0.5,
})

describe('calibration', () => {
  it('agrees with an independent computation to 1e-12, overall and by domain', () => {
    fc.assert(
      fc.property(resolvedOnes, (resolved) => {
        expectSame(calibrate(resolved), resolved)
        for (const domain of calibrateDomains(resolved)) {
          expectSame(
            domain,
            resolved.filter((other) => other.domain === domain.domain),
          )
        }
      }),
    )
  })

  it('accounts for every prediction once', () => {
    fc.assert(
      fc.property(resolvedOnes, (resolved) => {
        const whole = calibrate(resolved)
        expect(whole.n).toBe(resolved.length)
        expect(whole.correct + whole.incorrect + whole.partial).toBe(resolved.length)
        expect(whole.bins.reduce((sum, bin) => sum + bin.n, 0)).toBe(resolved.length)
        expect(calibrateDomains(resolved).reduce((sum, domain) => sum + domain.n, 0)).toBe(resolved.length)
      }),
    )
  })

  it('of nothing is zero counts and no invented mean', () => {
    expect(calibrate([])).toEqual({
      n: 0,
      correct: 0,
      incorrect: 0,
      partial: 0,
      accuracy: null,
      meanConfidenceWhenCorrect: null,
      meanConfidenceWhenIncorrect: null,
      confidenceGap: null,
      meanSurprise: null,
      brier: null,
      logLoss: null,
      parts: null,
      bins: [],
    })
    expect(calibrateDomains([])).toEqual([])
  })

  it('counts a partial outcome as half', () => {
    const record = calibrate([
      one(0.5, 'correct'),
      one(0.5, 'partial'),
      one(0.5, 'incorrect'),
      one(0.5, 'partial'),
    ])
    expect(record.accuracy).toBe(0.5)
    expect(record.partial).toBe(2)
  })

  it('has no gap while all were right', () => {
    const record = calibrate([one(0.9, 'correct'), one(0.7, 'partial')])
    expect(record.meanConfidenceWhenCorrect).toBe(0.9)
    expect(record.meanConfidenceWhenIncorrect).toBeNull()
    expect(record.confidenceGap).toBeNull()
  })

  it('scores certainty that came true 0 and certainty that failed finitely', () => {
    const right = calibrate([one(1, 'correct'), one(0, 'incorrect')])
    expect(right.brier).toBe(0)
    expect(right.logLoss).toBeCloseTo(1e-6, 9)
    const wrong = calibrate([one(1, 'incorrect')])
    expect(wrong.brier).toBe(1)
    expect(wrong.logLoss).toBeCloseTo(-Math.log(1e-6), 6)
  })

  it('puts an edge into the bin above it, 1 into the last, and what is just below an edge below it', () => {
    const lowerEdges = (confidence: number) =>
      calibrate([one(confidence, 'correct')]).bins.map((bin) => bin.lower)
    for (let tenths = 0; tenths < 10; tenths++) expect(lowerEdges(tenths / 10)).toEqual([tenths / 10])
    expect(lowerEdges(1)).toEqual([0.9])
    expect(lowerEdges(0.3 - Number.EPSILON / 8)).toEqual([0.2])
    expect(lowerEdges(0.7 - Number.EPSILON / 2)).toEqual([0.6])
    // Ten times this is 9.
    expect(lowerEdges(0.9 - Number.EPSILON / 2)).toEqual([0.8])
  })

  it('expects of a bin the counts between the quantiles of 5 and of 95 %', () => {
    const [bin] = calibrate(Array.from({ length: 20 }, () => one(0.75, 'correct'))).bins
    // R: qbinom(c(.05, .95), 20, .75)
    expect([bin?.expectedLow, bin?.expectedHigh]).toEqual([12 / 20, 18 / 20])
  })

  it('lists the domain with most predictions first, then by name', () => {
    const domains = calibrateDomains([
      one(0.5, 'correct', 'b'),
      one(0.5, 'correct', 'a'),
      one(0.5, 'correct', 'c'),
      one(0.5, 'correct', 'c'),
    ])
    expect(domains.map((domain) => domain.domain)).toEqual(['c', 'a', 'b'])
  })
})
