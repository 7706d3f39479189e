/**
 * How likely two notes conflict, and two plans for one day: what speaks for it before they are read together, and what a reader
 * makes of them. The tables are fitted by `training/night/fit_odds.py` over brains by people who had not seen the code.
 */
import { logistic, logit } from '../../core/logistic.ts'
import type { Standing } from '../../models/night-model.ts'
import type { DreamNote } from '../thought.ts'
import { asks, deciding, prefers, rules, sentencesOf, statesException, undoesOpenly } from './cues.ts'
import {
  contentTerms,
  dayOf,
  hasOneAuthor,
  isTelling,
  type Night,
  noteAt,
  otherAuthor,
  perNight,
  perNote,
  sharedTerms,
  termSet,
} from './material.ts'
import { comparePair } from './pairs.ts'
import { type Conflict, conflictIn, conflictNames, opposed, opposition, rolesAt } from './roles.ts'
import { nearestBefore } from './standings.ts'

/** By how much each moves the log odds of a conflict in a brain of several authors. */
const weights = {
  rank: -0.437,
  rankBack: -0.963,
  /** Above that of most pairs looked at. */
  cosine: 1.936,
  /** By weight; and what of it is more than one rare word. */
  shared: 1.948,
  muchShared: -2.222,
  days: 2.635,
  /** Of a brain of less than four weeks, whose notes cannot lie far apart. */
  youth: 1.5,
  terms: 2.618,
  /** How long the notes of this brain are. */
  length: -3.5,
  otherAuthor: 4,
  binding: 0.791,
  opposed: 0.555,
  read: 0.401,
  readBack: 0.127,
  constant: -2.614,
} as const

/** The same in a brain of one author, whose notes are read in matters: fitted on 26 such. */
const weightsAlone = {
  rank: -0.319,
  rankBack: -0.554,
  cosine: -0.56,
  shared: 1.38,
  muchShared: -1.456,
  days: 2.694,
  youth: weights.youth,
  terms: 1.537,
  length: weights.length,
  otherAuthor: weights.otherAuthor,
  binding: 0.429,
  opposed: 0.342,
  read: 0.467,
  readBack: 0.166,
  constant: -4.346,
} as const satisfies Record<keyof typeof weights, number>

/**
 * Below these probabilities a conflict that a turn of phrase speaks for was misread: of notes of much the same words, which a
 * reader tells apart less surely, the second. Of 16 such below it, in 30 brains by others, one was planted.
 */
const likely = 0.5
const likelyOfClose = 0.05

/** What a reader made of the two: the newer one after the older one, and the other way round. */
type Read = Readonly<Record<'read' | 'readBack', number>>
/** What is known before they are read. */
export type Surface = Readonly<Omit<Record<keyof typeof weights, number>, keyof Read>>

/** How long the notes of the brains are that the table is fitted to: what is beyond counts as at the end. */
const [shortest, longest] = [2.5, 3.4]
/** The place of a note that is not among the nearest known. */
const farthest = 12
/**
 * The log odds of none of 13,000 pairs were more as a reader told them; and below these it sees nothing: of 106 told
 * pairs one.
 */
const mostRead = 3.2
const leastRead = -3.9

/** Whether a note holds somebody to something: a rule, a wish, a decision. */
const binds = ({ text, caution }: DreamNote): boolean =>
  caution > 0 || prefers(text) || deciding.test(text) || sentencesOf(text).some(rules)

/** Days after which a brain is no young one, as `Math.log(1 + days)`. */
const grown = 3.3

/** What the pairs are like that a night looks at: logs are written in fewer words than diaries, and lie nearer to each other. */
interface Typical {
  /** How much younger than grown the brain is. */
  readonly youth: number
  readonly cosine: number
  readonly terms: number
}

const termsOf = ({ concordance }: Night, earlier: number, later: number): number =>
  Math.log(1 + concordance.termsOf(earlier).length + concordance.termsOf(later).length)

export const typicalOf = perNight((night): Typical => {
  let [count, cosine, terms] = [0, 0, 0]
  for (const later of night.neighbours.keys()) {
    for (const earlier of nearestBefore(night.neighbours, later)) {
      count += 1
      cosine += night.concordance.similarity(earlier, later) ?? 0
      terms += termsOf(night, earlier, later)
    }
  }
  const { length } = night.concordance.notes
  const days = length === 0 ? 0 : dayOf(night, length - 1) - dayOf(night, 0)
  return {
    youth: Math.max(0, grown - Math.log(1 + days)),
    cosine: cosine / Math.max(1, count),
    terms: terms / Math.max(1, count),
  }
})

const placeOf = (place: number): number => Math.log(1 + (place < 0 ? farthest : place))

/** What speaks for a conflict before the two notes are read together. */
export function surfaceOf(night: Night, earlier: number, later: number): Surface {
  const { concordance, neighbours } = night
  const pair = comparePair(concordance, earlier, later)
  const typical = typicalOf(night)
  const after = (neighbours.get(earlier) ?? []).filter(({ position }) => position > earlier)
  const shared = pair.shared.reduce((sum, term) => sum + concordance.weightOf(term), 0)
  return {
    rank: placeOf(nearestBefore(neighbours, later).indexOf(earlier)),
    rankBack: placeOf(after.findIndex(({ position }) => position === later)),
    cosine: (pair.similarity ?? 0) - typical.cosine,
    shared,
    muchShared: Math.max(0, shared - 1),
    days: Math.log(1 + dayOf(night, later) - dayOf(night, earlier)),
    youth: typical.youth,
    terms: termsOf(night, earlier, later) - typical.terms,
    length: Math.min(longest, Math.max(shortest, typical.terms)),
    otherAuthor: otherAuthor(night, earlier, later),
    binding: binds(noteAt(night, earlier)) ? 1 : 0,
    opposed: Math.log(1e-6 + opposition(rolesAt(night, earlier), rolesAt(night, later))),
    constant: 1,
  }
}

export function oddsBy<Name extends string>(
  table: Readonly<Record<Name, number>>,
  features: Partial<Readonly<Record<Name, number>>>,
): number {
  const told = Object.entries(features) as [Name, number][]
  return told.reduce((sum, [name, value]) => sum + table[name] * value, 0)
}

const weightsOf = (night: Night): Readonly<Record<keyof typeof weights, number>> =>
  hasOneAuthor(night) ? weightsAlone : weights

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

const isQuestion = (text: string): boolean => /\?\W*$/.test(text) || sentencesOf(text).every(asks)

/**
 * Whether notes may conflict at all: made two days apart and more, the newer one no warning, no stated exception and no
 * open change, neither of them a question.
 */
export function mayConflict(night: Night, earlier: number, later: number): boolean {
  const [older, newer] = [noteAt(night, earlier), noteAt(night, later)]
  return (
    dayOf(night, later) - dayOf(night, earlier) >= 2 &&
    newer.caution === 0 &&
    !undoesOpenly(newer.text) &&
    !isExcepted(night, earlier, later) &&
    ![older, newer].some(({ text }) => isQuestion(text))
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
  const table = weightsOf(night)
  const before = oddsBy(table, surfaceOf(night, earlier, later))
  // What cannot be likely any more is not read, nor read the other way round.
  const mostBack = mostRead * table.readBack
  if (before + mostRead * table.read + mostBack < logit(least)) return undefined
  const standing = night.standingOf(earlier, later)
  if (standing === undefined) return undefined
  const read = logit(conflictIn(standing))
  if (read < leastRead || before + table.read * read + mostBack < logit(least)) return undefined
  const back = night.standingOf(later, earlier)
  if (back === undefined) return undefined
  const [one, other] = [rolesAt(night, earlier), rolesAt(night, later)]
  const shareOf = (name: Conflict): number => standing[name] * one[opposed[name]] * other[name]
  const [name = 'contradicts'] = conflictNames.toSorted((a, b) => shareOf(b) - shareOf(a))
  const sureness = shareOf(name) / conflictNames.reduce((sum, one) => sum + shareOf(one), 0)
  return {
    probability: logistic(before + oddsBy(table, { read, readBack: logit(conflictIn(back)) })),
    name,
    sureness,
  }
}

/**
 * Whether a conflict that a sign speaks for was most likely misread; never of nearly the same words, and without a reader or
 * vectors nobody knows.
 */
export function isDoubted(
  night: Night,
  { earlier, later }: { readonly earlier: number; readonly later: number },
  leastOfClose: number = likelyOfClose,
): boolean {
  const similarity = night.concordance.similarity(earlier, later)
  const { close = 1, same = 1 } = night.unrelatedBaseline ?? {}
  if (night.input.reader === undefined || similarity === undefined || similarity >= same) return false
  const least = similarity >= close ? leastOfClose : likely
  if (least <= 0) return false
  return (conflictBetween(night, earlier, later, least)?.probability ?? 0) < least
}

/** By how much each moves the log odds that of two plans for one day one needs what the other takes. */
const collisionWeights = {
  collides: 0.547,
  days: 0.428,
  ahead: 0.578,
  otherAuthor: 1.751,
  away: 0.558,
  needed: 1.602,
  cosine: 0.665,
  shared: 0.698,
  constant: -4.36,
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
    otherAuthor: otherAuthor(night, earlier, later),
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

/** By how much each moves the log odds that two questions ask the same. */
const questionWeights = {
  asks: 0.419,
  /** Above that of most pairs of notes. */
  cosine: 7.677,
  shared: 0.796,
  /** How much of a question each of the two is, as a whole. */
  questions: 0.136,
  days: 0.756,
  /**
   * Whoever logs alone seldom asks, and told as open it is read as no question: in 26 such brains, of 38 pairs of questions told
   * from 0.1 on by the rest of the table 30 ask the same.
   */
  oneAuthor: 1.7,
  constant: -2.804,
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
    oneAuthor: hasOneAuthor(night) ? 1 : 0,
    constant: 1,
  }
}

/** The probability that two questions ask the same. */
export const sameQuestionIn = (features: ReturnType<typeof questionFeatures>): number =>
  logistic(oddsBy(questionWeights, features))
