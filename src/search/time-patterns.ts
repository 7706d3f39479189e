/**
 * How English writes dates, months, quarters, weeks, seasons and named days, as patterns, and the days that each means. Which of
 * what they find is meant as a time is decided in `time-expressions.ts`.
 */
import { cardinals, indexOfMonth, monthForms, ordinals, weekdayForms } from '../core/calendar-words.ts'
import {
  type Day,
  type Days,
  daysIn,
  existingDay,
  isMovable,
  isoWeek,
  namedDays,
  type Span,
  seasons,
  toDay,
} from './calendar.ts'

const alternatives = (names: readonly (readonly string[])[]): string => names.flat().join('|')

/** What a month, a weekday and a day of a month are called, as parts of patterns. */
export const month = `(?:${alternatives(monthForms)})`
export const weekday = `(?:${alternatives(weekdayForms)})`
export const ordinal = `(?:\\d{1,2}(?:st|nd|rd|th)|${[...ordinals].reverse().join('|')})`
const year = "(?:,?\\s*(?:of\\s+|in\\s+)?((?:19|20)\\d\\d|'\\d\\d)(?![\\d:-]))?"

const monthNumber = (name = ''): number => indexOfMonth(name.replace('.', '')) + 1
/** 0..6 from Sunday; -1 where it is no weekday's name. */
export const weekdayNumber = (name = ''): number => weekdayForms.findIndex((forms) => forms.includes(name))

/** A number of things, as alternatives of a pattern. */
export const several = `a couple of|a few|several|\\d{1,2}|${cardinals.slice(2).join('|')}`
/** The same as a group. */
export const count = `(${several})`

/** A number written in digits or as a word; undefined otherwise. */
export function toNumber(word: string | undefined): number | undefined {
  if (word === undefined) return undefined
  if (/^\d/.test(word)) return Number.parseInt(word, 10)
  if (word === 'last' || word === 'final') return -1
  const place = ordinals.indexOf(word)
  if (place >= 0) return place + 1
  const count = cardinals.indexOf(word)
  if (count >= 0) return count
  return { a: 1, an: 1, the: 1, that: 1, 'a couple of': 2, 'a few': 3, several: 4 }[word]
}

const toYear = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : text.startsWith("'") ? 2000 + Number(text.slice(1)) : Number(text)

/** The range that a pattern's groups mean; `reference` is the year to use if none is given. */
type Reading = (
  groups: readonly (string | undefined)[],
  reference: number,
) => Span | readonly Span[] | undefined

const span = (from: Day, to: Day, told: number | undefined): Span => ({
  from,
  to,
  yearly: told === undefined,
})

/** A day alone; none where the month has no such day. */
function ofDay(its: number, month: number, day: number): Span | readonly Span[] {
  const only = existingDay(its, month, day)
  return only === undefined ? [] : span(only, only, its)
}

function ofDays(
  at: number | undefined,
  until: number | undefined,
  [name, told]: readonly (string | undefined)[],
  reference: number,
) {
  const number = monthNumber(name)
  const its = toYear(told)
  // Without a year 29 February is that of a leap year.
  const leap = its === undefined && number === 2 && (at === 29 || until === 29)
  const base = leap ? reference - (reference % 4) : (its ?? reference)
  if (at === undefined || at < 1 || at > 31 || number === 0) return undefined
  const from = existingDay(base, number, at)
  const to = until !== undefined && until > at && until <= 31 ? existingDay(base, number, until) : from
  return from === undefined || to === undefined ? [] : span(from, to, its)
}

const quarterOf = (quarter: number, its: number | undefined, reference: number): Span => {
  const base = its ?? reference
  return span(toDay(base, 3 * quarter - 2, 1), toDay(base, 3 * quarter + 1, 1) - 1, its)
}

/** From the most to the least specific: text matched by one pattern is not matched again. `named` marks days by their names. */
export const createPatterns = (): readonly (readonly [RegExp, Reading, named?: true])[] => [
  [
    /\b((?:19|20)\d\d)[-/](0?[1-9]|1[0-2])[-/](0?[1-9]|[12]\d|3[01])(?!\d)/g,
    ([, y, m, d]) => ofDay(Number(y), Number(m), Number(d)),
  ],
  [
    /\b(0?[1-9]|[12]\d|3[01])\.\s?(0?[1-9]|1[0-2])\.\s?((?:19|20)\d\d)\b/g,
    ([, d, m, y]) => ofDay(Number(y), Number(m), Number(d)),
  ],
  [
    /\b((?:19|20)\d\d)-(0[1-9]|1[0-2])(?![\d-])/g,
    ([, y, m]) => {
      const from = toDay(Number(y), Number(m), 1)
      return span(from, toDay(Number(y), Number(m) + 1, 1) - 1, Number(y))
    },
  ],
  [
    new RegExp(
      `\\b(${ordinal}|\\d{1,2}\\.?)(?:\\s*(?:-|–|—|to|until|till|through|and)\\s*(?:the\\s+)?(${ordinal}|\\d{1,2}\\.?))?(?:\\s+of)?[\\s-]+(${month})\\b\\.?${year}`,
      'g',
    ),
    ([, d, to, ...rest], reference) => ofDays(toNumber(d), toNumber(to), rest, reference),
  ],
  [
    new RegExp(
      `\\b(${month})\\.?\\s+(?:the\\s+)?(${ordinal}|\\d{1,2})(?![\\d:%.]\\d|\\d|\\s*(?:uhr|o'clock|[ap]\\.?m|h)\\b)(?:\\s*(?:-|–|—|to|until|till|through|and(?<=\\bbetween\\s+\\S+\\s+(?:the\\s+)?\\S+\\s+and))\\s*(?:the\\s+)?(${ordinal}|\\d{1,2}))?(?!\\s+(?:week|day|half|${weekday})\\b)${year}`,
      'g',
    ),
    ([, m, d, to, y], reference) => ofDays(toNumber(d), toNumber(to), [m, y], reference),
  ],
  [
    new RegExp(`\\b(${ordinal}|last)\\s+week\\s+(?:of|in)\\s+(${month})\\b\\.?${year}`, 'g'),
    ([, nth, m, y], reference) => {
      const its = toYear(y)
      const base = its ?? reference
      const number = monthNumber(m)
      const week = toNumber(nth) ?? 1
      const from = week < 0 ? toDay(base, number + 1, 1) - 7 : toDay(base, number, 7 * week - 6)
      return span(from, from + 6, its)
    },
  ],
  [
    new RegExp(`\\b(?:calendar\\s+)?(?:week|kw)\\s+(\\d{1,2})\\b${year}`, 'g'),
    ([, week, y], reference) => {
      const its = toYear(y)
      const from = isoWeek(its ?? reference, Number(week))
      return Number(week) >= 1 && Number(week) <= 53 ? span(from, from + 6, its) : undefined
    },
  ],
  [
    new RegExp(
      `\\b(?:q([1-4])|(first|second|third|fourth|last|1st|2nd|3rd|4th)\\s+quarter)\\b(?:[\\s/-]?${year})`,
      'g',
    ),
    ([, digit, word, y], reference) => {
      const quarter = digit === undefined ? toNumber(word) : Number(digit)
      return quarterOf(quarter === undefined || quarter < 0 ? 4 : quarter, toYear(y), reference)
    },
  ],
  [
    /\b(?:h([12])|(first|second)\s+half\s+of)\s+((?:19|20)\d\d)\b/g,
    ([, digit, word, y]) => {
      const second = digit === '2' || word === 'second'
      return span(toDay(Number(y), second ? 7 : 1, 1), toDay(Number(y), second ? 13 : 7, 1) - 1, Number(y))
    },
  ],
  ...[...namedDays, ...seasons].map(([names, of]): [RegExp, Reading, true] => [
    new RegExp(`\\b(?:${names})(?![a-z])${year}`, 'g'),
    (groups, reference) => {
      const its = toYear(groups[1])
      const [from, to] = of(its ?? reference)
      if (its !== undefined || !isMovable(of)) return span(from, to, its)
      const turn = (years: number): Days => {
        const [from, to] = of(reference + years)
        return { from, to }
      }
      return { from, to, yearly: true, turn }
    },
    true,
  ]),
  [
    new RegExp(`\\b(${month})\\b\\.?${year}`, 'g'),
    ([, m, y], reference) => {
      const its = toYear(y)
      const number = monthNumber(m)
      const from = toDay(its ?? reference, number, 1)
      return span(from, from + daysIn(its ?? reference, number) - 1, its)
    },
  ],
  [
    /\b(?:each|every)\s+(?:calendar\s+)?quarter\b/g,
    (_, reference) => [1, 2, 3, 4].map((quarter) => quarterOf(quarter, undefined, reference)),
  ],
  [
    /\b(?:each|every|the)\s+(?:calendar\s+)?year\b/g,
    (_, reference) => span(toDay(reference, 1, 1), toDay(reference, 12, 31), undefined),
  ],
  [
    /(?<![\d.,:/-])(?<!\b(?:error|errors|code|status|http|exit|port|room|line|page|row|issue|ticket|pr|build|version|number|no|id|pid)\.?\s#?)\b((?:199|20[0-3])\d)\b(?![\d:%/-]|[.,]\d|\s*(?:mb|gb|kb|ms|px|rows|requests|w|k|m|€|\$|kg|hz)\b)/g,
    ([, y]) => span(toDay(Number(y), 1, 1), toDay(Number(y), 12, 31), Number(y)),
  ],
]
