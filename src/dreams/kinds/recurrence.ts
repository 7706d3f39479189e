/**
 * Recurrences: what happens repeatedly at one time of the week, or each time after the same kind of event, by a test
 * of chance corrected for everything tested; and trouble that keeps coming back. A recurring word is no recurrence,
 * and daily notes are routine.
 */

import { weekdayNames } from '../../core/calendar-words.ts'
import { msPerHour, msPerMinute } from '../../core/durations.ts'
import { addTo } from '../../core/lists.ts'
import { tellsTrouble, troubleOf } from '../reading/cues.ts'
import { spansOf } from '../reading/days.ts'
import { isLogLine } from '../reading/figures.ts'
import {
  dayOf,
  isCommonWord,
  isTelling,
  medianSimilarity,
  type Night,
  noteAt,
  phraseOf,
  sharedTerms,
  surfaceIn,
} from '../reading/material.ts'
import { focusStart } from '../reading/pairs.ts'
import { crowdedSlot, type Following, follows, type Moment, type Slot } from '../reading/pattern.ts'
import { enumerate, inWords, localDay, localHour, passage, quote, tellDay } from '../reading/wording.ts'
import type { Thought } from '../thought.ts'

const fewest = 3
/** Fewer than this cannot show a weekday beyond chance. */
const minForSlot = 4
/** A theme of more notes than this is routine. */
const maxPositions = 24
/** Days a theme may span. */
const window = 200
/** Maximum probability of any false pattern in a night, over everything tested. */
const falseAlarm = 0.05
/** The same for one theme that follows another: there are far more pairs of them than slots in a week. */
const falseSequence = 0.001
/** And where nothing that follows tells of trouble: ordinary notes follow each other all the time. */
const falseRoutine = 0.000_3
/** What follows comes within a day, however late on it. */
const reach = 30 * msPerHour
/** A theme of more notes than this follows anything. */
const maxInSequence = 8
const maxThemes = 600
const troubleWindow = 45

interface Theme {
  /** Oldest first. */
  readonly positions: readonly number[]
  /** The term they share; undefined where only their meaning is alike. */
  readonly term: number | undefined
}

const momentOf = (night: Night, position: number): Moment => {
  const { at } = noteAt(night, position)
  const { number, weekday } = localDay(at, night.input.timeZone)
  return {
    at,
    day: number,
    weekday: weekdayNames.indexOf(weekday),
    hour: localHour(at, night.input.timeZone),
  }
}

const days = (night: Night, positions: readonly number[]): number =>
  new Set(positions.map((position) => dayOf(night, position))).size

/** Themes by a shared word and by meaning, each set of notes once. */
function* themesOf(night: Night): Generator<undefined, Theme[]> {
  const { concordance, unrelatedBaseline } = night
  const start = focusStart(concordance)
  const newest = dayOf(night, concordance.notes.length - 1)
  const themes = new Map<string, Theme>()
  const add = (unsorted: readonly number[], term?: number): void => {
    const positions = withoutCopies(
      night,
      [...new Set(unsorted)].sort((a, b) => a - b),
    )
    if (positions.length < fewest || positions.length > maxPositions || days(night, positions) < fewest)
      return
    const key = positions.join(' ')
    if (!themes.has(key)) themes.set(key, { positions, term })
  }
  const inWindow = (place: number): boolean => place >= start && newest - dayOf(night, place) <= window
  const terms = new Set<number>()
  for (let position = start; position < concordance.notes.length; position += 1) {
    for (const term of concordance.termsOf(position)) if (isTelling(night, term)) terms.add(term)
    if (position % 100 === 0) yield
  }
  for (const term of terms) {
    const places = [...concordance.placesOf(term).subarray(-60)].filter(inWindow)
    if (places.length < fewest || places.length > maxPositions) continue
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
    const within = (floor: number): number[] =>
      near
        .filter(({ similarity, position: place }) => similarity >= floor && inWindow(place))
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

/** Most of the notes tell of trouble. */
const isTrouble = (night: Night, positions: readonly number[]): boolean =>
  positions.filter((position) => tellsTrouble.test(noteAt(night, position).text)).length >=
  positions.length * 0.6

/** Whether notes that share a word also speak of one thing. */
function coheres(
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

function labelOf(night: Night, theme: Theme): string {
  const counts = new Map<number, number>()
  for (const position of theme.positions) {
    for (const term of night.concordance.termsOf(position))
      if (isTelling(night, term)) counts.set(term, (counts.get(term) ?? 0) + 1)
  }
  const [best, second] = [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0])
  if (best === undefined || best[1] < 2) return ''
  if (second !== undefined && second[1] >= Math.max(2, theme.positions.length * 0.6))
    return phraseOf(night, theme.positions, [best[0], second[0]])
  const place =
    theme.positions.find((position) => [...night.concordance.termsOf(position)].includes(best[0])) ?? 0
  return surfaceIn(night, place, best[0])
}

/** Notes that name a habit of the weekday, or of the evening before it. */
function habitsOf(night: Night, theme: Theme, weekday: number): { position: number; written: string }[] {
  const { concordance } = night
  const same = weekdayNames[weekday] ?? ''
  const before = weekdayNames[(weekday + 6) % 7] ?? ''
  const habit = new RegExp(
    `\\b(?:every|each)\\s+${same}\\b|\\b${same}s\\b|\\b(?:every|each)\\s+${before}\\s+(?:evening|night)\\b|\\b${before}\\s+(?:evening|night)s\\b`,
    'i',
  )
  const found: { position: number; written: string; worth: number }[] = []
  for (let position = focusStart(concordance); position < concordance.notes.length; position += 1) {
    if (theme.positions.includes(position)) continue
    const match = habit.exec(noteAt(night, position).text)
    if (match === null) continue
    const shared = Math.max(
      ...theme.positions.map(
        (other) => sharedTerms(night, other, position).filter((term) => isTelling(night, term)).length,
      ),
    )
    found.push({ position, written: match[0], worth: shared })
  }
  const shared = found.filter(({ worth }) => worth > 0)
  return (shared.length > 0 ? shared : found.length <= 2 ? found : []).slice(0, 2)
}

const numbered = (count: number): string => {
  const word = inWords(count)
  return word.charAt(0).toUpperCase() + word.slice(1)
}

const listed = (night: Night, positions: readonly number[]): string =>
  enumerate([...new Set(positions.map((position) => tellDay(noteAt(night, position).at, night.telling)))])

const idsOf = (night: Night, positions: readonly number[]): number[] =>
  [...new Set(positions.map((position) => noteAt(night, position).id))].sort((a, b) => a - b)

/** Of a note of a theme, the sentence that names what the theme is about. */
function quoteOf(night: Night, { positions, term }: Theme, at: number): string {
  const { concordance } = night
  const [position = 0] = positions.slice(at)
  const named = new Set(term === undefined ? [] : [concordance.termAt(term)])
  return quote(noteAt(night, position).text, named, 100)
}

function slotThought(night: Night, theme: Theme, { slot, tried }: { slot: Slot; tried: number }): Thought {
  const name = weekdayNames[slot.weekday] ?? ''
  const label = labelOf(night, theme)
  const habits = habitsOf(night, theme, slot.weekday)
  const beside = habits.map(({ position }) => quote(noteAt(night, position).text, new Set(), 120))
  const all = new Set(theme.positions.map((position) => dayOf(night, position))).size
  const of =
    slot.hits === all ? `all ${inWords(all)} times` : `${inWords(slot.hits)} of ${inWords(all)} times`
  const cause =
    beside.length === 0
      ? `Look at what else happens on ${name}s or the evening before.`
      : `A note tells what else happens then: ${enumerate(beside)}. See whether the one leads to the other.`
  return {
    kind: 'recurrence',
    signal: 0.85,
    sourceMemoryIds: idsOf(night, [...theme.positions, ...habits.map(({ position }) => position)]),
    thought: `${label === '' ? 'The same thing' : `“${label}”`} came up on a ${name} ${of} (${listed(night, theme.positions)}), more often than chance would have it: from ${quoteOf(night, theme, 0)} to ${quoteOf(night, theme, -1)}. ${cause}`,
    reasons: [
      `${of} a ${name}${slot.sharp ? ' at one time of day' : ''}`,
      `by chance in ${toShare(slot.chance * tried)} of nights, all ${tried} themes counted`,
    ],
  }
}

const toShare = (chance: number): string =>
  `${chance < 0.001 ? 'less than 0.1' : (chance * 100).toFixed(1)} %`

/** A note for a day that lies ahead: its own time says when it was planned, not what led to it. */
function plans(night: Night, position: number): boolean {
  const { text, at } = noteAt(night, position)
  const made = localDay(at, night.input.timeZone)
  return spansOf(text, made).some(({ from }) => from > made.number)
}

interface Sequence {
  readonly effect: Theme
  readonly event: Theme
  readonly following: Following
}

const lagOf = (milliseconds: number): string =>
  milliseconds < 90 * msPerMinute
    ? `${Math.max(1, Math.round(milliseconds / msPerMinute))} minutes`
    : `${Math.round(milliseconds / msPerHour)} hours`

function sequenceThought(night: Night, { event, effect, following }: Sequence, tried: number): Thought {
  const pairs = following.pairs.map(
    ([later, earlier]) => [effect.positions[later] ?? 0, event.positions[earlier] ?? 0] as const,
  )
  const [example, second = example] = pairs
  const told = (position = 0): string => passage(noteAt(night, position).text, [], 110)
  const within = lagOf(following.lags[1])
  const but = effect.positions.length - pairs.length
  const share = but === 0 ? '' : `, and ${but === 1 ? 'once' : `${inWords(but)} times`} without it`
  return {
    kind: 'recurrence',
    signal: 0.9,
    sourceMemoryIds: idsOf(night, pairs.flat()),
    thought: `${numbered(pairs.length)} times (${listed(
      night,
      pairs.map(([position]) => position),
    )}) one thing came within ${within} of another${share}: first ${told(example?.[1])}, then ${told(example?.[0])}; again ${told(second?.[1])}, then ${told(second?.[0])}. The one may lead to the other: before the next time, warn those it hits (\`brain flag\`) and watch whether it happens again.`,
    reasons: [
      `${pairs.length} of ${effect.positions.length} times within ${within}, after ${new Set(following.pairs.map(([, at]) => at)).size} of ${event.positions.length}`,
      `by chance in ${toShare(following.chance * tried)} of nights, all ${tried} pairs of themes counted`,
    ],
  }
}

function troubleThought(night: Night, theme: Theme): Thought {
  const [first = 0] = theme.positions
  const label = labelOf(night, theme)
  const agents = [...new Set(theme.positions.map((position) => noteAt(night, position).agent))]
  const by = agents.length >= 2 && agents.length <= 4 ? ` by ${enumerate(agents)}` : ''
  return {
    kind: 'recurrence',
    signal: 0.55 + 0.03 * theme.positions.length,
    sourceMemoryIds: idsOf(night, theme.positions),
    thought: `Trouble with “${label}” keeps coming back, noted ${inWords(theme.positions.length)} times${by} since ${tellDay(noteAt(night, first).at, night.telling)}: first ${quoteOf(night, theme, 0)}, last ${quoteOf(night, theme, -1)}. It was looked at one case at a time; one look at all of them may find what they share.`,
    reasons: [
      `${theme.positions.length} notes on ${days(night, theme.positions)} days tell of trouble with “${label}”`,
    ],
  }
}

/** Themes that each time came soon after another one. */
function* sequencesIn(
  night: Night,
  { themes, all }: { themes: readonly Theme[]; all: readonly Moment[] },
): Generator<undefined, { found: Sequence[]; tried: number }> {
  const rare = themes
    .filter((theme) => theme.positions.length <= maxInSequence && coheres(night, theme))
    .map((theme) => ({ theme, moments: theme.positions.map((position) => momentOf(night, position)) }))
  const leastObservers = Math.min(2, new Set(night.input.notes.map(({ agent }) => agent)).size)
  const found: Sequence[] = []
  let tried = 0
  for (const effect of rare) {
    yield
    const happens = effect.theme.positions.filter((position) => !plans(night, position)).length
    if (happens * 2 <= effect.theme.positions.length) continue
    for (const event of rare) {
      if (event.theme.positions.some((position) => effect.theme.positions.includes(position))) continue
      tried += 1
      const following = follows(effect.moments, event.moments, { all, reach })
      if (following.pairs.length < fewest) continue
      const earlier = new Set(following.pairs.map(([, at]) => at))
      // What both do every week they do by the calendar.
      const weekdays = new Set([...earlier].map((at) => event.moments[at]?.weekday))
      // One author's rhythm makes sequences of whatever that author writes about.
      const observers = new Set(
        following.pairs.map(([at]) => noteAt(night, effect.theme.positions[at] ?? 0).agent),
      )
      if (earlier.size >= fewest && weekdays.size > 1 && observers.size >= leastObservers)
        found.push({ effect: effect.theme, event: event.theme, following })
    }
  }
  return { found, tried }
}

/** Patterns in time and recurring trouble, in no particular order; of two that share notes the more certain one. */
export function* recurrences(night: Night): Generator<undefined, Thought[]> {
  const { concordance } = night
  const themes = yield* themesOf(night)
  const all: Moment[] = []
  for (let position = focusStart(concordance); position < concordance.notes.length; position += 1) {
    all.push(momentOf(night, position))
    if (position % 200 === 0) yield
  }
  const thoughts: { thought: Thought; worth: number }[] = []
  const slots: { theme: Theme; slot: Slot }[] = []
  let tried = 0
  for (const theme of themes) {
    if (days(night, theme.positions) < minForSlot) continue
    tried += 1
    const slot = crowdedSlot(
      theme.positions.map((position) => momentOf(night, position)),
      all,
    )
    if (slot !== undefined) slots.push({ theme, slot })
    if (tried % 50 === 0) yield
  }
  for (const { theme, slot } of slots) {
    // What is to be done on a weekday comes on it: only trouble that does is news.
    if (slot.chance * tried > falseAlarm || !isTrouble(night, theme.positions) || !coheres(night, theme))
      continue
    thoughts.push({ thought: slotThought(night, theme, { slot, tried }), worth: 2 - slot.chance })
  }
  const sequences = yield* sequencesIn(night, { themes, all })
  for (const sequence of sequences.found) {
    const tellsOfTrouble = sequence.effect.positions.some((position) =>
      tellsTrouble.test(noteAt(night, position).text),
    )
    const most = tellsOfTrouble ? falseSequence : falseRoutine
    if (sequence.following.chance * sequences.tried > most) continue
    if (![sequence.effect, sequence.event].some((theme) => coheres(night, theme, 'middle'))) continue
    thoughts.push({
      thought: sequenceThought(night, sequence, sequences.tried),
      worth: 3 - sequence.following.chance,
    })
  }
  const newest = dayOf(night, concordance.notes.length - 1)
  for (const theme of themes) {
    yield
    const positions = theme.positions.filter(
      (position) =>
        newest - dayOf(night, position) <= troubleWindow &&
        tellsTrouble.test(noteAt(night, position).text) &&
        !isLogLine(noteAt(night, position).text),
    )
    if (
      theme.term === undefined ||
      positions.length < fewest ||
      positions.length < theme.positions.length * 0.75 ||
      days(night, positions) < fewest
    )
      continue
    if (coheres(night, theme, 'near'))
      thoughts.push({
        thought: troubleThought(night, { ...theme, positions }),
        worth: positions.length / 100,
      })
  }
  return surest(thoughts)
}

function surest(thoughts: readonly { thought: Thought; worth: number }[]): Thought[] {
  const kept: Thought[] = []
  for (const { thought } of [...thoughts].sort(
    (a, b) => b.worth - a.worth || (a.thought.thought < b.thought.thought ? -1 : 1),
  )) {
    const mine = new Set(thought.sourceMemoryIds)
    if (!kept.some(({ sourceMemoryIds }) => sourceMemoryIds.filter((id) => mine.has(id)).length >= 2))
      kept.push(thought)
  }
  return kept
}
