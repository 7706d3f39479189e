/**
 * Recurring themes: three or more notes, on three or more days, that share a subject of two words or are alike in
 * meaning. What every note of a brain mentions is its subject, not a theme, and what comes daily is routine.
 */
import type { Concordance } from '../reading/concordance.ts'
import { troubleStems } from '../reading/lexicon.ts'
import {
  dayOf,
  freshness,
  isCommonWord,
  isTelling,
  type Night,
  noteAt,
  phraseOf,
  surfaceIn,
  termSet,
} from '../reading/material.ts'
import { focusStart } from '../reading/pairs.ts'
import { choose, enumerate, inWords, localDay, quote, tellDay } from '../reading/wording.ts'
import type { Thought } from '../thought.ts'

/** A theme spans at most so many days; what is spread wider is a habit of speech. */
const windowDays = 45
const fewest = 3
/** A theme of more notes than this is routine. */
const most = 14

interface Theme {
  /** Oldest first. */
  readonly positions: readonly number[]
  readonly label: string
  readonly terms: ReadonlySet<string>
  readonly coherence: number
}

const distinctDays = (night: Night, positions: readonly number[]): number =>
  new Set(positions.map((position) => dayOf(night, position))).size

/** From this cosine on two notes are one pasted twice. */
const copied = 0.97

/** The notes without copies of an earlier one: a reminder pasted thrice is one note. */
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

function placesInWindow(night: Night, term: number): number[] {
  const from = Math.max(focusStart(night.concordance), 0)
  const last = night.concordance.notes.length - 1
  const newest = dayOf(night, last)
  return [...night.concordance.placesOf(term).subarray(-400)].filter(
    (place) => place >= from && newest - dayOf(night, place) <= windowDays,
  )
}

/** The term most of the notes hold beside `term`, with those notes. */
function companion(
  night: Night,
  term: number,
  places: readonly number[],
): { term: number; places: number[] } | undefined {
  const together = new Map<number, number[]>()
  for (const place of places) {
    for (const other of night.concordance.termsOf(place)) {
      if (other === term) continue
      const list = together.get(other)
      if (list === undefined) together.set(other, [place])
      else list.push(place)
    }
  }
  let best: { term: number; places: number[]; worth: number } | undefined
  for (const [other, held] of together) {
    if (held.length < fewest) continue
    const worth = held.length * (0.3 + night.concordance.weightOf(other))
    if (best === undefined || worth > best.worth || (worth === best.worth && other < best.term)) {
      best = { term: other, places: held, worth }
    }
  }
  return best
}

/** Median cosine of the notes' pairs, which two copies among them do not raise; undefined when some have no vector. */
function coherenceOf(concordance: Concordance, positions: readonly number[]): number | undefined {
  const seen: number[] = []
  for (const [at, a] of positions.entries()) {
    for (const b of positions.slice(at + 1)) {
      const similarity = concordance.similarity(a, b)
      if (similarity === undefined) return undefined
      seen.push(similarity)
    }
  }
  return seen.sort((a, b) => a - b)[Math.floor(seen.length / 2)]
}

function themeOf(night: Night, term: number): Theme | undefined {
  const { concordance, background } = night
  const all = placesInWindow(night, term)
  if (all.length < fewest || all.length > Math.max(most, concordance.notes.length * 0.15)) return undefined
  // A subject of the whole brain rather than of these weeks.
  if (concordance.placesOf(term).length > all.length * 4) return undefined
  const beside = companion(night, term, all)
  if (beside !== undefined) {
    const positions = withoutCopies(night, beside.places)
    const worth = isTelling(night, beside.term) || troubleStems.has(concordance.termAt(beside.term))
    if (positions.length >= fewest && positions.length <= most && worth) {
      return {
        positions,
        label: phraseOf(night, positions, [term, beside.term]),
        terms: termSet(night, [term, beside.term]),
        coherence: 0.7,
      }
    }
  }
  const positions = withoutCopies(night, all)
  const coherence = coherenceOf(concordance, positions)
  // The word they share makes notes alike by itself; a common word must be borne out by more than that.
  const least = background && (isCommonWord(night, term) ? background.near : background.akin)
  if (least === undefined || coherence === undefined || coherence < least) return undefined
  if (positions.length > most) return undefined
  return {
    positions,
    label: surfaceIn(night, positions.at(-1) ?? 0, term),
    terms: termSet(night, [term]),
    coherence: 0.6,
  }
}

function word(night: Night, theme: Theme): string {
  const notes = theme.positions.map((position) => noteAt(night, position))
  const [first, last] = [notes[0], notes.at(-1)]
  if (first === undefined || last === undefined) return ''
  const count = inWords(notes.length)
  const label = theme.label.slice(0, 60)
  const weekdays = new Set(notes.map((note) => localDay(note.at, night.matter.timeZone).weekday))
  const agents = [...new Set(notes.map((note) => note.agent))]
  const pattern =
    weekdays.size === 1 && distinctDays(night, theme.positions) >= 3
      ? ` Each time it was a ${[...weekdays][0]}.`
      : agents.length >= 2 && agents.length <= 4
        ? ` It was noted by ${enumerate(agents)}.`
        : ''
  const [from, to] = [tellDay(first.at, night.telling), tellDay(last.at, night.telling)]
  return choose(
    [
      `“${label}” keeps coming back: ${count} notes between ${from} and ${to}, from ${quote(first.text, theme.terms, 90)} to ${quote(last.text, theme.terms, 90)}.${pattern}`,
      `${count.charAt(0).toUpperCase() + count.slice(1)} notes since ${from} are about “${label}”, the last of ${to}: ${quote(last.text, theme.terms)}.${pattern}`,
    ],
    night.telling,
    notes.map((note) => note.id),
  )
}

/** Themes of the last weeks, each set of notes once, unordered. */
export function* recurrences(night: Night): Generator<undefined, Thought[]> {
  const { concordance } = night
  const terms = new Set<number>()
  for (let position = focusStart(concordance); position < concordance.notes.length; position += 1) {
    for (const term of concordance.termsOf(position)) {
      if (isTelling(night, term) && concordance.placesOf(term).length >= fewest) terms.add(term)
    }
  }
  const themes = new Map<string, Theme>()
  let at = 0
  for (const term of terms) {
    if (at % 50 === 0) yield
    at += 1
    const theme = themeOf(night, term)
    if (theme === undefined || distinctDays(night, theme.positions) < fewest) continue
    const key = theme.positions.join(' ')
    const known = themes.get(key)
    if (known === undefined || theme.coherence > known.coherence) themes.set(key, theme)
  }
  return [...themes.values()].map((theme) => toThought(night, theme))
}

function toThought(night: Night, theme: Theme): Thought {
  const notes = theme.positions.map((position) => noteAt(night, position))
  const trouble = theme.positions.filter((position) =>
    night.concordance.read(position).tokens.some((token) => troubleStems.has(token.term)),
  ).length
  const newest = notes.at(-1)?.at ?? 0
  const signal = 0.3 + 0.06 * notes.length + 0.2 * theme.coherence + 0.2 * (trouble / notes.length)
  return {
    kind: 'recurrence',
    signal: Math.min(1, signal) * freshness(night, newest),
    sourceMemoryIds: notes.map((note) => note.id).sort((a, b) => a - b),
    thought: word(night, theme),
  }
}
