/**
 * How notes stand to each other, as a reader of two notes at once sees it: on demand, each pair once, so many a night. Knows
 * which pairs were read; which are worth it is for the kinds of thoughts.
 */
import { logit } from '../../core/logistic.ts'
import type { Standing } from '../../models/night-model.ts'
import type { NightInput } from '../thought.ts'
import type { Concordance } from './concordance.ts'
import type { Night } from './material.ts'
import { focusStart, type Neighbour } from './pairs.ts'

/** Pairs read a night; each costs some four milliseconds. */
const maxRead = 360

/** How one note stands to another that is read before it; undefined without a reader, or once enough have been read. */
export type StandingOf = (first: number, second: number) => Standing | undefined

export function createStandings(concordance: Concordance, reader: NightInput['reader']): StandingOf {
  const known = new Map<string, Standing>()
  return (first, second) => {
    const key = `${first} ${second}`
    const told = known.get(key)
    if (told !== undefined || reader === undefined || known.size >= maxRead) return told
    const [before, after] = [concordance.notes[first], concordance.notes[second]]
    if (before === undefined || after === undefined) return undefined
    const read = reader.stand(before.text, after.text)
    known.set(key, read)
    return read
  }
}

/** The mean log odds, of each note with the next, that the one stands so to the other; undefined where nobody reads. */
export function readInRow(
  { standingOf }: Night,
  positions: readonly number[],
  name: keyof Standing,
): number | undefined {
  const read = positions.slice(1).flatMap((position, at) => standingOf(positions[at] ?? 0, position) ?? [])
  return meanOdds(read, name)
}

/** The mean log odds of one relation among some readings; undefined without any. */
export function meanOdds(read: readonly Standing[], name: keyof Standing): number | undefined {
  const odds = read.map((standing) => logit(standing[name], 1e-4))
  return odds.length === 0 ? undefined : odds.reduce((sum, one) => sum + one, 0) / odds.length
}

/** Earlier notes among those nearest to a note, best first: at most so many, of which planted pairs are eleven in twelve. */
const nearest = 8

/** The earlier notes that lie nearest to a note, best first. */
export const nearestBefore = (
  neighbours: ReadonlyMap<number, readonly Neighbour[]>,
  position: number,
): number[] =>
  (neighbours.get(position) ?? [])
    .map((near) => near.position)
    .filter((place) => place < position)
    .slice(0, nearest)

/** Later notes that a reader is given beside a promise or a question. */
const readAfter = 6

/** The later notes that lie nearest to a note and may be about its matter, best first; none without vectors. */
export function nearestAfter({ concordance, unrelatedBaseline }: Night, position: number): number[] {
  if (unrelatedBaseline === undefined) return []
  const from = Math.max(position + 1, focusStart(concordance))
  return concordance.notes
    .slice(from)
    .map((_, at) => ({ place: from + at, similarity: concordance.similarity(position, from + at) ?? 0 }))
    .filter(({ similarity }) => similarity >= unrelatedBaseline.akin - 0.08)
    .sort((a, b) => b.similarity - a.similarity)
    .slice(0, readAfter)
    .map(({ place }) => place)
}
