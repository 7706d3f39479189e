/**
 * Which notes are worth laying side by side: for each recent note the few others that share its rarer words or
 * lie near it. Bounded per note, so a night grows with the days since the last one and not with their square.
 */

import type { FindNear } from '../thought.ts'
import type { Concordance } from './concordance.ts'

/** Two notes with what they share; `earlier` and `later` are positions in the concordance. */
export interface Pair {
  readonly earlier: number
  readonly later: number
  /** Shared content terms, the most telling first. */
  readonly shared: readonly number[]
  /** Weighted share of all their terms that both hold, 0..1. */
  readonly overlap: number
  /** Cosine; undefined when one has no vector. */
  readonly similarity: number | undefined
}

/** So many of the newest notes are thought about; older ones only in relation to them. */
const focusSize = 2_000
/** So many of the newest memories look for their nearest by vector. */
const nearFocus = 200
/** Terms of more notes than this join nothing. */
const commonFrom = 64
const partnersByWeight = 10
const partnersByOverlap = 6
const nearest = 12

/** Position of the oldest of the notes that look for their nearest, and of which it is read what they do. */
export function nearStart({ notes }: Pick<Concordance, 'notes'>): number {
  let [start, memories] = [notes.length, 0]
  for (; start > 0; start -= 1) {
    // Of several matters of one memory all are near.
    if (notes[start - 1]?.id === notes[start]?.id) continue
    if (memories === nearFocus) break
    memories += 1
  }
  return start
}

/** Position of the oldest note in focus. */
export const focusStart = (concordance: Concordance): number =>
  Math.max(0, concordance.notes.length - focusSize)

/** What two notes share. */
export function comparePair(concordance: Concordance, earlier: number, later: number): Pair {
  const mine = new Set(concordance.termsOf(earlier))
  const shared: number[] = []
  let both = 0
  let all = 0
  for (const term of mine) all += concordance.weightOf(term)
  for (const term of concordance.termsOf(later)) {
    const weight = concordance.weightOf(term)
    if (mine.has(term)) {
      shared.push(term)
      both += weight
    } else all += weight
  }
  shared.sort((a, b) => concordance.weightOf(b) - concordance.weightOf(a) || a - b)
  return {
    earlier,
    later,
    shared,
    overlap: all > 0 ? both / all : 0,
    similarity: concordance.similarity(earlier, later),
  }
}

/** A note near another one, and how near. */
export interface Neighbour {
  readonly position: number
  /** Cosine. */
  readonly similarity: number
}

/** The nearest notes of each of the newest, best first; empty without vectors. */
export function* findNeighbours(
  concordance: Concordance,
  findNear?: FindNear,
): Generator<undefined, Map<number, readonly Neighbour[]>> {
  const neighbours = new Map<number, readonly Neighbour[]>()
  if (findNear === undefined) return neighbours
  const count = concordance.notes.length
  for (let position = nearStart(concordance); position < count; position += 1) {
    const vector = concordance.notes[position]?.vector
    if (vector === undefined) continue
    yield
    const near = findNear(vector, nearest + 1).flatMap(({ note, similarity }) => {
      const place = concordance.positionOf.get(note)
      return place === undefined || place === position ? [] : [{ position: place, similarity }]
    })
    neighbours.set(position, near.slice(0, nearest))
  }
  return neighbours
}

/** Pairs of a note in focus with any earlier note, each pair once. */
export function* findPairs(
  concordance: Concordance,
  neighbours: ReadonlyMap<number, readonly Neighbour[]>,
): Generator<undefined, Pair[]> {
  // By name: two notes in focus may each find the other.
  const pairs = new Map<string, [earlier: number, later: number]>()
  const count = concordance.notes.length
  for (let later = focusStart(concordance); later < count; later += 1) {
    const partners = partnersByTerms(concordance, later)
    for (const { position } of neighbours.get(later) ?? []) partners.add(position)
    for (const partner of partners) {
      pairs.set(`${Math.min(partner, later)} ${Math.max(partner, later)}`, [
        Math.min(partner, later),
        Math.max(partner, later),
      ])
    }
    if (later % 20 === 0) yield
  }
  return [...pairs.values()]
    .sort((a, b) => a[1] - b[1] || a[0] - b[0])
    .map(([earlier, later]) => comparePair(concordance, earlier, later))
}

function partnersByTerms(concordance: Concordance, later: number): Set<number> {
  const weights = new Map<number, number>()
  const counts = new Map<number, number>()
  const terms = concordance.termsOf(later)
  for (const term of terms) {
    const places = concordance.placesOf(term)
    if (places.length > commonFrom) continue
    const weight = concordance.weightOf(term)
    for (const place of places) {
      if (place >= later) break
      weights.set(place, (weights.get(place) ?? 0) + weight)
      counts.set(place, (counts.get(place) ?? 0) + 1)
    }
  }
  const byWeight = [...weights].sort((a, b) => b[1] - a[1] || b[0] - a[0]).slice(0, partnersByWeight)
  const overlapOf = (place: number, count: number): number =>
    count / (terms.length + concordance.termsOf(place).length - count)
  const byOverlap = [...counts]
    .map(([place, count]) => [place, overlapOf(place, count)] as const)
    .sort((a, b) => b[1] - a[1] || b[0] - a[0])
    .slice(0, partnersByOverlap)
  return new Set([...byWeight, ...byOverlap].map(([place]) => place))
}
