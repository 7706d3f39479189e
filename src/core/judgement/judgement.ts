/**
 * Does a plan fall under a warning? One logistic table over what a pair model says of both texts, their cosine, and what a
 * person can read in them. Knows numbers and readings, never where they came from.
 */
import { compare, type Features, featureNames } from './features.ts'
import { type Reading, read } from './reading.ts'
import { readWarning } from './warning.ts'
import { nearnessWeights, type Weights, withoutReader, withReader } from './weights.ts'

/** What models say of a plan beside a warning. */
export interface Nearness {
  /** Cosine of their vectors, -1..1. */
  readonly cosine: number
  /** Of the nearest warning that is about as grave, -1..1: a much milder one never takes anything from a graver one. */
  readonly nearest: number
  /** Log odds by the pair model that the plan falls under the warning; undefined where there is none. */
  readonly logit: number | undefined
  /** Cosine, 0..1, with the nearest plan that the warning was said not to apply to; 0 where there is none. */
  readonly exempted: number
}

/** How one part of the table moved the log odds. */
export interface Contribution {
  readonly part: keyof Weights['parts'] | 'exempted' | 'far'
  /** Log odds; above 0 it speaks for the plan falling under the warning. */
  readonly amount: number
  /** The plan's own words that made it, where there are any. */
  readonly words: string
}

export interface Judgement {
  /** Probability, 0..1, that the plan falls under the warning. */
  readonly relevance: number
  /** How likely it is that this warning and no other is what the plan is about; only its order tells. */
  readonly nearness: number
  /** Strongest first; parts that do not move it are left out. */
  readonly contributions: readonly Contribution[]
}

/** Log odds beyond this are not believed: no single reading is that certain. */
const surest = 6

/** Cosine from which a plan is like one that was exempted, and the log odds that the very same plan loses. */
const likeExempted = 0.6
const exemption = 8

/** What each unit of cosine by which a warning lies behind the nearest takes from the log odds: of two, the nearer is meant. */
const behind = 12

/** Cosine below which a warning is about another matter, and what each unit below it takes from the log odds. */
const minNear = 0.25
const far = 10

/** Log odds, 0 or more, that its distance takes from a warning: by itself, and behind the nearest that is at least as grave. */
export const remotenessOf = ({ cosine, nearest }: Pick<Nearness, 'cosine' | 'nearest'>): number =>
  far * Math.max(0, minNear - cosine) + behind * (nearest - cosine)

const bounded = (value: number): number => Math.min(surest, Math.max(-surest, value))

function weigh(features: Features, near: Nearness): Judgement {
  const { intercept, parts } = near.logit === undefined ? withoutReader : withReader
  const contributions: Contribution[] = featureNames.map((part) => ({
    part,
    amount: parts[part] * features[part].value,
    words: features[part].words,
  }))
  contributions.push({ part: 'cosine', amount: parts.cosine * near.cosine, words: '' })
  contributions.push({ part: 'reader', amount: parts.reader * bounded(near.logit ?? 0), words: '' })
  const likeness = Math.max(0, (near.exempted - likeExempted) / (1 - likeExempted))
  contributions.push({ part: 'exempted', amount: -exemption * likeness, words: '' })
  contributions.push({ part: 'far', amount: -remotenessOf(near), words: '' })
  const { logit, ...shared } = nearnessWeights
  const nearness = Object.entries(shared).reduce(
    (sum, [part, weight]) => sum + weight * features[part as keyof typeof shared].value,
    near.cosine + logit * bounded(near.logit ?? 0),
  )
  const logOdds = contributions.reduce((sum, { amount }) => sum + amount, intercept)
  return {
    relevance: 1 / (1 + Math.exp(-logOdds)),
    nearness,
    contributions: contributions
      .filter(({ amount }) => amount !== 0)
      .sort((a, b) => Math.abs(b.amount) - Math.abs(a.amount)),
  }
}

/** Judges one plan, read once, by many warnings. */
export function createJudge(plan: string): (warning: string, near: Nearness) => Judgement {
  const reading: Reading = read(plan)
  return (warning, near) => weigh(compare(readWarning(warning), reading), near)
}
