/**
 * Civil days as numbers, ranges of them, and the days and seasons that have names. Knows the Gregorian calendar; refuses to know
 * hours, zones and whose question it is.
 */

import { weekdayOf } from '../core/calendar-words.ts'
import { msPerDay } from '../core/durations.ts'
import { toInstant } from '../core/instant.ts'

/** A day counted from 1 January 1970. */
export type Day = number

/** As an ISO date. */
export const toDate = (day: Day): string =>
  toInstant(day * msPerDay)
    .toISOString()
    .slice(0, 10)

/** Months from 1 to 12; days beyond the month's end go on into the next. */
export const toDay = (year: number, month: number, day: number): Day =>
  Math.floor(Date.UTC(year, month - 1, day) / msPerDay)

/** The same; undefined where the month has no such day. */
export const existingDay = (year: number, month: number, day: number): Day | undefined =>
  day >= 1 && day <= daysIn(year, month) ? toDay(year, month, day) : undefined

/** The local civil day of a moment, in milliseconds since the epoch. */
export function localDay(moment: number): Day {
  const date = new Date(moment)
  return toDay(date.getFullYear(), date.getMonth() + 1, date.getDate())
}

/** When a civil day begins here, in milliseconds since the epoch. */
export const beginOf = (day: Day): number =>
  new Date(yearOf(day), monthOf(day) - 1, new Date(day * msPerDay).getUTCDate()).getTime()

export const yearOf = (day: Day): number => new Date(day * msPerDay).getUTCFullYear()
export const monthOf = (day: Day): number => new Date(day * msPerDay).getUTCMonth() + 1

/** Monday of the week of a day. */
export const monday = (day: Day): Day => day - ((weekdayOf(day) + 6) % 7)

export const daysIn = (year: number, month: number): number =>
  toDay(year, month + 1, 1) - toDay(year, month, 1)

/** Days from `from` to `to`, both inclusive. */
export interface Span {
  readonly from: Day
  readonly to: Day
  /** Whether the text gave no year: the range then applies to every year. */
  readonly yearly: boolean
  /** One end is not told: the range reaches to the clock, or from the beginning. */
  readonly open?: true
  /** What comes in these days is asked about, and not what was written then. */
  readonly ahead?: boolean
  /** Its days the given number of years later, where those are not the same dates: of Easter, say. */
  readonly turn?: ((years: number) => Days) | undefined
}

export type Days = Pick<Span, 'from' | 'to'>

/** A range the given number of years later: the same dates, or those of a movable day. */
export function moved({ from, to, turn }: Omit<Span, 'yearly'>, years: number): Days {
  if (turn !== undefined) return turn(years)
  const start = new Date(from * msPerDay)
  const shifted = toDay(start.getUTCFullYear() + years, start.getUTCMonth() + 1, start.getUTCDate())
  return { from: shifted, to: shifted + (to - from) }
}

/** Easter Sunday by the anonymous Gregorian computus (Meeus, Astronomical Algorithms, ch. 8). */
export function easterOf(year: number): Day {
  const a = year % 19
  const b = Math.floor(year / 100)
  const c = year % 100
  const h = (19 * a + b - Math.floor(b / 4) - Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3) + 15) % 30
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7
  const m = Math.floor((a + 11 * h + 22 * l) / 451)
  const month = Math.floor((h + l - 7 * m + 114) / 31)
  return toDay(year, month, ((h + l - 7 * m + 114) % 31) + 1)
}

/** The nth such weekday of a month, from 1; -1 is the last. */
function nthWeekday(year: number, month: number, [nth, weekday]: readonly [number, number]): Day {
  if (nth < 0) {
    const last = toDay(year, month + 1, 1) - 1
    return last - ((weekdayOf(last) - weekday + 7) % 7)
  }
  const first = toDay(year, month, 1)
  return first + ((weekday - weekdayOf(first) + 7) % 7) + 7 * (nth - 1)
}

/** Monday of a week by ISO 8601. */
export function isoWeek(year: number, week: number): Day {
  const fourth = toDay(year, 1, 4)
  return monday(fourth) + 7 * (week - 1)
}

type OfYear = (year: number) => readonly [from: Day, to: Day]

/** Whether a named day has another date every year. */
export const isMovable = (of: OfYear): boolean =>
  toDate(of(2025)[0]).slice(4) !== toDate(of(2026)[0]).slice(4)

const on =
  (month: number, day: number, days = 1): OfYear =>
  (year) => [toDay(year, month, day), toDay(year, month, day) + days - 1]
const aroundEaster =
  (from: number, to = from): OfYear =>
  (year) => [easterOf(year) + from, easterOf(year) + to]
const onNth =
  (month: number, nth: number, weekday: number, later = 0): OfYear =>
  (year) => {
    const day = nthWeekday(year, month, [nth, weekday]) + later
    return [day, day]
  }

/** Named days and the regular expressions, lower case, that they are called by; the longer names first. */
export const namedDays: readonly (readonly [name: string, of: OfYear])[] = [
  ["new year'?s'? eve|hogmanay|silvester|old year'?s (?:day|night)", on(12, 31)],
  ["new year'?s? day|new year'?s", on(1, 1)],
  ['(?:the )?(?:turn of the year|new year)', (year) => [toDay(year - 1, 12, 30), toDay(year, 1, 3)]],
  ["epiphany|three kings(?:'? day)?|twelfth night", on(1, 6)],
  ['burns night', on(1, 25)],
  ['groundhog day', on(2, 2)],
  ["valentine'?s?(?:'? day)?", on(2, 14)],
  ['leap day', (year) => on(2, 29)(year - (year % 4))],
  ["st\\.? patrick'?s(?: day)?|saint patrick'?s(?: day)?", on(3, 17)],
  ["international women'?s day|women'?s day", on(3, 8)],
  ['pi day', on(3, 14)],
  ["april fools?'?(?: day)?|all fools'? day", on(4, 1)],
  ['earth day', on(4, 22)],
  ['walpurgis night', on(4, 30)],
  ["may day|labou?r day in europe|international workers'? day", on(5, 1)],
  ['star wars day', on(5, 4)],
  ['cinco de mayo', on(5, 5)],
  ["mother'?s day", onNth(5, 2, 0)],
  ['memorial day', onNth(5, -1, 1)],
  ["father'?s day", onNth(6, 3, 0)],
  ['juneteenth', on(6, 19)],
  ["midsummer(?:'?s)?(?: eve| day| night)?|summer solstice|longest day", on(6, 20, 5)],
  ['canada day', on(7, 1)],
  ['(?:the )?(?:fourth|4th) of july|independence day', on(7, 4)],
  ['bastille day', on(7, 14)],
  ['assumption(?: day)?', on(8, 15)],
  ['labou?r day', onNth(9, 1, 1)],
  ['michaelmas', on(9, 29)],
  ["columbus day|indigenous peoples'? day", onNth(10, 2, 1)],
  ['german unity day|day of german unity', on(10, 3)],
  ["halloween|hallowe'en|all hallows'? eve", on(10, 31)],
  ["all saints'?(?: day)?|all hallows'?(?: day)?", on(11, 1)],
  ["all souls'?(?: day)?|day of the dead", on(11, 2)],
  ['guy fawkes(?: night| day)?|bonfire night', on(11, 5)],
  ["armistice day|veterans'? day|remembrance day|martinmas|st\\.? martin'?s(?: day)?", on(11, 11)],
  ['thanksgiving(?: day)?', onNth(11, 4, 4)],
  ['black friday', onNth(11, 4, 4, 1)],
  ['cyber monday', onNth(11, 4, 4, 4)],
  ["st\\.? andrew'?s(?: day)?", on(11, 30)],
  ["st\\.? nicholas(?:'?s?)?(?: day)?", on(12, 6)],
  ["st\\.? lucia'?s?(?: day)?|lucia day", on(12, 13)],
  ['winter solstice|shortest day', on(12, 21, 2)],
  ['christmas eve', on(12, 24)],
  ["boxing day|st\\.? stephen'?s(?: day)?|second day of christmas", on(12, 26)],
  ['christmas day|xmas day', on(12, 25)],
  ['christmas(?:time)?|xmas|yuletide', on(12, 24, 3)],
  [
    'advent',
    (year) => [toDay(year, 12, 25) - ((weekdayOf(toDay(year, 12, 25)) || 7) + 21), toDay(year, 12, 24)],
  ],
  ['mardi gras|shrove tuesday|pancake day|fat tuesday', aroundEaster(-47)],
  ['rose monday', aroundEaster(-48)],
  ['ash wednesday', aroundEaster(-46)],
  ['carnival', aroundEaster(-52, -47)],
  ['palm sunday', aroundEaster(-7)],
  ['maundy thursday|holy thursday', aroundEaster(-3)],
  ['good friday', aroundEaster(-2)],
  ['easter monday', aroundEaster(1)],
  ['easter sunday', aroundEaster(0)],
  ['holy week', aroundEaster(-7, -1)],
  ['easter', aroundEaster(-2, 1)],
  ['ascension(?: day)?', aroundEaster(39)],
  ['whit monday|pentecost monday', aroundEaster(50)],
  ['whitsun|whit sunday|pentecost', aroundEaster(49, 50)],
  ['corpus christi', aroundEaster(60)],
]

/** Seasons of the northern half, as people and not astronomers part the year; winter is that which ends in the year. */
export const seasons: readonly (readonly [name: string, of: OfYear])[] = [
  ['spring(?:time)?', (year) => [toDay(year, 3, 1), toDay(year, 5, 31)]],
  ['summer(?:time)?', (year) => [toDay(year, 6, 1), toDay(year, 8, 31)]],
  ['autumn|fall', (year) => [toDay(year, 9, 1), toDay(year, 11, 30)]],
  ['winter(?:time)?', (year) => [toDay(year - 1, 12, 1), toDay(year, 3, 1) - 1]],
]
