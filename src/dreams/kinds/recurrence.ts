/**
 * Recurrences: what happens repeatedly at one time of the week, or each time after the same kind of event, by a test
 * of chance corrected for everything tested; and trouble that keeps coming back. A recurring word is no recurrence,
 * and daily notes are routine.
 */

import { weekdayNames } from '../../core/calendar-words.ts'
import { msPerHour, msPerMinute } from '../../core/durations.ts'
import { callsOff, tellsSound, tellsTrouble, troubleOf } from '../reading/cues.ts'
import { spansOf } from '../reading/days.ts'
import { isLogLine } from '../reading/figures.ts'
import { areReports, dayOf, isTelling, type Night, noteAt, sharedTerms } from '../reading/material.ts'
import { focusStart } from '../reading/pairs.ts'
import { crowdedSlot, type Following, follows, type Moment, type Slot } from '../reading/pattern.ts'
import { faultOdds } from '../reading/roles.ts'
import { sequencesOf } from '../reading/sequences.ts'
import {
  coheres,
  countDays,
  fewestNotes,
  labelOf,
  minForSlot,
  type Theme,
  themesOf,
} from '../reading/themes.ts'
import {
  capitalise,
  enumerate,
  inWords,
  localDay,
  localHour,
  passage,
  percent,
  quote,
  tellDay,
} from '../reading/wording.ts'
import type { Thought } from '../thought.ts'

/** Maximum probability of any false pattern in a night, over everything tested. */
const falseAlarm = 0.05
/** The same for one theme that follows another: there are far more pairs of them than slots in a week. */
const falseSequence = 0.001
/** And where, by their words alone, nothing that follows tells of trouble. */
const falseRoutine = 0.000_3
/** The probability from which a row of occasions is told. */
const likely = 0.5
/** The mean log odds from which notes tell of what goes wrong: in 49 brains those of 36 of 39 planted rows do, of routine few. */
const leastFault = -1.7
/** A theme of more notes than this follows anything. */
const maxInSequence = 8
const troubleWindow = 45

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

/** Trouble, and not the week's business: a queue, or what is sold out. */
const isFault = (night: Night, position: number): boolean => {
  const { text } = noteAt(night, position)
  return tellsTrouble(text) && !/^(?:delay|grief)$/.test(troubleOf(text) ?? '')
}

/** Whether notes tell of what goes wrong, as a reader sees them: what is as it should be follows each other all the time. */
function goesWrong(night: Night, positions: readonly number[]): boolean {
  if (night.input.reader === undefined) return true
  const odds = positions.reduce((sum, position) => sum + faultOdds(night, position), 0)
  return odds >= leastFault * positions.length
}

/** How probable by chance a sequence may be that is told. */
function mostChance(night: Night, { positions }: Theme): number {
  if (night.input.reader !== undefined) return goesWrong(night, positions) ? falseSequence : 0
  return positions.some((position) => tellsTrouble(noteAt(night, position).text))
    ? falseSequence
    : falseRoutine
}

/** Most of the notes tell of trouble. */
const isTrouble = (night: Night, positions: readonly number[]): boolean =>
  positions.filter((position) => isFault(night, position)).length >= positions.length * 0.6

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
  /** Positions of what came first and of what followed it, an occasion each. */
  readonly occasions: readonly (readonly [event: number, sequel: number])[]
  /** Sequels of the sort that came without an event before them. */
  readonly without: number
  readonly worth: number
  readonly reasons: readonly string[]
}

const lagOf = (milliseconds: number): string =>
  milliseconds < 90 * msPerMinute
    ? `${Math.max(1, Math.round(milliseconds / msPerMinute))} minutes`
    : `${Math.round(milliseconds / msPerHour)} hours`

/** Whether, of an occasion, what comes first was called off, or what follows tells that nothing went wrong. */
const isOff = (night: Night, [event, sequel]: readonly [number, number]): boolean =>
  callsOff.test(noteAt(night, event).text) || tellsSound.test(noteAt(night, sequel).text)

/** The occasions on which the one came and the other followed. */
const heldOf = (night: Night, { occasions }: Sequence): Sequence['occasions'] =>
  occasions.filter((occasion) => !isOff(night, occasion))

function sequenceThought(night: Night, sequence: Sequence): Thought {
  const { occasions, without, reasons } = sequence
  const off = occasions.find((occasion) => isOff(night, occasion))
  const held = heldOf(night, sequence)
  const [example, second = example] = held
  const told = (position = 0): string => passage(noteAt(night, position).text, [], 110)
  const within = lagOf(
    Math.max(...held.map(([event, sequel]) => noteAt(night, sequel).at - noteAt(night, event).at)),
  )
  const share =
    without === 0 ? '' : `, and ${without === 1 ? 'once' : `${inWords(without)} times`} without it`
  const exception =
    off === undefined
      ? ''
      : ` Once ${callsOff.test(noteAt(night, off[0]).text) ? 'it seems to have been called off' : 'nothing seems to have gone wrong'}: ${told(off[0])}, then ${told(off[1])}.`
  return {
    kind: 'recurrence',
    signal: 0.9,
    sourceMemoryIds: idsOf(night, occasions.flat()),
    thought: `${capitalise(inWords(held.length))} times (${listed(
      night,
      held.map(([, sequel]) => sequel),
    )}) one thing came within ${within} of another${share}: first ${told(example?.[0])}, then ${told(example?.[1])}; again ${told(second?.[0])}, then ${told(second?.[1])}.${exception} The one may lead to the other: before the next time, warn those it hits (\`brain flag\`) and watch whether it happens again.`,
    reasons: [...reasons],
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
      `${theme.positions.length} notes on ${countDays(night, theme.positions)} days tell of trouble with “${label}”`,
    ],
  }
}

/** Themes that each time came soon after another one. */
function* sequencesIn(
  night: Night,
  { themes, all }: { themes: readonly Theme[]; all: readonly Moment[] },
): Generator<undefined, Sequence[]> {
  const rare = themes
    .filter((theme) => theme.positions.length <= maxInSequence && coheres(night, theme))
    .map((theme) => ({ theme, moments: theme.positions.map((position) => momentOf(night, position)) }))
  const leastObservers = Math.min(2, new Set(night.input.notes.map(({ agent }) => agent)).size)
  const found: { event: Theme; effect: Theme; following: Following }[] = []
  let tried = 0
  for (const effect of rare) {
    yield
    const happens = effect.theme.positions.filter((position) => !plans(night, position)).length
    if (happens * 2 <= effect.theme.positions.length) continue
    for (const event of rare) {
      if (event.theme.positions.some((position) => effect.theme.positions.includes(position))) continue
      tried += 1
      const following = follows(effect.moments, event.moments, all)
      if (following.pairs.length < fewestNotes) continue
      const earlier = new Set(following.pairs.map(([, at]) => at))
      // What both do every week they do by the calendar.
      const weekdays = new Set([...earlier].map((at) => event.moments[at]?.weekday))
      // One author's rhythm makes sequences of whatever that author writes about.
      const observers = new Set(
        following.pairs.map(([at]) => noteAt(night, effect.theme.positions[at] ?? 0).agent),
      )
      if (earlier.size >= fewestNotes && weekdays.size > 1 && observers.size >= leastObservers)
        found.push({ effect: effect.theme, event: event.theme, following })
    }
  }
  return found.flatMap(({ event, effect, following }) => {
    if (following.chance * tried >= mostChance(night, effect)) return []
    if (![effect, event].some((theme) => coheres(night, theme, 'middle'))) return []
    const occasions = following.pairs.map(
      ([later, earlier]) => [event.positions[earlier] ?? 0, effect.positions[later] ?? 0] as const,
    )
    const within = lagOf(following.lags[1])
    return {
      occasions,
      without: effect.positions.length - occasions.length,
      worth: 3 - following.chance,
      reasons: [
        `${occasions.length} of ${effect.positions.length} times within ${within}, after ${new Set(following.pairs.map(([, at]) => at)).size} of ${event.positions.length}`,
        `by chance in ${toShare(following.chance * tried)} of nights, all ${tried} pairs of themes counted`,
      ],
    }
  })
}

/** Rows of occasions in ever other words, likely enough to be told. */
function* rowsIn(night: Night): Generator<undefined, Sequence[]> {
  const found = yield* sequencesOf(night, likely)
  return found.flatMap(({ events, sequels, probability }) => {
    if (!goesWrong(night, sequels) || areReports(night, sequels, 1)) return []
    const occasions = events.map((event, at) => [event, sequels[at] ?? 0] as const)
    return {
      occasions,
      without: 0,
      worth: 2 + probability,
      reasons: [
        `${occasions.length} times notes alike were followed by others that are alike, after about as long`,
        `${percent(probability)} likely more than chance, by how alike, how regular and how often without each other`,
      ],
    }
  })
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
    if (countDays(night, theme.positions) < minForSlot) continue
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
    if (slot.chance * tried > falseAlarm || !coheres(night, theme)) continue
    if (!isTrouble(night, theme.positions) || areReports(night, theme.positions, 1)) continue
    if (!goesWrong(night, theme.positions)) continue
    thoughts.push({ thought: slotThought(night, theme, { slot, tried }), worth: 2 - slot.chance })
  }
  for (const sequence of [...(yield* sequencesIn(night, { themes, all })), ...(yield* rowsIn(night))]) {
    if (heldOf(night, sequence).length < fewestNotes) continue
    thoughts.push({ thought: sequenceThought(night, sequence), worth: sequence.worth })
  }
  const newest = dayOf(night, concordance.notes.length - 1)
  for (const theme of themes) {
    yield
    const positions = theme.positions.filter(
      (position) =>
        newest - dayOf(night, position) <= troubleWindow &&
        isFault(night, position) &&
        !isLogLine(noteAt(night, position).text),
    )
    if (
      theme.term === undefined ||
      positions.length < fewestNotes ||
      positions.length < theme.positions.length * 0.75 ||
      areReports(night, positions, 2) ||
      !goesWrong(night, positions) ||
      countDays(night, positions) < fewestNotes
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
