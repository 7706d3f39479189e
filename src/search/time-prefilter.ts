/**
 * Whether a text can tell a time at all: most tell none, and need not be searched with every pattern. Knows words; what time
 * they tell is read in `dates.ts` and `time-expressions.ts`.
 */
import { monthForms, weekdayForms } from '../core/calendar-words.ts'
import { namedDays, seasons } from './calendar.ts'

/** Any named day or season, in lower case. */
export const anyName = new RegExp([...namedDays, ...seasons].map(([names]) => names).join('|'))

/** Words that tell a time by themselves, or of the clock; alternatives of a pattern. */
const words =
  'today|yesterday|tomorrow|tonight|ago|last|next|this|past|recent|recently|lately|back|day|night|morning|evening|weekend|week|fortnight|month|quarter|year|h[12]|q[1-4]|kw'
const monthsAndWeekdays = [...monthForms, ...weekdayForms].flat()

/** Only a question with one of these, or a day or season with a name, can contain a relative time. */
const smell = new RegExp(
  String.raw`\d{4}|\d(?:st|nd|rd|th)\b|\d[./-]\d|\b(?:${monthsAndWeekdays.join('|')})\b|\b(?:${words})(?:s|'s)?\b`,
  'i',
)

const beginning = (word: string): string => word.slice(0, 3)
const nameBeginning = (word: string): string => word.slice(0, 5)
/** How they begin: without one of them, or a digit, the pattern is not asked, which to compile takes a command a millisecond. */
const beginnings: ReadonlySet<string> = new Set([...monthsAndWeekdays, ...words.split('|')].map(beginning))
/** The beginnings of the last words that alternatives of names have: their first are "all", "new", "good". */
const lastBeginnings = (names: string): string[] =>
  names
    .replace(/\(\?:[^()]*\)\?/g, '')
    .split('|')
    .flatMap((name) => name.match(/[a-z]{3,}/g)?.slice(-1) ?? [])
    .map(nameBeginning)

/** Names of days and seasons, and how their last words begin. */
const named = [...namedDays, ...seasons].map(([names]) => ({ names, last: lastBeginnings(names) }))

/** Whether a question, in lower case, can tell a time. */
export function mayTellTime(text: string): boolean {
  const said = text.split(/[^a-z]+/)
  const mayTell = /\d/.test(text) || said.some((word) => beginnings.has(beginning(word)))
  if (mayTell && smell.test(text)) return true
  const begun = new Set(said.map(nameBeginning))
  const names = named.flatMap(({ names, last }) => (last.some((one) => begun.has(one)) ? [names] : []))
  return names.length > 0 && new RegExp(`\\b(?:${names.join('|')})(?![a-z])`).test(text)
}
