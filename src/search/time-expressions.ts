/**
 * Times mentioned in a text, as ranges of days: which of those that the patterns of `time-patterns.ts` find are meant, parts of
 * them ("the last days of June") and what lies before or after. Knows English; times relative to today are handled in `dates.ts`.
 */
import { weekdayOf } from '../core/calendar-words.ts'
import { type Day, type Days, monday, moved, type Span } from './calendar.ts'
import { createPatterns, month, ordinal, several, toNumber, weekday, weekdayNumber } from './time-patterns.ts'
import { anyName } from './time-prefilter.ts'

/** A range and its position in the text, as offsets in UTF-16 code units. */
export interface Named extends Span {
  /** Where the words that narrow or shift it begin; those of the range itself begin at `start`. */
  readonly begin: number
  readonly start: number
  readonly end: number
}

let patterns: ReturnType<typeof createPatterns> | undefined

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

/** Before and after the name of somebody who does something: "what did April say", "when will Jun be back", "is May ill". */
const doing = /\b(?:did|does|has|had|will|would|should|could|can|is|was)\s+$/
const done =
  /^\s+(?:(?:not|ever|already|also|just|really|usually|often)\s+)?(?:(?:do|say|want|write|tell|ask|decide|promise|suggest|notice|find|see|think|need|change|fix|break|plan|mean|work|use|try|report|recommend|remember|learn|agree|prefer|mention|propose|finish|forget|know|like)\b|(?:done|said|wanted|written|told|asked|decided|promised|suggested|noticed|found|seen|thought|needed|changed|fixed|broken|planned|meant|worked|used|tried|reported|recommended|learnt|learned|agreed|mentioned|proposed|finished|forgotten)\b|be (?:back|away|in|out|off|on|there)\b|(?:back|away|ill|sick|on (?:call|holiday|leave|duty|vacation|shift))\b)/

/** Whether a doubtful word is meant as a time. */
function isMeant(text: string, { start, end }: { start: number; end: number }): boolean {
  const word = text.slice(start, end)
  const before = text.slice(0, start)
  const lower = before.toLowerCase()
  // Written as a name inside a sentence.
  const isName = /^[A-Z]/.test(word) && before.trim() !== '' && !/[.!?:]\s*$/.test(before)
  const behind = text.slice(end).toLowerCase()
  if (/^[a-z]+$/i.test(word) && doing.test(lower) && done.test(behind)) return false
  // The feast; any other is what somebody assumes.
  if (/^assumption$/i.test(word)) return isName
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
export const unitDays = (name: string): number => unitLengths.find(([unit]) => unit.test(name))?.[1] ?? 1

const unitLengths = [
  [/^fortnight/, 14],
  [/^week(?!end)/, 7],
  [/^month/, 30],
  [/^year/, 365],
] as const

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

/** Characters of a text in which times are looked for: a date is found near the beginning of what it dates. */
export const maxRead = 6_000
/** Times of one text. */
const maxNamed = 24

/** A range between "before" and "begins" or "starts": the days before it. */
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
      // "Between October and March" ends in the next year.
      const isLater = one.yearly && one.to < previous.from
      const endOf = (days: Days): number => (isLater ? moved(days, 1).to : days.to)
      if (opened && endOf(one) > previous.from && one.yearly === previous.yearly) {
        named[named.length - 1] = {
          ...last,
          to: endOf(one),
          end: one.end,
          turn: turning([last, one] as const, ([first, latest]) => ({
            from: first.from,
            to: endOf(latest),
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
