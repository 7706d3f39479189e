/**
 * The days and hours a text names outright. Knows how English writes dates; nothing of when a note was made.
 */
import { monthNames } from './lexicon.ts'

/** Month names and their usual short forms, lower case, to 0..11. */
export const monthsByName: ReadonlyMap<string, number> = new Map(
  monthNames.flatMap((name, month) => [
    [name.toLowerCase(), month] as const,
    // "may" is a verb first, so May has no short form of its own.
    ...(name === 'May' ? [] : [[name.slice(0, 3).toLowerCase(), month] as const]),
  ]),
)

/** A moment a text names: a calendar day, or an hour of the day. */
export interface NamedMoment {
  /** The same for the same moment: `03-14`, `02:00`. */
  readonly key: string
  readonly kind: 'day' | 'hour'
  readonly written: string
}

const names = [...monthsByName.keys()].join('|')
const isoDay = /\b\d{4}-(\d{2})-(\d{2})\b/g
const dayFirst = new RegExp(
  `\\b(\\d{1,2})(?:st|nd|rd|th)?(?:\\s*(?:-|–|to)\\s*(\\d{1,2})(?:st|nd|rd|th)?)?\\s+(?:of\\s+)?(${names})\\b`,
  'gi',
)
const monthFirst = new RegExp(
  `\\b(${names})\\s+(\\d{1,2})(?:st|nd|rd|th)?(?:\\s*(?:-|–|to)\\s*(\\d{1,2}))?\\b(?!:)`,
  'gi',
)
const hourOfDay = /(?<![\d:.])([01]?\d|2[0-3]):([0-5]\d)(?![\d:])/g

const pad = (number: number): string => String(number).padStart(2, '0')

/** The days ("14 March", "March 14th", "2026-03-14", "13-15 March") and hours ("02:00") in a text, each once. */
export function namedMoments(text: string): NamedMoment[] {
  const found = new Map<string, NamedMoment>()
  const noteDay = (month: number, day: number): void => {
    if (month < 0 || month > 11 || day < 1 || day > 31) return
    const key = `${pad(month + 1)}-${pad(day)}`
    found.set(key, { key, kind: 'day', written: `${day} ${monthNames[month]}` })
  }
  const noteSpan = (name: string | undefined, from: string | undefined, to: string | undefined): void => {
    const month = monthsByName.get((name ?? '').toLowerCase()) ?? -1
    const first = Number(from)
    const last = to === undefined ? first : Number(to)
    for (let day = first; day <= Math.min(last, 31); day += 1) noteDay(month, day)
  }
  for (const match of text.matchAll(isoDay)) noteDay(Number(match[1]) - 1, Number(match[2]))
  for (const match of text.matchAll(dayFirst)) noteSpan(match[3], match[1], match[2])
  for (const match of text.matchAll(monthFirst)) noteSpan(match[1], match[2], match[3])
  for (const [written, hour, minute] of text.matchAll(hourOfDay)) {
    const key = `${pad(Number(hour))}:${minute}`
    found.set(key, { key, kind: 'hour', written })
  }
  return [...found.values()]
}
