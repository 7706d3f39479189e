/**
 * The days that a text names one by one, by a date, a weekday or the way from today: "the 20th of March", "Friday week",
 * "tomorrow". Knows how English writes them; which days they are is `placing.ts`'s.
 */
import {
  cardinals,
  indexOfMonth,
  indexOfWeekday,
  monthForms,
  ordinals,
  weekdayForms,
  weekdayOf,
} from '../../core/calendar-words.ts'
import { numerals } from '../../core/quantities/words.ts'
import { daysUntil, type Told } from './placing.ts'
import type { LocalDay } from './wording.ts'

export const months = monthForms.flat().join('|')

export const weekday = `(?:${weekdayForms.flat().join('|')})`
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

export interface Mention extends Told {
  readonly start: number
  readonly end: number
  readonly written: string
}

/** Of "a", "two" or "3". */
export const countOf = (written = ''): number =>
  /^an?$/i.test(written) ? 1 : (numerals.get(written.toLowerCase()) ?? Number(written))

/** Of "days", "week" or "fortnight". */
export const daysOf = (unit = ''): number => (/^day/i.test(unit) ? 1 : /^week/i.test(unit) ? 7 : 14)

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
  const month = groups.isoMonth === undefined ? named && indexOfMonth(named) : Number(groups.isoMonth) - 1
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

const monthName = new RegExp(String.raw`\b(?:of|in)\s+(${months})\b`, 'i')

/** Days without a month are of the one that the text names, where it does: "the third weekend of June, Saturday the 20th". */
export function withMonths(text: string, mentions: readonly Mention[]): Mention[] {
  const name = monthName.exec(text)?.[1]
  if (name === undefined || mentions.some(({ month }) => month !== undefined)) return [...mentions]
  return mentions.map((mention) =>
    mention.ahead === undefined ? { ...mention, month: indexOfMonth(name) } : mention,
  )
}

/** In the order of the text. */
export const mentionsIn = (text: string, made: LocalDay): Mention[] =>
  [...text.matchAll(dayPattern)].flatMap((match) => toMention(match, made) ?? [])
