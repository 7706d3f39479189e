/**
 * The calendar day that is meant by a day of a month, a weekday, or "the last Thursday of March", seen from the day of a note.
 * Knows numbers and names, and nothing of texts.
 */
import { indexOfMonth, indexOfWeekday, ordinals, weekdayOf } from '../../core/calendar-words.ts'
import { msPerDay } from '../../core/durations.ts'
import type { LocalDay } from './wording.ts'

/** A day as a text tells it. */
export interface Told {
  readonly day: number
  /** 0..11; undefined where the text names none. */
  readonly month: number | undefined
  readonly year: number | undefined
  /** The weekday that it is said to be. */
  readonly weekday: string | undefined
  /** Days from the day of the note, for "tomorrow" and bare weekdays. */
  readonly ahead: number | undefined
  readonly loose: boolean
}

/** Days from one weekday, 0 is Sunday, to the next one of a name: 1..7. */
export const daysUntil = (written: string, from: number): number =>
  ((indexOfWeekday(written) - from + 6) % 7) + 1

/** Months are counted from 0 and on into the next year; undefined where the month has no such day. */
export function numberOf(year: number, month: number, day: number): number | undefined {
  const at = new Date(Date.UTC(year, month, day))
  return at.getUTCDate() === day ? Math.floor(at.getTime() / msPerDay) : undefined
}

/** Months from that of the note in which a day without a month may lie. */
const nextMonths = [0, 1, 2, 3]

/**
 * The day meant: of the years or months possible the one that lies nearest ahead, of months such as it is the weekday in, if
 * there is one; undefined for 31 February.
 */
export function place({ day, month, year, weekday, ahead }: Told, made: LocalDay): number | undefined {
  if (ahead !== undefined) return made.number + ahead
  if (year !== undefined && month !== undefined) return numberOf(year, month, day)
  const [choices, earliest] =
    month === undefined
      ? [nextMonths.map((later) => numberOf(made.year, made.month - 1 + later, day)), made.number]
      : [[-1, 0, 1].map((later) => numberOf(made.year + later, month, day)), made.number - 75]
  const possible = choices.filter((number): number is number => number !== undefined && number >= earliest)
  const isMeant = (number: number): boolean =>
    month === undefined && weekday !== undefined && weekdayOf(number) === indexOfWeekday(weekday)
  return possible.find(isMeant) ?? possible[0]
}

/** That day of the month before: "the 27th to the 3rd of January". */
export function monthBefore(day: number, before: number): number | undefined {
  const date = new Date(day * msPerDay)
  return numberOf(date.getUTCFullYear(), date.getUTCMonth() - 1, before)
}

/** The weekday on which a stretch of days begins, 0 is Sunday, and how many days it lasts. */
const stretches = new Map<string, readonly [weekday: number, length: number]>([
  ['weekend', [6, 2]],
  ['week', [1, 7]],
])

/** The days of the "last Thursday of March", or of a weekend or week; undefined where the month has no such. */
export function nthOf(
  told: Readonly<Record<string, string | undefined>>,
  made: LocalDay,
): [number, number] | undefined {
  const { nth = '', what = '', month, near } = told
  const [weekdayMeant, length] = stretches.get(what.toLowerCase()) ?? [indexOfWeekday(what), 1]
  const [choices, earliest] =
    month === undefined
      ? [[[made.year, made.month - (near?.toLowerCase() === 'next' ? 0 : 1)] as const], made.number]
      : [[-1, 0, 1].map((later) => [made.year + later, indexOfMonth(month)] as const), made.number - 75]
  for (const [year, at] of choices) {
    const inMonth = Array.from({ length: 31 }, (_, day) => numberOf(year, at, day + 1)).filter(
      (number): number is number => number !== undefined && weekdayOf(number) === weekdayMeant,
    )
    const from = nth.toLowerCase() === 'last' ? inMonth.at(-1) : inMonth[ordinals.indexOf(nth.toLowerCase())]
    if (from !== undefined && from >= earliest) return [from, from + length - 1]
  }
  return undefined
}
