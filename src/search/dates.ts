/**
 * The times a question asks about, relative to its clock, and how well a memory's own times match them. A preference,
 * never a filter: its weight is decided by the ranking.
 */
import { type Day, localDay, monthOf, toDay, weekdayOf, yearOf } from './calendar.ts'
import type { FoundTime } from './relative-times.ts'
import { findTimes, type Named, readOffset, type Span } from './time-expressions.ts'

/** How the names of months and weekdays begin, and the words of time; alternatives of a pattern. */
const named = 'jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tues?|wed|thur?s?|fri|sat|sun'
const words =
  'today|yesterday|tomorrow|tonight|ago|last|next|this|past|recent|lately|day|night|morning|evening|weekend|week|fortnight|month|quarter|year|spring|summer|autumn|fall|winter|eve|solstice|h[12]|q[1-4]|kw|christmas|xmas|easter|halloween|thanksgiving|hogmanay|silvester|advent|carnival|epiphany|midsummer|valentine|whitsun|pentecost|juneteenth|michaelmas|martinmas|yuletide|new year'

/** Only a question with one of these can contain a relative time; for others the date parser is not loaded. */
const smell = new RegExp(
  String.raw`\d{4}|\d(?:st|nd|rd|th)\b|\d[./-]\d|\b(?:${named})(?:day|uary|ch|il|e|y|ust|t|tember|ober|ember|nesday|rsday|urday|sday)?\b|\b(?:${words})(?:s|'s)?\b`,
  'i',
)

/** How they begin: without one of them, or a digit, the pattern is not asked, which to compile takes a command a millisecond. */
const beginnings: ReadonlySet<string> = new Set(`${named}|${words}`.split('|').map((one) => one.slice(0, 3)))

const smellsOfTime = (query: string): boolean => {
  const text = query.replaceAll('’', "'")
  const asked = text.toLowerCase().split(/[^a-z]+/)
  return (/\d/.test(text) || asked.some((word) => beginnings.has(word.slice(0, 3)))) && smell.test(text)
}

/** An event that a time is relative to and that is in no calendar: "the week before the release". */
export interface Anchor {
  /** The words that a memory has to contain. */
  readonly phrase: string
  /** The days meant, given the anchor's. */
  readonly shift: (anchor: Span) => Span
}

export interface AskedTimes {
  readonly spans: readonly Span[]
  readonly anchor: Anchor | undefined
}

const whole = (from: Day, to: Day): Span => ({ from, to, yearly: false })

/** Periods relative to today, which chrono reads as single days. */
const periods: readonly (readonly [RegExp, (today: Day) => Span])[] = [
  [/\b(?:the\s+)?day before yesterday\b/, (today) => whole(today - 2, today - 2)],
  [/\b(?:the\s+)?day after tomorrow\b/, (today) => whole(today + 2, today + 2)],
  [/\bthe other day\b/, (today) => whole(today - 6, today - 1)],
  [/\b(?:recently|lately)\b/, (today) => whole(today - 21, today)],
  [/\b(?:last|past|previous) weekend\b/, (today) => whole(monday(today) - 2, monday(today) - 1)],
  [/\bweekend before last\b/, (today) => whole(monday(today) - 9, monday(today) - 8)],
  [/\b(?:this|next|coming) weekend\b/, (today) => whole(monday(today) + 5, monday(today) + 6)],
  [/\bweek before last\b/, (today) => whole(monday(today) - 14, monday(today) - 8)],
  [/\b(?:last|previous) week\b/, (today) => whole(monday(today) - 7, monday(today) - 1)],
  [/\b(?:this|current) week\b/, (today) => whole(monday(today), monday(today) + 6)],
  [/\b(?:next|coming) week\b/, (today) => whole(monday(today) + 7, monday(today) + 13)],
  [/\b(?:a|one) week ago\b/, (today) => whole(today - 9, today - 5)],
  [/\ba fortnight ago\b/, (today) => whole(today - 16, today - 12)],
  [/\b(?:last|previous) month\b/, (today) => months(today, -1, 1)],
  [/\b(?:this|current) month\b/, (today) => months(today, 0, 1)],
  [/\b(?:next|coming) month\b/, (today) => months(today, 1, 1)],
  [/\b(?:last|previous) quarter\b/, (today) => quarters(today, -1)],
  [/\b(?:this|current) quarter\b/, (today) => quarters(today, 0)],
  [/\b(?:next|coming) quarter\b/, (today) => quarters(today, 1)],
]

const monday = (today: Day): Day => today - ((weekdayOf(today) + 6) % 7)

const months = (today: Day, shift: number, count: number): Span => {
  const [year, month] = [yearOf(today), monthOf(today) + shift]
  return whole(toDay(year, month, 1), toDay(year, month + count, 1) - 1)
}

const quarters = (today: Day, shift: number): Span => {
  const first = 3 * Math.floor((monthOf(today) - 1) / 3) + 1
  return months(today, first - monthOf(today) + 3 * shift, 3)
}

/** "Last" or "next" before a time without a year: which one is meant. */
function settleYear(named: Named, text: string, today: Day): Named {
  const [, which] = /\b(last|past|previous|next|coming)\s+$/.exec(text.slice(0, named.start)) ?? []
  if (!named.yearly || which === undefined) return named
  const ahead = which === 'next' || which === 'coming'
  for (const shift of ahead ? [0, 1] : [0, -1, -2]) {
    const tried = moved(named, shift)
    if (ahead ? tried.from > today : tried.to < today) return { ...named, ...tried, yearly: false }
  }
  return named
}

/** The year that "last year" and the like refer to; undefined otherwise. */
function toldYear(text: string, today: Day): number | undefined {
  const [, which] = /\b(last|this|next)\s+year\b/.exec(text) ?? []
  return which === undefined ? undefined : yearOf(today) + (which === 'last' ? -1 : which === 'next' ? 1 : 0)
}

/** The same days, the given number of years later. */
function moved({ from, to }: Span, years: number): Pick<Span, 'from' | 'to'> {
  const start = new Date(from * 86_400_000)
  const shifted = toDay(start.getUTCFullYear() + years, start.getUTCMonth() + 1, start.getUTCDate())
  return { from: shifted, to: shifted + (to - from) }
}

/** The times a question asks about. `now` in milliseconds since the epoch. */
export async function readTimes(query: string, now: number): Promise<AskedTimes> {
  if (!smellsOfTime(query)) return { spans: [], anchor: undefined }
  const today = localDay(now)
  const text = query.toLowerCase().replaceAll('’', "'")
  const told = toldYear(text, today)
  const named = findTimes(query, told ?? yearOf(today)).map((one) =>
    told === undefined ? settleYear(one, text, today) : { ...one, yearly: false },
  )
  const taken = named.map(({ start, end }) => [start, end] as const)
  const spans: Span[] = [...named]
  for (const [pattern, read] of periods) {
    const found = pattern.exec(text)
    if (found === null || overlaps(taken, found.index, found.index + found[0].length)) continue
    taken.push([found.index, found.index + found[0].length])
    spans.push(read(today))
  }
  if (told !== undefined && spans.length === 0) spans.push(whole(toDay(told, 1, 1), toDay(told, 12, 31)))
  const marks = relative.filter(([words]) => words.test(text)).map(([, mark]) => mark)
  if (marks.length > 0) spans.push(...(await readRelative(text, now, { marks, taken })))
  return { spans, anchor: spans.length > 0 ? undefined : findAnchor(text) }
}

const overlaps = (taken: readonly (readonly [number, number])[], start: number, end: number): boolean =>
  taken.some(([from, to]) => start < to && from < end)

/**
 * Words that tell a time from the clock, and what the patterns of chrono that read them hold. Without any, chrono is
 * not loaded.
 */
const relative: readonly (readonly [words: RegExp, mark: RegExp])[] = [
  [/\b(?:today|yesterday|tomorrow|tonight|last\s+night)\b/, /yesterday/],
  [/\bthis\s+(?:morning|afternoon|evening)\b/, /\(\?:this\)/],
  [/\bago\b/, /\bago\|/],
  [/\b(?:last|past|this|next|coming|on)\s+(?:mon|tue|wed|thu|fri|sat|sun)/, /friday/],
  [/\b(?:last|past)\s+(?:\w+\s+)?(?:days|weeks|months)\b/, /\blast\b.*\bmonths\b/],
]

/** What was read last: a hook asks the same of two brains. */
let readLast: { readonly key: string; readonly told: Promise<FoundTime[]> } | undefined

async function readRelative(
  text: string,
  now: number,
  { marks, taken }: { marks: readonly RegExp[]; taken: readonly (readonly [number, number])[] },
): Promise<Span[]> {
  const key = `${Math.floor(now / 60_000)} ${text}`
  if (readLast?.key !== key)
    readLast = {
      key,
      told: import('./relative-times.ts').then((reader) => reader.readRelativeTimes(text, now, marks)),
    }
  return (await readLast.told).flatMap(({ index, text: found, start, end }) => {
    if (overlaps(taken, index, index + found.length)) return []
    const from = localDay(start)
    // "Three weeks ago" is no more exact than a week, "two months ago" than a month.
    const slack = /month/.test(found) ? 12 : /week/.test(found) ? 3 : 0
    return [whole(from - slack, (end === undefined ? from : localDay(end)) + slack)]
  })
}

/** The event that a question's time is relative to. */
function findAnchor(text: string): Anchor | undefined {
  const seam = /\b(?:before|after|following|prior to|ahead of|leading up to)\s+(?:the\s+|our\s+)?/g
  for (const { index, 0: words } of text.matchAll(seam)) {
    const before = text.slice(0, index) + words
    const phrase = text
      .slice(index + words.length)
      .replace(/[?!.]+\s*$/, '')
      .trim()
    const probe: Span = { from: 0, to: 0, yearly: false }
    if (phrase.length < 3 || readOffset(before, probe) === undefined) continue
    return { phrase, shift: (anchor) => readOffset(before, anchor)?.span ?? anchor }
  }
  return undefined
}

const year = 365.25

/** Days between two spans (0 when they meet), and how many they share. */
function relate(a: Span, b: Span): { gap: number; shared: number } {
  let shift = 0
  if (a.yearly || b.yearly) {
    // The turn of the year that brings them nearest.
    shift = year * Math.round(((a.from + a.to) / 2 - (b.from + b.to) / 2) / year)
  }
  const [from, to] = [b.from + shift, b.to + shift]
  const shared = Math.min(a.to, to) - Math.max(a.from, from) + 1
  return { gap: Math.max(0, Math.round(-shared + 1)), shared: Math.max(0, shared) }
}

const lengthOf = ({ from, to }: Span): number => to - from + 1

/** How well one of a memory's times matches the requested one, 0..1. */
function meeting(asked: Span, own: Span): number {
  const { gap, shared } = relate(asked, own)
  if (shared > 0.5) {
    // All of the memory's days lie within: 1. A memory of a whole year says little of one day in it.
    const within = shared / Math.min(lengthOf(own), lengthOf(asked))
    const precise = Math.min(1, Math.sqrt(lengthOf(asked) / lengthOf(own)))
    return (0.5 + 0.5 * within) * precise
  }
  return 0.5 * Math.exp(-gap / (1 + 0.3 * lengthOf(asked)))
}

/** How well the best of a memory's times matches any requested one, 0..1. */
export const bestMeeting = (asked: readonly Span[], own: readonly Span[]): number =>
  asked.reduce((best, one) => own.reduce((known, other) => Math.max(known, meeting(one, other)), best), 0)
