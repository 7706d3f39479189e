/** How a recurrence is told: crowded weekdays and hours, one thing after another, trouble that keeps coming back. */

import { weekdayNames } from '../../core/calendar-words.ts'
import { counted } from '../../core/counts.ts'
import { msPerHour, msPerMinute } from '../../core/durations.ts'
import { logistic } from '../../core/logistic.ts'
import { callsOff, tellsSound } from '../reading/cues.ts'
import { dayOf, isTelling, type Night, noteAt, sharedTerms } from '../reading/material.ts'
import type { MomentOf } from '../reading/moments.ts'
import { focusStart } from '../reading/pairs.ts'
import type { Slot } from '../reading/pattern.ts'
import { faultOfSentence } from '../reading/roles.ts'
import { countDays, labelOf, type Theme } from '../reading/themes.ts'
import {
  byAgents,
  capitalise,
  enumerate,
  inWords,
  passage,
  percent,
  quote,
  tellDate,
  tellDay,
} from '../reading/wording.ts'
import type { Thought } from '../thought.ts'

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

const idsOf = (night: Night, positions: readonly number[]): number[] => [
  ...new Set(positions.map((position) => noteAt(night, position).id)),
]

/** Of a note of a theme, the sentence that names what the theme is about. */
function quoteOf(night: Night, { positions, term }: Theme, at: number): string {
  const { concordance } = night
  const [position = 0] = positions.slice(at)
  const named = new Set(term === undefined ? [] : [concordance.termAt(term)])
  return quote(noteAt(night, position).text, named, 100)
}

export function slotThought(
  night: Night,
  theme: Theme,
  { slot, tried }: { slot: Slot; tried: number },
): Thought {
  const name = weekdayNames[slot.weekday] ?? ''
  const label = labelOf(night, theme.positions)
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

const hourNamed = (hour: number): string => {
  const minutes = Math.round(hour * 12) * 5
  return `${Math.floor(minutes / 60) % 24}:${String(minutes % 60).padStart(2, '0')}`
}
/** Of a note that is quoted for the trouble in it, UTF-16 code units. */
const longestQuote = 130

/** When notes came: all on one weekday, 0 is Sunday, all at about an hour of the day, 0..24, or both. */
export interface When {
  readonly weekday: number | undefined
  readonly hour: number | undefined
}

/** Trouble that is read as the same: of so many notes of it these came at one time. */
export function crowdThought(
  night: Night,
  positions: readonly number[],
  {
    when: { weekday, hour },
    momentOf,
    of,
    odds,
  }: { when: When; momentOf: MomentOf; of: number; odds: number },
): Thought {
  const days = new Set(positions.map((position) => tellDate(momentOf(night, position).day, night.telling)))
  const day = weekday === undefined ? undefined : (weekdayNames[weekday] ?? '')
  const time = [
    ...(day === undefined ? [] : [`on a ${day}`]),
    ...(hour === undefined ? [] : [`at about ${hourNamed(hour)}`]),
  ].join(' ')
  const told = (position = 0): string =>
    passage(
      noteAt(night, position).text,
      (sentence) => faultOfSentence(night, position, sentence),
      longestQuote,
    )
  return {
    kind: 'recurrence',
    signal: 0.8,
    sourceMemoryIds: idsOf(night, positions),
    thought: `Trouble that reads alike came ${inWords(positions.length)} times ${time} (${enumerate([...days])}): from ${told(positions[0])} to ${told(positions.at(-1))}. Look at what else happens ${day === undefined ? 'at that hour' : `on ${day}s or the evening before`}.`,
    reasons: [
      `${positions.length} of ${of} notes of it came ${time}`,
      `read together, two of them are the same trouble with a probability of ${percent(logistic(odds))}`,
    ],
  }
}

export const toShare = (chance: number): string =>
  `${chance < 0.001 ? 'less than 0.1' : (chance * 100).toFixed(1)} %`

export interface Sequence {
  /** Positions of what came first and of what followed it, an occasion each. */
  readonly occasions: readonly (readonly [event: number, sequel: number])[]
  /** Sequels of the sort that came without an event before them. */
  readonly without: number
  readonly worth: number
  readonly reasons: readonly string[]
}

export const lagOf = (milliseconds: number): string =>
  milliseconds < 90 * msPerMinute
    ? counted(Math.max(1, Math.round(milliseconds / msPerMinute)), 'minute')
    : counted(Math.round(milliseconds / msPerHour), 'hour')

/** Whether, of an occasion, what comes first was called off, or what follows tells that nothing went wrong. */
const isOff = (night: Night, [event, sequel]: readonly [number, number]): boolean =>
  callsOff.test(noteAt(night, event).text) || tellsSound.test(noteAt(night, sequel).text)

/** The occasions on which the one came and the other followed. */
export const heldOf = (night: Night, { occasions }: Sequence): Sequence['occasions'] =>
  occasions.filter((occasion) => !isOff(night, occasion))

export function sequenceThought(night: Night, sequence: Sequence): Thought {
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

export function troubleThought(night: Night, theme: Theme): Thought {
  const [first = 0] = theme.positions
  const label = labelOf(night, theme.positions)
  const by = byAgents(theme.positions.map((position) => noteAt(night, position)))
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
