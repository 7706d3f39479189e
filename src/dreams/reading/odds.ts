/**
 * How likely two notes conflict, and two plans for one day: what speaks for it before they are read together, and what a reader
 * makes of them. The tables are fitted by `training/night/fit_odds.py` over brains by people who had not seen the code.
 */
import { logistic } from '../../core/logistic.ts'
import type { Standing } from '../../models/night-model.ts'
import type { DreamNote } from '../thought.ts'
import { asks, deciding, prefers, rules, sentencesOf, tellsAct, tellsMended } from './cues.ts'
import { authorTerms, dayOf, type Night, noteAt } from './material.ts'
import { comparePair } from './pairs.ts'
import { nearestBefore } from './standings.ts'

/** How a note may conflict with an earlier one. */
export const conflictNames = ['contradicts', 'reverses', 'breaks', 'ignores'] as const

/** By how much each moves the log odds of a conflict. */
const weights = {
  rank: -0.814,
  rankBack: -1.05,
  cosine: -6.057,
  shared: 0.936,
  days: 2.555,
  terms: 6.148,
  otherAuthor: 3.379,
  binding: 1.292,
  act: 1.239,
  read: 0.64,
  same: -1.23,
  answers: 0.896,
  constant: -16.985,
} as const

/**
 * A conflict that a turn of phrase or figures alone speak for was misread where it is less likely than this: in 52
 * brains, fourteen of fourteen that were none were at 0.22 and less, and six of six that were at 0.4 and more.
 */
const doubted = 0.25

/** What a reader made of the two. */
type Read = Readonly<Record<'read' | 'same' | 'answers', number>>
/** What is known before they are read. */
export type Surface = Readonly<Omit<Record<keyof typeof weights, number>, keyof Read>>

/** The place of a note that is not among the nearest known. */
const farthest = 12
/** More than this reading adds to the log odds of one pair in a thousand. */
const mostRead = 6 * weights.read

const logit = (probability: number): number => {
  const within = Math.min(1 - 1e-6, Math.max(1e-6, probability))
  return Math.log(within / (1 - within))
}

/** Whether a note holds somebody to something: a rule, a wish, a decision. */
const binds = ({ text, caution }: DreamNote): boolean =>
  caution > 0 || prefers(text) || deciding.test(text) || sentencesOf(text).some(rules)

/** What the pairs are like that a night looks at: logs are written in fewer words than diaries, and lie nearer to each other. */
interface Typical {
  readonly cosine: number
  readonly terms: number
}

const typicals = new WeakMap<Night, Typical>()

const termsOf = ({ concordance }: Night, earlier: number, later: number): number =>
  Math.log(1 + concordance.termsOf(earlier).length + concordance.termsOf(later).length)

function typicalOf(night: Night): Typical {
  const known = typicals.get(night)
  if (known !== undefined) return known
  let [count, cosine, terms] = [0, 0, 0]
  for (const later of night.neighbours.keys()) {
    for (const earlier of nearestBefore(night.neighbours, later)) {
      count += 1
      cosine += night.concordance.similarity(earlier, later) ?? 0
      terms += termsOf(night, earlier, later)
    }
  }
  const typical = { cosine: cosine / Math.max(1, count), terms: terms / Math.max(1, count) }
  typicals.set(night, typical)
  return typical
}

const placeOf = (place: number): number => Math.log(1 + (place < 0 ? farthest : place))

/** What speaks for a conflict before the two notes are read together. */
export function surfaceOf(night: Night, earlier: number, later: number): Surface {
  const { concordance, neighbours } = night
  const pair = comparePair(concordance, earlier, later)
  const typical = typicalOf(night)
  const after = (neighbours.get(earlier) ?? []).filter(({ position }) => position > earlier)
  return {
    rank: placeOf(nearestBefore(neighbours, later).indexOf(earlier)),
    rankBack: placeOf(after.findIndex(({ position }) => position === later)),
    cosine: (pair.similarity ?? 0) - typical.cosine,
    shared: pair.shared.reduce((sum, term) => sum + concordance.weightOf(term), 0),
    days: Math.log(1 + dayOf(night, later) - dayOf(night, earlier)),
    terms: termsOf(night, earlier, later) - typical.terms,
    // Of one author's brain it says nothing who wrote what.
    otherAuthor:
      noteAt(night, earlier).agent === noteAt(night, later).agent && authorTerms(night).size > 1 ? 0 : 1,
    binding: binds(noteAt(night, earlier)) ? 1 : 0,
    act: tellsAct(noteAt(night, later)) ? 1 : 0,
    constant: 1,
  }
}

/** What speaks for one once they were. */
export const readingOf = (standing: Standing): Read => ({
  read: logit(conflictNames.reduce((sum, name) => sum + standing[name], 0)),
  same: logit(standing.same),
  answers: logit(standing.answers),
})

function oddsBy<Name extends string>(
  table: Readonly<Record<Name, number>>,
  features: Partial<Readonly<Record<Name, number>>>,
): number {
  const told = Object.entries(features) as [Name, number][]
  return told.reduce((sum, [name, value]) => sum + table[name] * value, 0)
}

const oddsOf = (features: Partial<Surface & Read>): number => oddsBy(weights, features)

/** Whether notes may conflict at all: made two days apart and more, the newer one no warning, neither of them a question. */
export function mayConflict(night: Night, earlier: number, later: number): boolean {
  const newer = noteAt(night, later)
  return (
    dayOf(night, later) - dayOf(night, earlier) >= 2 &&
    newer.caution === 0 &&
    !tellsMended(noteAt(night, earlier).text, newer.text) &&
    !sentencesOf(newer.text).some(asks) &&
    !/\?\W*$/.test(noteAt(night, earlier).text)
  )
}

export interface Likelihood {
  /** Of a conflict, 0..1. */
  readonly probability: number
  readonly standing: Standing
}

/** How likely a note conflicts with an earlier one; undefined where it cannot be `least`, or nobody reads. */
export function conflictBetween(
  night: Night,
  earlier: number,
  later: number,
  least: number,
): Likelihood | undefined {
  const before = oddsOf(surfaceOf(night, earlier, later))
  if (before + mostRead < logit(least)) return undefined
  const standing = night.standingOf(earlier, later)
  if (standing === undefined) return undefined
  const probability = logistic(before + oddsOf(readingOf(standing)))
  return { probability, standing }
}

/**
 * Whether a conflict that a sign speaks for was most likely misread; never of nearly the same words, and without a
 * reader or vectors nobody knows.
 */
export function isDoubted(
  night: Night,
  { earlier, later }: { readonly earlier: number; readonly later: number },
): boolean {
  const similarity = night.concordance.similarity(earlier, later)
  if (night.input.stand === undefined || similarity === undefined) return false
  if (similarity >= (night.unrelatedBaseline?.close ?? 1)) return false
  return (conflictBetween(night, earlier, later, doubted)?.probability ?? 0) < doubted
}

/** By how much each moves the log odds that of two plans for one day one needs what the other takes. */
const collisionWeights = {
  collides: 0.236,
  days: 1.886,
  ahead: 1.24,
  otherAuthor: 1.996,
  constant: -9.423,
} as const

/** What speaks for a collision of plans `ahead` days before it. */
export function collisionFeatures(
  night: Night,
  { earlier, later, ahead }: { readonly earlier: number; readonly later: number; readonly ahead: number },
  standing: Standing,
): Readonly<Record<keyof typeof collisionWeights, number>> {
  return {
    collides: logit(standing.collides),
    days: Math.log(1 + dayOf(night, later) - dayOf(night, earlier)),
    ahead: Math.log(1 + ahead),
    otherAuthor: noteAt(night, earlier).agent === noteAt(night, later).agent ? 0 : 1,
    constant: 1,
  }
}

/** The probability that two plans for one day get in each other's way. */
export const collisionIn = (features: ReturnType<typeof collisionFeatures>): number =>
  logistic(oddsBy(collisionWeights, features))
