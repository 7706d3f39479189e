/**
 * What a question is about beside its times, and whether that is anything at all. Knows the words that lead to a time and
 * those that ask for notes without saying which.
 */
import { stopWords } from '../core/words.ts'

/** Offsets of words in a text, the end excluded. */
export type Range = readonly [start: number, end: number]

/** How a question begins that asks for notes about something. */
const frame =
  /^(?:(?:show|list|find|get|give)\s+(?:me\s+)?)?(?:(?:all|any|the|our|my)\s+)*(?:notes?|entries|memories|records|anything|something|everything)\s+(?:about|on|regarding|concerning)\s+/i

/** What is said around a time and belongs to it. */
const lead =
  /(?:(?<![\w-])(?:on|in|at|from|of|since|before|after|prior|until|till|by|during|for|around|about|to|through|between|and|back|the|last|past|previous|next|coming|this|dated|early|late|mid)[\s,]+)+$/

/** Characters before a time in which words that lead to it are looked for. */
const maxLead = 80

/** A text without what stands in the ranges and leads to them; what is part of a name or path stays. */
export function withoutTimes(text: string, ranges: readonly Range[]): string {
  let rest = ''
  let at = 0
  for (const [start, end] of [...ranges].sort(([a], [b]) => a - b)) {
    if (/[\w./\\-]/.test(text[start - 1] ?? '') || /^(?:[\w/\\-]|\.\w)/.test(text.slice(end, end + 2)))
      continue
    if (start > at) {
      const before = text.slice(at, start)
      const led = lead.exec(before.slice(-maxLead).toLowerCase())
      rest += ` ${led === null ? before : before.slice(0, before.length - led[0].length)}`
    }
    at = Math.max(at, end)
  }
  return `${rest} ${text.slice(at)}`
    .replace(/\s+/g, ' ')
    .replace(/ (?=[?.!,;])/g, '')
    .trim()
    .replace(frame, '')
}

/** Words that ask for notes without saying which; stop words besides. */
const asking = new Set(
  `note notes noted write wrote written happen happens happened happening anything something everything thing things
  stuff done entry entries memory memories memo memos record records recorded log logs logged remember remembered keep
  kept save saved show list tell told give get find recall know went go going on new news work worked working day see may please`.split(
    /\s+/,
  ),
)

/** Whether a text asks for notes without saying what they are about. */
export const saysNoSubject = (text: string): boolean =>
  (text.toLowerCase().match(/[\p{L}\p{N}_'’]+/gu) ?? []).every((word) => {
    const plain = word.replace(/['’]/g, '')
    return asking.has(plain) || stopWords.has(plain)
  })
