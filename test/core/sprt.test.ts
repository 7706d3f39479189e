/** The sequential test: formulas, order, monotony, and error rates over simulated walks. */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type BeliefStatus,
  beliefStatuses,
  type EvidenceKind,
  evidenceKinds,
} from '../../src/core/records.ts'
import {
  accumulate,
  boundariesOf,
  clampConfidence,
  confidenceAfter,
  logLikelihoodOf,
  ratiosOf,
  remainingAt,
  statusOf,
} from '../../src/core/sprt.ts'
import { drawFrom } from '../../src/dreams/reading/chance.ts'

const standard = boundariesOf({ alpha: 0.05, beta: 0.1 })

const strengths = fc.double({ min: 0.1, max: 0.9, noNaN: true })
const priors = fc.double({ min: 0.05, max: 0.95, noNaN: true })
const observations = fc.record({ kind: fc.constantFrom(...evidenceKinds), strength: strengths })
const trails = fc.array(observations, { maxLength: 60 })

type Observation = { readonly kind: EvidenceKind; readonly strength: number }

const replay = (prior: number, trail: readonly Observation[]) =>
  trail.reduce(
    (standing, { kind, strength }) => ({
      prior,
      ...accumulate(standing, logLikelihoodOf(kind, strength), standard),
    }),
    { prior, logRatio: 0, confidence: prior, status: 'accumulating' as BeliefStatus },
  )

describe('the boundaries', () => {
  it('are those of Wald for 5 % and 10 %', () => {
    expect(standard.promote).toBe(Math.log(0.9 / 0.05))
    expect(standard.demote).toBe(Math.log(0.1 / 0.95))
    expect(standard.promote).toBeCloseTo(2.8904, 4)
    expect(standard.demote).toBeCloseTo(-2.2513, 4)
  })

  it('belong to the verdicts they lead to', () => {
    expect(statusOf(standard.promote, standard)).toBe('promoted')
    expect(statusOf(standard.demote, standard)).toBe('demoted')
    expect(statusOf(0, standard)).toBe('accumulating')
  })

  it('of a ratio is the one status among whose ratios it is', () => {
    const rates = fc.double({ min: 1e-6, max: 0.5, noNaN: true })
    fc.assert(
      fc.property(
        rates,
        rates,
        fc.double({ noNaN: true }),
        fc.constantFrom(0, 1, 2),
        (alpha, beta, any, at) => {
          const boundaries = boundariesOf({ alpha, beta })
          const ratio = [any, boundaries.promote, boundaries.demote][at] ?? any
          const among = beliefStatuses.filter((status) => {
            const { atLeast = -Infinity, above, below, atMost = Infinity } = ratiosOf(status, boundaries)
            const over = above === undefined || ratio > above
            return ratio >= atLeast && over && (below === undefined || ratio < below) && ratio <= atMost
          })
          expect(among).toEqual([statusOf(ratio, boundaries)])
        },
      ),
      // Both boundaries are here.
      { examples: [[0.5, 0.5, 0, 0]] },
    )
  })
})

describe('one observation', () => {
  it('weighs ln((1+s)/(1-s)), negative when it refutes', () => {
    expect(logLikelihoodOf('supporting', 0.5)).toBe(Math.log(3))
    expect(logLikelihoodOf('refuting', 0.5)).toBe(-Math.log(3))
  })

  it('never lowers ratio or confidence when it supports, never raises them when it refutes', () => {
    fc.assert(
      fc.property(priors, trails, observations, (prior, trail, observation) => {
        const before = replay(prior, trail)
        const after = replay(prior, [...trail, observation])
        const sign = observation.kind === 'supporting' ? 1 : -1
        expect(sign * (after.logRatio - before.logRatio)).toBeGreaterThan(0)
        // Back at ratio 0 the log odds give the prior again only up to rounding.
        expect(sign * (after.confidence - before.confidence)).toBeGreaterThanOrEqual(-1e-15)
      }),
    )
  })

  it('is worth more the stronger it is', () => {
    fc.assert(
      fc.property(strengths, strengths, (a, b) => {
        fc.pre(Math.abs(a - b) > 1e-9)
        const [weak, strong] = a < b ? [a, b] : [b, a]
        expect(logLikelihoodOf('supporting', strong)).toBeGreaterThan(logLikelihoodOf('supporting', weak))
      }),
    )
  })
})

describe('confidence', () => {
  it('is the posterior of the prior, by Bayes in plain probabilities', () => {
    fc.assert(
      fc.property(priors, fc.double({ min: -20, max: 20, noNaN: true }), (prior, logRatio) => {
        const odds = (prior / (1 - prior)) * Math.exp(logRatio)
        expect(confidenceAfter(prior, logRatio)).toBeCloseTo(clampConfidence(odds / (1 + odds)), 12)
      }),
    )
  })

  it('stays within 0.05 and 0.95 however much evidence there is', () => {
    fc.assert(
      fc.property(priors, fc.double({ min: -1e6, max: 1e6, noNaN: true }), (prior, logRatio) => {
        const confidence = confidenceAfter(prior, logRatio)
        expect(confidence).toBeGreaterThanOrEqual(0.05)
        expect(confidence).toBeLessThanOrEqual(0.95)
      }),
    )
  })
})

describe('a trail', () => {
  it('gives the same numbers to 1e-12 in any order', () => {
    const shuffled = trails.chain((trail) =>
      fc.tuple(
        fc.constant(trail),
        fc.shuffledSubarray(trail, { minLength: trail.length, maxLength: trail.length }),
      ),
    )
    fc.assert(
      fc.property(priors, shuffled, (prior, [trail, other]) => {
        const a = replay(prior, trail)
        const b = replay(prior, other)
        expect(Math.abs(a.logRatio - b.logRatio)).toBeLessThan(1e-12)
        expect(Math.abs(a.confidence - b.confidence)).toBeLessThan(1e-12)
      }),
    )
  })

  it('replays to the last bit as the plain sum of its log-likelihoods', () => {
    fc.assert(
      fc.property(priors, trails, (prior, trail) => {
        const sum = trail.reduce((total, one) => total + logLikelihoodOf(one.kind, one.strength), 0)
        const { logRatio, status } = replay(prior, trail)
        expect(Object.is(logRatio, sum)).toBe(true)
        expect(status).toBe(statusOf(sum, standard))
      }),
    )
  })

  it('moves a verdict back when the evidence turns', () => {
    const promoted = replay(0.5, [{ kind: 'supporting', strength: 0.9 }])
    expect(promoted.status).toBe('promoted')
    const turned = accumulate(promoted, logLikelihoodOf('refuting', 0.9), standard)
    expect(turned.status).toBe('accumulating')
  })
})

describe('what remains to a boundary', () => {
  it('is reached by exactly that many observations and by no fewer', () => {
    fc.assert(
      fc.property(trails, strengths, (trail, strength) => {
        const { logRatio } = replay(0.5, trail)
        const remaining = remainingAt(strength, logRatio, standard)
        for (const [kind, goal, count] of [
          ['supporting', 'promoted', remaining.promote],
          ['refuting', 'demoted', remaining.demote],
        ] as const) {
          const ratioAfter = (more: number) =>
            Array.from({ length: more }, () => logLikelihoodOf(kind, strength)).reduce(
              (a, b) => a + b,
              logRatio,
            )
          expect(statusOf(ratioAfter(count), standard)).toBe(goal)
          if (count > 0) expect(statusOf(ratioAfter(count - 1), standard)).not.toBe(goal)
        }
      }),
    )
  })

  it('is three observations of 0.6 from nothing to promotion', () => {
    expect(remainingAt(0.6, 0, standard)).toEqual({ promote: 3, demote: 2 })
  })

  it('is nothing at the boundary, which belongs to its verdict', () => {
    expect(remainingAt(0.6, standard.promote, standard).promote).toBe(0)
    expect(remainingAt(0.6, standard.demote, standard).demote).toBe(0)
  })
})

describe('over 10,000 simulated beliefs of each kind', () => {
  const walks = 10_000
  /** The share of beliefs whose first verdict is wrong. */
  function wrongShare(
    truth: boolean,
    rates: { alpha: number; beta: number },
    strengthOf: (u: number) => number,
  ) {
    const random = drawFrom(truth ? 19_450_617 : 17_610_407)
    const boundaries = boundariesOf(rates)
    let wrong = 0
    for (let walk = 0; walk < walks; walk++) {
      let belief = { prior: 0.5, logRatio: 0, status: 'accumulating' as BeliefStatus }
      while (belief.status === 'accumulating') {
        const strength = strengthOf(random())
        const supports = random() < (truth ? 1 + strength : 1 - strength) / 2
        const step = logLikelihoodOf(supports ? 'supporting' : 'refuting', strength)
        belief = { prior: 0.5, ...accumulate(belief, step, boundaries) }
      }
      if ((belief.status === 'promoted') !== truth) wrong++
    }
    return wrong / walks
  }

  // Three standard errors of a share near 0.1 over 10,000 walks.
  const sampling = 3 * Math.sqrt((0.1 * 0.9) / walks)
  const worlds = [
    ['weak evidence', () => 0.1],
    ['middling evidence', () => 0.5],
    ['strong evidence', () => 0.9],
    ['evidence of every strength', (u: number) => 0.1 + 0.8 * u],
  ] as const

  for (const [title, strengthOf] of worlds) {
    for (const rates of [
      { alpha: 0.05, beta: 0.1 },
      { alpha: 0.01, beta: 0.2 },
    ]) {
      it(`${title} errs within alpha ${rates.alpha} and beta ${rates.beta} up to the overshoot bound`, () => {
        const falselyPromoted = wrongShare(false, rates, strengthOf)
        const falselyDemoted = wrongShare(true, rates, strengthOf)
        expect(falselyPromoted).toBeLessThan(rates.alpha / (1 - rates.beta) + sampling)
        expect(falselyDemoted).toBeLessThan(rates.beta / (1 - rates.alpha) + sampling)
        expect(falselyPromoted + falselyDemoted).toBeLessThan(rates.alpha + rates.beta + sampling)
      })
    }
  }

  it('weak evidence comes close to the stated rates, so the boundaries are no wider than they must be', () => {
    const rates = { alpha: 0.05, beta: 0.1 }
    expect(wrongShare(false, rates, () => 0.1)).toBeGreaterThan(0.035)
    expect(wrongShare(true, rates, () => 0.1)).toBeGreaterThan(0.075)
  })
})
