/**
 * Themes: notes of one brain that share a telling word or their meaning, and may be one matter that comes up again and again;
 * a flag warns of it and is none of its times. Knows which notes belong together and what they call it; whether their
 * times follow a pattern is asked elsewhere.
 */
import { addTo } from '../../core/lists.ts'
import { troubleOf } from './cues.ts'
import {
  dayOf,
  isCommonWord,
  isTelling,
  medianSimilarity,
  type Night,
  noteAt,
  phraseOf,
  surfaceIn,
} from './material.ts'
import { focusStart } from './pairs.ts'

/** Notes of a theme at least. */
export const fewestNotes = 3
/** Fewer than this cannot show a weekday beyond chance. */
export const minForSlot = 4
/** A theme of more notes than this is routine. */
const maxPositions = 24
/** Days a theme may span. */
const window = 200
const maxThemes = 600

export interface Theme {
  /** Oldest first. */
  readonly positions: readonly number[]
  /** The term they share; undefined where only their meaning is alike. */
  readonly term: number | undefined
}

/** On how many days notes were made. */
export const countDays = (night: Night, positions: readonly number[]): number =>
  new Set(positions.map((position) => dayOf(night, position))).size

/** Themes by a shared word and by meaning, each set of notes once. */
export function* themesOf(night: Night): Generator<undefined, Theme[]> {
  const { concordance, unrelatedBaseline } = night
  const start = focusStart(concordance)
  const newest = dayOf(night, concordance.notes.length - 1)
  const themes = new Map<string, Theme>()
  const add = (unsorted: readonly number[], term?: number): void => {
    const positions = withoutCopies(
      night,
      [...new Set(unsorted)].sort((a, b) => a - b),
    )
    if (
      positions.length < fewestNotes ||
      positions.length > maxPositions ||
      countDays(night, positions) < fewestNotes
    )
      return
    const key = positions.join(' ')
    if (!themes.has(key)) themes.set(key, { positions, term })
  }
  const isFlag = (place: number): boolean => noteAt(night, place).caution > 0
  const mayRecur = (place: number): boolean =>
    place >= start && newest - dayOf(night, place) <= window && !isFlag(place)
  const terms = new Set<number>()
  for (let position = start; position < concordance.notes.length; position += 1) {
    for (const term of concordance.termsOf(position)) if (isTelling(night, term)) terms.add(term)
    if (position % 100 === 0) yield
  }
  for (const term of terms) {
    const places = [...concordance.placesOf(term).subarray(-60)].filter(mayRecur)
    if (places.length < fewestNotes || places.length > maxPositions) continue
    add(places, term)
    const companions = new Map<number, number[]>()
    for (const place of places) {
      for (const other of concordance.termsOf(place)) {
        if (other !== term) addTo(companions, other, place)
      }
    }
    for (const [other, held] of companions)
      if (held.length >= minForSlot && held.length < places.length && isTelling(night, other)) add(held, term)
  }
  yield
  if (unrelatedBaseline === undefined) return [...themes.values()].slice(0, maxThemes)
  for (const [position, near] of night.neighbours) {
    yield
    if (isFlag(position)) continue
    const within = (floor: number): number[] =>
      near
        .filter(({ similarity, position: place }) => similarity >= floor && mayRecur(place))
        .map(({ position: place }) => place)
    add([position, ...within(unrelatedBaseline.near)])
    add([position, ...within(unrelatedBaseline.near).slice(0, 2)])
    // Of what is only akin, the same kind of trouble.
    const kind = troubleOf(noteAt(night, position).text)
    if (kind !== undefined)
      add([
        position,
        ...within(unrelatedBaseline.akin).filter((place) => troubleOf(noteAt(night, place).text) === kind),
      ])
  }
  return [...themes.values()].slice(0, maxThemes)
}

/** From this cosine on two notes are one pasted twice. */
const copied = 0.97

function withoutCopies(night: Night, positions: readonly number[]): number[] {
  const seen = new Set<string>()
  const kept: number[] = []
  for (const position of positions) {
    const written = noteAt(night, position)
      .text.toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim()
    const known = kept.some((other) => (night.concordance.similarity(other, position) ?? 0) >= copied)
    if (!known && !seen.has(written)) kept.push(position)
    seen.add(written)
  }
  return kept
}

/** Whether notes that share a word also speak of one thing. */
export function coheres(
  night: Night,
  { positions, term }: Theme,
  band: 'akin' | 'middle' | 'near' = 'akin',
): boolean {
  const { unrelatedBaseline } = night
  if (unrelatedBaseline === undefined) return term !== undefined && !isCommonWord(night, term)
  const median = medianSimilarity(night, positions)
  if (median === undefined) return term !== undefined
  const { akin, near } = unrelatedBaseline
  return median >= { akin, middle: (akin + near) / 2, near }[band]
}

/** What most of some notes call their matter, by a second word as well where such a share of them has it. */
export function labelOf(
  night: Night,
  positions: readonly number[],
  { secondFrom = 0.6, otherwise = '' } = {},
): string {
  const counts = new Map<number, number>()
  for (const position of positions) {
    for (const term of night.concordance.termsOf(position))
      if (isTelling(night, term)) counts.set(term, (counts.get(term) ?? 0) + 1)
  }
  const [best, second] = [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0])
  if (best === undefined || best[1] < 2) return otherwise
  if (second !== undefined && second[1] >= Math.max(2, positions.length * secondFrom))
    return phraseOf(night, positions, [best[0], second[0]])
  const place = positions.find((position) => [...night.concordance.termsOf(position)].includes(best[0])) ?? 0
  return surfaceIn(night, place, best[0])
}
