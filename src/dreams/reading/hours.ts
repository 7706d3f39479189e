/** The hours between which something is on, as a text names them. Knows nothing of days. */
import { monthForms, weekdayForms } from '../../core/calendar-words.ts'
import { readTime } from '../../core/quantities/clock.ts'
import { numberWords } from './lexicon.ts'

/** What is no hour when it stands behind a number: "at 4 May". */
const days = [...monthForms, ...weekdayForms].flat().join('|')
const half = String.raw`(?:\s?[ap]\.?m\b)?`
const hour = String.raw`(?:[01]?\d|2[0-3])(?::[0-5]\d|\.[0-5]\d(?=\s?[ap]\.?m\b))?${half}|${[...numberWords.keys()].join('|')}|noon|midday|midnight`
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
  'i',
)
/** A bare hour before this one is of the afternoon: nobody plans for three at night without saying so. */
const earliest = 7
/** Minutes. */
const halfDay = 720
const dayEnd = 2 * halfDay
/** When a part of the day is over, in minutes of the day. */
const ends: Readonly<Record<string, number>> = { afternoon: 1_080, evening: 1_380, night: 1_439 }

/** Minutes of the day of a time as written, of the part of the day that is named with it; undefined if there is no such time. */
function minutesOf(written: string, partName = ''): number | undefined {
  const { minutes, hasHalf, isDigital } = readTime(written) ?? {}
  if (minutes === undefined || (minutes >= dayEnd && !hasHalf)) return undefined
  if (hasHalf) return Math.min(minutes, dayEnd - 1)
  const isNight = /night/i.test(partName)
  if (isNight && Math.floor(minutes / 60) === 12) return minutes - halfDay
  const isLate = /afternoon|evening/i.test(partName) || (isNight && minutes >= earliest * 60)
  const isBare = partName === '' && !isDigital && minutes > 0 && minutes < earliest * 60
  return (isBare || isLate) && minutes < halfDay ? minutes + halfDay : minutes
}

/** The hours of the day a text names, in minutes: the first ones; an hour alone lasts an hour. */
export function hoursIn(text: string): readonly [number, number] | undefined {
  const match = hoursPattern.exec(text)
  if (match === null) return undefined
  // Each way of writing them has five groups, of which only one has any.
  const [begin, beginPart, till, tillPart, tillTheEnd] =
    [0, 5, 10].map((first) => match.slice(first + 1, first + 6)).find(([written]) => written !== undefined) ??
    []
  const from = minutesOf(begin ?? '', beginPart)
  if (from === undefined) return undefined
  const to =
    tillTheEnd !== undefined
      ? ends[tillTheEnd.toLowerCase()]
      : till === undefined
        ? from + 60
        : minutesOf(till, tillPart)
  if (to === undefined) return undefined
  // "From six to two" begins in the morning.
  const begins = to <= from && from >= halfDay && to > from - halfDay ? from - halfDay : from
  // What ends the next morning is on for the rest of the day.
  return [begins, to > begins ? to : till === undefined ? begins + 60 : dayEnd]
}
