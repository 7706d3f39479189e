/**
 * The limits that a sentence sets, in hours, weekdays and sums ("no deploys on Fridays after 14:00", "only between 20:00 and
 * 06:00", "at most 300 euros a month"), and whether an act lies outside one. Knows how English sets such limits; whether the
 * two are about one thing is for its callers to weigh, by the terms of the limit.
 */
import { cardinals, indexOfWeekday, weekdayForms, weekdayNames } from '../../core/calendar-words.ts'
import {
  type ClockTime,
  clockTimesOf,
  earliestEnd,
  earliestPlan,
  minutesOf,
  morningHour,
  readTime,
  towardsAfternoon,
} from '../../core/quantities/clock.ts'
import { figuresOf } from '../../core/quantities/figures.ts'
import { numerals } from '../../core/quantities/words.ts'
import { prefers, rules } from './cues.ts'
import { unitTerms } from './lexicon.ts'
import { isContent, tokensOf } from './reading.ts'

/** What lies outside of a limit: on one of the days, where there are any, and at one of the hours; or a sum above `most`. */
export interface Limit {
  /** Content terms of its clause. */
  readonly terms: ReadonlySet<string>
  /** 0 is Sunday; empty where the limit is for every day. */
  readonly days: ReadonlySet<number>
  /** Minutes of the day that are outside, ends excluded; undefined where the whole day is. */
  readonly hours: readonly (readonly [from: number, to: number])[] | undefined
  readonly most: { readonly value: number; readonly kind: string } | undefined
}

const midnight = 24 * 60
/** Short forms that are words of their own. */
const otherWords = ['sat', 'sun', 'wed']
const shortForms = weekdayForms.flatMap(([, ...shorter]) =>
  shorter.filter((form) => !otherWords.includes(form)),
)
const weekday = `(?:${weekdayNames.join('|')})s?|${shortForms.join('|')}`
const spelt = cardinals.slice(1).join('|')
const clock = String.raw`(?:\d{1,2}[:.][0-5]\d(?:\s?[ap]m)?|\d{1,2}\s?[ap]m|noon|midday|midnight|(?:half (?:past )?|quarter (?:past|to) )?(?:${spelt})(?! \p{L}+s\b)(?:\s?[ap]m)?|(?<=(?:before|after|past|until|till|between|and|to|from|by) )\d{1,2}(?![\p{L}\p{N}%€$£.,:/-]))`
const pattern = (source: string): RegExp => new RegExp(source, 'iu')

const morning = 60 * morningHour
const forbidding = /\b(?:no|never|nobody|no one|none|not|nothing|without|don'?t|mustn'?t|avoid)\b/i
const allowing = /\b(?:only|window (?:is|for)|nothing but|exclusively)\b/i
const between = pattern(
  String.raw`\b(?:between|from)\s+(${clock})\s*(?:and|to|till|until|-|–)\s*(${clock})|\b(\d{1,2}[:.]\d\d)\s*(?:to|till|until|-|–)\s*(\d{1,2}[:.]\d\d)`,
)
const oneSided = pattern(
  String.raw`\b(before|after|past|later than|earlier than|until|till)\s+(${clock})(?:\s+in the (morning|afternoon|evening))?`,
)
const daysPattern = new RegExp(
  String.raw`\b(${weekday})\s*(?:to|till|until|through|-|–)\s*(${weekday})\b|\b(${weekday})\b|\b(weekends?)\b`,
  'gi',
)
const most = new RegExp(
  String.raw`\b(?:at most|no more than|not more than|never more than|never above|never over|up to|maximum(?: of| is)?|max\.?(?: of| is)?|(?:limit(?:ed)?|cap(?:ped)?|budget)\b[^.;:]{0,40}?(?:is|of|at|to)|not exceed|below|under)\s+(?:a |the )?(?=[€$£\d]|(?:${[...numerals.keys()].join('|')})\b)`,
  'gi',
)

/** Minutes of the day of a time as written; `late` reads small hours as those of the afternoon. Midnight ends the day. */
function minutesIn(written: string, late: boolean): number | undefined {
  const time = readTime(written)
  return time && (late ? minutesOf(time, earliestEnd) : time.minutes)
}

function hoursOutside(clause: string, only: boolean): Limit['hours'] {
  const [, a, b, c, d] = between.exec(clause) ?? []
  const [first, second] = [a ?? c, b ?? d]
  if (first !== undefined && second !== undefined) {
    const [from, to] = [minutesIn(first, false), minutesIn(second, true)]
    if (from === undefined || to === undefined || from === to) return undefined
    // "No packets 08:12 to 08:44" was measured: whoever sets hours sets round ones.
    if (from % 5 > 0 || to % 5 > 0) return undefined
    const inside: (readonly [number, number])[] =
      from < to
        ? [[from, to]]
        : [
            [from, midnight],
            [0, to],
          ]
    if (!only) return inside
    return from < to
      ? [
          [0, from],
          [to, midnight],
        ]
      : [[to, from]]
  }
  const [, side = '', time, part] = oneSided.exec(clause) ?? []
  if (time === undefined) return undefined
  const after = /^(?:after|past|later than)$/i.test(side)
  const at = minutesIn(time, after || part === 'afternoon' || part === 'evening')
  if (at === undefined) return undefined
  // After midnight it is night until the morning.
  if (after && at % midnight === 0) return only ? [[morning, midnight]] : [[0, morning]]
  return after === only ? [[0, at]] : [[at, midnight]]
}

const isWeekday = new RegExp(`^(?:${weekday})$`, 'i')

function daysIn(clause: string): Set<number> {
  const found = new Set<number>()
  for (const [, from, to, one, weekend] of clause.matchAll(daysPattern)) {
    if (weekend !== undefined) found.add(0).add(6)
    else if (one !== undefined) found.add(indexOfWeekday(one))
    else if (from !== undefined && to !== undefined)
      for (let day = indexOfWeekday(from); ; day = (day + 1) % 7) {
        found.add(day)
        if (day === indexOfWeekday(to)) break
      }
  }
  return found
}

const time = /^(?:mornings?|afternoons?|evenings?|nights?|noon|midday|midnight|weekends?|q[1-4]|h[12])$/

/** What a clause is about: its content but for times and amounts. */
const termsOf = (text: string): Set<string> =>
  new Set(
    tokensOf(text)
      .filter(
        (token) =>
          isContent(token) &&
          token.kind !== 'number' &&
          !numerals.has(token.lower) &&
          !unitTerms.has(token.lower) &&
          !time.test(token.lower) &&
          !isWeekday.test(token.lower),
      )
      .map(({ term }) => term),
  )

/** Set for good, and not told of once. */
const binds = (clause: string): boolean =>
  rules(clause) ||
  prefers(clause) ||
  /^(?:please )?no\b|\bonly\b.{0,30}\b(?:between|from|on|before|after|until)\b|\b(?:at most|no more than|limit(?:ed)?|budget|max)\b/i.test(
    clause,
  )
const oneDay = /\b(?:today|tomorrow|tonight|this|next|last|yesterday)\b|day,? (?:the )?\d/i

const everyDay = [0, 1, 2, 3, 4, 5, 6]

/** The limits of a text, one for each clause that sets one. */
export function limitsOf(text: string): Limit[] {
  return text
    .slice(0, 600)
    .split(/(?<=[.!?;,])\s+|\n/)
    .flatMap((clause): Limit[] => {
      if (!binds(clause) || oneDay.test(clause)) return []
      const terms = termsOf(clause)
      const [sum] = [...clause.matchAll(most)].flatMap((match) =>
        figuresOf(clause.slice(match.index + match[0].length)).slice(0, 1),
      )
      const sums: Limit[] =
        sum === undefined || sum.kind === 'plain'
          ? []
          : [{ terms, days: new Set(), hours: undefined, most: sum }]
      const only = allowing.test(clause)
      if (!only && !forbidding.test(clause)) return sums
      const [hours, named] = [hoursOutside(clause, only), daysIn(clause)]
      const days = only && named.size > 0 ? new Set(everyDay.filter((day) => !named.has(day))) : named
      if (hours === undefined && days.size === 0) return sums
      // "Only on Tuesdays before noon" has two outsides; the day's is the surer.
      return [...sums, { terms, days, hours: only && days.size > 0 ? undefined : hours, most: undefined }]
    })
}

/** When and how much a sentence says that something was or will be done. */
const doneAt = pattern(
  String.raw`\b(?:at|around|about|from|since|till|until|by)\s+(${clock})|(?<![\d:.])(\d{1,2}:[0-5]\d)(?![\d:])`,
)
const elsewhen = /\b(?:yesterday|tomorrow|last|next|ago|since|before|until|till)\b/i
const undone =
  /\b(?:not|no|never|nobody|cancel\w*|postponed|moved|instead of|(?:is|are|was|were)n't|didn't|asked|allowed|approved)\b/i

const isAmong = (hours: NonNullable<Limit['hours']>, minute: number): boolean =>
  hours.some(([from, to]) => minute >= from && minute < to)

export interface Outside {
  readonly limit: Limit
  /** The time, day or sum that is outside. */
  readonly written: string
  /** Terms of the sentence that tells it. */
  readonly terms: ReadonlySet<string>
}

/** Where a note made on a weekday (0 is Sunday) tells of something outside a limit. */
export function outsideOf(limits: readonly Limit[], text: string, madeOn: number): Outside[] {
  return text
    .slice(0, 600)
    .split(/(?<=[.!?;])\s+|\n/)
    .filter((sentence) => !undone.test(sentence) && !rules(sentence) && !/\?\W*$/.test(sentence))
    .flatMap((sentence) => {
      const terms = termsOf(sentence)
      const named = [...daysIn(sentence)]
      const day =
        named.length === 1 ? named[0] : named.length > 1 || elsewhen.test(sentence) ? undefined : madeOn
      const [, spoken, digits] = doneAt.exec(sentence) ?? []
      const written = spoken ?? digits
      const at = written === undefined ? undefined : minutesIn(written, true)
      return limits.flatMap((limit): Outside[] => {
        if (limit.most !== undefined) {
          const { value, kind } = limit.most
          const figure = figuresOf(sentence).find((one) => one.kind === kind && one.value > value)
          return figure === undefined ? [] : [{ limit, written: figure.written, terms }]
        }
        const onDay = limit.days.size === 0 || (day !== undefined && limit.days.has(day))
        // A bare weekday is only a day's limit where the sentence names it.
        if (!onDay || (limit.hours === undefined && named.length !== 1)) return []
        if (limit.hours === undefined) return [{ limit, written: weekdayNames[day ?? 0] ?? '', terms }]
        if (at === undefined || !isAmong(limit.hours, at)) return []
        const onDays = limit.days.size > 0 && day !== undefined ? `${weekdayNames[day]}, ` : ''
        return [{ limit, written: `${onDays}${written}`, terms }]
      })
    })
}

const ofEvening = /\b(?:evening|tonight|at night)\b/i

/**
 * Whether a note names times of day and all of them lie within the hours that limits leave; "half past four" is in the
 * afternoon, "nine" in the morning unless the note is of an evening.
 */
export function keepsHours(limits: readonly Limit[], text: string): boolean {
  const outside = limits.flatMap(({ hours }) => hours ?? [])
  const times = outside.length === 0 ? [] : clockTimesOf(text)
  const earliest = ofEvening.test(text) ? 12 : earliestPlan
  const isOutside = ({ value, eitherHalf }: ClockTime): boolean => {
    const minute = value / 60
    return isAmong(outside, eitherHalf ? towardsAfternoon(minute, earliest) : minute)
  }
  return times.length > 0 && !times.some(isOutside)
}
