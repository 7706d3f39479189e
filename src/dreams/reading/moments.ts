/**
 * When what a note tells of happened: at the hour that it names, on the day before where it says so, else when it was noted.
 * Whoever keeps a log alone writes it up at one time of the day, whatever happened when.
 */
import { weekdayOf } from '../../core/calendar-words.ts'
import { clockTimesOf, morningHour } from '../../core/quantities/clock.ts'
import { type Night, noteAt, perNote } from './material.ts'
import type { Moment } from './pattern.ts'
import { localDay, localHour } from './wording.ts'

/** Of more times of day none is the one of what is told. */
const mostTimes = 2
const secondsInHour = 3_600

/** Behind a time of day: it is of the second half. */
const later = /^\s*(?:o'clock\s*)?(?:(?:in|of) the (?:afternoon|evening)|at night|last night|tonight)\b/i

/** The hour of the day, 0..24, that a text names first for what was over when it was noted; undefined without one. */
function toldHour(text: string, noted: number): number | undefined {
  const times = clockTimesOf(text)
  const [first] = times
  if (first === undefined || times.length > mostTimes) return undefined
  const hour = first.value / secondsInHour
  // "Twenty to eleven", noted at eleven in the evening, is of that evening; noted in the morning of the one before.
  const isLate = later.test(text.slice(first.end)) || hour + 12 <= noted || hour > noted
  return first.eitherHalf && hour < 12 && isLate ? hour + 12 : hour
}

function daysBefore(text: string, hour: number | undefined): number {
  if (/\byesterday\b/i.test(text)) return 1
  return /\blast night\b/i.test(text) && (hour === undefined || hour >= morningHour) ? 1 : 0
}

export type MomentOf = (night: Night, position: number) => Moment

/** When a note was made. */
export const notedAt = perNote((night: Night, position: number): Moment => {
  const { at } = noteAt(night, position)
  const day = localDay(at, night.input.timeZone).number
  return { at, day, weekday: weekdayOf(day), hour: localHour(at, night.input.timeZone) }
})

/** When what a note tells of happened. */
export const happenedAt = perNote((night: Night, position: number): Moment => {
  const noted = notedAt(night, position)
  const { text } = noteAt(night, position)
  const told = toldHour(text, noted.hour)
  const day = noted.day - daysBefore(text, told)
  return { ...noted, day, weekday: weekdayOf(day), hour: told ?? noted.hour, isTold: told !== undefined }
})
