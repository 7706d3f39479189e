/** How the page writes values: times, shares, sizes, and command lines. Knows nothing of elements. */
import { monthNames, weekdayNames } from '../../core/calendar-words.ts'

/** A day in short; its year where it is not this one. */
export function dayOf(timestamp: string): string {
  const date = new Date(timestamp)
  const [weekday = '', month = ''] = [weekdayNames[date.getDay()], monthNames[date.getMonth()]]
  // Not by Intl, whose first use costs a browser tens of milliseconds: every view shows a time.
  const day = `${weekday.slice(0, 3)} ${date.getDate()} ${month.slice(0, 3)}`
  const year = date.getFullYear()
  return year === new Date().getFullYear() ? day : `${day} ${year}`
}

const writtenOut = (date: Date): string =>
  `${weekdayNames[date.getDay()]}, ${date.getDate()} ${monthNames[date.getMonth()]} ${date.getFullYear()}`

/** A day in full, with what people call it when it is near. */
export function longDayOf(timestamp: string): string {
  const day = writtenOut(new Date(timestamp))
  const today = new Date()
  const yesterday = new Date(today.getFullYear(), today.getMonth(), today.getDate() - 1)
  if (day === writtenOut(today)) return `Today, ${day}`
  return day === writtenOut(yesterday) ? `Yesterday, ${day}` : day
}

const twoDigits = (n: number): string => String(n).padStart(2, '0')

export function hourOf(timestamp: string): string {
  const date = new Date(timestamp)
  return `${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`
}

const units = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

/** How long ago, or how soon, in words. */
export function agoOf(timestamp: string): string {
  const seconds = (new Date(timestamp).getTime() - Date.now()) / 1_000
  const unit = units.find(([, length]) => Math.abs(seconds) >= length)
  if (unit === undefined) return 'just now'
  const [name, length] = unit
  const n = Math.round(Math.abs(seconds) / length)
  const past = seconds < 0
  if (n === 1 && name === 'day') return past ? 'yesterday' : 'tomorrow'
  if (n === 1 && length > 86_400) return `${past ? 'last' : 'next'} ${name}`
  const told = `${n} ${name}${n === 1 ? '' : 's'}`
  return past ? `${told} ago` : `in ${told}`
}

export const percent = (share: number | null): string =>
  share === null ? '–' : `${Math.round(share * 100)}\u00a0%`

export const bytes = (n: number): string =>
  n < 2 ** 20 ? `${Math.round(n / 1024)} KiB` : `${(n / 2 ** 20).toFixed(1)} MiB`

/** With a stop at its end. */
export const sentence = (text: string): string => (/[.?!]$/.test(text) ? text : `${text}.`)

/** A word of a command line, as a POSIX shell reads it. */
const quoted = (word: string): string =>
  /^[\w./:-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`

/** The command line that does the same. */
export const commandOf = (...words: (string | number)[]): string =>
  ['brain', ...words.map((word) => quoted(String(word)))].join(' ')
