/**
 * Sequential test of a belief (Wald 1945). Knows log ratios, boundaries and confidences and nothing of
 * storage, so the same evidence always gives the same verdict.
 */
import { logistic } from './logistic.ts'
import type { BeliefStatus, EvidenceKind } from './records.ts'

/** Tolerated error rates: `alpha` for promoting a false belief, `beta` for demoting a true one; 0..0.5 each. */
export interface ErrorRates {
  readonly alpha: number
  readonly beta: number
}

/** Where accumulation ends, in natural-log ratios. */
export interface Boundaries extends ErrorRates {
  readonly promote: number
  readonly demote: number
}

/** Wald's boundaries: `ln((1 - beta) / alpha)` and `ln(beta / (1 - alpha))`. */
export const boundariesOf = ({ alpha, beta }: ErrorRates): Boundaries => ({
  promote: Math.log((1 - beta) / alpha),
  demote: Math.log(beta / (1 - alpha)),
  alpha,
  beta,
})

/** Natural-log likelihood ratio of one observation; `strength` in 0.1..0.9 is P(seen|true) - P(seen|false). */
export function logLikelihoodOf(kind: EvidenceKind, strength: number): number {
  const supporting = Math.log((1 + strength) / (1 - strength))
  return kind === 'supporting' ? supporting : -supporting
}

/** The verdict is a function of the ratio alone, so later evidence can move it back. */
export function statusOf(logRatio: number, boundaries: Boundaries): BeliefStatus {
  if (logRatio >= boundaries.promote) return 'promoted'
  if (logRatio <= boundaries.demote) return 'demoted'
  return 'accumulating'
}

/** A range of log ratios; without a bound it is open on that side. */
export interface RatioRange {
  readonly atLeast?: number
  readonly above?: number
  readonly below?: number
  readonly atMost?: number
}

/** The range of log ratios for which `statusOf` returns a status. */
export const ratiosOf = (status: BeliefStatus, { promote, demote }: Boundaries): RatioRange =>
  ({
    promoted: { atLeast: promote },
    demoted: { atMost: demote, below: promote },
    accumulating: { above: demote, below: promote },
  })[status]

// Kept off 0 and 1: at either end no evidence could move the belief again.
export const lowestConfidence = 0.05
export const highestConfidence = 0.95

/** Clamps a confidence to 0.05..0.95. */
export const clampConfidence = (confidence: number): number =>
  Math.min(highestConfidence, Math.max(lowestConfidence, confidence))

/** Posterior confidence, 0.05..0.95: Bayes on the log odds of `prior` (0.05..0.95). */
export function confidenceAfter(prior: number, logRatio: number): number {
  const logOdds = Math.log(prior / (1 - prior)) + logRatio
  return clampConfidence(logistic(logOdds))
}

/** The numbers of a belief after one more observation. */
export interface BeliefState {
  readonly logRatio: number
  readonly confidence: number
  readonly status: BeliefStatus
}

/** Adds one log-likelihood ratio to a belief of this `prior`. Repeating it along a trail replays the belief to the last bit. */
export function accumulate(
  belief: { readonly prior: number; readonly logRatio: number },
  logLikelihood: number,
  boundaries: Boundaries,
): BeliefState {
  const logRatio = belief.logRatio + logLikelihood
  return {
    logRatio,
    confidence: confidenceAfter(belief.prior, logRatio),
    status: statusOf(logRatio, boundaries),
  }
}

/** How many more observations of one strength it takes to reach each boundary; 0 if it is reached already. */
export interface Remaining {
  readonly promote: number
  readonly demote: number
}

/** Counts by adding exactly as evidence is added, so that the predicted observation is the one that crosses the boundary. */
export function remainingAt(strength: number, logRatio: number, boundaries: Boundaries): Remaining {
  const step = logLikelihoodOf('supporting', strength)
  let promote = 0
  for (let ratio = logRatio; ratio < boundaries.promote; ratio += step) promote++
  let demote = 0
  for (let ratio = logRatio; ratio > boundaries.demote; ratio -= step) demote++
  return { promote, demote }
}
