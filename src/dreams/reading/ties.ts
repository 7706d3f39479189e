/**
 * How notes of what happens over time hang together, two and two: trouble that is the same again, values of one measure. Knows
 * which notes are worth laying side by side, which of them to read, and which make a group.
 */
import { dayOf, type Night, noteAt, perNight } from './material.ts'
import { readFigures } from './measured.ts'
import { nearStart } from './pairs.ts'
import { sideOdds, type Tie, tieFeatures, tieOdds } from './tie-odds.ts'

/** Log odds from which a note may tell of trouble, or of a measure; and so many of the likeliest are looked at. */
const mayTell: Readonly<Record<Tie, number>> = { again: -3.5, measures: -5 }
const mostNotes = 40
/** Pairs that are read, the likeliest first. */
const mostRead = 40
/** Log odds before they are read from which reading may still make them likely. */
const leastUnread = -4.5

/** Positions of the newest notes that may tell of such, the likeliest first. */
function likeliest(night: Night, tie: Tie): number[] {
  const { length } = night.concordance.notes
  const found: { position: number; odds: number }[] = []
  for (let position = nearStart(night.concordance); position < length; position += 1) {
    const { text, caution } = noteAt(night, position)
    if (/\?\s*$/.test(text) || caution > 0) continue
    if (tie === 'measures' && readFigures(night, position) === undefined) continue
    const odds = sideOdds(night, tie, position)
    if (odds >= mayTell[tie]) found.push({ position, odds })
  }
  return found
    .sort((a, b) => b.odds - a.odds || a.position - b.position)
    .slice(0, mostNotes)
    .map(({ position }) => position)
}

/** Notes of different days that may be so tied, the earlier one first. */
export function mayBeTied(night: Night, tie: Tie): [earlier: number, later: number][] {
  const likely = likeliest(night, tie)
  return likely.flatMap((earlier) =>
    likely
      .filter((later) => dayOf(night, later) > dayOf(night, earlier))
      .map((later): [number, number] => [earlier, later]),
  )
}

/** Two notes that were read together. */
export interface Tied {
  readonly earlier: number
  readonly later: number
  /** Log odds that they are so tied. */
  readonly odds: number
}

/** The likeliest of notes that may be so tied, as they are read together; none without a reader. */
function* readTies(night: Night, tie: Tie): Generator<undefined, Tied[]> {
  if (night.input.reader === undefined) return []
  const likeliest = mayBeTied(night, tie)
    .map((ends) => ({ ends, odds: tieOdds(tie, tieFeatures(night, tie, ends)) }))
    .filter(({ odds }) => odds >= leastUnread)
    .sort((a, b) => b.odds - a.odds)
    .slice(0, mostRead)
  const read: Tied[] = []
  for (const { ends } of likeliest) {
    yield
    const [earlier, later] = ends
    const standing = night.standingOf(earlier, later)
    if (standing !== undefined)
      read.push({ earlier, later, odds: tieOdds(tie, tieFeatures(night, tie, ends, standing)) })
  }
  return read.sort((a, b) => b.odds - a.odds)
}

/** Log odds of two notes that nobody read together. */
const unreadOdds = -4

/** The mean log odds at which a note joins a group, and so many of them at most. */
const grouping = {
  again: { joinFrom: -1.5, most: 8 },
  measures: { joinFrom: -3.2, most: 12 },
} as const satisfies Record<Tie, object>

/** Notes each of which is tied to most of the others. */
export interface Group {
  /** Oldest first. */
  readonly positions: readonly number[]
  /** The mean log odds of each with each. */
  readonly odds: number
}

/**
 * Groups of notes that are so tied, begun with those most surely so; a note joins one as long as its ties to those in it
 * are likely enough. None without a reader.
 */
export function* groupsBy(night: Night, tie: Tie): Generator<undefined, Group[]> {
  const known = groupsOfNight(night)
  const groups = known.get(tie) ?? groupsOf(yield* readTies(night, tie), grouping[tie])
  known.set(tie, groups)
  return groups
}

const groupsOfNight = perNight(() => new Map<Tie, Group[]>())

export function groupsOf(
  ties: readonly Tied[],
  { joinFrom, most }: { readonly joinFrom: number; readonly most: number },
): Group[] {
  const known = new Map(
    ties.flatMap(({ earlier, later, odds }) => [
      [`${earlier} ${later}`, odds],
      [`${later} ${earlier}`, odds],
    ]),
  )
  const tiesTo = (position: number, others: readonly number[]): number =>
    others.reduce((sum, other) => sum + (known.get(`${position} ${other}`) ?? unreadOdds), 0) / others.length
  const free = new Set(ties.flatMap(({ earlier, later }) => [earlier, later]))
  const groups: Group[] = []
  for (const { earlier, later, odds } of ties) {
    if (odds < joinFrom) break
    if (!free.has(earlier) || !free.has(later)) continue
    const positions = [earlier, later]
    while (positions.length < most) {
      const others = [...free].filter((position) => !positions.includes(position))
      const best = others.reduce(
        (a, b) => (tiesTo(b, positions) > tiesTo(a, positions) ? b : a),
        others[0] ?? -1,
      )
      if (best < 0 || tiesTo(best, positions) < joinFrom) break
      positions.push(best)
    }
    for (const position of positions) free.delete(position)
    const each = positions.map((position, at) => tiesTo(position, positions.toSpliced(at, 1)))
    groups.push({
      positions: positions.sort((a, b) => a - b),
      odds: each.reduce((sum, one) => sum + one, 0) / each.length,
    })
  }
  return groups
}
