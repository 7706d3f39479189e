/**
 * Moments as people and scripts write them: a day, a time, or how long ago or ahead. Days are in UTC, as timestamps
 * are; the same text and clock always give the same moment.
 */
import { indexOfMonth, weekdayNames } from './calendar-words.ts'
import { msPerDay, msPerHour, msPerMinute, msPerWeek } from './durations.ts'
import { isCalendarDay, toInstant } from './instant.ts'

const units = { m: msPerMinute, h: msPerHour, d: msPerDay, w: msPerWeek } as const

const span = /^(\d{1,6})([mhdw])$/
const date = /^\d{4}-\d{2}-\d{2}$/
/** "31 January 2026", "Jan 31", "31st of January". */
const spelt =
  /^(?:(?<day>\d{1,2})(?:st|nd|rd|th)?(?: of)? (?<month>[a-z]+)|(?<name>[a-z]+) (?<number>\d{1,2})(?:st|nd|rd|th)?),?(?: (?<year>\d{4}))?$/
const time = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/

/** The accepted forms, for error messages and help. */
export const momentForms =
  'a date (2026-01-31, 31 January), a time with its offset, yesterday, last friday, last month, or how long ago (3d, 2w)'

/** The same for moments to come. */
export const comingForms =
  'a date (2026-01-31, 31 January), a time with its offset, tomorrow, next friday, next month, or how far ahead (3d, 2w)'

/** The first and last millisecond that a text refers to, since the epoch. */
export interface Moment {
  readonly first: number
  readonly last: number
}

/** The first and the last millisecond that a timestamp can name, since the epoch: it has four digits for a year. */
export const firstMoment = Date.parse('0000-01-01T00:00:00.000Z')
export const lastMoment = Date.parse('9999-12-31T23:59:59.999Z')

const namedDays = ['yesterday', 'today', 'tomorrow']
const steps: Readonly<Record<string, number>> = { last: -1, this: 0, next: 1 }

/** The moment that a text means; undefined if it is not understood. Spans are counted back from `now`. */
export const momentOf = (text: string, now: number): Moment | undefined => readMoment(text, now, -1)

/** The same for future moments: spans are counted from `now`, and those in days or weeks last until the end of their day. */
export const comingMomentOf = (text: string, now: number): Moment | undefined =>
  until(readMoment(text, now, 1))

const until = (moment: Moment | undefined): Moment | undefined =>
  moment !== undefined && moment.last <= lastMoment ? moment : undefined

/** Length of a span in milliseconds: `3d`, `2w`; undefined if the text is not one. */
export function spanOf(text: string): number | undefined {
  const [, count, unit] = span.exec(text.trim().toLowerCase()) ?? []
  return count === undefined ? undefined : Number(count) * units[unit as keyof typeof units]
}

function readMoment(text: string, now: number, direction: 1 | -1): Moment | undefined {
  const word = text.trim().toLowerCase()
  const named = periodOf(word, Math.floor(now / msPerDay) * msPerDay)
  if (named !== undefined) return named
  const length = spanOf(word)
  if (length !== undefined) {
    const at = now + direction * length
    // Who says two weeks means that day; what has been is looked back on from this very moment.
    const whole = direction === 1 && /[dw]$/.test(word)
    return { first: at, last: whole ? wholeDay(Math.floor(at / msPerDay) * msPerDay).last : at }
  }
  const day = speltDay(word, now, direction)
  if (day !== undefined) return wholeDay(day)
  const upper = text.trim().toUpperCase()
  const at = date.test(upper) || time.test(upper) ? Date.parse(upper) : Number.NaN
  if (Number.isNaN(at) || !isCalendarDay(upper)) return undefined
  return date.test(upper) ? wholeDay(at) : { first: at, last: at }
}

/** The start of a day in words; without a year the nearest in a direction, today included. Undefined where there is no such. */
function speltDay(words: string, now: number, direction: 1 | -1): number | undefined {
  const { day, month, name, number, year } = spelt.exec(words.replace(/\s+/g, ' '))?.groups ?? {}
  const at = indexOfMonth(month ?? name ?? '')
  if (at === -1) return undefined
  const today = Math.floor(now / msPerDay) * msPerDay
  const thisYear = toInstant(now).getUTCFullYear()
  // The 29th of February is some years away.
  const years =
    year === undefined ? Array.from({ length: 9 }, (_, away) => thisYear + direction * away) : [Number(year)]
  return years
    .map((one) => ({ start: Date.UTC(one, at, Number(day ?? number)), one }))
    .find(
      ({ start, one }) =>
        toInstant(start).getUTCMonth() === at &&
        toInstant(start).getUTCFullYear() === one &&
        (year !== undefined || (start - today) * direction >= 0),
    )?.start
}

/** The day, week (from Monday), month or year that words name, seen from the day that begins at `today`. */
function periodOf(words: string, today: number): Moment | undefined {
  if (namedDays.includes(words)) return wholeDay(today + (namedDays.indexOf(words) - 1) * msPerDay)
  const [, which = '', what = ''] = /^(last|this|next)\s+([a-z]+)$/.exec(words) ?? []
  const step = steps[which] ?? 0
  const day = toInstant(today)
  const [year, month, weekday] = [day.getUTCFullYear(), day.getUTCMonth(), day.getUTCDay()]
  const monday = today - ((weekday + 6) % 7) * msPerDay
  if (what === 'week') return between(monday + step * msPerWeek, monday + (step + 1) * msPerWeek)
  if (what === 'month') return between(Date.UTC(year, month + step), Date.UTC(year, month + step + 1))
  if (what === 'year') return between(Date.UTC(year + step, 0), Date.UTC(year + step + 1, 0))
  const wanted = weekdayNames.findIndex((name) => name.toLowerCase() === what)
  // "This Friday" may have been or be to come.
  if (wanted === -1 || step === 0) return undefined
  const days = ((step * (wanted - weekday) + 13) % 7) + 1
  return wholeDay(today + step * days * msPerDay)
}

const between = (first: number, next: number): Moment => ({ first, last: next - 1 })

const wholeDay = (start: number): Moment => ({ first: start, last: start + msPerDay - 1 })

/** Whether a moment is the last one of its day. */
export const endsDay = (at: number): boolean => (at + 1) % msPerDay === 0

/** Days as people read them, of ISO dates, both inclusive: null where there is no bound; `yearly` ones are of any year. */
export function daysInWords({
  from,
  to,
  yearly,
}: {
  readonly from: string | null
  readonly to: string | null
  readonly yearly: boolean
}): string {
  const [first, last] = [from, to].map((date) => (yearly ? date?.slice(5) : date))
  if (first == null) return last == null ? 'any time' : `all up to ${last}`
  if (last == null) return `all from ${first}`
  return `${first === last ? first : `${first} to ${last}`}${yearly ? ' of any year' : ''}`
}
