/**
 * How well stated confidences match outcomes. Knows resolved predictions as numbers; figures are null where there is
 * nothing to average.
 */
import { binomialQuantile } from './binomial.ts'
import { type Decomposition, decompose } from './corp.ts'
import { addTo } from './lists.ts'
import { brierOf, logLossOf } from './proper-scores.ts'
import type { Outcome } from './records.ts'
import { outcomeValue } from './surprise.ts'

/** What calibration needs of a resolved prediction. */
export interface Resolved {
  readonly domain: string
  /** 0..1. */
  readonly confidence: number
  readonly outcome: Outcome
  /** 0..1. */
  readonly surprise: number
}

/** Predictions whose stated confidence lay in `lower..upper`. */
export interface ReliabilityBin {
  readonly lower: number
  readonly upper: number
  readonly n: number
  readonly meanConfidence: number
  /** Mean value of the outcomes, 0..1. */
  readonly observed: number
  /**
   * Where `observed` lies in nine out of ten well-calibrated track records: the 5th and 95th percentiles of the
   * binomial distribution, 0..1.
   */
  readonly expectedLow: number
  readonly expectedHigh: number
}

/** The track record of some resolved predictions; every mean is null when there is nothing to average. */
export interface Calibration {
  readonly n: number
  readonly correct: number
  readonly incorrect: number
  readonly partial: number
  /** (correct + partial / 2) / n. */
  readonly accuracy: number | null
  readonly meanConfidenceWhenCorrect: number | null
  readonly meanConfidenceWhenIncorrect: number | null
  readonly confidenceGap: number | null
  readonly meanSurprise: number | null
  /** Mean squared error of the confidence (Brier 1950), 0..1. */
  readonly brier: number | null
  /** Mean cross-entropy in nats, confidence clipped to [1e-6, 1 - 1e-6]. */
  readonly logLoss: number | null
  /** The Brier score in its three parts, without bins; null without predictions. */
  readonly parts: Decomposition | null
  /** Ten equal bins of stated confidence, ascending; empty ones are left out. */
  readonly bins: readonly ReliabilityBin[]
}

export interface DomainCalibration extends Calibration {
  readonly domain: string
}

const binCount = 10
/** Probability outside a bin's band, on either side. */
const tail = 0.05

/** Mean of the values; null if there are none. */
export function meanOf(values: readonly number[]): number | null {
  if (values.length === 0) return null
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** Which of the ten bins a confidence falls in: its lower edge belongs to it, 1 belongs to the last. */
function binOf(confidence: number): number {
  // Compared with the edges as they are reported: ten times a number just below one can round up to it.
  const guess = Math.min(binCount - 1, Math.floor(confidence * binCount))
  return confidence < guess / binCount ? guess - 1 : guess
}

function binsOf(resolved: readonly Resolved[]): ReliabilityBin[] {
  const members: Resolved[][] = Array.from({ length: binCount }, () => [])
  for (const one of resolved) members[binOf(one.confidence)]?.push(one)
  return members.flatMap((inside, index) => {
    const meanConfidence = meanOf(inside.map((one) => one.confidence))
    const observed = meanOf(inside.map((one) => outcomeValue[one.outcome]))
    if (meanConfidence === null || observed === null) return []
    const n = inside.length
    const share = (probability: number) => binomialQuantile(n, meanConfidence, probability) / n
    return [
      {
        lower: index / binCount,
        upper: (index + 1) / binCount,
        n,
        meanConfidence,
        observed,
        expectedLow: share(tail),
        expectedHigh: share(1 - tail),
      },
    ]
  })
}

/** The figures over all of `resolved` together. */
export function calibrate(resolved: readonly Resolved[]): Calibration {
  const having = (outcome: Outcome) => resolved.filter((one) => one.outcome === outcome)
  const confidenceOf = (some: readonly Resolved[]) => meanOf(some.map((one) => one.confidence))
  const [correct, incorrect, partial] = [having('correct'), having('incorrect'), having('partial')]
  const whenCorrect = confidenceOf(correct)
  const whenIncorrect = confidenceOf(incorrect)
  const n = resolved.length
  return {
    n,
    correct: correct.length,
    incorrect: incorrect.length,
    partial: partial.length,
    accuracy: n === 0 ? null : (correct.length + 0.5 * partial.length) / n,
    meanConfidenceWhenCorrect: whenCorrect,
    meanConfidenceWhenIncorrect: whenIncorrect,
    confidenceGap: whenCorrect === null || whenIncorrect === null ? null : whenCorrect - whenIncorrect,
    meanSurprise: meanOf(resolved.map((one) => one.surprise)),
    brier: meanOf(resolved.map((one) => brierOf(one.confidence, one.outcome))),
    logLoss: meanOf(resolved.map((one) => logLossOf(one.confidence, one.outcome))),
    parts: decompose(resolved.map((one) => ({ claimed: one.confidence, came: outcomeValue[one.outcome] }))),
    bins: binsOf(resolved),
  }
}

/** The figures of each domain, the one with most predictions first, then by name. */
export function calibrateDomains(resolved: readonly Resolved[]): DomainCalibration[] {
  const byDomain = new Map<string, Resolved[]>()
  for (const one of resolved) addTo(byDomain, one.domain, one)
  return [...byDomain]
    .map(([domain, group]) => ({ domain, ...calibrate(group) }))
    .sort((a, b) => b.n - a.n || (a.domain < b.domain ? -1 : 1))
}
