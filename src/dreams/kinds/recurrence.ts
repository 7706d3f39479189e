/**
 * Recurrences: what happens repeatedly at one time of the week, or each time after the same kind of event, by a test
 * of chance corrected for everything tested; and trouble that keeps coming back. A recurring word is no recurrence,
 * and daily notes are routine.
 */

import { logistic } from '../../core/logistic.ts'
import { tellsTrouble, troubleOf } from '../reading/cues.ts'
import { spansOf } from '../reading/days.ts'
import { areReports, dayOf, type Night, noteAt } from '../reading/material.ts'
import { happenedAt, type MomentOf, notedAt } from '../reading/moments.ts'
import { focusStart } from '../reading/pairs.ts'
import {
  areSameHour,
  areSameToldHour,
  crowdedSlot,
  type Following,
  follows,
  type Moment,
  type Slot,
  tail,
} from '../reading/pattern.ts'
import { isLogLine } from '../reading/reports.ts'
import { faultOdds } from '../reading/roles.ts'
import { sequencesOf } from '../reading/sequences.ts'
import { readInRow } from '../reading/standings.ts'
import { coheres, countDays, fewestNotes, minForSlot, type Theme, themesOf } from '../reading/themes.ts'
import { groupsBy } from '../reading/ties.ts'
import { localDay, percent } from '../reading/wording.ts'
import type { Thought } from '../thought.ts'
import {
  crowdThought,
  heldOf,
  lagOf,
  type Sequence,
  sequenceThought,
  slotThought,
  toShare,
  troubleThought,
  type When,
} from './recurrence-thoughts.ts'

/** Maximum probability of any false pattern in a night, over everything tested. */
const falseAlarm = 0.05
/** The same for one theme that follows another: there are far more pairs of them than slots in a week. */
const falseSequence = 0.01
/** And where, by their words alone, nothing that follows tells of trouble. */
const falseRoutine = 0.003
/** The probability from which a row of occasions is told. */
const likely = 0.4
/** The mean log odds from which notes tell of what goes wrong: those of 16 planted groups in 21 brains do, of routine few. */
const leastFault = -1.75
/** The mean log odds, of each with the next, at which a reader takes notes for one trouble. */
const readAsAgain = -2.8
/** The share of the notes of one trouble that came at one time, at least; and where they came week after week. */
const mostOfGroup = 0.7
const mostOfWeekly = 0.6
/** On how many days at least what comes at one hour of any day does so. */
const fewestOfHour = 4
/** However much of a brain is written at one hour. */
const mostUsual = 0.95
/** Notes by which a time of the week may be fewer than one of the day, or a weekday. */
const timeOfWeek = 1.5
/** A theme of more notes than this follows anything. */
const maxInSequence = 8
const troubleWindow = 45
const daysInWeek = 7

/** Trouble, and not the week's business: a queue, or what is sold out. */
const isFault = (night: Night, position: number): boolean => {
  const { text } = noteAt(night, position)
  return tellsTrouble(text) && !/^(?:delay|grief)$/.test(troubleOf(text) ?? '')
}

/** Whether notes tell of what goes wrong, as a reader sees them: what is as it should be follows each other all the time. */
const goesWrong = (night: Night, positions: readonly number[]): boolean =>
  night.input.reader === undefined || faultIn(night, positions) >= leastFault

/** The mean log odds that notes tell of what goes wrong. */
const faultIn = (night: Night, positions: readonly number[]): number =>
  positions.reduce((sum, position) => sum + faultOdds(night, position), 0) / positions.length

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

/** Whether a reader takes notes for one trouble that comes again; undefined where nobody reads. */
function isReadAsAgain(night: Night, positions: readonly number[]): boolean | undefined {
  const read = readInRow(night, positions, 'again')
  return read === undefined ? undefined : read >= readAsAgain
}

/** The same; where nobody reads, by their words. */
const isOneTrouble = (night: Night, positions: readonly number[]): boolean =>
  isReadAsAgain(night, positions) ?? isTrouble(night, positions)

/** By how many agents notes were made; and by how many what recurs must have been noted: two, where there are. */
const observersOf = (night: Night, positions: readonly number[]): number =>
  new Set(positions.map((position) => noteAt(night, position).agent)).size
const leastObservers = ({ input }: Night): number =>
  Math.min(2, new Set(input.notes.map(({ agent }) => agent)).size)

/** A note for a day that lies ahead: its own time says when it was planned, not what led to it. */
function plans(night: Night, position: number): boolean {
  const { text, at } = noteAt(night, position)
  const made = localDay(at, night.input.timeZone)
  return spansOf(text, made).some(({ from }) => from > made.number)
}

/** Themes that each time came soon after another one. */
function* sequencesIn(
  night: Night,
  { themes, all }: { themes: readonly Theme[]; all: readonly Moment[] },
): Generator<undefined, Sequence[]> {
  const rare = themes
    .filter((theme) => theme.positions.length <= maxInSequence && coheres(night, theme))
    .map((theme) => ({ theme, moments: theme.positions.map((position) => notedAt(night, position)) }))
  const fewestObservers = leastObservers(night)
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
      const observers = observersOf(
        night,
        following.pairs.map(([at]) => effect.theme.positions[at] ?? 0),
      )
      if (earlier.size >= fewestNotes && weekdays.size > 1 && observers >= fewestObservers)
        found.push({ effect: effect.theme, event: event.theme, following })
    }
  }
  return found.flatMap(({ event, effect, following }) => {
    const chance = following.chance * tried
    if (chance >= falseSequence || ![effect, event].some((theme) => coheres(night, theme, 'middle')))
      return []
    // Last, since it reads the notes.
    if (chance >= mostChance(night, effect)) return []
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
        `by chance in ${toShare(chance)} of nights, all ${tried} pairs of themes counted`,
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

/** Whether days follow each other week by week. */
const areWeekly = (days: readonly number[]): boolean =>
  days
    .toSorted((a, b) => a - b)
    .every((day, at, sorted) => at === 0 || day - (sorted[at - 1] ?? 0) === daysInWeek)

interface Time {
  readonly when: When
  /** Of the notes that came then. */
  readonly positions: readonly number[]
  readonly momentOf: MomentOf
}

/** When most of some notes came: on a weekday, or at about an hour; undefined where they came at any. */
function timeOf(
  night: Night,
  { positions, all, momentOf }: { positions: readonly number[]; all: readonly number[]; momentOf: MomentOf },
): Time | undefined {
  const placed = positions.map((position) => ({ position, ...momentOf(night, position) }))
  const sets = placed.flatMap((one) => {
    const onDay = placed.filter(({ weekday }) => weekday === one.weekday)
    const near = placed.filter(({ hour }) => areSameHour(hour, one.hour))
    const both = onDay.filter((other) => near.includes(other))
    return [
      { notes: onDay, worth: onDay.length },
      { notes: near, worth: near.length },
      // One time of the week says more than one of the day.
      { notes: both, worth: both.length + timeOfWeek },
    ]
  })
  const held = sets.reduce((a, b) => (b.worth > a.worth ? b : a)).notes
  const middle = held.map(({ hour }) => hour).sort((a, b) => a - b)[Math.floor(held.length / 2)] ?? 0
  const weekday = held.every((one) => one.weekday === held[0]?.weekday) ? held[0]?.weekday : undefined
  const hour = held.every((one) => areSameHour(one.hour, middle)) ? middle : undefined
  const days = new Set(held.map(({ day }) => day)).size
  // Who names the hour means it.
  const areTold = placed.some((one) => held.every((other) => areSameToldHour(one, other)))
  // Hours that some name and at which others were noted say little together.
  const isMixed = momentOf === happenedAt && !areTold
  if (weekday === undefined) {
    if (isMixed) return undefined
    // What a brain is always written at is no hour of anything.
    const isThen = (position: number): boolean =>
      hour !== undefined && areSameHour(momentOf(night, position).hour, hour)
    const usual = all.filter(isThen).length / all.length
    if (tail(positions.length, held.length, Math.min(mostUsual, usual)) > falseAlarm) return undefined
  }
  const fewest = weekday === undefined && !areTold ? fewestOfHour : fewestNotes
  const share = hour !== undefined && areWeekly(held.map(({ day }) => day)) ? mostOfWeekly : mostOfGroup
  return days >= fewest && held.length >= positions.length * share
    ? { when: { weekday, hour }, positions: held.map(({ position }) => position), momentOf }
    : undefined
}

/** Trouble in ever other words that comes at one time of the week or of the day. */
function* groupsIn(
  night: Night,
  all: readonly number[],
): Generator<undefined, { thought: Thought; worth: number }[]> {
  const groups = yield* groupsBy(night, 'again')
  return groups.flatMap(({ positions, odds }) => {
    if (!goesWrong(night, positions) || areReports(night, positions, 1)) return []
    if (observersOf(night, positions) < leastObservers(night)) return []
    // What is noted at any time may have happened at one.
    const time =
      timeOf(night, { positions, all, momentOf: notedAt }) ??
      timeOf(night, { positions, all, momentOf: happenedAt })
    if (time === undefined) return []
    const thought = crowdThought(night, time.positions, { ...time, of: positions.length, odds })
    return [{ thought, worth: 1 + logistic(odds) }]
  })
}

/**
 * Trouble that came at one time of the week: only what may be told by what it says counts as tried. What notes tell is read
 * last, since that takes long.
 */
function* slotsIn(
  night: Night,
  { themes, all }: { themes: readonly Theme[]; all: readonly Moment[] },
): Generator<undefined, { thought: Thought; worth: number }[]> {
  const found: { theme: Theme; slot: Slot }[] = []
  const possible: Theme[] = []
  for (const [at, theme] of themes.entries()) {
    const { positions } = theme
    if (at % 50 === 0) yield
    if (countDays(night, positions) < minForSlot || !coheres(night, theme)) continue
    if (areReports(night, positions, 1)) continue
    possible.push(theme)
    const slot = crowdedSlot(
      positions.map((position) => notedAt(night, position)),
      all,
    )
    if (slot !== undefined && slot.chance <= falseAlarm && goesWrong(night, positions))
      found.push({ theme, slot })
  }
  if (found.length === 0) return []
  const leastChance = Math.min(...found.map(({ slot }) => slot.chance))
  let tried = 0
  for (const { positions } of possible) {
    yield
    if (goesWrong(night, positions)) tried += 1
    // Chance explains even the least probable of them: the rest need not be read.
    if (leastChance * tried > falseAlarm) return []
  }
  // What is to be done on a weekday comes on it: only trouble that does is news.
  return found
    .filter(({ theme, slot }) => slot.chance * tried <= falseAlarm && isOneTrouble(night, theme.positions))
    .map(({ theme, slot }) => ({
      thought: slotThought(night, theme, { slot, tried }),
      worth: 2 - slot.chance,
    }))
}

/** Patterns in time and recurring trouble, in no particular order; of two that share notes the more certain one. */
export function* recurrences(night: Night): Generator<undefined, Thought[]> {
  const { concordance } = night
  const themes = yield* themesOf(night)
  const all: Moment[] = []
  const positionsInFocus: number[] = []
  for (let position = focusStart(concordance); position < concordance.notes.length; position += 1) {
    positionsInFocus.push(position)
    all.push(notedAt(night, position))
    if (position % 200 === 0) yield
  }
  const thoughts: { thought: Thought; worth: number }[] = []
  thoughts.push(...(yield* slotsIn(night, { themes, all })))
  for (const sequence of [...(yield* sequencesIn(night, { themes, all })), ...(yield* rowsIn(night))]) {
    const held = heldOf(night, sequence).map(([, sequel]) => sequel)
    if (held.length < fewestNotes || isReadAsAgain(night, held) === false) continue
    thoughts.push({ thought: sequenceThought(night, sequence), worth: sequence.worth })
  }
  thoughts.push(...(yield* groupsIn(night, positionsInFocus)))
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
