/**
 * Does a plan fall under a warning? One logistic table over a pair model's output for both texts, their cosine, and
 * what a person can read in them. Knows numbers and readings, not where they came from.
 */
import { logistic } from '../logistic.ts'
import { compare, type Features, featureNames } from './features.ts'
import { type Reading, read } from './reading.ts'
import { readWarning } from './warning.ts'
import { nearnessWeights, type Weights, withoutReader, withReader } from './weights.ts'

/** The models' output for a plan and a warning. */
export interface Nearness {
  /** Cosine of their vectors, -1..1; the plan's is aimed by the pair model where that is there. */
  readonly cosine: number
  /** Cosine of the nearest warning of similar caution, -1..1: a much milder one never takes anything from a graver one. */
  readonly nearest: number
  /** The pair model's log odds that the plan falls under the warning; undefined without that model. */
  readonly logit: number | undefined
  /** Cosine, 0..1, with the nearest plan that the warning was declared not to apply to; 0 if there is none. */
  readonly exempted: number
  /** Log odds, 0 or more, by which this plan falls under the warning more than that one does. */
  readonly graver: number
}

/** How one part of the table moved the log odds. */
export interface Contribution {
  readonly part: keyof Weights['parts'] | 'exempted' | 'far' | 'behind'
  /** Log odds; above 0 it speaks for the plan falling under the warning. */
  readonly amount: number
  /** The words of the plan that it comes from, if any. */
  readonly words: string
}

export interface Judgement {
  /** Probability, 0..1, that the plan falls under the warning. */
  readonly relevance: number
  /** A score by which warnings are ordered: how likely this one, rather than another, is what the plan is about. */
  readonly nearness: number
  /** Strongest first; parts that do not move it are left out. */
  readonly contributions: readonly Contribution[]
}

/** Bound of the log odds: no single reading is more certain than that. */
const surest = 6

/** Cosine from which a plan resembles an exempted one, and the log odds subtracted for an identical plan. */
const likeExempted = 0.6
const exemption = 8
/** Log odds of these that each by which a plan is graver takes back: whoever lets a push pass has not let a forced one pass. */
const takenBack = 3

/** Log odds subtracted per unit of cosine by which a warning is behind the nearest: of two, the nearer is meant. */
const behind = 14

/**
 * Cosine below which a warning is about something else, of an aimed plan and of another, and the log odds subtracted
 * per unit below it.
 */
const minNear = { aimed: 0.18, plain: 0.25 }
const far = 10

type Distance = Pick<Nearness, 'cosine' | 'nearest'>

/** Log odds, 0 or more, subtracted for a warning's distance from a plan, whatever other warnings there are. */
const farnessOf = ({ cosine }: Distance, plan: keyof typeof minNear): number =>
  far * Math.max(0, minNear[plan] - cosine)

/** The same for its distance behind the nearest warning that is at least as grave. */
const laggingOf = ({ cosine, nearest }: Distance): number => behind * (nearest - cosine)

/** Both together, of an aimed plan or another. */
export const remotenessOf = (distance: Distance, plan: keyof typeof minNear): number =>
  farnessOf(distance, plan) + laggingOf(distance)

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
  const likeness = (near.exempted - likeExempted) / (1 - likeExempted)
  const exempted = Math.max(0, exemption * likeness - takenBack * near.graver)
  contributions.push({ part: 'exempted', amount: -exempted, words: '' })
  contributions.push({
    part: 'far',
    amount: -farnessOf(near, near.logit === undefined ? 'plain' : 'aimed'),
    words: '',
  })
  contributions.push({ part: 'behind', amount: -laggingOf(near), words: '' })
  const { logit, ...shared } = nearnessWeights
  const nearness = Object.entries(shared).reduce(
    (sum, [part, weight]) => sum + weight * features[part as keyof typeof shared].value,
    near.cosine + logit * bounded(near.logit ?? 0),
  )
  const logOdds = contributions.reduce((sum, { amount }) => sum + amount, intercept)
  return {
    relevance: logistic(logOdds),
    nearness,
    contributions: contributions
      .filter(({ amount }) => amount !== 0)
      .sort((a, b) => Math.abs(b.amount) - Math.abs(a.amount)),
  }
}

/** Judges one plan, which is read once, against many warnings. */
export function createJudge(plan: string): (warning: string, near: Nearness) => Judgement {
  const reading: Reading = read(plan)
  return (warning, near) => weigh(compare(readWarning(warning), reading), near)
}
