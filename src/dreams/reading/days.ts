/**
 * Which days a note speaks of, seen from the day it was made: "by Friday the 20th", "from 15 to 24 April",
 * "tomorrow". Knows how English writes dates; a day it cannot place it leaves alone.
 */

import { cardinals, ordinals, weekdayNames, weekdayOf } from '../../core/calendar-words.ts'
import { msPerDay } from '../../core/durations.ts'
import { hoursIn } from './hours.ts'
import { monthsByName, numberWords } from './lexicon.ts'
import type { LocalDay } from './wording.ts'

/** A stretch of calendar days, both ends included, counted like `LocalDay.number`. */
export interface Span {
  readonly from: number
  readonly to: number
  /** Minutes of the day, where the text names hours. */
  readonly hours: readonly [from: number, to: number] | undefined
  /** It is when something is to be done by. */
  readonly due: boolean
  /** A weekday alone, of which one can only guess which is meant, or the end of a month: nothing happens on that very day. */
  readonly loose: boolean
  readonly written: string
}

const months = [...monthsByName.keys(), 'may'].sort((a, b) => b.length - a.length).join('|')
const weekdays = 'mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|satur|sat|sun'
const weekday = `(?:${weekdays})(?:day)?`
/** Those that are hardly ever said of anything but a day. */
const lateOrdinals = ordinals.slice(12).reverse()

/** A day with its month, or one that its weekday or "the …th" shows to be a day. */
const dayPattern = new RegExp(
  [
    String.raw`\b(?<year>[1-9]\d{3})-(?<isoMonth>\d{2})-(?<isoDay>\d{2})\b`,
    String.raw`\b(?:(?<weekday>${weekday})\.?,?\s+)?(?:the\s+)?(?<day>\d{1,2}|${[...ordinals].reverse().join('|')})(?:st|nd|rd|th)?\s+(?:of\s+)?(?<month>${months})\b`,
    String.raw`\b(?<monthFirst>${months})\s+(?:the\s+)?(?<dayAfter>\d{1,2})(?:st|nd|rd|th)?\b(?!:|\s*(?:[ap]m|uhr|o'clock|%)\b)`,
    String.raw`\b(?<nearWeekday>${weekday})\.?,?\s+(?:the\s+)?(?<nearDay>\d{1,2})(?:st|nd|rd|th)?\b(?!:|\.\d|\s*(?:[ap]m|%|[a-z]))`,
    String.raw`\b(?<ordinalWeekday>${weekday})\.?,?\s+the\s+(?<ordinalDay>\d{1,2})(?:st|nd|rd|th)\b`,
    String.raw`\bthe\s+(?:(?<bare>\d{1,2})(?:st|nd|rd|th)\b(?!\s+(?:time|page|floor|row|of (?!(?:this|the|next) month)))|(?<bareWord>${lateOrdinals.join('|')})\b(?!\s+(?:time|page|floor|row|century|of (?!(?:this|the|next) month))))`,
    String.raw`\b(?<relative>(?:the\s+day\s+after\s+)?tomorrow|tonight)\b`,
    String.raw`\bnext\s+week,?\s+(?:on\s+)?(?<weekOn>${weekday})\b|\b(?<onWeek>${weekday})\s+(?:of\s+)?next\s+week\b`,
    String.raw`\b(?<inWeekday>${weekday})\s+in\s+(?<inWeeks>an?|${cardinals.slice(1, 9).join('|')}|[1-8])\s+(?<inUnit>weeks?|fortnight)\b`,
    String.raw`\b(?<ofAfterNext>${weekday})\s+(?:of|in)\s+the\s+week\s+after\s+next\b|\bthe\s+week\s+after\s+next,?\s+(?:on\s+)?(?<onAfterNext>${weekday})\b`,
    String.raw`\b(?<fromToday>an?|${cardinals.slice(1, 9).join('|')}|[1-8])\s+(?<todayUnit>days?|weeks?|fortnight)\s+from\s+(?:today|now)\b`,
    String.raw`\b(?<weeksOn>${cardinals.slice(2, 9).join('|')}|[2-8])\s+weeks\s+(?:on|from)\s+(?<weeksFrom>${weekday})\b`,
    String.raw`\b(?<distant>${weekday})\s+(?<by>week|fortnight|after\s+next)\b(?!-|\s+\d)|\ba\s+(?<byFirst>week|fortnight)\s+(?:on|from)\s+(?<from>${weekday})\b`,
    String.raw`\b(?:by|before|until|till|next|(?:this\s+)?coming|this|due)\s+(?<loose>${weekday})\b(?!,?\s+(?:(?:morning|noon|midday|afternoon|evening|night)\s+)?(?:the\s+)?\d)`,
  ].join('|'),
  'gi',
)
/** Between the first and the last day: "18:00 until Sunday evening", "to the morning of". */
const joins = new RegExp(
  String.raw`^[\s,]*(?:(?:at )?\d{1,2}(?::\d{2})?(?: ?[ap]m)?\s+)?(?:in the (?:morning|afternoon|evening)\s+)?(?:-|–|—|to|till|until|through|up to(?: and including)?)\s*(?:and including\s*)?(?:the\s+)?(?:${weekday}\s+)?(?:(?:early|late)\s+)?(?:(?:morning|noon|midday|afternoon|evening|night)\s+)?(?:of\s+)?(?:the\s*)?$`,
  'i',
)
/** "15 to 24 April", "13-15 March", "Wednesday 4 and Thursday 5 November": the first day has no month of its own. */
const rangePattern = new RegExp(
  String.raw`(?<![:.\d])\b(?:${weekday}\s+)?(\d{1,2})(?:st|nd|rd|th)?\s*(-|–|to|till|until|and)\s*(?:${weekday}\s+)?(?:the\s+)?(\d{1,2})(?:st|nd|rd|th)?\s+(?:of\s+)?(${months})\b`,
  'gi',
)
/** "The last Thursday of March", "the second weekend in July", "the first week of November", "the first Monday of next month". */
const nthPattern = new RegExp(
  String.raw`(?<!\b(?:each|every)\s)\b(?<nth>first|second|third|fourth|last)\s+(?<what>weekend|week|${weekdayNames.join('|')})\s+(?:of|in)\s+(?:(?<month>${months})|(?<near>next|this|the)\s+month)\b`,
  'gi',
)
/** "Before the end of January", "by the end of the month": its last day. */
const endPattern = new RegExp(
  String.raw`\bend\s+of\s+(?:(?<month>${months})|(?<near>next|this|the)\s+month)\b`,
  'gi',
)
/** "Takes it on the 12th and gives it back on the 16th": the days between belong to it. */
const comesBack = /^[^.;!?]{0,60}\b(?:back|again|returns?)\b[^.;!?]{0,24}$/i
/** "From Monday 8 June, nine working days." */
const lasting = new RegExp(
  String.raw`^,?\s+(?:for\s+)?(\d{1,2}|${cardinals.slice(2).join('|')})\s+(working\s+)?days\b`,
  'i',
)
/**
 * How long it lasts, said later on: "no driving for a week after", "about five days", "until the Monday after", "on to
 * noon the next day", "for that whole week", "brings them on the Tuesday after".
 */
const lastingOn = new RegExp(
  String.raw`\b(?:for|about|takes?|lasts?|then|say)\s+(?:about\s+|a good\s+)?(?<count>an?|\d{1,2}|${cardinals.slice(1).join('|')})\s+(?<unit>days?|weeks?|fortnight)\b(?!\s+(?:ago|early|earlier|late|later|before))|\b(?:until|till|through)\s+(?:the\s+)?(?:next\s+|following\s+)?(?<until>${weekday})\b(?!,?\s+(?:the\s+)?\d)|\b(?:to|until|till)\s+(?:\S+\s+)?the\s+(?<next>next|following)\s+(?:day|morning)\b|\b(?:for|all)\s+(?:of\s+)?(?:that|the)(?:\s+(?:whole|entire|full))?\s+week\b|\b(?:(?:back|again)\s+(?:on\s+)?(?:the\s+)?|and\b[^.;!?]{0,40}?\bon\s+the\s+)(?<back>${weekday})(?:\s+(?:after|following))?\b(?!,?\s+(?:the\s+)?\d)`,
  'i',
)
/** A stretch of more days keeps nobody from a plan. */
const longest = 60
/** Characters after a day in which that is said. */
const saidWithin = 120

/** Days from one weekday, 0 is Sunday, to the next one of a name: 1..7. */
const daysUntil = (written: string, from: number): number => ((indexOfWeekday(written) - from + 6) % 7) + 1

/** The last day of what begins on one, by what is said right behind it; `saidLater` is asked where that says nothing. */
function lastDay(behind: string, day: number, saidLater: string): number {
  const [, directly = '', working] = lasting.exec(behind) ?? []
  const straight = numberWords.get(directly.toLowerCase()) ?? (Number(directly) || 1)
  if (straight > 1)
    return day + straight - 1 + (working === undefined ? 0 : 2 * Math.floor((straight - 1) / 5))
  const found = lastingOn.exec(saidLater)
  const { count, unit = '', until, next, back } = found?.groups ?? {}
  const weekdayOfEnd = until ?? back
  if (weekdayOfEnd !== undefined) return day + daysUntil(weekdayOfEnd, weekdayOf(day))
  if (next !== undefined) return day + 1
  // "That whole week": until its Sunday.
  if (found !== null && count === undefined) return day + ((7 - weekdayOf(day)) % 7)
  if (count === undefined) return day
  const many = countOf(count)
  const days = many * daysOf(unit)
  return day + (days > longest ? 0 : days - 1)
}

const duePattern =
  /\b(?:by|before|until|till|due|deadline|no later than|latest|at the latest)(?:\s+(?:on|the|noon|midday|the end of))*\s*$/i

interface Mention {
  readonly start: number
  readonly end: number
  readonly written: string
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

/** The number of a weekday by its first letters; Sunday is 0. */
export const indexOfWeekday = (written: string): number =>
  weekdayNames.findIndex((name) => name.toLowerCase().startsWith(written.toLowerCase().slice(0, 3)))

/** Of "a", "two" or "3". */
const countOf = (written = ''): number =>
  /^an?$/i.test(written) ? 1 : (numberWords.get(written.toLowerCase()) ?? Number(written))

/** Of "days", "week" or "fortnight". */
const daysOf = (unit = ''): number => (/^day/i.test(unit) ? 1 : /^week/i.test(unit) ? 7 : 14)

/** Days from a weekday, 0 is Sunday, to the day that a text names by it; undefined where it names none, or one of two. */
function daysAhead(told: Readonly<Record<string, string | undefined>>, today: number): number | undefined {
  const relative = told.relative?.toLowerCase()
  if (relative !== undefined) return relative === 'tonight' ? 0 : relative === 'tomorrow' ? 1 : 2
  const inNextWeek = (weekday: string): number =>
    daysUntil('monday', today) + ((indexOfWeekday(weekday) + 6) % 7)
  const ofNextWeek = told.weekOn ?? told.onWeek
  if (ofNextWeek !== undefined) return inNextWeek(ofNextWeek)
  const afterNext = told.ofAfterNext ?? told.onAfterNext
  if (afterNext !== undefined) return inNextWeek(afterNext) + 7
  // "Saturday in two weeks": of that week, whatever day it is today.
  if (told.inWeekday !== undefined)
    return inNextWeek(told.inWeekday) + (countOf(told.inWeeks) * daysOf(told.inUnit) - 7)
  if (told.fromToday !== undefined) return countOf(told.fromToday) * daysOf(told.todayUnit)
  if (told.weeksFrom !== undefined) return (daysUntil(told.weeksFrom, today) % 7) + 7 * countOf(told.weeksOn)
  const distant = told.distant ?? told.from
  if (distant === undefined) return undefined
  const by = (told.by ?? told.byFirst ?? '').toLowerCase()
  const coming = daysUntil(distant, today)
  // Said on a Tuesday, "Tuesday week" is a week from now.
  return by.startsWith('after') ? coming + 7 : (coming % 7) + daysOf(by)
}

function toMention(match: RegExpMatchArray, made: LocalDay): Mention | undefined {
  const groups = match.groups ?? {}
  const start = match.index ?? 0
  const place = {
    start,
    end: start + match[0].length,
    written: match[0].replace(/^(?:by|before|until|till|next(?!\s+week)|this|due)\s+/i, ''),
  }
  const ofNote = { day: 0, month: undefined, year: undefined, weekday: undefined, loose: false }
  const today = weekdayOf(made.number)
  const certain = daysAhead(groups, today)
  if (certain !== undefined) return { ...place, ...ofNote, ahead: certain }
  if (groups.loose !== undefined) {
    const ahead = daysUntil(groups.loose, today)
    // "Next Tuesday", said on a Tuesday or later in the week, is of the next week whoever says it.
    const isOfNextWeek = /^next\s/i.test(match[0]) && ahead >= daysUntil('monday', today)
    return {
      ...place,
      ...ofNote,
      start: place.end - groups.loose.length,
      ahead,
      loose: !/^(?:this|coming)\s/i.test(match[0]) && !isOfNextWeek,
    }
  }
  const named = groups.month ?? groups.monthFirst
  const month = groups.isoMonth === undefined ? named && monthOf(named) : Number(groups.isoMonth) - 1
  const said =
    groups.isoDay ??
    groups.day ??
    groups.dayAfter ??
    groups.nearDay ??
    groups.ordinalDay ??
    groups.bare ??
    groups.bareWord ??
    ''
  const spelt = ordinals.indexOf(said.toLowerCase())
  const day = spelt < 0 ? Number(said) : spelt + 1
  if (!(day >= 1 && day <= 31) || (typeof month === 'number' && (month < 0 || month > 11))) return undefined
  const isNext = /^\s+of next month\b/i.test(match.input?.slice(place.end) ?? '')
  const [ofNext, ofNamed] = [
    isNext ? made.month % 12 : undefined,
    typeof month === 'number' ? month : undefined,
  ]
  return {
    ...place,
    day,
    month: ofNamed ?? ofNext,
    year: groups.year === undefined ? undefined : Number(groups.year),
    weekday: groups.nearWeekday ?? groups.ordinalWeekday,
    ahead: undefined,
    loose: false,
  }
}

const monthOf = (name: string): number =>
  name.toLowerCase() === 'may' ? 4 : (monthsByName.get(name.toLowerCase()) ?? -1)

/** Months are counted from 0 and on into the next year; undefined where the month has no such day. */
function numberOf(year: number, month: number, day: number): number | undefined {
  const at = new Date(Date.UTC(year, month, day))
  return at.getUTCDate() === day ? Math.floor(at.getTime() / msPerDay) : undefined
}

/** Months from that of the note in which a day without a month may lie. */
const nextMonths = [0, 1, 2, 3]

/**
 * The day meant: of the years or months possible the one that lies nearest ahead, of months such as it is the weekday in, if
 * there is one; undefined for 31 February.
 */
function place({ day, month, year, weekday, ahead }: Mention, made: LocalDay): number | undefined {
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
function monthBefore(day: number, before: number): number | undefined {
  const date = new Date(day * msPerDay)
  return numberOf(date.getUTCFullYear(), date.getUTCMonth() - 1, before)
}

/** The weekday on which a stretch of days begins, 0 is Sunday, and how many days it lasts. */
const stretches = new Map<string, readonly [weekday: number, length: number]>([
  ['weekend', [6, 2]],
  ['week', [1, 7]],
])

/** The days of the "last Thursday of March", or of a weekend or week; undefined where the month has no such. */
function nthOf(
  told: Readonly<Record<string, string | undefined>>,
  made: LocalDay,
): [number, number] | undefined {
  const { nth = '', what = '', month, near } = told
  const [weekdayMeant, length] = stretches.get(what.toLowerCase()) ?? [indexOfWeekday(what), 1]
  const [choices, earliest] =
    month === undefined
      ? [[[made.year, made.month - (near?.toLowerCase() === 'next' ? 0 : 1)] as const], made.number]
      : [[-1, 0, 1].map((later) => [made.year + later, monthOf(month)] as const), made.number - 75]
  for (const [year, at] of choices) {
    const inMonth = Array.from({ length: 31 }, (_, day) => numberOf(year, at, day + 1)).filter(
      (number): number is number => number !== undefined && weekdayOf(number) === weekdayMeant,
    )
    const from = nth.toLowerCase() === 'last' ? inMonth.at(-1) : inMonth[ordinals.indexOf(nth.toLowerCase())]
    if (from !== undefined && from >= earliest) return [from, from + length - 1]
  }
  return undefined
}

const monthName = new RegExp(String.raw`\b(?:of|in)\s+(${months})\b`, 'i')

/** Days without a month are of the one that the text names, where it does: "the third weekend of June, Saturday the 20th". */
function withMonths(text: string, mentions: readonly Mention[]): Mention[] {
  const name = monthName.exec(text)?.[1]
  if (name === undefined || mentions.some(({ month }) => month !== undefined)) return [...mentions]
  return mentions.map((mention) =>
    mention.ahead === undefined ? { ...mention, month: monthOf(name) } : mention,
  )
}

/** The days a text names, in the order of the text. */
export function spansOf(text: string, made: LocalDay): Span[] {
  const spans: (Span & { readonly start: number; readonly end: number })[] = []
  const taken: [number, number][] = []
  const add = (
    mention: { start: number; end: number; written: string },
    [from, to]: readonly [number, number],
    loose = false,
  ): void => {
    taken.push([mention.start, mention.end])
    if (to < from || to - from > longest) return
    const before = text.slice(Math.max(0, mention.start - 24), mention.start)
    const due =
      duePattern.test(before) ||
      /^,?\s*(?:at )?(?:the )?latest\b/i.test(text.slice(mention.end)) ||
      (/\b(?:noon|midday|end)\s+(?:on|of)\s*$/i.test(before) && /\bby\b/i.test(before))
    const { start, end, written } = mention
    spans.push({ from, to, hours: hoursIn(text), due, loose, written, start, end })
  }
  for (const match of text.matchAll(rangePattern)) {
    const month = monthOf(match[4] ?? '')
    const end = { day: Number(match[3]), month, year: undefined, ahead: undefined }
    const to = place({ ...end, weekday: undefined, start: 0, end: 0, written: '', loose: false }, made)
    const [first, last] = [Number(match[1]), Number(match[3])]
    // "4 and 11 November" are two days.
    if (match[2]?.toLowerCase() === 'and' && last - first !== 1) continue
    const from = to === undefined || first <= last ? to && to - (last - first) : monthBefore(to, first)
    if (to === undefined || from === undefined) continue
    add({ start: match.index, end: match.index + match[0].length, written: match[0] }, [from, to])
  }
  for (const match of text.matchAll(nthPattern)) {
    const days = nthOf(match.groups ?? {}, made)
    const place = { start: match.index, end: match.index + match[0].length, written: match[0] }
    if (days !== undefined) add(place, days)
  }
  for (const match of text.matchAll(endPattern)) {
    const { month, near } = match.groups ?? {}
    const first =
      month === undefined ? made.month - 1 + (near?.toLowerCase() === 'next' ? 1 : 0) : monthOf(month)
    const last = [0, 1]
      .map((later) => numberOf(made.year + later, first + 1, 1))
      .find((day) => day !== undefined && day > made.number)
    const place = { start: match.index, end: match.index + match[0].length, written: match[0] }
    // Something is done by then; nothing is on that day.
    if (last !== undefined) add(place, [last - 1, last - 1], true)
  }
  const named = [...text.matchAll(dayPattern)]
    .flatMap((match) => toMention(match, made) ?? [])
    .filter(({ start, end }) => !taken.some(([from, to]) => end > from && start < to))
  const mentions = withMonths(text, named)
  for (let at = 0; at < mentions.length; at += 1) {
    const one = mentions[at]
    const next = mentions[at + 1]
    if (one === undefined) continue
    const between = next === undefined ? '' : text.slice(one.end, next.start)
    if (next !== undefined && (joins.test(between) || comesBack.test(between))) {
      const begins = next.loose && !one.loose ? place(one, made) : undefined
      if (begins !== undefined) {
        const ends = begins + daysUntil(next.written, weekdayOf(begins))
        add({ start: one.start, end: next.end, written: text.slice(one.start, next.end) }, [begins, ends])
        at += 1
        continue
      }
      const to = place({ ...next, month: next.month ?? one.month }, made)
      if (to === undefined) continue
      const own = one.month === undefined && next.month !== undefined
      const same = own ? place({ ...one, month: next.month }, made) : place(one, made)
      const from = own && same !== undefined && same > to ? monthBefore(to, one.day) : same
      if (from === undefined) continue
      add({ start: one.start, end: next.end, written: text.slice(one.start, next.end) }, [
        from,
        to < from && next.month === undefined
          ? (place({ ...next, month: ((one.month ?? 0) + 1) % 12 }, made) ?? to)
          : to,
      ])
      at += 1
      continue
    }
    const day = place(one, made)
    if (day === undefined) continue
    const isUntil =
      next?.loose === true && /\b(?:until|till|through)\s+(?:the\s+)?(?:next\s+)?$/i.test(between)
    const end = Math.min(one.end + saidWithin, isUntil ? next.end : (next?.start ?? text.length))
    // What is said later on is not of a day that is a guess.
    const saidLater = one.loose ? '' : text.slice(one.end, end)
    add(one, [day, lastDay(text.slice(one.end), day, saidLater)], one.loose)
    if (isUntil && !one.loose) at += 1
  }
  return lengthened(text, spans)
}

/**
 * Between two days, of what begins on the first: "They begin on the 8th; nothing may be launched until the 19th",
 * "sanded by the 6th. Nobody in before the 9th".
 */
const keepsUntil =
  /^[^!?]{0,120}\b(?:nobody|nothing|no one|not|never|closed|shut|locked|away|out|off|cold|empty|dark)\b[^.!?]{0,60}\b(?:until|till|(?<before>before))\s+(?:the\s+)?$/i

/** The spans with those that last until another day is named. */
function lengthened(
  text: string,
  spans: readonly (Span & { readonly start: number; readonly end: number })[],
): Span[] {
  const inText = spans.toSorted((a, b) => a.start - b.start)
  const last = new Map<Span, number>()
  for (const [at, span] of inText.entries()) {
    const next = inText[at + 1]
    const found = next && !span.loose && keepsUntil.exec(text.slice(span.end, next.start))
    if (!found || next.loose) continue
    const to = found.groups?.before === undefined ? next.to : next.from - 1
    if (to > span.to && to - span.from <= longest) last.set(span, to)
  }
  return spans.map(({ start, end, ...span }, at) => ({ ...span, to: last.get(spans[at] ?? span) ?? span.to }))
}
