/**
 * Times mentioned in a text, as ranges of days: dates, months, quarters, weeks, seasons, named days, and parts of them
 * ("the last days of June"). Knows English; times relative to today are handled in `dates.ts`.
 */
import { cardinals, monthForms, ordinals, weekdayForms, weekdayOf } from '../core/calendar-words.ts'
import { msPerDay } from '../core/durations.ts'
import {
  type Day,
  dayAndSeasonNames,
  daysIn,
  existingDay,
  isMovable,
  isoWeek,
  monday,
  namedDays,
  seasons,
  toDay,
} from './calendar.ts'

/** Days from `from` to `to`, both inclusive. */
export interface Span {
  readonly from: Day
  readonly to: Day
  /** Whether the text gave no year: the range then applies to every year. */
  readonly yearly: boolean
  /** One end is not told: the range reaches to the clock, or from the beginning. */
  readonly open?: true
  /** Its days the given number of years later, where those are not the same dates: of Easter, say. */
  readonly turn?: ((years: number) => Days) | undefined
}

type Days = Pick<Span, 'from' | 'to'>

/** A range the given number of years later: the same dates, or those of a movable day. */
export function moved({ from, to, turn }: Omit<Span, 'yearly'>, years: number): Days {
  if (turn !== undefined) return turn(years)
  const start = new Date(from * msPerDay)
  const shifted = toDay(start.getUTCFullYear() + years, start.getUTCMonth() + 1, start.getUTCDate())
  return { from: shifted, to: shifted + (to - from) }
}

/** A range and its position in the text, as offsets in UTF-16 code units. */
export interface Named extends Span {
  /** Where the words that narrow or shift it begin; those of the range itself begin at `start`. */
  readonly begin: number
  readonly start: number
  readonly end: number
}

const alternatives = (names: readonly (readonly string[])[]): string => names.flat().join('|')

const month = `(?:${alternatives(monthForms)})`
const weekday = `(?:${alternatives(weekdayForms)})`
const ordinal = `(?:\\d{1,2}(?:st|nd|rd|th)|${[...ordinals].reverse().join('|')})`
const year = "(?:,?\\s*(?:of\\s+|in\\s+)?((?:19|20)\\d\\d|'\\d\\d)(?![\\d:-]))?"

const monthNumber = (name = ''): number =>
  monthForms.findIndex((forms) => forms.includes(name.replace('.', ''))) + 1
const weekdayNumber = (name = ''): number => weekdayForms.findIndex((forms) => forms.includes(name))

const several = `a couple of|a few|several|\\d{1,2}|${cardinals.slice(2).join('|')}`
/** A number of things, as a pattern's group. */
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
const createPatterns = (): readonly (readonly [RegExp, Reading, named?: true])[] => [
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

let patterns: ReturnType<typeof createPatterns> | undefined

/** Any named day or season: most texts contain none, and need not be searched for each. */
export const anyName = new RegExp(dayAndSeasonNames)

/** Words that are times only in some contexts, alone or with a number, and what may precede them. */
const doubtful = /^(?:may|march|mar|fall|spring|dec|sun|sat|advent|carnival|new year|easter)$/
const numbered = /^(?:[^ ]+\s+(?:of\s+)?(?:may|march|mar)|(?:may|march|mar)\s+\d+)$/
const timely =
  /(?:\b(?:in|of|since|until|till|by|last|next|early|late|mid|end|from|before|after|during|each|every|past|for|around|about)\s+|mid-)(?:the\s+)?$/
/** Of those the ones that are verbs and things as well. */
const verbs = /^(?:may|march|mar|fall|spring)$/
/** After these a verb may follow as well: "this may break it", "we have to march through", "if so, may I". */
const vague = /(?:\bthis\s+|(?:\b(?:and|or|to|through|till|until)|,)\s+)$/
/** What a list or a range of times holds before its last. */
const listed = new RegExp(
  `(?:\\b(?:${month}|${weekday})|\\d)\\.?(?:,|\\s+(?:and|or|to|through|till|until|,))\\s+$`,
)
/** What follows a time rather than a verb's or a modal's subject. */
export const afterTime =
  /^\s*(?:$|[^\s\w'-]|(?:19|20)\d\d\b|'\d\d|(?:and|or|to|about|at|by|for|from|in|of|on|with|when|we|i|you|they|he|she|it|did|do|does|was|were|is|are|had|has)\b)/

/** Whether a doubtful word is meant as a time. */
function isMeant(text: string, { start, end }: { start: number; end: number }): boolean {
  const word = text.slice(start, end)
  const before = text.slice(0, start)
  const lower = before.toLowerCase()
  // Written as a name inside a sentence.
  const isName = /^[A-Z]/.test(word) && before.trim() !== '' && !/[.!?:]\s*$/.test(before)
  // The feast; any other is what somebody assumes.
  if (/^assumption$/i.test(word)) return isName
  const behind = text.slice(end).toLowerCase()
  if (numbered.test(word.toLowerCase())) {
    // "12. May I": what a full stop ends is no day before these.
    if (/\d\.\s/.test(word)) return false
    const dayFirst = /(?:may|mar|march)$/i.test(word)
    const told =
      timely.test(lower) || /\bon\s+(?:the\s+)?$/.test(lower) || (dayFirst ? / M/ : /^M/).test(word.trim())
    if (!told && !(!dayFirst && /\bthe\s+$/.test(lower))) return afterTime.test(behind)
    return dayFirst || before.trim() !== '' || afterTime.test(behind)
  }
  if (!doubtful.test(word.toLowerCase()) || timely.test(lower)) return true
  if (vague.test(lower) && verbs.test(word.toLowerCase()))
    return listed.test(lower) || (/\bthis\s+$/.test(lower) && afterTime.test(behind))
  if (vague.test(lower)) return true
  return isName && !/^(?:Fall|Spring)$/.test(word)
}

const unit = '(?:days?|nights?|mornings?|evenings?|afternoons?|weekends?|weeks?|fortnights?|months?)'

/** A part of a range: the words before it, and which of its days are meant. */
const parts: readonly (readonly [
  RegExp,
  (whole: Span, groups: readonly (string | undefined)[]) => readonly [Day, Day],
])[] = [
  [
    new RegExp(
      `(?:^|\\b)(${ordinal}|last|final|very last)\\s+(day|weekend|week)\\s+(?:of|in)\\s+(?:the\\s+)?$`,
    ),
    ({ from, to }, [, nth = '', of]) => {
      const length = of === 'day' ? 1 : 7
      const number = toNumber(nth.replace('very ', '')) ?? 1
      const start = number < 0 ? to - length + 1 : from + length * (number - 1)
      return [start, start + length - 1]
    },
  ],
  [
    new RegExp(`\\b(${ordinal}|last)\\s+(${weekday})\\s+(?:of|in)\\s+(?:the\\s+)?$`),
    ({ from, to }, [, nth, name]) => {
      const number = toNumber(nth) ?? 1
      const day =
        number < 0
          ? to - ((weekdayOf(to) - weekdayNumber(name) + 7) % 7)
          : from + ((weekdayNumber(name) - weekdayOf(from) + 7) % 7) + 7 * (number - 1)
      return [day, day]
    },
  ],
  [
    /\bweek\s+(?:of|commencing|beginning)\s+(?:the\s+)?$/,
    ({ from, to }) => {
      const first = monday(from)
      return to - from < 7 ? [first, first + 6] : [from, to]
    },
  ],
  [/\bbefore\s+(?:the\s+)?(?:start\s+of\s+|beginning\s+of\s+)$/, ({ from }) => [from - 14, from - 1]],
  [
    /\b(?:(?:first|opening|initial|early)\s+days\s+of|(?:at\s+the\s+)?(?:very\s+)?(?:start|beginning|opening)\s+of)\s+(?:the\s+)?$/,
    ({ from, to }) => [from, from + Math.ceil((to - from + 1) / 6)],
  ],
  [
    /\b(?:early(?:\s+in)?|first\s+(?:half|part)\s+of)[\s-]+(?:the\s+)?$/,
    ({ from, to }) => [from, from + Math.ceil((to - from + 1) / 2.5)],
  ],
  [
    /\b(?:mid(?:way\s+through|dle\s+of)?|halfway\s+through)[\s-]*(?:the\s+)?$/,
    ({ from, to }) => [from + Math.floor((to - from + 1) / 3), to - Math.floor((to - from + 1) / 3)],
  ],
  [
    /\b(?:(?:last|closing|final|late)\s+days\s+of|(?:at\s+the\s+)?(?:very\s+)?(?:end|close|turn)\s+of)\s+(?:the\s+)?$/,
    ({ from, to }) => [to - Math.ceil((to - from + 1) / 6), to],
  ],
  [
    /\b(?:late(?:\s+in)?|(?:second|last)\s+(?:half|part)\s+of)[\s-]+(?:the\s+)?$/,
    ({ from, to }) => [to - Math.ceil((to - from + 1) / 2.5), to],
  ],
]

/** Days of a unit of time; of any shorter one, one. */
export const unitDays = (name: string): number =>
  /^fortnight/.test(name) ? 14 : /^week(?!end)/.test(name) ? 7 : /^month/.test(name) ? 30 : 1

const offset = new RegExp(
  `(?:^|\\b)(${several}|zero|one|an?|the|that)?\\s*(?:full\\s+|whole\\s+)?(${unit})\\s+(?:immediately\\s+|right\\s+|just\\s+)?(before|after|following|prior to|preceding|ahead of|leading up to|preparing for)\\s+(?:the\\s+|our\\s+)?$`,
)

/** The days meant by "the week before" or "two days after" a range; undefined if `before` is nothing like that. */
export function readOffset(before: string, whole: Span): { span: Span; length: number } | undefined {
  const found = offset.exec(before)
  if (!found) return undefined
  const [all, count, name = 'day', side = ''] = found
  const number = toNumber(count) ?? 1
  const later = side === 'after' || side === 'following'
  const one = unitDays(name)
  // "Two weeks before" is a day some time off; "the week before" is all of it.
  const counted = count !== undefined && !['the', 'that', 'a', 'an'].includes(count)
  const reach = one * number
  const slack = Math.floor(one / 3)
  const [from, to] = counted
    ? later
      ? [whole.to + reach - slack, whole.to + reach + slack]
      : [whole.from - reach - slack, whole.from - reach + slack]
    : later
      ? [whole.to + 1, whole.to + reach]
      : [whole.from - reach, whole.from - 1]
  return { span: { from, to, yearly: whole.yearly }, length: all.length }
}

/** A range narrowed or shifted by the words before it, and the number of characters they take. */
function adjust(before: string, whole: Span): { span: Span; length: number } {
  let current: Span = whole
  let taken = 0
  for (let step = 0; step < 3; step += 1) {
    const left = before.slice(0, before.length - taken)
    const part = parts.find(([pattern]) => pattern.test(left))
    const groups = part?.[0].exec(left)
    if (part && groups) {
      const [from, to] = part[1](current, groups)
      current = { ...current, from, to }
      taken += groups[0].length
      continue
    }
    const shifted = readOffset(left, current)
    if (shifted === undefined) break
    current = shifted.span
    taken += shifted.length
  }
  return { span: current, length: taken }
}

/** Maximum number of characters to read: a date is found near the beginning of what it dates. */
const maxRead = 6_000
/** Times of one text. */
const maxNamed = 24

/** A range that follows "before" or "after": the days before it begins, or after it ends. */
function adjustAfter(behind: string, before: string, whole: Span): Span {
  if (/\bbefore\s+(?:the\s+)?$/.test(before) && /^\s+(?:begins|starts)\b/.test(behind)) {
    return { ...whole, from: whole.from - 14, to: whole.from - 1 }
  }
  return whole
}

/** The times mentioned in a text, in order; `reference` is the year assumed for those without one. */
export function findTimes(text: string, reference: number): Named[] {
  const read = text.slice(0, maxRead)
  let rest = read.toLowerCase().replaceAll('’', "'")
  patterns ??= createPatterns()
  const found: Named[] = []
  const hasNames = anyName.test(rest)
  for (const [pattern, reading, named] of patterns) {
    if (named && !hasNames) continue
    for (const match of rest.matchAll(pattern)) {
      const at = { start: match.index, end: match.index + match[0].length }
      const told = reading(match, reference)
      if (told === undefined || !isMeant(read, at)) continue
      for (const one of [told].flat()) found.push({ ...one, ...at, begin: at.start })
      rest = rest.slice(0, at.start) + '\u0000'.repeat(match[0].length) + rest.slice(at.end)
      if (found.length >= maxNamed) break
    }
  }
  found.sort((a, b) => a.start - b.start)
  return join(found, read.toLowerCase())
}

/** How days that are made of ranges turn with the years; undefined where none of those is movable. */
const turning = <Spans extends readonly Span[]>(spans: Spans, days: (spans: Spans) => Days): Span['turn'] =>
  spans.some(({ turn }) => turn !== undefined)
    ? (years) => days(spans.map((one) => ({ ...one, ...moved(one, years) })) as unknown as Spans)
    : undefined

/** Applies parts and shifts; later items of a list ("early January, April and July") share those of the first. */
function join(found: readonly Named[], text: string): Named[] {
  const named: Named[] = []
  let previousWords: string | undefined
  for (const [at, one] of found.entries()) {
    const previous = found[at - 1]
    const between = previous === undefined ? undefined : text.slice(previous.end, one.start)
    const last = named.at(-1)
    if (
      last &&
      previous &&
      between !== undefined &&
      /^\s*(?:to|until|till|through|–|-|and)\s*$/.test(between)
    ) {
      const opened = /\b(?:between|from)\s+$/.test(text.slice(0, previous.start))
      const turn = one.yearly && one.to < previous.from ? 365 : 0
      if (opened && one.to + turn > previous.from && one.yearly === previous.yearly) {
        named[named.length - 1] = {
          ...last,
          to: one.to + turn,
          end: one.end,
          turn: turning([last, one] as const, ([first, latest]) => ({
            from: first.from,
            to: latest.to + turn,
          })),
        }
        continue
      }
    }
    const inList = between !== undefined && /^\s*(?:,|and|or|,\s*and|,\s*or|&)\s*$/.test(between)
    const before = inList && previousWords !== undefined ? previousWords : text.slice(0, one.start)
    previousWords = before
    const { span: adjusted, length } = adjust(before, one)
    const begin = before.length === one.start ? one.start - length : one.begin
    const after = (days: Span): Span => adjustAfter(text.slice(one.end), before, days)
    const turn = turning([one] as const, ([its]) => after(adjust(before, its).span))
    named.push({ ...one, ...after(adjusted), begin, turn })
  }
  return named
}
