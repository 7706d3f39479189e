/**
 * Whether a text can tell a time at all: most tell none, and need not be searched with every pattern. Knows words; what time
 * they tell is read in `dates.ts` and `time-expressions.ts`.
 */
import { monthForms, weekdayForms } from '../core/calendar-words.ts'
import { namedDays, seasons } from './calendar.ts'

/** Whatever days and seasons are called by, as alternatives of a pattern. */
const dayAndSeasonNames = [...namedDays, ...seasons].map(([names]) => names).join('|')

/** Any named day or season, in lower case. */
export const anyName = new RegExp(dayAndSeasonNames)

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
/** The same of the last word that each name of a day or season has: their first are "all", "new", "good". */
const nameBeginnings: ReadonlySet<string> = new Set(
  dayAndSeasonNames
    .replace(/\(\?:[^()]*\)\?/g, '')
    .split('|')
    .flatMap((name) => name.match(/[a-z]{3,}/g)?.slice(-1) ?? [])
    .map(nameBeginning),
)

/** Whether a question, in lower case, can tell a time. */
export function mayTellTime(text: string): boolean {
  const said = text.split(/[^a-z]+/)
  const mayTell = /\d/.test(text) || said.some((word) => beginnings.has(beginning(word)))
  const mayName = said.some((word) => nameBeginnings.has(nameBeginning(word)))
  return (mayTell && smell.test(text)) || (mayName && anyName.test(text))
}
