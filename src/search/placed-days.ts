/**
 * Days that a question places by a weekday, a weekend or the day of a month, alone and as ranges, and whether the last
 * or the next of them is meant. Knows English and today; which other times a question tells is read in `dates.ts`.
 */
import { weekdayOf } from '../core/calendar-words.ts'
import { type Day, existingDay, monday, monthOf, type Span, toDay, yearOf } from './calendar.ts'
import type { Range } from './subject.ts'
import { count, several, toNumber, weekday, weekdayNumber } from './time-patterns.ts'

/** A range of days and the words that tell it. */
export interface Told {
  readonly span: Span
  readonly words: Range
}

export const whole = (from: Day, to: Day): Span => ({ from, to, yearly: false })

export const overlaps = (taken: readonly Range[], start: number, end: number): boolean =>
  taken.some(([from, to]) => start < to && from < end)

/** Before these a short name is a day: "sun" and "sat" are words besides. */
export const dayEnds = String.raw`(?=\s*(?:$|[^\s\w]|(?:about|and|at|did|do|does|for|i|in|is|it|or|that|they|to|was|we|were|when|with|you|morning|afternoon|evening|night)\b))`

/** What a question is about: what was, what will be, or what is said in the present, which may mean both. */
export type Tense = 'past' | 'coming' | 'present' | undefined

const isNow = String.raw`(?:\b(?:is|are|am)|'s|'re|'m)`
const coming = new RegExp(
  [
    String.raw`\b(?:will|shall|won't|going\s+to|upcoming|due|must|deadlines?)\b|'ll\b|\b(?:have|has|need|needs|left|still)\s+to\b|\b(?:planned|scheduled|plans?|agenda|schedule)\s+for\b`,
    String.raw`${isNow}\s+(?:\w+\s+){0,2}?(?:planned|scheduled|coming|next)\b`,
    String.raw`${isNow}\s+(?:there\s+|(?:the|our|my)\s+\w+\s+)?on\b`,
    String.raw`${isNow}\s+(?:(?!of\b)\w+\s+){0,2}?(?!\w*thing\b|(?:mor|eve|pri)ning\b|billing\b|during\b|meeting\b|pricing\b)\w{2,}ing\b`,
  ].join('|'),
)
/** After "was" these are what was to come. */
const wasComing =
  /\b(?:was|were|been)\s+(?:\w+\s+){0,2}?(?:due|planned|scheduled|upcoming|going\s+to)(?:\s+for)?\b/g
const present =
  /\b(?:do|does)\b|\b(?:who|what|which\s+\w+)\s+(?:comes|arrives|happens|starts|begins|ends|leaves|meets|opens|closes|visits|joins)\b/
const past = new RegExp(
  String.raw`\b(?:was|were|wasn't|weren't|did|didn't|had|hadn't|been)\b|\b(?<!${isNow}\s+(?:\w+\s+){0,2})(?:(?!(?:hundred|embed|shared|planned\s+for|scheduled\s+for)\b)\w*[^\We]ed|agreed|came|went|broke|broken|built|bought|brought|caught|chose|done|fell|felt|found|gave|given|gone|got|grew|held|kept|knew|learnt|left|lost|made|met|paid|ran|said|saw|seen|sent|shown|spoke|stood|taken|taught|thought|told|took|understood|went|woke|won|wrote|written)\b`,
)

/** What is to be done, and not what was. */
const toBeDone = /\b(?:must|should|to)\s+be\s+\w+/g

/** The tense of a question in lower case. */
export function tenseOf(text: string): Tense {
  const will = coming.test(text.replace(wasComing, 'was'))
  if (past.test(text.replace(toBeDone, 'must'))) return will ? undefined : 'past'
  return will ? 'coming' : present.test(text) ? 'present' : undefined
}

/** Words that lead to what has begun, unless something coming is asked about. */
const backward = /^(?:from|of|since|after|before|until|till)$/

/** Whether days are looked for back from today, ahead, or both. */
function directionsOf(tense: Tense, lead: string | undefined): ('back' | 'ahead')[] {
  if (lead === 'by' || tense === 'coming') return ['ahead']
  if (tense === 'past' || (lead !== undefined && backward.test(lead))) return ['back']
  return tense === 'present' ? ['ahead'] : ['back', 'ahead']
}

/**
 * The day nearest to a day, that day included, back or ahead, that is as told; within the years that a weekday needs to
 * meet any date.
 */
function nearestDay(from: Day, direction: 'back' | 'ahead', is: (day: Day) => boolean): Day | undefined {
  for (let off = 0; off < 3_000; off += 1) {
    const day = direction === 'ahead' ? from + off : from - off
    if (is(day)) return day
  }
  return undefined
}

const dateOf = (day: Day): number => day - toDay(yearOf(day), monthOf(day), 1) + 1

/** A weekday, a day of the month, or both, as numbers; below 0 or NaN where not told. */
interface Placed {
  readonly weekday: number
  readonly date: number
}

const toPlaced = (name: string | undefined, date: string | undefined): Placed => ({
  weekday: weekdayNumber(name),
  date: Number(date),
})

const isPlaced =
  ({ weekday, date }: Placed) =>
  (day: Day): boolean =>
    (weekday < 0 || weekdayOf(day) === weekday) && (Number.isNaN(date) || dateOf(day) === date)

/** The week or the month that a day is told to be in: "of last week". */
const within = (units: string): string =>
  String.raw`(?:,?\s+(?:(?:of|in)\s+)?(?:the\s+)?(?:(last|previous|this|current|next|coming)\s+(${units})|(?:week\s+(before\s+last))))`

/** Steps from the current week or month. */
const stepsOf = (which = ''): number =>
  /^(?:last|previous)$/.test(which)
    ? -1
    : /^(?:next|coming)$/.test(which)
      ? 1
      : which.startsWith('before')
        ? -2
        : 0

/** A weekday, 0..6 from Sunday, of the week so many weeks from today's; weeks begin on Monday. */
const weekdayOfWeek = (today: Day, weeks: number, weekday: number): Day =>
  monday(today) + 7 * weeks + ((weekday + 6) % 7)

/** A day within the week or the month that is told; undefined where that has none such. */
function dayWithin(
  { weekday, date }: Placed,
  today: Day,
  { which, unit }: { which: string | undefined; unit: string | undefined },
): Day | undefined {
  if (unit === 'month') {
    const first = toDay(yearOf(today), monthOf(today) + stepsOf(which), 1)
    return Number.isNaN(date) ? undefined : existingDay(yearOf(first), monthOf(first), date)
  }
  return weekday < 0 ? undefined : weekdayOfWeek(today, stepsOf(which), weekday)
}

const nth = String.raw`(\d{1,2})(?:st|nd|rd|th)`
const bound = String.raw`(?:the\s+)?(?:(${weekday})\b(?:,?\s+(?:the\s+)?${nth}\b)?|`

/** From one such day to another. */
const placedRange = new RegExp(
  String.raw`\b(?:(from|between|on|during|of)\s+)?${bound}${nth}\b)(?:\s+(to|until|till|through|thru|and)\s+|\s*[–—-]\s*)${bound}(\d{1,2})(?:st|nd|rd|th)?\b(?![.:/-]\d|\s*%))${within('week|month')}?(?:(?<=day|week|month|last)|${dayEnds})`,
  'g',
)

/** A weekday, or a day of a month that is not named. */
const placedDay = new RegExp(
  String.raw`\b(?:(on|from|of|since|after|before|until|till|by|for|the)\s+)?(?:(${weekday})\b,?\s+)?(?:the\s+)?${nth}\b(?:\s+of\s+(last|this|next)\s+month)?${dayEnds}|\b(?=(?:on|from|since|after|before|until|till|for|this)\s)(?:(?!this)\w+\s+)?(this\s+)?(${weekday})\b(?:(?<=day)|${dayEnds})(?!,?\s+(?:the\s+)?\d)`,
  'g',
)

/** A weekday of a week that is told. */
const dayOfWeek = new RegExp(
  String.raw`(?:\b(on|from|since|after|before|until|till|by|for)\s+)?(?:the\s+)?\b(${weekday})\b${within('week')}\b`,
  'g',
)

/** Such days of one question. */
const maxPlaced = 8

const matchesOf = (text: string, pattern: RegExp): RegExpExecArray[] =>
  [...text.matchAll(pattern)].slice(0, maxPlaced)

/** Longest range between two such days, in days. */
const longest = 31

function rangesOf(text: string, today: Day, tense: Tense): Told[] {
  return matchesOf(text, placedRange).flatMap(({ index, 0: all, ...groups }): Told[] => {
    const { 1: lead, 2: name, 3: nthOfName, 4: nth, 5: seam, 6: lastName, 7: lastNth, 8: last } = groups
    const { 9: which, 10: unit, 11: older } = groups
    // "Monday and Friday" are two days; "the 5th to 6th" counts anything.
    if (seam === 'and' && lead !== 'between') return []
    if (lead === undefined && !(name?.endsWith('day') && lastName?.endsWith('day'))) return []
    const [start, end] = [toPlaced(name, nthOfName ?? nth), toPlaced(lastName, lastNth ?? last)]
    const words: Range = [index, index + all.length]
    const told = { which: which ?? older, unit }
    if (told.which !== undefined) {
      const [from, to] = [dayWithin(start, today, told), dayWithin(end, today, told)]
      if (from === undefined || to === undefined) return []
      // "From Friday to Monday last week" begins in the week before.
      const begins = from > to && unit !== 'month' ? from - 7 : from
      return begins > to ? [] : [{ span: whole(begins, to), words }]
    }
    const ends = directionsOf(tense, undefined).map((one) => nearestDay(today, one, isPlaced(end)))
    return [...new Set(ends)].flatMap((to): Told[] => {
      const from = to === undefined ? undefined : nearestDay(to - 1, 'back', isPlaced(start))
      return from === undefined || to === undefined || to - from > longest
        ? []
        : [{ span: whole(from, to), words }]
    })
  })
}

function daysOfWeeks(text: string, today: Day): Told[] {
  return matchesOf(text, dayOfWeek).flatMap(
    ({ index, 0: all, 1: lead, 2: name = '', 3: which, 4: unit, 5: older }): Told[] => {
      if (lead === undefined && !name.endsWith('day')) return []
      const day = dayWithin(toPlaced(name, undefined), today, { which: which ?? older, unit })
      const end = index + all.length
      return day === undefined
        ? []
        : [{ span: whole(day, day), words: [index + all.indexOf(name, lead?.length), end] }]
    },
  )
}

function singleDays(text: string, today: Day, tense: Tense): Told[] {
  return matchesOf(text, placedDay).flatMap(
    ({ index, 0: all, 1: before, 2: name, 3: date, 4: which, 5: running = '', 6: alone }): Told[] => {
      // "The 5th" by itself counts anything.
      if (!(name ?? alone) && (before === undefined || before === 'the' || before === 'of')) return []
      if (alone !== undefined && running === '' && asksPermission(text)) return []
      // "From the 3rd to the 4th" of anything is no range of days.
      if (before === 'from' && /^\s+to\b/.test(text.slice(index + all.length, index + all.length + 16)))
        return []
      const placed = toPlaced(name ?? alone, date)
      const lead = before ?? /^\w+/.exec(all)?.[0]
      const days =
        which === undefined
          ? directionsOf(tense, lead).map((direction) => nearestDay(today, direction, isPlaced(placed)))
          : [dayWithin(placed, today, { which, unit: 'month' })]
      const end = index + all.length
      // Words such as "since" are read of all dates alike, and lead to it.
      const start =
        alone === undefined ? index + (before?.length ?? -1) + 1 : end - alone.length - running.length
      return [...new Set(days)].flatMap((day) =>
        day === undefined ? [] : [{ span: whole(day, day), words: [start, end] as const }],
      )
    },
  )
}

/** "Two Fridays ago", "the Friday before last": the last that was is the first of them. */
const dayAgo = new RegExp(
  String.raw`\b(?:${count}\s+(${weekday})s\s+ago|(?<!\w\s+of\s+)(${weekday})\s+before\s+last)\b`,
  'g',
)

const daysAgo = (text: string, today: Day): Told[] =>
  matchesOf(text, dayAgo).flatMap(({ index, 0: all, 1: told, 2: counted, 3: alone }): Told[] => {
    const day = nearestDay(today - 1, 'back', isPlaced(toPlaced(counted ?? alone, undefined)))
    if (day === undefined) return []
    const its = day - 7 * ((toNumber(told) ?? 2) - 1)
    return [{ span: whole(its, its), words: [index, index + all.length] }]
  })

const weeksAgo = String.raw`(?:(an?|${several})\s+weeks?|an?\s+(fortnight))\s+ago`

/** "Friday two weeks ago", "three weeks ago on Wednesday": of the week that was so many before this one. */
const dayWeeksAgo = new RegExp(
  String.raw`\b(?:(${weekday}),?\s+${weeksAgo}|${weeksAgo},?\s+(?:on\s+)?(${weekday}))\b`,
  'g',
)

const daysWeeksAgo = (text: string, today: Day): Told[] =>
  matchesOf(text, dayWeeksAgo).map(({ index, 0: all, ...groups }): Told => {
    const [name, told, fortnight] = groups[1]
      ? [groups[1], groups[2], groups[3]]
      : [groups[6], groups[4], groups[5]]
    const weeks = fortnight ? 2 : (toNumber(told) ?? 1)
    const day = weekdayOfWeek(today, -weeks, weekdayNumber(name))
    return { span: whole(day, day), words: [index, index + all.length] }
  })

/** "The weekend" is the last that has begun, or the next where something coming is asked about. */
function weekendsOf(text: string, today: Day, tense: Tense): Told[] {
  const saturday = monday(today) + 5
  const first = tense === 'coming' || saturday <= today ? saturday : saturday - 7
  return matchesOf(text, weekend).flatMap(({ index, 0: all }): Told[] =>
    asksPermission(text) ? [] : [{ span: whole(first, first + 1), words: [index, index + all.length] }],
  )
}

const weekend = new RegExp(
  String.raw`\b(?:over\s+|(?<=\b(?:on|at|during|since|for|from|of|before|after|until|till)\s+))the\s+weekend\b(?:${dayEnds}|(?=\s+(?:by|from|on)\b))`,
  'g',
)

const permission =
  /\b(?<!\bwhat\s+(?:\w+\s+)?)(?:may|can|could|should|shall|must|might)(?:n't)?\s+(?:i|we|you|one|they|he|she|anyone|someone|people)\s+(?!(?:\w+\s+)?(?:tell|show|see|know|find|list|give|remind|get|recall|look|say|ask|expect|remember|read|hear)\b)|\bwho\s+(?:may|can|must)\b|\bis\s+it\s+(?:\w+\s+)?(?:ok|okay|fine|safe|wise|alright|good|bad)\b|\b(?:ok|okay)\s+to\b|\b(?:allowed|permitted|forbidden)\b/

/** Whether a question in lower case asks what may be done: a weekday in it is part of a rule. */
const asksPermission = (text: string): boolean => permission.test(text) && !past.test(text)

/** Weekdays, weekends, and days of the month without a month: the last that was, the next that comes, or both, by the tense. */
export function placedDays(text: string, today: Day, taken: readonly Range[]): Told[] {
  const tense = tenseOf(text)
  const told: Told[] = []
  for (const found of [
    rangesOf(text, today, tense),
    daysOfWeeks(text, today),
    daysAgo(text, today),
    daysWeeksAgo(text, today),
    weekendsOf(text, today, tense),
    singleDays(text, today, tense),
  ]) {
    const before = [...taken, ...told.map(({ words }) => words)]
    told.push(...found.filter(({ words }) => !overlaps(before, ...words)))
  }
  return told.slice(0, maxPlaced)
}
