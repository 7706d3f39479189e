/**
 * How well stated confidences match what came true. Knows resolved predictions as numbers; refuses to invent
 * a figure where there is nothing to average: such figures are null.
 */
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
}

/** The track record of some resolved predictions; every mean is null when nothing stands behind it. */
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
  /** Ten equal bins of stated confidence, rising; empty ones left out. */
  readonly bins: readonly ReliabilityBin[]
}

export interface DomainCalibration extends Calibration {
  readonly domain: string
}

const binCount = 10
const clip = 1e-6

/** Mean of the values, null of none. */
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
    return [
      { lower: index / binCount, upper: (index + 1) / binCount, n: inside.length, meanConfidence, observed },
    ]
  })
}

function logLossOf({ confidence, outcome }: Resolved): number {
  const stated = Math.min(1 - clip, Math.max(clip, confidence))
  const value = outcomeValue[outcome]
  return -(value * Math.log(stated) + (1 - value) * Math.log(1 - stated))
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
    brier: meanOf(resolved.map((one) => (one.confidence - outcomeValue[one.outcome]) ** 2)),
    logLoss: meanOf(resolved.map(logLossOf)),
    bins: binsOf(resolved),
  }
}

/** The figures of each domain, the one with most predictions first, then by name. */
export function calibrateDomains(resolved: readonly Resolved[]): DomainCalibration[] {
  const byDomain = new Map<string, Resolved[]>()
  for (const one of resolved) {
    const group = byDomain.get(one.domain)
    if (group) group.push(one)
    else byDomain.set(one.domain, [one])
  }
  return [...byDomain]
    .map(([domain, group]) => ({ domain, ...calibrate(group) }))
    .sort((a, b) => b.n - a.n || (a.domain < b.domain ? -1 : 1))
}

/** 95 % interval of a share observed over `n` trials (Wilson 1927), both ends in 0..1. */
export function intervalOf(share: number, n: number): readonly [low: number, high: number] {
  const z = 1.959963984540054
  const centre = (share + (z * z) / (2 * n)) / (1 + (z * z) / n)
  const reach = (z / (1 + (z * z) / n)) * Math.sqrt((share * (1 - share)) / n + (z * z) / (4 * n * n))
  return [Math.max(0, centre - reach), Math.min(1, centre + reach)]
}
