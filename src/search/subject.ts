/**
 * What a question is about beside its times, and whether that is anything at all. Knows the words that lead to a time and
 * those that ask for notes without saying which.
 */

import { monthForms } from '../core/calendar-words.ts'
import { stopWords } from '../core/words.ts'
import { afterTime, type Named } from './time-expressions.ts'

/** Offsets of words in a text, the end excluded. */
export type Range = readonly [start: number, end: number]

/** How a question begins that asks for notes about something. */
const frame =
  /^(?:(?:show|list|find|get|give)\s+(?:me\s+)?)?(?:(?:all|any|the|our|my)\s+)*(?:notes?|entries|memories|records|anything|something|everything)\s+(?:about|on|regarding|concerning)\s+/i

/** What leads to a time, and what may stand beside that. */
const leads =
  'on|in|at|from|of|since|before|after|prior to|until|till|by|during|for|around|about|between|through|last|past|previous|next|this|dated|early|late|mid'
const lead = new RegExp(
  String.raw`(?:(?<![\w-])(?:${leads}|to|and|back|the|coming|(?:morning|afternoon|evening|night) of)[\s,]+)+$`,
)
const leading = new RegExp(String.raw`\b(?:${leads})\b`)

/** Characters before a time in which words that lead to it are looked for. */
const maxLead = 80

const leadOf = (before: string): string => lead.exec(before.slice(-maxLead).toLowerCase())?.[0] ?? ''

/**
 * Which of the named times, in their order, are told as times rather than as part of what is asked for: days by their dates,
 * what is led to ("in winter", not "winter tyres"), and what stands with those in a list.
 */
export function adverbial(text: string, times: readonly Named[]): Named[] {
  let listed = false
  return times.filter(({ begin, start, end }, at) => {
    const previous = times[at - 1]
    const joined =
      previous !== undefined && /^[\s,&]*(?:and|or|to)?\s*$/.test(text.slice(previous.end, begin))
    const led = begin < start || leading.test(leadOf(text.slice(0, begin)))
    listed =
      isDate(text.slice(start, end)) ||
      ((led || (listed && joined)) && endsThere(text.slice(end, end + maxLead).toLowerCase()))
    return listed
  })
}

const endsThere = (behind: string): boolean =>
  afterTime.test(behind) || /^\s+(?:(?:last|this|next)\s+year|begins|starts|that|which)\b/.test(behind)

const isDate = (words: string): boolean =>
  /^\d+[-/.]\d/.test(words) || (/\d/.test(words) && hasMonth.test(words))
const hasMonth = new RegExp(String.raw`\b(?:${monthForms.flat().join('|')})\b`, 'i')

/** What follows a time and is part of it: "yesterday evening" is read as that day. */
const belonging = /^(?:['’]s\b|\s+(?:begins|starts|morning|noon|afternoon|evening|night)\b)/i

/** A text without what stands in the ranges and leads to them; what is part of a name or path stays. */
export function withoutTimes(text: string, ranges: readonly Range[]): string {
  let rest = ''
  let at = 0
  for (const [start, end] of [...ranges].sort(([a], [b]) => a - b)) {
    if (/[\w./\\-]/.test(text[start - 1] ?? '') || /^(?:[\w/\\-]|\.\w)/.test(text.slice(end, end + 2)))
      continue
    if (start > at) {
      const before = text.slice(at, start)
      rest += ` ${before.slice(0, before.length - leadOf(before).length)}`
    }
    const [belongs] = belonging.exec(text.slice(end, end + maxLead)) ?? ['']
    at = Math.max(at, end + belongs.length)
  }
  return `${rest} ${text.slice(at)}`
    .replace(/\s+/g, ' ')
    .replace(/ (?=[?.!,;])/g, '')
    .trim()
    .replace(/^[,;]\s*|[,;]+(?=$|[?.!,;])/g, '')
    .replace(frame, '')
}

/** Words that ask for notes without saying which; stop words besides. */
const asking = new Set(
  `note notes noted write wrote written happen happens happened happening change changes changed anything something everything thing things
  stuff done entry entries memory memories memo memos record records recorded log logs logged remember remembered keep
  kept save saved show list tell told give get find recall know went go going on new news work worked working day see may please
  come comes coming up ahead due planned scheduled event events`.split(/\s+/),
)

const saysNothing = (word: string): boolean => {
  const plain = word.replace(/['’]/g, '')
  return asking.has(plain) || stopWords.has(plain)
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}_'’]+/gu) ?? []

/** Whether a text asks for notes without saying what they are about. */
export const saysNoSubject = (text: string): boolean => wordsOf(text).every(saysNothing)

/** Longest name of an agent that is looked for, in words. */
const maxNameWords = 3

/** The words of a text that say which notes it asks for. */
const tellingWords = (text: string): string[] =>
  wordsOf(text.normalize('NFC'))
    .map((word) => word.replace(/['’]s$/, ''))
    .filter((word) => !saysNothing(word))

/** Whether what a text says of the notes it asks for is short enough to be a name. */
export const mayBeName = (text: string): boolean => {
  const { length } = tellingWords(text)
  return length > 0 && length <= maxNameWords
}

/** That of some names which is all that a text says of the notes it asks for, as in "what did Ada do". */
export function onlyNamed(text: string, names: readonly string[]): string | undefined {
  const telling = tellingWords(text).join(' ')
  return names.find((name) => wordsOf(name.normalize('NFC')).join(' ') === telling)
}
