/**
 * Rows of occasions on which one sort of note was followed by another sort, both in ever other words: pairs of notes a day
 * apart at most, of which the first ones are akin and the second ones are. Knows times, kinship and what notes do.
 */

import { msPerDay, msPerHour } from '../../core/durations.ts'
import { logistic } from '../../core/logistic.ts'
import { kinshipOf } from './kinship.ts'
import { type Night, noteAt } from './material.ts'
import { nearStart } from './pairs.ts'
import { finestLag, reach, tail } from './pattern.ts'
import { faultOdds } from './roles.ts'
import { readInRow } from './standings.ts'
import { fewestNotes } from './themes.ts'

export interface Sequence {
  /** Positions of what came first and of what followed each time, oldest first. */
  readonly events: readonly number[]
  readonly sequels: readonly number[]
  /** That it is more than chance, 0..1. */
  readonly probability: number
}

/** Of one note so many of the next may be what followed from it. */
const mostNext = 12
const most = 7
/** Occasions are so far apart at least. */
const eventGap = 1.5 * msPerDay
const sequelGap = msPerDay
/** The least mean kinship with the occasions before, of the first notes and of the second. */
const leastKin = -0.7
/** The same of one note with one, where a row begins. */
const leastKinAtFirst = -2.5
/** The least that an occasion adds to a row: kinship of both its notes, less how much its lag differs. */
const leastGain = -0.5
const mostKin = 1.5
/**
 * Of what went wrong each time the words have less in common than of what went before it: so much of the log odds that
 * both notes tell of such is added to the kinship of what followed, and to what an occasion adds to a row.
 */
const faultKin = 0.5
const faultGain = 0.2
/** The log odds that count as none, and how far from these others count. */
const usualFault = -1
const mostFault = 2

/**
 * By how much each moves the log odds that a row is more than chance: fitted on rows found in 49 brains by others, of
 * which 39 hold the planted one; told by tables fitted without its brain, 27 of the 28 at 0.4 and more were planted.
 */
const weights = {
  /** Mean kinship of the events, of the sequels, 3 at most. */
  events: 1.145,
  sequels: 0.202,
  /** Decimal logarithms of what chance has to do with lags so alike, and with so many that follow and are followed. */
  lags: -0.82,
  chance: -0.688,
  /** Like the events or the sequels, with none of the others near; four at most. */
  eventsAlone: -0.294,
  sequelsAlone: -0.518,
  /** Mean log odds that a sequel tells of what went wrong. */
  faults: 2.33,
  constant: -4.986,
} as const

/** What a search looks at: the newest notes, their kinship, and what may have followed from what. */
interface Field {
  readonly night: Night
  readonly first: number
  readonly at: Float64Array
  readonly kinship: readonly Float64Array[]
  /** Log odds that a note tells of what went wrong. */
  readonly faults: Float64Array
  readonly from: Uint16Array
  readonly to: Uint16Array
  /** Logarithm of the time between the two. */
  readonly lag: Float64Array
}

const logLagOf = (milliseconds: number): number => Math.log(milliseconds + 2 * msPerHour)

function* fieldOf(night: Night): Generator<undefined, Field> {
  const all = night.concordance.notes.length
  const first = nearStart(night.concordance)
  const count = all - first
  const at = Float64Array.from({ length: count }, (_, row) => noteAt(night, first + row).at)
  const kinship = Array.from({ length: count }, () => new Float64Array(count))
  const faults = new Float64Array(count)
  const pairs: [number, number][] = []
  for (let row = 0; row < count; row += 1) {
    yield
    faults[row] = faultOdds(night, first + row)
    for (let other = 0; other < row; other += 1) {
      const kin = kinshipOf(night, first + row, first + other)
      const known = Number.isNaN(kin) ? Number.NEGATIVE_INFINITY : kin
      for (const [one, two] of [
        [row, other],
        [other, row],
      ] as const) {
        const line = kinship[one]
        if (line !== undefined) line[two] = known
      }
    }
    for (let next = row + 1; next <= Math.min(count - 1, row + mostNext); next += 1) {
      const between = (at[next] ?? 0) - (at[row] ?? 0)
      const isFlagged = [row, next].some((one) => noteAt(night, first + one).caution > 0)
      if (between > 0 && between <= reach && !isFlagged) pairs.push([row, next])
    }
  }
  return {
    ...{ night, first, at, kinship, faults },
    from: Uint16Array.from(pairs, ([row]) => row),
    to: Uint16Array.from(pairs, ([, next]) => next),
    lag: Float64Array.from(pairs, ([row, next]) => logLagOf((at[next] ?? 0) - (at[row] ?? 0))),
  }
}

/** The occasions, as indices of pairs, of the best row that begins with `seed`. */
function rowFrom({ at, kinship, faults, from, to, lag }: Field, seed: number): number[] {
  const kin = (a = 0, b = 0): number => kinship[a]?.[b] ?? 0
  const apart = (a = 0, b = 0): number => Math.abs((at[a] ?? 0) - (at[b] ?? 0))
  const isApart = (one: number, other: number): boolean =>
    apart(from[one], from[other]) > eventGap &&
    apart(to[one], to[other]) > sequelGap &&
    from[one] !== to[other] &&
    to[one] !== from[other]
  // What followed from a note of the same matter is its continuation.
  if (kin(from[seed], to[seed]) > 0) return []
  const faultOf = (pair: number): number =>
    Math.max(-mostFault, Math.min(mostFault, (faults[to[pair] ?? 0] ?? 0) - usualFault))
  const faultWithSeed = (pair: number): number => (faultOf(pair) + faultOf(seed)) / 2
  const [eventLine, sequelLine] = [kinship[from[seed] ?? 0], kinship[to[seed] ?? 0]]
  let left: { pair: number; events: number; sequels: number }[] = []
  for (let pair = 0; pair < from.length; pair += 1) {
    const events = eventLine?.[from[pair] ?? 0] ?? 0
    if (events <= leastKinAtFirst) continue
    const sequels = sequelLine?.[to[pair] ?? 0] ?? 0
    if (sequels + faultKin * 2 * faultWithSeed(pair) > leastKinAtFirst && isApart(pair, seed))
      left.push({ pair, events, sequels })
  }
  if (left.length < fewestNotes - 1) return []
  const row = [seed]
  let lags = lag[seed] ?? 0
  while (row.length < most) {
    let best: { pair: number; gain: number } | undefined
    for (const { pair, events, sequels } of left) {
      const [one, two] = [events / row.length, sequels / row.length]
      const wrong = faultWithSeed(pair)
      if (one <= leastKin || two + faultKin * wrong <= leastKin) continue
      const likeness = Math.min(one, mostKin) + Math.min(two, mostKin) + faultGain * wrong
      const gain = likeness - Math.abs((lag[pair] ?? 0) - lags / row.length)
      if (gain > (best?.gain ?? leastGain)) best = { pair, gain }
    }
    if (best === undefined) break
    const chosen = best.pair
    row.push(chosen)
    lags += lag[chosen] ?? 0
    left = left
      .filter(({ pair }) => isApart(pair, chosen))
      .map(({ pair, events, sequels }) => ({
        pair,
        events: events + kin(from[pair], from[chosen]),
        sequels: sequels + kin(to[pair], to[chosen]),
      }))
  }
  return row
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0)

/** The log odds below which a note surely tells of nothing that went wrong: no row has such a sequel. */
const leastFault = -3.5

/** The log odds that a row of occasions is more than chance, before its notes are read together. */
function surfaceOdds(
  { at, kinship, faults }: Field,
  events: readonly number[],
  sequels: readonly number[],
): number {
  const count = events.length
  const rows = [...kinship.keys()]
  const timeOf = (row = 0): number => at[row] ?? 0
  const meanWith = (row: number, group: readonly number[]): number =>
    sum(group.map((other) => (other === row ? 0 : (kinship[row]?.[other] ?? 0)))) / count
  const meanWithin = (group: readonly number[]): number =>
    sum(group.map((row) => meanWith(row, group))) / (count - 1)
  const isSoon = (before: number, then: number): boolean =>
    timeOf(then) > timeOf(before) && timeOf(then) - timeOf(before) <= reach
  const shareOf = (isIn: (row: number) => boolean): number =>
    Math.min(0.98, rows.filter(isIn).length / rows.length)
  /** Notes like those of a group, though none of it is within a day. */
  const aloneOf = (group: readonly number[], kin: number): number =>
    rows.filter(
      (row) =>
        !events.includes(row) &&
        !sequels.includes(row) &&
        group.every((other) => Math.abs(timeOf(row) - timeOf(other)) >= msPerDay) &&
        meanWith(row, group) > Math.max(0.7 * kin, -0.3),
    ).length
  const [eventKin, sequelKin] = [meanWithin(events), meanWithin(sequels)]
  const [eventsAlone, sequelsAlone] = [aloneOf(events, eventKin), aloneOf(sequels, sequelKin)]
  const chance =
    tail(
      count + sequelsAlone,
      count,
      shareOf((row) => events.some((event) => isSoon(event, row))),
    ) *
    tail(
      count + eventsAlone,
      count,
      shareOf((row) => sequels.some((sequel) => isSoon(row, sequel))),
    )
  const lags = events.map((event, occasion) => timeOf(sequels[occasion]) - timeOf(event))
  const spread = Math.max(finestLag, Math.max(...lags) - Math.min(...lags)) / reach
  const features: Readonly<Record<keyof typeof weights, number>> = {
    events: Math.min(3, eventKin),
    sequels: Math.min(3, sequelKin),
    lags: Math.log10(Math.max(1e-7, count * spread ** (count - 1))),
    chance: Math.max(-8, Math.log10(chance)),
    eventsAlone: Math.min(4, eventsAlone),
    sequelsAlone: Math.min(4, sequelsAlone),
    faults: sum(sequels.map((row) => faults[row] ?? 0)) / count,
    constant: 1,
  }
  const names = Object.keys(weights) as (keyof typeof weights)[]
  return sum(names.map((name) => weights[name] * features[name]))
}

/** Log odds before reading below which no reading makes a row likely. */
const leastUnread = -4

/**
 * By how much what a reader makes of a row moves its log odds, in means: whether what came first is the same again each time,
 * and what followed, and whether the one caused the other. Near what fits in 99 brains, of which the reader has learnt from
 * 76; told from 0.4 on, three rows are planted in the others, and none is false.
 */
const readWeights = { before: 0.25, events: 0.6, sequels: 0.3, causes: 0.8, constant: 3.3 } as const

/** The probability (0..1) that a row of occasions is more than chance; 0 where nobody reads any more. */
function probabilityOf(
  night: Night,
  { events, sequels }: Pick<Sequence, 'events' | 'sequels'>,
  before: number,
): number {
  const [first, then] = [readInRow(night, events, 'again'), readInRow(night, sequels, 'again')]
  const causes = events.flatMap(
    (event, at) => readInRow(night, [event, sequels[at] ?? event], 'causes') ?? [],
  )
  if (first === undefined || then === undefined || causes.length < events.length) return 0
  return logistic(
    readWeights.before * before +
      readWeights.events * first +
      readWeights.sequels * then +
      (readWeights.causes * sum(causes)) / causes.length +
      readWeights.constant,
  )
}

/**
 * Rows of at least three occasions at least so likely more than chance, the likeliest first; none without vectors or a
 * reader.
 */
export function* sequencesOf(night: Night, least: number): Generator<undefined, Sequence[]> {
  if (night.unrelatedBaseline === undefined || night.input.reader === undefined) return []
  const field = yield* fieldOf(night)
  const seen = new Set<string>()
  const found: Sequence[] = []
  for (let seed = 0; seed < field.from.length; seed += 1) {
    if (seed % 20 === 0) yield
    const pairs = rowFrom(field, seed).sort((a, b) => a - b)
    const name = pairs.join(' ')
    if (pairs.length < fewestNotes || seen.has(name)) continue
    seen.add(name)
    const events = pairs.map((pair) => field.from[pair] ?? 0)
    const sequels = pairs.map((pair) => field.to[pair] ?? 0)
    const before = surfaceOdds(field, events, sequels)
    if (before < leastUnread || sequels.some((row) => (field.faults[row] ?? 0) < leastFault)) continue
    const inBrain = (rows: readonly number[]): number[] => rows.map((one) => field.first + one)
    const row = { events: inBrain(events), sequels: inBrain(sequels) }
    const probability = probabilityOf(night, row, before)
    if (probability >= least) found.push({ ...row, probability })
  }
  return found.sort((a, b) => b.probability - a.probability)
}
