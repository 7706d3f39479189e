/**
 * The times of day that a text names, in digits or words: "21:58", "ten to two", "gone four". What happens then is
 * asked elsewhere.
 */
import { cardinals } from '../calendar-words.ts'
import type { Figure } from './figures.ts'
import { numerals } from './words.ts'

const hourSeconds = 3_600
const halfDay = 12 * hourSeconds

export interface ClockTime {
  /** Seconds since midnight. */
  readonly value: number
  /** Whether it may as well be twelve hours later: "ten past four". */
  readonly eitherHalf: boolean
  readonly written: string
  readonly start: number
  readonly end: number
}

/** When a night ends, as an hour of the day. */
export const morningHour = 6

/** A single time of day as somebody wrote it. */
export interface WrittenTime {
  /** Since midnight, 0..1440 ("midnight" ends the day), the half of the day applied where it stands there. */
  readonly minutes: number
  /** Whether it says which half of the day, by "pm", "noon" or "midnight". */
  readonly hasHalf: boolean
  /** Whether it is written with minutes in digits, as by a clock. */
  readonly isDigital: boolean
}

const named: Readonly<Record<string, number>> = { noon: 720, midday: 720, midnight: 1_440 }
const written =
  /^(?:(?<past>half (?:past )?|quarter past )|(?<to>quarter to ))?(?<hour>\p{L}+|\d{1,2})(?:[:.](?<minutes>\d\d))?\s?(?:(?<half>[ap])\.?m)?$/iu

/** Reads a text that is a time of day and nothing else: "16:30", "4 pm", "half past four", "noon"; undefined if it is none. */
export function readTime(text: string): WrittenTime | undefined {
  const said = text.toLowerCase().trim()
  const known = named[said]
  if (known !== undefined) return { minutes: known, hasHalf: true, isDigital: false }
  const { past, to, hour = '', minutes, half } = written.exec(said)?.groups ?? {}
  const spoken = cardinals.indexOf(hour)
  const number = spoken > 0 ? spoken : hour === '' ? Number.NaN : Number(hour)
  if (!(number >= 0 && number <= 24)) return undefined
  const hours = half === undefined ? number : (number % 12) + (half === 'p' ? 12 : 0)
  const shift =
    to !== undefined ? -15 : past === undefined ? Number(minutes ?? 0) : /half/.test(past) ? 30 : 15
  return { minutes: hours * 60 + shift, hasHalf: half !== undefined, isDigital: minutes !== undefined }
}

/** A bare hour before this one is of the afternoon: nobody plans for three at night without saying so. */
export const earliestPlan = 7
/** The same of an hour at which a day's work ends: "until half past seven" is in the evening. */
export const earliestEnd = 8

/** Minutes since midnight that may be of either half of the day, before an hour such as `earliestPlan` those of the afternoon. */
export const towardsAfternoon = (minutes: number, earliest: number): number =>
  minutes < earliest * 60 ? minutes + halfDay / 60 : minutes

/** Minutes of the day of a written time; a bare hour is of the afternoon where it lies before `earliest`. */
export const minutesOf = ({ minutes, hasHalf, isDigital }: WrittenTime, earliest: number): number =>
  hasHalf || isDigital ? minutes : towardsAfternoon(minutes, earliest)

const hour = `(?:1[0-2]|[1-9]|${cardinals.slice(1, 13).join('|')})`
/** Behind an hour told in words stands no noun that it counts: "by two", but not "by two people". */
const closed = String.raw`(?=\s*(?:[.,;:!?)](?!\d)|$|(?:o'clock|sharp|and|as|when|but|that|this|on|or|in the|with|till|until|both|all|i|we|they|it|he|she|my|our|his|her|their)\b))`
const minutes = String.raw`(?:half|a?\s?quarter|five|ten|twenty(?:[- ]five)?|[1-5]?\d)`
const patterns = [
  String.raw`(?<![\p{L}\p{N}.:/]|(?<!\d:\d\d)[-–])(?<h24>[01]?\d|2[0-3]):(?<m24>[0-5]\d)(?::(?<s24>[0-5]\d))?(?![\p{N}:])(?!\s?[ap]\.?m\b)`,
  String.raw`\b(?<hm>1[0-2]|[1-9])(?:[.:](?<mm>[0-5]\d))?\s?(?<half>[ap])\.?m\b`,
  String.raw`(?<=\b(?:at|by|until|till|after|before) )(?<hd>[01]?\d|2[0-3])\.(?<md>[0-5]\d)(?=[.,;:!?)](?:\s|$)|$|\s(?:and|as|when|but|this|on|in|with|for|till|until|the)\b)`,
  String.raw`\b(?<part>${minutes})(?: min(?:ute)?s?)? (?<way>past|to) (?<hw>${hour})\b${closed}`,
  String.raw`\bhalf (?<hh>${hour})\b${closed}`,
  String.raw`(?<=\b(?:at|by|after|before|until|till|gone|past) )(?<ho>${hour})\b${closed}`,
]
const anyTime = new RegExp(patterns.join('|'), 'giu')

const numberOf = (word: string): number => {
  const [first = '', second = ''] = word.toLowerCase().split(/[- ]/)
  return numerals.has(first) ? (numerals.get(first) ?? 0) + (numerals.get(second) ?? 0) : Number(word)
}

const minutesOfPart = (part: string): number =>
  /half/i.test(part) ? 30 : /quarter/i.test(part) ? 15 : numberOf(part)

function secondsOf(
  told: Readonly<Record<string, string | undefined>>,
): Pick<ClockTime, 'value' | 'eitherHalf'> {
  const { h24, m24, s24 = '0', hm, mm = '0', half = '', hd, md, part = '', way, hw, hh, ho } = told
  const exact = h24 ?? hd
  if (exact !== undefined) {
    const value = Number(exact) * hourSeconds + Number(m24 ?? md) * 60 + Number(s24)
    return { value, eitherHalf: /^[1-9]$/.test(exact) }
  }
  const hours = (numberOf(hm ?? hw ?? hh ?? ho ?? '') % 12) * hourSeconds
  if (hm !== undefined)
    return { value: hours + Number(mm) * 60 + (/p/i.test(half) ? halfDay : 0), eitherHalf: false }
  const past = hh === undefined ? minutesOfPart(part || '0') : 30
  const value = hours + (way?.toLowerCase() === 'to' ? -past : past) * 60
  return { value: (value + halfDay) % halfDay, eitherHalf: true }
}

/** The times of day of a text, in its order. */
export const clockTimesOf = (text: string): ClockTime[] =>
  [...text.matchAll(anyTime)].map((match) => ({
    ...secondsOf(match.groups ?? {}),
    ...{ written: match[0], start: match.index, end: match.index + match[0].length },
  }))

/** The spans between neighbouring times of day, if there are at least and at most so many. */
export function clockSpans(times: readonly ClockTime[], least: number, most: number): Figure[] {
  if (times.length < least || times.length > most) return []
  return times.slice(1).flatMap((to, at) => {
    const from = times[at]
    if (from === undefined) return []
    const apart = to.value - from.value
    const value = from.eitherHalf || to.eitherHalf ? (apart + halfDay) % halfDay : apart
    if (value <= 0) return []
    const written = `${from.written} to ${to.written}`
    return [{ value, kind: 'duration', written, start: from.start, end: to.end, scale: 60 }]
  })
}

/** Times of day as figures of their own, either half of the day where it may be meant. */
export const clockFigures = (times: readonly ClockTime[]): Figure[] =>
  times.flatMap(({ value, eitherHalf, written, start, end }) =>
    (eitherHalf ? [value, value + halfDay] : [value]).map((one) => ({
      ...{ value: one, kind: 'clock', written, start, end, scale: 1 },
    })),
  )
