/** The hours between which something is on, as a text names them, and of which of its days. What days are is not known here. */
import { cardinals, monthForms, weekdayForms } from '../../core/calendar-words.ts'
import { betweenSentences } from '../../core/matters.ts'
import { earliestPlan, minutesOf, readTime } from '../../core/quantities/clock.ts'

/** What is no hour when it stands behind a number: "at 4 May". */
const days = [...monthForms, ...weekdayForms].flat().join('|')
const half = String.raw`(?:\s?[ap]\.?m\b)?`
const hour = String.raw`(?:[01]?\d|2[0-3])(?::[0-5]\d|\.[0-5]\d(?=\s?[ap]\.?m\b))?${half}|${cardinals.slice(1).join('|')}|noon|midday|midnight`
const noHour = String.raw`(?!\s*(?:st|nd|rd|th|%|euros?|of|${days}))`
const partNames = 'in the (?:early |late )?(?:morning|afternoon|evening)|at night'
/** An hour and the part of the day that it is said to be of. */
const time = String.raw`(${hour})(?![\w])${noHour}(?:\s+(${partNames}))?`
/** When something ends: at an hour, or in a part of the day. */
const end = String.raw`(?:\s*(?:and|to|till|until|-|–)\s*(?:about\s+)?(?:${time}|(?:the |late |early )*(afternoon|evening|night)\b))?`
const hoursPattern = new RegExp(
  [
    String.raw`\b(?:at|from|between|by|around|till|until)\s+${time}(?!\s*(?:and|to|till|until|-|–)\s*\d{1,2}\s*(?:${days})\b)${end}`,
    String.raw`\b(\d{1,2}:\d{2}${half})()${end}`,
    String.raw`\b(${hour})\s+(${partNames})${end}`,
  ].join('|'),
  'gi',
)
/** Minutes. */
const halfDay = 720
const dayEnd = 2 * halfDay
/** When a part of the day is over, in minutes of the day. */
const ends: Readonly<Record<string, number>> = { afternoon: 1_080, evening: 1_380, night: 1_439 }

/** Minutes of the day of a time as written, of the part of the day that is named with it; undefined if there is no such time. */
function minutesIn(written: string, partName = ''): number | undefined {
  const time = readTime(written)
  if (time === undefined || (time.minutes >= dayEnd && !time.hasHalf)) return undefined
  const { minutes, hasHalf } = time
  if (hasHalf) return Math.min(minutes, dayEnd - 1)
  // Zero is midnight, however late everything else is.
  if (partName === '') return minutes === 0 ? 0 : minutesOf(time, earliestPlan)
  const isNight = /night/i.test(partName)
  if (isNight && Math.floor(minutes / 60) === 12) return minutes - halfDay
  const isLate = /afternoon|evening/i.test(partName) || (isNight && minutes >= earliestPlan * 60)
  return isLate && minutes < halfDay ? minutes + halfDay : minutes
}

/** Minutes of the day. */
export type Hours = readonly [from: number, to: number]

/** Where a text names something, in UTF-16 code units. */
interface Place {
  readonly start: number
  readonly end: number
}

/** Hours with the place where a text names them. */
interface ToldHours extends Place {
  readonly hours: Hours
}

function readHours(match: RegExpExecArray): Hours | undefined {
  // Each way of writing them has five groups, of which only one has any.
  const [begin, beginPart, till, tillPart, tillTheEnd] =
    [0, 5, 10].map((first) => match.slice(first + 1, first + 6)).find(([written]) => written !== undefined) ??
    []
  const from = minutesIn(begin ?? '', beginPart)
  if (from === undefined) return undefined
  const to =
    tillTheEnd !== undefined
      ? ends[tillTheEnd.toLowerCase()]
      : till === undefined
        ? from + 60
        : minutesIn(till, tillPart)
  if (to === undefined) return undefined
  // "From six to two" begins in the morning.
  const begins = to <= from && from >= halfDay && to > from - halfDay ? from - halfDay : from
  // What ends the next morning is on for the rest of the day.
  return [begins, to > begins ? to : till === undefined ? begins + 60 : dayEnd]
}

/** The hours that a text names, in its order; an hour alone lasts an hour. */
export const hoursIn = (text: string): ToldHours[] =>
  [...text.matchAll(hoursPattern)].flatMap((match) => {
    const hours = readHours(match)
    return hours === undefined ? [] : [{ hours, start: match.index, end: match.index + match[0].length }]
  })

/** Between an hour and the day that it is of, though another day was named before: "at 14:00 on". */
const leads = /^\s+on\s+(?:the\s+)?$/i
/** Between two days of which both have the hours of either: "Tuesday 10 and Thursday 12 March at 18:00". */
const lists = /^(?:\s|,|&|\b(?:and|or|on)\b)*$/i

/**
 * Of which of the days hours are, and how surely, surest first: those led to a day, those behind one in its sentence, those in
 * front of one in its sentence, those of a sentence without a day.
 */
function dayOf(
  text: string,
  days: readonly Place[],
  { start, end }: Place,
): readonly [day: number, unsure: number] {
  const behind = days.findLastIndex((day) => day.start <= start)
  const [before, next] = [days[behind], days[behind + 1]]
  const after = next && text.slice(end, next.start)
  if (after !== undefined && leads.test(after)) return [behind + 1, 0]
  if (before !== undefined && !betweenSentences.test(text.slice(before.end, start))) return [behind, 1]
  if (after !== undefined && !betweenSentences.test(after)) return [behind + 1, 2]
  return before === undefined ? [0, 4] : [behind, 3]
}

/** The hours of each of the days that a text names, which come in its order; undefined where there are none. */
export function hoursOfEach(text: string, days: readonly Place[]): (Hours | undefined)[] {
  if (days.length === 0) return []
  const own: (Hours | undefined)[] = days.map(() => undefined)
  const found = hoursIn(text).map((told) => ({ hours: told.hours, of: dayOf(text, days, told) }))
  for (const { hours, of } of found.sort((a, b) => a.of[1] - b.of[1])) own[of[0]] ??= hours
  const areListed = (at: number): boolean => lists.test(text.slice(days[at]?.end, days[at + 1]?.start))
  for (let at = days.length - 2; at >= 0; at -= 1) if (areListed(at)) own[at] ??= own[at + 1]
  for (let at = 0; at < days.length - 1; at += 1) if (areListed(at)) own[at + 1] ??= own[at]
  return own
}
