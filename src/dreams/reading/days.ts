/**
 * Which days a note speaks of, seen from the day it was made: "by Friday the 20th", "from 15 to 24 April",
 * "tomorrow". Knows how English writes dates; a day it cannot place it leaves alone.
 */
import { cardinals, indexOfMonth, weekdayNames, weekdayOf } from '../../core/calendar-words.ts'
import { numerals } from '../../core/quantities/words.ts'
import { type Hours, hoursOfEach } from './hours.ts'
import { countOf, daysOf, mentionsIn, months, weekday, withMonths } from './mentions.ts'
import { daysUntil, monthBefore, nthOf, numberOf, place } from './placing.ts'
import type { LocalDay } from './wording.ts'

/** A stretch of calendar days, both ends included, counted like `LocalDay.number`. */
export interface Span {
  readonly from: number
  readonly to: number
  /** Those of this day, where the text tells them of it and not of another. */
  readonly hours: Hours | undefined
  /** It is when something is to be done by. */
  readonly due: boolean
  /** A weekday alone, of which one can only guess which is meant, or the end of a month: nothing happens on that very day. */
  readonly loose: boolean
  readonly written: string
  /** Where the text names it, in UTF-16 code units. */
  readonly start: number
}

/** A span while the rest of its text is still to be read. */
type Begun = Omit<Span, 'hours'> & { readonly end: number }

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

/** The last day of what begins on one, by what is said right behind it; `saidLater` is asked where that says nothing. */
function lastDay(behind: string, day: number, saidLater: string): number {
  const [, directly = '', working] = lasting.exec(behind) ?? []
  const straight = numerals.get(directly.toLowerCase()) ?? (Number(directly) || 1)
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

/** The days a text names: stretches of one month first, then what is counted within a month, then all others. */
export function spansOf(text: string, made: LocalDay): Span[] {
  const spans: Begun[] = []
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
    spans.push({ from, to, due, loose, written, start, end })
  }
  for (const match of text.matchAll(rangePattern)) {
    const month = indexOfMonth(match[4] ?? '')
    const [first, last] = [Number(match[1]), Number(match[3])]
    const end = { day: last, month, year: undefined, weekday: undefined, ahead: undefined, loose: false }
    const to = place(end, made)
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
      month === undefined ? made.month - 1 + (near?.toLowerCase() === 'next' ? 1 : 0) : indexOfMonth(month)
    const last = [0, 1]
      .map((later) => numberOf(made.year + later, first + 1, 1))
      .find((day) => day !== undefined && day > made.number)
    const place = { start: match.index, end: match.index + match[0].length, written: match[0] }
    // Something is done by then; nothing is on that day.
    if (last !== undefined) add(place, [last - 1, last - 1], true)
  }
  const named = mentionsIn(text, made).filter(
    ({ start, end }) => !taken.some(([from, to]) => end > from && start < to),
  )
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
  const inText = spans.toSorted((a, b) => a.start - b.start)
  const hours = hoursOfEach(text, inText)
  const last = lastDays(text, inText)
  return spans.map((span): Span => {
    const { end, ...told } = span
    return { ...told, to: last.get(span) ?? span.to, hours: hours[inText.indexOf(span)] }
  })
}

/**
 * Between two days, of what begins on the first: "They begin on the 8th; nothing may be launched until the 19th",
 * "sanded by the 6th. Nobody in before the 9th".
 */
const keepsUntil =
  /^[^!?]{0,120}\b(?:nobody|nothing|no one|not|never|closed|shut|locked|away|out|off|cold|empty|dark)\b[^.!?]{0,60}\b(?:until|till|(?<before>before))\s+(?:the\s+)?$/i

/** The last days of those spans, in the order of the text, that last until another day is named. */
function lastDays(text: string, inText: readonly Begun[]): Map<Begun, number> {
  const last = new Map<Begun, number>()
  for (const [at, span] of inText.entries()) {
    const next = inText[at + 1]
    const found = next && !span.loose && keepsUntil.exec(text.slice(span.end, next.start))
    if (!found || next.loose) continue
    const to = found.groups?.before === undefined ? next.to : next.from - 1
    if (to > span.to && to - span.from <= longest) last.set(span, to)
  }
  return last
}
