/**
 * Turns a sign into English: quotes, days and sentences. Every figure and phrase comes from the sources; a
 * template claims nothing that its quotes do not show.
 */

import { unnamedAgent } from '../../core/agent-names.ts'
import { cardinals, monthNames, weekdayNames } from '../../core/calendar-words.ts'
import { msPerDay } from '../../core/durations.ts'
import { excerptOf } from '../../core/excerpt.ts'
import { fnv } from '../../core/fnv.ts'
import { toInstant } from '../../core/instant.ts'
import { betweenSentences } from '../../core/matters.ts'
import { drawFrom } from './chance.ts'
import { clausesOf } from './reading.ts'

/** How days are told: the zone of the reader, the moment of telling. */
export interface Telling {
  readonly now: number
  readonly timeZone: string
  readonly seed: number
}

export interface LocalDay {
  readonly year: number
  /** 1..12. */
  readonly month: number
  readonly date: number
  readonly weekday: string
  /** Days since 1 January 1970 of the local calendar. */
  readonly number: number
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** The calendar day on which a moment falls in a time zone. */
export function localDay(at: number, timeZone: string): LocalDay {
  let format = formats.get(timeZone)
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
    formats.set(timeZone, format)
  }
  const [year = 1970, month = 1, date = 1] = format.format(toInstant(at)).split('-').map(Number)
  const number = Math.floor(Date.UTC(year, month - 1, date) / msPerDay)
  return { year, month, date, weekday: weekdayNames[new Date(number * msPerDay).getUTCDay()] ?? '', number }
}

const hours = new Map<string, Intl.DateTimeFormat>()

/** The hour of the day with its fraction, from 0 to below 24, in a time zone. */
export function localHour(at: number, timeZone: string): number {
  let format = hours.get(timeZone)
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-GB', {
      timeZone,
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    })
    hours.set(timeZone, format)
  }
  const [hour = 0, minute = 0] = format.format(toInstant(at)).split(':').map(Number)
  return hour + minute / 60
}

/** "3 March", with the year when it is not this one. */
export const tellDay = (at: number, telling: Telling): string =>
  tellDate(localDay(at, telling.timeZone).number, telling)

/** As `tellDay`, for a day's number. */
export function tellDate(number: number, { now, timeZone }: Telling): string {
  const date = new Date(number * msPerDay)
  const year = date.getUTCFullYear()
  const told = `${date.getUTCDate()} ${monthNames[date.getUTCMonth()]}`
  return year === localDay(now, timeZone).year ? told : `${told} ${year}`
}

/** Longest quote, in characters. */
const quoteLength = 110

const shorten = (text: string, length: number): string =>
  excerptOf(text, length).replace(/[\s,;:.–—-]+…$/, '…')

/** One sentence of a text in quotation marks: the first that holds one of the terms, else the first; shortened. */
export function quote(text: string, terms: ReadonlySet<string> = new Set(), length = quoteLength): string {
  const sentences = text
    .slice(0, 4_000)
    .toWellFormed()
    .replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]+/g, ' ')
    .split(betweenSentences)
    .map((sentence) => sentence.trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))
  const holding = sentences.find((sentence) => holdsTerm(sentence, terms)) ?? sentences[0] ?? text.trim()
  const plain = holding
    .replace(/["“”„«»]/g, "'")
    .replace(/\s+/g, ' ')
    .replace(/[.…,;:\s]+$/, '')
  return `“${shorten(plain, length)}”`
}

/** Longest passage, in characters. */
const passageLength = 190

/**
 * A note in quotation marks, whole where it is short; else from one of its sentences on: the first that holds one of the words,
 * or the one that `telling` gives most.
 */
export function passage(
  text: string,
  telling: readonly string[] | ((sentence: string, at: number) => number) = [],
  length = passageLength,
): string {
  const plain = text
    .slice(0, 4_000)
    .toWellFormed()
    .replace(/["“”„«»]/g, "'")
    .replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, ' ')
    .trim()
  const ended = (part: string): string => `“${part.replace(/[.…,;:\s]+$/, '')}”`
  if (plain.length <= length) return ended(plain)
  const sentences = plain.split(betweenSentences)
  const worths = sentences.map(typeof telling === 'function' ? telling : holding(telling))
  const at = worths.indexOf(Math.max(...worths))
  let told = sentences[at] ?? plain
  let next = at + 1
  while (next < sentences.length && told.length + (sentences[next]?.length ?? 0) < length) {
    told = `${told} ${sentences[next]}`
    next += 1
  }
  let before = at - 1
  while (before >= 0 && told.length + (sentences[before]?.length ?? 0) < length) {
    told = `${sentences[before]} ${told}`
    before -= 1
  }
  return told.length > length ? `“${shorten(told, length)}”` : ended(told)
}

/** 1 for a sentence that holds one of the words, else 0. */
function holding(words: readonly string[]): (sentence: string) => number {
  const lower = words.map((word) => word.toLowerCase())
  return (sentence) => (lower.some((word) => sentence.toLowerCase().includes(word)) ? 1 : 0)
}

const holdsTerm = (sentence: string, terms: ReadonlySet<string>): boolean =>
  terms.size > 0 && clausesOf(sentence).some((clause) => clause.tokens.some((token) => terms.has(token.term)))

/** "a, b and c". */
export const enumerate = (items: readonly string[]): string =>
  items.length < 2 ? (items[0] ?? '') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`

const smallNumbers = ['no', ...cardinals.slice(1)]
export const inWords = (count: number): string => smallNumbers[count] ?? String(count)

export const percent = (share: number): string => `${Math.round(share * 100)} %`

/** One of the variants, by the seed and what it is about: the same night words it the same way. */
export function choose(variants: readonly string[], telling: Telling, about: readonly number[]): string {
  const draw = drawFrom(fnv(`${telling.seed} ${about.join(' ')}`))
  return variants[Math.floor(draw() * variants.length)] ?? ''
}

/** The text as it may stand in a sentence of ours, first letter raised. */
export const capitalise = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Whose note it is: " by Ada", behind a mark where one is given; nothing for the name that everybody has unasked. */
export const byAgent = (agent: string, mark = ''): string =>
  agent === unnamedAgent ? '' : `${mark} by ${agent}`

/** Whose notes they are, of two to four: " by Ada and Ben"; whoever gave no name is one of the others. */
export function byAgents(notes: readonly { readonly agent: string }[]): string {
  const agents = new Set(notes.map(({ agent }) => agent))
  const told = [...(agents.delete(unnamedAgent) ? [...agents, 'others'] : agents)]
  return told.length > 1 && told.length <= 4 ? ` by ${enumerate(told)}` : ''
}

/** How two days are told together: "on 3 March" and "on 9 March", or that both were the same day. */
export function tellTwo(first: number, second: number, telling: Telling): readonly [string, string] {
  const [one, two] = [tellDay(first, telling), tellDay(second, telling)]
  return one === two ? [`on ${one}`, 'on the same day'] : [`on ${one}`, `on ${two}`]
}
