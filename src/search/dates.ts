/**
 * The times a question asks about, relative to its clock, and how well a memory's own times match them. A preference,
 * never a filter: its weight is decided by the ranking.
 */
import { msPerMinute } from '../core/durations.ts'
import { squeeze } from '../core/patterns.ts'
import { type Day, localDay, monday, monthOf, moved, type Span, toDay, yearOf } from './calendar.ts'
import { dayEnds, overlaps, placedDays, type Told, tenseOf, whole } from './placed-days.ts'
import type { FoundTime } from './relative-times.ts'
import { adverbial, type Range, saysNoSubject, withoutTimes } from './subject.ts'
import { findTimes, maxRead, type Named, readOffset, unitDays } from './time-expressions.ts'
import { count, toNumber, weekday } from './time-patterns.ts'
import { mayTellTime } from './time-prefilter.ts'

/** An event that a time is relative to and that is in no calendar: "the week before the release". */
export interface Anchor {
  /** The words that a memory has to contain. */
  readonly phrase: string
  /** The days meant, given the anchor's. */
  readonly shift: (anchor: Span) => Span
  /** Whether the question takes it to be over: a day to come that a memory tells is another's. */
  readonly over: boolean
}

export interface AskedTimes {
  readonly spans: readonly Span[]
  readonly anchor: Anchor | undefined
  /** The question without its words of time, where it asks for more than a time; all of it otherwise. */
  readonly subject: string
  /** Whether nothing but times is asked for. */
  readonly only: boolean
  /** Whether the spans are all that is meant: "since last week" is read as that week. */
  readonly complete: boolean
}

/** The first and last days that are told of: an open range reaches as far. */
export const [firstDay, lastDay]: readonly [Day, Day] = [toDay(1900, 1, 1), toDay(2099, 12, 31)]

/** Periods relative to today, which chrono reads as single days. */
const periods: readonly (readonly [RegExp, (today: Day, words: readonly string[]) => Span])[] = [
  [
    /\b(?:in|over|within|during|for) the (?:last|past) (week|month|year)\b/,
    (today, [, unit = '']) => whole(today - unitDays(unit), today),
  ],
  [
    /\b(?:last|past) couple of (days|weeks|months|years)\b/,
    (today, [, unit = '']) => whole(today - 2 * unitDays(unit), today),
  ],
  [
    new RegExp(String.raw`\b${count} (days|weeks|months|years) back\b`),
    (today, [, told, unit = '']) => {
      const day = today - (toNumber(told) ?? 1) * unitDays(unit)
      return whole(day - slackOf(unit), day + slackOf(unit))
    },
  ],
  [/\b(?:the\s+)?day before yesterday\b/, (today) => whole(today - 2, today - 2)],
  [/\b(?:the\s+)?day after tomorrow\b/, (today) => whole(today + 2, today + 2)],
  [/\bthe other day\b/, (today) => whole(today - 6, today - 1)],
  [
    /(?<!\b(?:an?|the|any|every|each|our|my|your|their)\s+)\b(?:recently|lately)\b/,
    (today) => whole(today - 21, today),
  ],
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
  [/\bpast week\b/, (today) => whole(today - 7, today)],
  [/\bpast month\b/, (today) => whole(today - 30, today)],
  [/\bpast year\b/, (today) => whole(today - 365, today)],
  [/\b(?:last|past) (?:24|48) hours\b/, (today) => whole(today - 1, today)],
  [/\b(?:last|previous) quarter\b/, (today) => quarters(today, -1)],
  [/\b(?:this|current) quarter\b/, (today) => quarters(today, 0)],
  [/\b(?:next|coming) quarter\b/, (today) => quarters(today, 1)],
]

/** Days by which a time so far off is inexact: "three weeks ago" is no more exact than a week, "two months ago" than a month. */
const slackOf = (words: string): number =>
  /year/.test(words) ? 60 : /month/.test(words) ? 12 : /week/.test(words) ? 3 : 0

const months = (today: Day, shift: number, count: number): Span => {
  const [year, month] = [yearOf(today), monthOf(today) + shift]
  return whole(toDay(year, month, 1), toDay(year, month + count, 1) - 1)
}

const quarters = (today: Day, shift: number): Span => {
  const first = 3 * Math.floor((monthOf(today) - 1) / 3) + 1
  return months(today, first - monthOf(today) + 3 * shift, 3)
}

/** What is said just before a place in a text: to look through all of it again for each time would take minutes. */
const wordsBefore = (text: string, place: number): string => text.slice(Math.max(0, place - 64), place)

/** "Last" or "next" before a time without a year: which one is meant. */
function settleYear(named: Named, text: string, today: Day): Named {
  const [, which] = /\b(last|past|previous|next|coming)\s+$/.exec(wordsBefore(text, named.start)) ?? []
  if (!named.yearly || which === undefined) return named
  const ahead = which === 'next' || which === 'coming'
  for (const shift of ahead ? [0, 1] : [0, -1, -2]) {
    const tried = moved(named, shift)
    if (ahead ? tried.from > today : tried.to < today) return { ...named, ...tried, yearly: false }
  }
  return named
}

/** The last turn of a range of every year that has begun by today, or the next that has not ended. */
function lastTurn(span: Span, today: Day, ahead: boolean): Span {
  if (!span.yearly) return span
  for (const shift of ahead ? [-1, 0, 1] : [1, 0, -1]) {
    const turn = moved(span, shift)
    if (ahead ? turn.to >= today : turn.from <= today) return { ...turn, yearly: false }
  }
  return span
}

/** Words that open the range of a date to one side; not "just after" and the like, which mean what is near. */
const opening =
  /(?<!\b(?:just|right|shortly|soon|immediately|directly)\s+)\b(since|after|before|until|till|prior to|by)\s+(?:the\s+)?$/

/** "Since" and "after" a date mean all from there to the clock, "before" and "until" all that was earlier. */
function opened({ span, words }: Told, text: string, today: Day): Told {
  const before = wordsBefore(text, words[0]).replace(/\b(?:last|past|previous|this|next|coming)\s+$/, '')
  const found = opening.exec(before)
  if (found === null || /^\s+(?:begins|starts)\b/.test(text.slice(words[1]))) return { span, words }
  const [, side = ''] = found
  const ahead = tenseOf(text) === 'coming'
  if (side === 'by' && !ahead) return { span, words }
  return { span: openedBy(side, lastTurn(span, today, ahead), today, ahead), words }
}

/**
 * The days since, after, before or until some days; where what comes is asked about, from today, and what is due on the
 * day itself.
 */
function openedBy(side: string, { from, to }: Span, today: Day, ahead = false): Span {
  if (ahead && to >= today && /^(?:before|until|till|prior to|by)$/.test(side))
    return { ...whole(today, to), open: true, ahead }
  const first = side === 'after' ? to + 1 : from
  const range =
    side === 'since' || side === 'after'
      ? whole(first, first > today ? lastDay : today)
      : whole(firstDay, side === 'until' || side === 'till' ? to : from - 1)
  return { ...range, open: true }
}

/** The days of a filter by time, in milliseconds since the epoch. */
export const windowOf = (
  { since, until }: { readonly since: number | undefined; readonly until: number | undefined },
  now: number,
): Span => whole(since === undefined ? firstDay : localDay(since), localDay(until ?? now))

/** What a question without any time asks. */
export const timelessly = (query: string): AskedTimes => ({
  spans: [],
  anchor: undefined,
  subject: query,
  only: false,
  complete: true,
})

/** The times a question asks about. `now` in milliseconds since the epoch. */
export async function readTimes(query: string, now: number): Promise<AskedTimes> {
  const today = localDay(now)
  const asked = squeeze(query)
  // Of what was pasted the beginning: chrono's patterns take seconds for what repeats itself for longer.
  const text = asked.slice(0, maxRead).toLowerCase().replaceAll('’', "'")
  if (!mayTellTime(text)) return { ...timelessly(query), ...findBeginning(text, today) }
  const year = /\b(last|this|next)\s+year\b/.exec(text)
  const told = year ? yearOf(today) + ['last', 'this', 'next'].indexOf(year[1] ?? '') - 1 : undefined
  const named = findTimes(asked, told ?? yearOf(today))
  const dates = named.map((one): Told => {
    const { from, to, yearly, turn } =
      told === undefined ? settleYear(one, text, today) : { ...one, yearly: false }
    // "Friday, 13 November" is one day.
    const [day = ''] = weekdayBefore.exec(wordsBefore(text, one.begin)) ?? []
    return {
      span: { from, to, yearly, ...(turn && yearly && { turn }) },
      words: [one.begin - day.length, one.end],
    }
  })
  const adverbs = new Set(adverbial(asked, named))
  const modifying = new Set(
    dates.filter((_, at) => !named[at] || !adverbs.has(named[at])).map(({ words }) => words),
  )
  const taken = dates.map(({ words }) => words)
  dates.push(...placedDays(text, today, taken))
  taken.splice(0, taken.length, ...dates.map(({ words }) => words))
  const found: Told[] = []
  for (const [pattern, read] of periods) {
    const match = pattern.exec(text)
    if (match === null || overlaps(taken, match.index, match.index + match[0].length)) continue
    const words: Range = [match.index, match.index + match[0].length]
    taken.push(words)
    found.push({ span: read(today, match), words })
  }
  const relativeDays = await readRelative(text, now, taken)
  const spans = [...[...dates, ...relativeDays].map((one) => opened(one, text, today)), ...found]
  if (year !== null && told !== undefined) {
    const words: Range = [year.index, year.index + year[0].length]
    const all = whole(toDay(told, 1, 1), toDay(told, 12, 31))
    if (spans.length === 0) spans.push(opened({ span: all, words }, text, today))
    taken.push(words)
  }
  if (spans.length === 0) return { ...timelessly(query), ...(findBeginning(text, today) ?? findAnchor(text)) }
  const ranges = [...taken, ...relativeDays.map(({ words }) => words)]
  const bare = withoutTimes(asked, ranges)
  // "Early November" alone asks for its notes; "2024" alone may be any number.
  const rest =
    saysNoSubject(bare) && /[a-z]/i.test(query)
      ? bare
      : withoutTimes(
          asked,
          ranges.filter((words) => !modifying.has(words)),
        )
  const none = saysNoSubject(rest)
  const complete = !found.some(({ words: [start] }) => opening.test(wordsBefore(text, start)))
  return {
    spans: spans.map(({ span }) => span),
    anchor: undefined,
    subject: none ? query : rest,
    only: none && complete,
    complete,
  }
}

const weekdayBefore = new RegExp(String.raw`\b${weekday}\.?,?\s+(?:the\s+)?$`)

/** Times told from the clock that are read of one question, for each way to tell them. */
const maxRelative = 8

/**
 * Words that tell a time from the clock, and what the patterns of chrono that read them hold. Without any, chrono is
 * not loaded.
 */
const relative: readonly (readonly [words: RegExp, mark: RegExp])[] = [
  [/\b(?:today|yesterday|tomorrow|tonight|last\s+night)\b/g, /yesterday/],
  [/\bthis\s+(?:morning|afternoon|evening)\b/g, /\(\?:this\)/],
  [/\bago\b/g, /\bago\|/],
  [new RegExp(String.raw`\b(?:last|past|next|coming)\s+${weekday}\b(?:(?<=day)|${dayEnds})`, 'g'), /friday/],
  [/\b(?:last|past)\s+(?:\w+\s+)?(?:days|weeks|months|years)\b/g, /\blast\b.*\bmonths\b/],
]

/** What was read last: a hook asks the same of two brains. */
let readLast: { readonly key: string; readonly told: Promise<FoundTime[]> } | undefined

async function readRelative(text: string, now: number, taken: readonly Range[]): Promise<Told[]> {
  const called = relative.flatMap(([words, mark]) =>
    [...text.matchAll(words)].slice(0, maxRelative).map(({ index, 0: all }) => ({
      mark,
      words: [index, index + all.length] as const,
    })),
  )
  if (called.length === 0) return []
  const meant = called.map((one) => one.words)
  const key = `${Math.floor(now / msPerMinute)} ${text}`
  if (readLast?.key !== key) {
    const told = import('./relative-times.ts').then((reader) =>
      reader.readRelativeTimes(text, now, [...new Set(called.map(({ mark }) => mark))]),
    )
    readLast = { key, told }
    // What could not be loaded once is tried again by whoever asks next.
    told.catch(() => {
      if (readLast?.told === told) readLast = undefined
    })
  }
  return (await readLast.told).flatMap(({ index, text: found, start, end }): Told[] => {
    const words: Range = [index, index + found.length]
    if (overlaps(taken, ...words) || !overlaps(meant, ...words)) return []
    const from = localDay(start)
    // "The last three weeks" reach to today.
    if (/\b(?:last|past)\s+(?:\w+\s+)?(?:days|weeks|months|years)\b/.test(found))
      return [{ span: whole(from, localDay(now)), words }]
    const slack = slackOf(found)
    return [{ span: whole(from - slack, (end === undefined ? from : localDay(end)) + slack), words }]
  })
}

/** What of a question's times an event tells, and whether the notes of that time are all that is asked for. */
type ToEvent = Pick<AskedTimes, 'anchor' | 'only'>

/** Whether what stands before a time asks for notes of it: nothing, or what was, no matter what. */
const asksWhatWas = (text: string, before: string): boolean =>
  before.trim() === '' || (tenseOf(text) === 'past' && saysNoSubject(before))

/**
 * The event since or before which a question asks for all notes: "what happened since the release". What happens, or is to be
 * done, after a release is no time but a matter.
 */
function findBeginning(text: string, today: Day): ToEvent | undefined {
  const found = /^(.{0,80}?)\b(since|after|before|until|till)\s+(?:the|our)\s+(.{3,120}?)[?!.\s]*$/.exec(text)
  const [, before = '', side = '', phrase = ''] = found ?? []
  if (found === null || !(side === 'since' ? saysNoSubject(before) : asksWhatWas(text, before)))
    return undefined
  const over = side === 'since' || side === 'after'
  // What came after an event may have come on its own day.
  const from = side === 'after' ? 'since' : side
  return { anchor: { phrase, shift: (event) => openedBy(from, event, today), over }, only: true }
}

/** The event that a question's time is relative to. */
function findAnchor(text: string): ToEvent | undefined {
  const seam = /\b(?:before|after|following|prior to|ahead of|leading up to)\s+(?:the\s+|our\s+)?/g
  for (const { index, 0: words } of text.matchAll(seam)) {
    const before = text.slice(0, index) + words
    const probe = readOffset(before, { from: 0, to: 0, yearly: false })
    if (probe === undefined) continue
    const phrase = text
      .slice(index + words.length)
      .replace(/[?!.]+\s*$/, '')
      .trim()
    if (phrase.length < 3) continue
    const only = asksWhatWas(text, before.slice(0, before.length - probe.length))
    const shift = (event: Span): Span => readOffset(before, event)?.span ?? event
    return { anchor: { phrase, shift, over: false }, only }
  }
  return undefined
}

const daysPerYear = 365.25

/** Days between two spans (0 when they meet), and how many they share. */
function relate(a: Span, b: Span): { gap: number; shared: number } {
  // The turn of the year that brings them nearest.
  const years =
    a.yearly || b.yearly ? Math.round(((a.from + a.to) / 2 - (b.from + b.to) / 2) / daysPerYear) : 0
  // What is movable keeps to its own date in each year.
  const [one, other] =
    a.yearly && a.turn !== undefined
      ? [a.turn(-years), b]
      : b.yearly && b.turn !== undefined
        ? [a, b.turn(years)]
        : [a, { from: b.from + daysPerYear * years, to: b.to + daysPerYear * years }]
  const shared = Math.min(one.to, other.to) - Math.max(one.from, other.from) + 1
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
  return 0.5 * Math.exp(-gap / (1 + 0.3 * (asked.open ? 1 : lengthOf(asked))))
}

/** Times that a memory of a day tells without a year, in the year that is nearest to the day. */
export const inYearOf = (day: Day, own: readonly Span[]): Span[] =>
  own.map((span) => {
    const off = (span.from + span.to) / 2 - day
    return span.yearly
      ? { ...moved(span, off > daysPerYear / 2 ? -1 : off < -daysPerYear / 2 ? 1 : 0), yearly: false }
      : span
  })

/** A range of every year in the years up to that of a day, latest first; any other range as it is. */
export const turnsOf = (span: Span, day: Day): Span[] =>
  span.yearly
    ? Array.from({ length: maxTurns }, (_, ago) => ({
        ...moved(span, 1 - ago + yearOf(day) - yearOf(span.from)),
        yearly: false,
      })).filter(({ from }) => from <= day)
    : [span]

/** Years that are looked back for a time of every year. */
const maxTurns = 12

/** How well the best of a memory's times matches any requested one, 0..1. */
export const bestMeeting = (asked: readonly Span[], own: readonly Span[]): number =>
  asked.reduce((best, one) => own.reduce((known, other) => Math.max(known, meeting(one, other)), best), 0)
