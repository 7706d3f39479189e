/**
 * Times of the week that a text names: hours, days, parts of the day. Knows English and figures; tells nothing of dates.
 */

/** Hours 0..23 and weekdays 0 (Monday) to 6; an empty set: the text does not say. */
export interface TimeWindow {
  readonly hours: ReadonlySet<number>
  readonly days: ReadonlySet<number>
}

const dayNames = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']
const shortDayNames = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']

const spokenHours: readonly (readonly [name: RegExp, from: number, until: number])[] = [
  [/\b(?:at|by|late at|during the|over) night\b|\btonight\b|\bovernight\b|\bnightly\b/i, 20, 6],
  [/\bmidnight\b/i, 23, 1],
  [/\bthis morning\b|\bin the morning\b|\bmornings?\b|\bbreakfast\b|\bstand-?up\b/i, 6, 12],
  [/\bnoon\b|\blunch(?:time|-time| time| hour)?\b|\bmidday\b/i, 11, 14],
  [/\bafternoons?\b/i, 12, 18],
  [/\bevenings?\b|\bafter (?:work|hours|office hours|closing)\b/i, 18, 23],
  [/\b(?:business|office|working|opening|peak|shop) hours\b|\bby day\b|\bdaytime\b|\bworking day\b/i, 8, 18],
]

function addHours(hours: Set<number>, from: number, until: number): void {
  for (let hour = from % 24; hour !== until % 24; hour = (hour + 1) % 24) hours.add(hour)
}

/** 24-hour clock of "4", "4 pm", "16:30"; undefined when no such hour is. */
function hourOf(figure: string, half: string | undefined): number | undefined {
  const hour = Number.parseInt(figure, 10)
  if (hour > 24) return undefined
  if (half?.toLowerCase().startsWith('p') && hour < 12) return hour + 12
  return half?.toLowerCase().startsWith('a') && hour === 12 ? 0 : hour % 24
}

const range =
  /\b(\d{1,2})(?:[:.]\d\d)?\s*(am|pm)?\s*(?:-|–|to|and|until|till)\s*(\d{1,2})(?:[:.]\d\d)?\s*(am|pm)?\b(?!\s*(?:%|percent|days|people|users|minutes|hours|GB|MB))/gi
const open =
  /\b(after|before|past|until)\s+(\d{1,2})(?:[:.](?:\d\d))?\s*(am|pm|o'clock)?\b(?!\s*(?:%|days|people|users|failed|times|minutes))/gi
const single =
  /\b(?:at\s+)?(\d{1,2}):(\d\d)\b(?!:)\s*(am|pm)?|\b(\d{1,2})\s*(am|pm)\b|\bat\s+(\d{1,2})\b(?![\d.:%]|\s*[ap]m\b)/gi

/** The hours and weekdays that a text names. */
export function timeWindowOf(text: string): TimeWindow {
  const hours = new Set<number>()
  const days = new Set<number>()
  for (const [, from = '', early, until = '', late] of text.matchAll(range)) {
    const first = hourOf(from, early ?? (late && Number(from) < Number(until) ? late : early))
    const last = hourOf(until, late)
    if (first !== undefined && last !== undefined && first !== last) addHours(hours, first, last)
  }
  if (hours.size === 0) {
    for (const [, side = '', figure = '', half] of text.matchAll(open)) {
      const hour = hourOf(figure, half)
      if (hour === undefined) continue
      if (/after|past/i.test(side)) addHours(hours, hour, 24)
      else addHours(hours, 0, hour)
    }
  }
  if (hours.size === 0) {
    for (const [, clock, , half, plain, plainHalf, bare] of text.matchAll(single)) {
      const hour = hourOf(clock ?? plain ?? bare ?? '99', half ?? plainHalf)
      if (hour !== undefined) hours.add(hour)
    }
  }
  if (hours.size === 0) {
    for (const [name, from, until] of spokenHours) if (name.test(text)) addHours(hours, from, until)
  }
  for (const word of text.toLowerCase().match(/[a-z]+/g) ?? []) {
    const day = dayNames.findIndex((name) => word === name || word === `${name}s`)
    const short = /\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b/.test(text) ? shortDayNames.indexOf(word) : -1
    if (day >= 0) days.add(day)
    else if (short >= 0) days.add(short)
    if (/^weekends?$/.test(word)) for (const one of [5, 6]) days.add(one)
    if (/^(?:weekdays?|workdays?)$/.test(word)) for (const one of [0, 1, 2, 3, 4]) days.add(one)
  }
  return { hours, days }
}

const meet = (a: ReadonlySet<number>, b: ReadonlySet<number>): boolean => [...a].some((one) => b.has(one))

/**
 * How the time of a plan stands to the time of a rule: 'within' when all that both name meets, 'outside' when hours or days
 * that both name do not, undefined when there is nothing to compare.
 */
export function compareWindows(rule: TimeWindow, plan: TimeWindow): 'within' | 'outside' | undefined {
  const hours = rule.hours.size > 0 && plan.hours.size > 0 ? meet(rule.hours, plan.hours) : undefined
  const days = rule.days.size > 0 && plan.days.size > 0 ? meet(rule.days, plan.days) : undefined
  if (hours === undefined && days === undefined) return undefined
  return hours === false || days === false ? 'outside' : 'within'
}
