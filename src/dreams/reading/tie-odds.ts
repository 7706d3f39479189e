/**
 * How likely two notes of what happens over time hang together: trouble that is the same again, values of one measure. Knows
 * what speaks for it and by how much.
 */
import { logit } from '../../core/logistic.ts'
import type { Standing } from '../../models/night-model.ts'
import { dayOf, type Night, otherAuthor } from './material.ts'
import { figuresInCommon } from './measured.ts'
import { happenedAt, notedAt } from './moments.ts'
import { oddsBy, typicalOf } from './odds.ts'
import { comparePair } from './pairs.ts'
import { areSameHour, areSameToldHour } from './pattern.ts'
import { faultOdds, rolesAt } from './roles.ts'

/** How two notes of what happens over time may hang together: the same trouble again, values of one measure. */
export type Tie = 'again' | 'measures'

/** By how much each moves the log odds that two notes are so tied. */
const tieWeights = {
  again: {
    read: 0.547,
    first: 0.3,
    second: 0.481,
    cosine: 9.425,
    shared: -0.064,
    days: 0.515,
    otherAuthor: 1.1,
    weekday: 1.335,
    hour: 1.338,
    weekly: -0.122,
    unit: 0.971,
    bare: 0.427,
    /** At the same hour, by what both say. */
    toldHour: 0.571,
    constant: -5.945,
  },
  measures: {
    read: 0.738,
    first: 0.551,
    second: 0.306,
    cosine: 3.842,
    shared: 0.517,
    days: 0.34,
    otherAuthor: 1.21,
    weekday: 0.451,
    hour: 0.538,
    weekly: 0.024,
    unit: 1.478,
    bare: -0.141,
    toldHour: 0,
    constant: -4.548,
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
  const { concordance } = night
  const { similarity = 0, shared } = comparePair(concordance, earlier, later)
  const days = dayOf(night, later) - dayOf(night, earlier)
  const [one, other] = [notedAt(night, earlier), notedAt(night, later)]
  const weekday = days % 7 === 0 ? 1 : 0
  const hour = areSameHour(one.hour, other.hour) ? 1 : 0
  const isTold = areSameToldHour(happenedAt(night, earlier), happenedAt(night, later))
  const common = figuresInCommon(night, earlier, later)
  return {
    read: standing === undefined ? 0 : logit(standing[tie], 1e-4),
    first: sideOdds(night, tie, earlier),
    second: sideOdds(night, tie, later),
    cosine: similarity - typicalOf(night).cosine,
    shared: shared.reduce((sum, term) => sum + concordance.weightOf(term), 0),
    days: Math.log(1 + days),
    otherAuthor: otherAuthor(night, earlier, later),
    weekday,
    hour,
    weekly: weekday * hour,
    unit: common.unit ? 1 : 0,
    bare: common.bare ? 1 : 0,
    toldHour: isTold ? 1 : 0,
    constant: 1,
  }
}

/** The log odds that two notes are so tied. */
export const tieOdds = (tie: Tie, features: TieFeatures): number => oddsBy(tieWeights[tie], features)
