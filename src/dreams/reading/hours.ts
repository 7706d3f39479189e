/** The hours between which something is on, as a text names them. Knows nothing of days. */
import { monthForms, weekdayForms } from '../../core/calendar-words.ts'
import { numberWords } from './lexicon.ts'

/** What is no hour when it stands behind a number: "at 4 May". */
const days = [...monthForms, ...weekdayForms].flat().join('|')
const half = String.raw`(?:\s?[ap]\.?m\b)?`
const hour = String.raw`(?:[01]?\d|2[0-3])(?::[0-5]\d)?${half}|${[...numberWords.keys()].join('|')}|noon|midday|midnight`
const noHour = String.raw`(?!\s*(?:st|nd|rd|th|%|euros?|of|${days}))`
const hoursPattern = new RegExp(
  String.raw`\b(?:at|from|between|by|around|till|until)\s+(${hour})(?![\w])${noHour}(?:\s+in the (?:morning|afternoon))?(?!\s*(?:and|to|till|until|-|–)\s*\d{1,2}\s*(?:${days})\b)(?:\s*(?:and|to|till|until|-|–)\s*(?:about\s+)?(${hour})(?![\w])${noHour})?|\b(\d{1,2}:\d{2}${half})(?:\s*(?:to|till|until|-|–)\s*(\d{1,2}:\d{2}${half}))?`,
  'i',
)
/** A bare hour before this one is of the afternoon: nobody plans for three at night without saying so. */
const earliest = 7
/** Minutes. */
const halfDay = 720

/** Minutes of the day of a time as written; undefined if there is no such time. */
function minutesOf(written: string): number | undefined {
  const lower = written.toLowerCase()
  if (lower === 'noon' || lower === 'midday') return 720
  if (lower === 'midnight') return 1_439
  const [, word = '', minutes, part] = /^(\w+?)(?::(\d\d))?(?:\s?([ap])\.?m)?$/.exec(lower) ?? []
  const number = numberWords.get(word) ?? Number(word)
  if (!(number >= 0 && number < 24)) return undefined
  const hours =
    part !== undefined
      ? (number % 12) + (part === 'p' ? 12 : 0)
      : minutes === undefined && number > 0 && number < earliest
        ? number + 12
        : number
  return hours * 60 + Number(minutes ?? 0)
}

/** The hours of the day a text names, in minutes: the first ones; an hour alone lasts an hour. */
export function hoursIn(text: string): readonly [number, number] | undefined {
  const match = hoursPattern.exec(text)
  const from = match === null ? undefined : minutesOf(match[1] ?? match[3] ?? '')
  if (match === null || from === undefined) return undefined
  const end = match[2] ?? match[4]
  const to = end === undefined ? from + 60 : minutesOf(end)
  if (to === undefined) return undefined
  // "From six to two" begins in the morning.
  const begins = to <= from && from >= halfDay && to > from - halfDay ? from - halfDay : from
  return [begins, to > begins ? to : begins + 60]
}
