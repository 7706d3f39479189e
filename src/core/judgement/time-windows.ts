/** Times of the week that a text names: hours, days, times of day. Knows English and digits; of dates only the weekday. */
import { cardinals, weekdayNames } from '../calendar-words.ts'
import { morningHour } from '../quantities/clock.ts'

/** Hours 0..23 and weekdays 0 (Monday) to 6; an empty set if the text does not say. */
export interface TimeWindow {
  readonly hours: ReadonlySet<number>
  readonly days: ReadonlySet<number>
}

/**
 * What a text tells times for: a rule's reach to the end of the day ("after 15:00") and are spans, since a single hour
 * in a warning is when something went wrong once; a plan's is a moment.
 */
export type TimeUse = 'rule' | 'plan'

/** From Monday. */
const dayNames = [...weekdayNames.slice(1), ...weekdayNames.slice(0, 1)].map((name) => name.toLowerCase())
const shortDayNames = dayNames.map((name) => name.slice(0, 3))
const figures = cardinals.slice(1)

/** Hours that have a name: when they begin and end. */
const spokenHours: readonly (readonly [name: string, from: number, until: number])[] = [
  ['(?:at|by|late at|during the|over|in the) nights?|tonight|overnight|nightly|nights', 20, morningHour],
  ['midnight', 23, 1],
  ['(?:this|in the|on \\w+) mornings?|mornings?|breakfast|stand-?up', morningHour, 12],
  ['noon|lunch(?:time|-time| time| hour| break)?|midday', 12, 13],
  ['afternoons?', 12, 18],
  ['evenings?|dinner', 18, 23],
  ['(?:business|office|working|opening|peak|shop|trading) hours|by day|daytime|working day', 8, 18],
  [
    '(?:last thing |(?:right|just|shortly) )?before (?:the weekend|(?:every(?:one|body)|we|they|people) (?:leaves?|heads?|goes?|go)\\b)',
    15,
    20,
  ],
]
/**
 * What is in every one of these names: to look for it first spares most texts two dozen patterns, which take longer to
 * compile than to use.
 */
const anyName =
  /night|morning|breakfast|stand|noon|lunch|midday|by day|daytime|working day|evening|dinner|hours|before/
const afterwards = '(?:after|past|from|since)'
const beforehand = '(?:before|until|till|up to)'
/** How much of a day "after lunch" takes in a plan. */
const soon = 4
/** Up to this hour a bare figure ("at four") is most likely one of the afternoon. */
const lastAmbiguousHour = 7
const ofNight = /\bnight|\bmorning|\bearly\b|\bdawn\b|\b\d\s?a\.?m\b/i

/** From one hour to another of the same or of the next day; all of a day from an hour to itself. */
function addHours(hours: Set<number>, from: number, until: number): void {
  const count = ((until - from + 23) % 24) + 1
  for (let passed = 0; passed < count; passed += 1) hours.add((from + passed) % 24)
}

/** Before 0 is before the midnight that ends the day. */
function addBefore(hours: Set<number>, until: number, use: TimeUse): void {
  const end = until === 0 ? 24 : until
  addHours(hours, use === 'rule' ? 0 : Math.max(0, end - soon), end)
}

/** After 24 or 0 is after the midnight that begins the day, and for a rule until its morning. */
function addAfter(hours: Set<number>, from: number, use: TimeUse): void {
  const begin = from % 24
  const end = begin === 0 ? morningHour : 24
  addHours(hours, begin, use === 'rule' ? end : Math.min(24, begin + soon))
}

/** 24-hour clock of "4", "4 pm", "16:30", "four in the afternoon"; undefined when no such hour is. */
function hourOf(figure: string, half: string | undefined): number | undefined {
  const spoken = figures.indexOf(figure.toLowerCase()) + 1
  const hour = spoken > 0 ? spoken : Number.parseInt(figure, 10)
  if (Number.isNaN(hour) || hour > 24) return undefined
  const late = /^(?:p|in the (?:afternoon|evening)|at night|tonight|this (?:afternoon|evening))/i.test(
    half ?? '',
  )
  if (late && hour < 12) return hour + 12
  return /^(?:a|at night|tonight)/i.test(half ?? '') && hour === 12 ? 0 : hour % 24
}

const half =
  'am\\b|pm\\b|a\\.m\\.|p\\.m\\.|in the (?:morning|afternoon|evening)|at night|tonight|this (?:morning|afternoon|evening)'
const range =
  /\b(\d{1,2})(?:[:.]\d\d)?\s*(am|pm)?\s*(?:-|–|to|and|until|till)\s*(\d{1,2})(?:[:.]\d\d)?\s*(am|pm|h\b)?\b(?!\s*(?:%|percent|days|people|users|minutes|hours|GB|MB))/gi
const open =
  /\b(after|before|past|until|from)\s+(\d{1,2})(?::\d\d|\.[0-5]\d(?=\s?[ap]m))?\s*(am|pm|o'clock)?\b(?!\.\d|[-/]|\s*(?:%|-|–|to\b|days|people|users|failed|times|minutes))/gi
const single = new RegExp(
  `(?<![\\d+-])(\\d{1,2}):(\\d\\d)\\b(?!:\\d\\d:)\\s*(${half})?|\\b(\\d{1,2})(?:\\.[0-5]\\d)?\\s*(${half})|\\bat\\s+(\\d{1,2})\\b(?![\\d.:%/]|\\s*[ap]m\\b)|\\b(?:half past |quarter (?:past|to) )?(${figures.join('|')})(?: o'clock)?\\s+(${half})|\\bat (${figures.join('|')})(?: o'clock)?\\b(?=[,.;]|\\s+(?:and|on|sharp|o'clock)\\b|$)`,
  'gi',
)
const anyFigure = new RegExp(`\\d|${figures.join('|')}`, 'i')
const sideOfMidnight = /(?<=\b(?:after|past|from|before|until|till|to|and) )midnight\b/gi
const isoDate = /\b(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):\d\d)?/g

const namedBy = spokenHours.map(([name, from, until]) => ({
  from,
  until,
  after: new RegExp(`\\b${afterwards} (?:the )?(?:${name})`, 'i'),
  before: new RegExp(`\\b${beforehand} (?:the )?(?:${name})`, 'i'),
  within: new RegExp(`\\b(?:${name})\\b`, 'i'),
}))

/** Hours by the clock: spans first, then a side of an hour, then in a plan a single one. */
function readClock(text: string, use: TimeUse): Set<number> {
  const hours = new Set<number>()
  if (!anyFigure.test(text)) return hours
  const isOfNight = ofNight.test(text)
  const isAmbiguous = (hour: number): boolean => hour >= 1 && hour <= lastAmbiguousHour && !isOfNight
  for (const [, from = '', early, until = '', late] of text.matchAll(range)) {
    const first = hourOf(from, early ?? (late && Number(from) < Number(until) ? late : early))
    const told = hourOf(until, late)
    const isToAfternoon = first !== undefined && told !== undefined && told < first && first <= 12
    const last = isToAfternoon && late === undefined && isAmbiguous(told) ? told + 12 : told
    if (first !== undefined && last !== undefined && first !== last) addHours(hours, first, last)
  }
  if (hours.size > 0) return hours
  for (const [written, side = '', figure = '', part] of text.matchAll(open)) {
    const told = hourOf(figure, part)
    if (told === undefined) continue
    const isBare = !written.includes(':') && !/m$/i.test(part ?? '')
    const hour = isBare && isAmbiguous(told) ? told + 12 : told
    if (/after|past|from/i.test(side)) addAfter(hours, hour, use)
    else addBefore(hours, hour, use)
  }
  if (hours.size > 0 || use === 'rule') return hours
  for (const [, clock, , clockHalf, plain, plainHalf, bare, word, wordHalf, wordAlone] of text.matchAll(
    single,
  )) {
    const hour = hourOf(
      clock ?? plain ?? bare ?? word ?? wordAlone ?? '99',
      clockHalf ?? plainHalf ?? wordHalf,
    )
    if (hour === undefined) continue
    hours.add(hour)
    // Somebody may well mean the night: both count.
    if (clock === undefined && plainHalf === undefined && wordHalf === undefined && isAmbiguous(hour))
      hours.add(hour + 12)
  }
  return hours
}

/** Hours by their names. */
function readNames(text: string, use: TimeUse): Set<number> {
  const hours = new Set<number>()
  if (!anyName.test(text.toLowerCase())) return hours
  for (const { from, until, after, before, within } of namedBy) {
    if (after.test(text)) {
      if (from < until) addAfter(hours, until, use)
    } else if (before.test(text)) addBefore(hours, from, use)
    else if (within.test(text)) addHours(hours, from, until)
  }
  return hours
}

function readDays(text: string): Set<number> {
  const days = new Set<number>()
  const abbreviated = /\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b/.test(text)
  for (const word of text.toLowerCase().match(/[a-z]+/g) ?? []) {
    const day = dayNames.findIndex((name) => word === name || word === `${name}s`)
    const short = abbreviated ? shortDayNames.indexOf(word) : -1
    if (day >= 0) days.add(day)
    else if (short >= 0) days.add(short)
    if (/^(?:weekdays?|workdays?)$/.test(word)) for (const one of [0, 1, 2, 3, 4]) days.add(one)
  }
  if (
    /\b(?:before|into|for) (?:\w+ leaves for )?the weekend\b|\bthe week is (?:nearly|almost) over\b/i.test(
      text,
    )
  )
    days.add(4)
  else if (/\bweekends?\b/i.test(text)) for (const one of [5, 6]) days.add(one)
  return days
}

/** The hours and weekdays that a text names. */
export function timeWindowOf(text: string, use: TimeUse = 'plan'): TimeWindow {
  const plain = text.replace(isoDate, ' ').replace(sideOfMidnight, '24:00')
  const clock = readClock(plain, use)
  const hours = clock.size > 0 ? clock : readNames(plain, use)
  const days = readDays(plain)
  for (const [, year, month, day, hour] of use === 'plan' ? text.matchAll(isoDate) : []) {
    const weekday = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDay()
    days.add((weekday + 6) % 7)
    if (hour !== undefined) hours.add(Number(hour) % 24)
  }
  return { hours, days }
}

const meet = (a: ReadonlySet<number>, b: ReadonlySet<number>): boolean => [...a].some((one) => b.has(one))

/**
 * The relation of a plan's time to a rule's: 'within' if everything that both name overlaps, 'outside' if some hours
 * or days that both name do not, undefined if there is nothing to compare.
 */
export function compareWindows(rule: TimeWindow, plan: TimeWindow): 'within' | 'outside' | undefined {
  const hours = rule.hours.size > 0 && plan.hours.size > 0 ? meet(rule.hours, plan.hours) : undefined
  const days = rule.days.size > 0 && plan.days.size > 0 ? meet(rule.days, plan.days) : undefined
  if (hours === undefined && days === undefined) return undefined
  return hours === false || days === false ? 'outside' : 'within'
}
