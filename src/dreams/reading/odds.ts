/**
 * How likely two notes conflict, and two plans for one day: what speaks for it before they are read together, and what a reader
 * makes of them. The tables are fitted by `training/night/fit_odds.py` over brains by people who had not seen the code.
 */
import { logistic, logit } from '../../core/logistic.ts'
import { type Role, type Roles, roles, type Standing } from '../../models/night-model.ts'
import type { DreamNote } from '../thought.ts'
import {
  asks,
  copes,
  deciding,
  prefers,
  rules,
  sentencesOf,
  statesException,
  tellsMended,
  undoesOpenly,
} from './cues.ts'
import {
  authorTerms,
  contentTerms,
  dayOf,
  isTelling,
  type Night,
  noteAt,
  perNight,
  perNote,
  sharedTerms,
  termSet,
} from './material.ts'
import { comparePair } from './pairs.ts'
import { areSameHour } from './pattern.ts'
import { type Conflict, conflictIn, conflictNames, faultOdds, opposed, opposition, rolesAt } from './roles.ts'
import { nearestBefore } from './standings.ts'
import { localHour } from './wording.ts'

/** By how much the log odds of what the earlier and the later note do, each by itself, move those of a conflict. */
const ofRoles: Readonly<Record<Role, readonly [earlier: number, later: number]>> = {
  other: [0.037, 0.068],
  rule: [-0.013, -0.064],
  wish: [0.023, 0.001],
  decision: [-0.003, -0.01],
  fact: [0.015, 0.083],
  breaks: [0.037, -0.03],
  ignores: [-0.047, 0.01],
  reverses: [0.008, -0.027],
  contradicts: [-0.053, 0.008],
  question: [0.085, 0.013],
  promise: [0.021, 0.028],
  unkept: [-0.027, -0.136],
  absence: [-0.007, -0.004],
  plan: [-0.047, 0.054],
  change: [-0.008, 0.038],
  trouble: [0.005, -0.001],
  measure: [0.06, 0.002],
}

type RoleFeature = `${'earlier' | 'later'} ${Role}`

/** By how much each moves the log odds of a conflict. */
const weights = {
  rank: -0.37,
  rankBack: -0.442,
  /** Above that of most pairs looked at, which may be below 0; and what of it is above: what lies nearest says the same. */
  cosine: 3.13,
  nearer: -1.022,
  /** By weight; and what of it is more than one rare word. */
  shared: 1.741,
  muchShared: -1.453,
  days: 1.318,
  terms: 2.278,
  /** How long the notes of this brain are. */
  length: -0.94,
  otherAuthor: 2.648,
  binding: 0.435,
  opposed: 0.695,
  read: 0.764,
  constant: -3.46,
  ...(Object.fromEntries(
    roles.flatMap((role) => [
      [`earlier ${role}`, ofRoles[role][0]],
      [`later ${role}`, ofRoles[role][1]],
    ]),
  ) as Readonly<Record<RoleFeature, number>>),
} as const

/** Below this probability a conflict that a turn of phrase speaks for was misread. */
const likely = 0.5

/** What a reader made of the two. */
type Read = Readonly<Record<'read', number>>
/** What is known before they are read. */
export type Surface = Readonly<Omit<Record<keyof typeof weights, number>, keyof Read>>

/** The place of a note that is not among the nearest known. */
const farthest = 12
/** More than this reading added to the log odds of none of 13,000 pairs. */
const mostRead = 3.2 * weights.read

/** Whether a note holds somebody to something: a rule, a wish, a decision. */
const binds = ({ text, caution }: DreamNote): boolean =>
  caution > 0 || prefers(text) || deciding.test(text) || sentencesOf(text).some(rules)

/** What the pairs are like that a night looks at: logs are written in fewer words than diaries, and lie nearer to each other. */
interface Typical {
  readonly cosine: number
  readonly terms: number
}

const termsOf = ({ concordance }: Night, earlier: number, later: number): number =>
  Math.log(1 + concordance.termsOf(earlier).length + concordance.termsOf(later).length)

const typicalOf = perNight((night): Typical => {
  let [count, cosine, terms] = [0, 0, 0]
  for (const later of night.neighbours.keys()) {
    for (const earlier of nearestBefore(night.neighbours, later)) {
      count += 1
      cosine += night.concordance.similarity(earlier, later) ?? 0
      terms += termsOf(night, earlier, later)
    }
  }
  return { cosine: cosine / Math.max(1, count), terms: terms / Math.max(1, count) }
})

/** What the two do, each by itself. */
function roleFeatures(earlier: Roles, later: Roles): Pick<Surface, RoleFeature | 'opposed'> {
  const told = roles.flatMap((role) => [
    [`earlier ${role}`, logit(earlier[role])],
    [`later ${role}`, logit(later[role])],
  ])
  return {
    opposed: Math.log(1e-6 + opposition(earlier, later)),
    ...(Object.fromEntries(told) as Record<RoleFeature, number>),
  }
}

const placeOf = (place: number): number => Math.log(1 + (place < 0 ? farthest : place))

/** What speaks for a conflict before the two notes are read together. */
export function surfaceOf(night: Night, earlier: number, later: number): Surface {
  const { concordance, neighbours } = night
  const pair = comparePair(concordance, earlier, later)
  const typical = typicalOf(night)
  const after = (neighbours.get(earlier) ?? []).filter(({ position }) => position > earlier)
  const cosine = (pair.similarity ?? 0) - typical.cosine
  const shared = pair.shared.reduce((sum, term) => sum + concordance.weightOf(term), 0)
  return {
    rank: placeOf(nearestBefore(neighbours, later).indexOf(earlier)),
    rankBack: placeOf(after.findIndex(({ position }) => position === later)),
    cosine,
    nearer: Math.max(0, cosine),
    shared,
    muchShared: Math.max(0, shared - 1),
    days: Math.log(1 + dayOf(night, later) - dayOf(night, earlier)),
    terms: termsOf(night, earlier, later) - typical.terms,
    length: typical.terms,
    // Of one author's brain it says nothing who wrote what.
    otherAuthor:
      noteAt(night, earlier).agent === noteAt(night, later).agent && authorTerms(night).size > 1 ? 0 : 1,
    binding: binds(noteAt(night, earlier)) ? 1 : 0,
    ...roleFeatures(rolesAt(night, earlier), rolesAt(night, later)),
    constant: 1,
  }
}

/** What speaks for one once they were. */
export const readingOf = (standing: Standing): Read => ({ read: logit(conflictIn(standing)) })

function oddsBy<Name extends string>(
  table: Readonly<Record<Name, number>>,
  features: Partial<Readonly<Record<Name, number>>>,
): number {
  const told = Object.entries(features) as [Name, number][]
  return told.reduce((sum, [name, value]) => sum + table[name] * value, 0)
}

const oddsOf = (features: Partial<Surface & Read>): number => oddsBy(weights, features)

/** Terms of what a note names as its exception. */
const exceptionTerms = perNote((night, position) =>
  contentTerms(sentencesOf(noteAt(night, position).text).filter(statesException).join(' ')),
)

/** Whether a later note has a telling word of what an earlier one names as its exception. */
export function isExcepted(night: Night, earlier: number, later: number): boolean {
  const exceptions = exceptionTerms(night, earlier)
  if (exceptions.length === 0) return false
  const words = termSet(
    night,
    sharedTerms(night, earlier, later).filter((term) => isTelling(night, term)),
  )
  return exceptions.some((term) => words.has(term))
}

/**
 * Whether notes may conflict at all: made two days apart and more, the newer one no warning, no stated exception and no
 * open change and no progress, neither of them a question.
 */
export function mayConflict(night: Night, earlier: number, later: number): boolean {
  const newer = noteAt(night, later)
  return (
    dayOf(night, later) - dayOf(night, earlier) >= 2 &&
    newer.caution === 0 &&
    !tellsMended(noteAt(night, earlier).text, newer.text) &&
    !undoesOpenly(newer.text) &&
    !copes.test(newer.text) &&
    !isExcepted(night, earlier, later) &&
    !sentencesOf(newer.text).some(asks) &&
    !/\?\W*$/.test(noteAt(night, earlier).text)
  )
}

export interface Likelihood {
  /** Of a conflict, 0..1. */
  readonly probability: number
  /** Of which sort it is most likely: as the two are read together, and each by itself. */
  readonly name: Conflict
  /** The share of that sort among all, 0..1. */
  readonly sureness: number
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
  const [one, other] = [rolesAt(night, earlier), rolesAt(night, later)]
  const shareOf = (name: Conflict): number => standing[name] * one[opposed[name]] * other[name]
  const [name = 'contradicts'] = conflictNames.toSorted((a, b) => shareOf(b) - shareOf(a))
  const sureness = shareOf(name) / conflictNames.reduce((sum, one) => sum + shareOf(one), 0)
  return { probability: logistic(before + oddsOf(readingOf(standing))), name, sureness }
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
  if (night.input.reader === undefined || similarity === undefined) return false
  if (similarity >= (night.unrelatedBaseline?.close ?? 1)) return false
  return (conflictBetween(night, earlier, later, likely)?.probability ?? 0) < likely
}

/** By how much each moves the log odds that of two plans for one day one needs what the other takes. */
const collisionWeights = {
  collides: 0.487,
  days: 0.548,
  ahead: 0.867,
  otherAuthor: 2.851,
  away: -0.248,
  needed: 2.455,
  cosine: 0.025,
  shared: 0.926,
  constant: -5.922,
} as const

/** Two plans for one day. */
export interface Meeting {
  readonly earlier: number
  readonly later: number
  /** Days from the later note to it. */
  readonly ahead: number
  /** The one tells who or what is away. */
  readonly away: boolean
  /** The other names or is about it. */
  readonly needed: boolean
}

/** What speaks for a collision of plans. */
export function collisionFeatures(
  night: Night,
  { earlier, later, ahead, away, needed }: Meeting,
  standing: Standing,
): Readonly<Record<keyof typeof collisionWeights, number>> {
  const { similarity = 0, shared } = comparePair(night.concordance, earlier, later)
  return {
    collides: logit(standing.collides),
    days: Math.log(1 + dayOf(night, later) - dayOf(night, earlier)),
    ahead: Math.log(1 + ahead),
    otherAuthor: noteAt(night, earlier).agent === noteAt(night, later).agent ? 0 : 1,
    away: away ? 1 : 0,
    needed: needed ? 1 : 0,
    cosine: similarity - typicalOf(night).cosine,
    shared: shared.reduce((sum, term) => sum + night.concordance.weightOf(term), 0),
    constant: 1,
  }
}

/** The probability that two plans for one day get in each other's way. */
export const collisionIn = (features: ReturnType<typeof collisionFeatures>): number =>
  logistic(oddsBy(collisionWeights, features))

/** How two notes of what happens over time may hang together: the same trouble again, values of one measure. */
export type Tie = 'again' | 'measures'

/** By how much each moves the log odds that two notes are so tied. */
const tieWeights = {
  again: {
    read: 0.654,
    first: 0.839,
    second: 0.687,
    cosine: 5.623,
    shared: 0.936,
    days: 0.135,
    otherAuthor: 0.859,
    weekday: 0.52,
    hour: 0.382,
    weekly: 1.22,
    constant: -2.759,
  },
  measures: {
    read: 0.724,
    first: 0.33,
    second: 0.312,
    cosine: 3.419,
    shared: 0.636,
    days: 0.276,
    otherAuthor: 0.976,
    weekday: 0.388,
    hour: 0.55,
    weekly: -0.177,
    constant: -3.628,
  },
} as const

type TieFeatures = Readonly<Record<keyof (typeof tieWeights)['again'], number>>

/** The log odds that a note by itself tells of trouble, or of a measured value. */
export const sideOdds = (night: Night, tie: Tie, position: number): number =>
  tie === 'again' ? faultOdds(night, position) : logit(rolesAt(night, position).measure, 1e-4)

/** What speaks for two notes being so tied. */
export function tieFeatures(
  night: Night,
  tie: Tie,
  [earlier, later]: readonly [number, number],
  standing?: Standing,
): TieFeatures {
  const { concordance, input } = night
  const { similarity = 0, shared } = comparePair(concordance, earlier, later)
  const days = dayOf(night, later) - dayOf(night, earlier)
  const hourOf = (position: number): number => localHour(noteAt(night, position).at, input.timeZone)
  const weekday = days % 7 === 0 ? 1 : 0
  const hour = areSameHour(hourOf(earlier), hourOf(later)) ? 1 : 0
  return {
    read: standing === undefined ? 0 : logit(standing[tie], 1e-4),
    first: sideOdds(night, tie, earlier),
    second: sideOdds(night, tie, later),
    cosine: similarity - typicalOf(night).cosine,
    shared: shared.reduce((sum, term) => sum + concordance.weightOf(term), 0),
    days: Math.log(1 + days),
    otherAuthor: noteAt(night, earlier).agent === noteAt(night, later).agent ? 0 : 1,
    weekday,
    hour,
    weekly: weekday * hour,
    constant: 1,
  }
}

/** The log odds that two notes are so tied. */
export const tieOdds = (tie: Tie, features: TieFeatures): number => oddsBy(tieWeights[tie], features)

/** By how much each moves the log odds that two questions ask the same. */
const questionWeights = {
  asks: 0.8,
  /** Above that of most pairs of notes. */
  cosine: 5.512,
  shared: 0.722,
  /** How much of a question each of the two is, as a whole. */
  questions: 0.109,
  days: 0.606,
  constant: -1.943,
} as const

/** What speaks for two questions being the same. */
export function questionFeatures(
  night: Night,
  earlier: number,
  later: number,
  standing: Standing,
): Readonly<Record<keyof typeof questionWeights, number>> {
  const { concordance } = night
  const { similarity = 0, shared } = comparePair(concordance, earlier, later)
  return {
    asks: logit(standing.asks),
    cosine: similarity - typicalOf(night).cosine,
    shared: shared.reduce((sum, term) => sum + concordance.weightOf(term), 0),
    questions: logit(rolesAt(night, earlier).question) + logit(rolesAt(night, later).question),
    days: Math.log(1 + dayOf(night, later) - dayOf(night, earlier)),
    constant: 1,
  }
}

/** The probability that two questions ask the same. */
export const sameQuestionIn = (features: ReturnType<typeof questionFeatures>): number =>
  logistic(oddsBy(questionWeights, features))
