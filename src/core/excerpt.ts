/**
 * Shortens texts without breaking a sentence or a word, from the beginning or around the words of a query. Knows
 * characters and words, not what a text is for.
 */
import { isStopTerm, toPlainTerms } from './words.ts'

/** A text on one line: white space and control characters, however many in a row, are one space. */
export const toLine = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, ' ').trim()

/**
 * The text on one line in at most `limit` characters (code points), 2 or more: cut after a sentence where one ends in its
 * second half, else after a word, with an ellipsis in place of the rest.
 */
export function excerptOf(text: string, limit: number): string {
  const line = toLine(text)
  const points = [...line]
  if (points.length <= limit) return line
  const head = points.slice(0, limit - 1).join('')
  const sentence = Math.max(...['. ', '! ', '? '].map((end) => head.lastIndexOf(end)))
  if (sentence >= head.length / 2) return `${head.slice(0, sentence + 1)} …`
  const word = head.lastIndexOf(' ')
  return `${word > head.length / 2 ? head.slice(0, word) : head}…`
}

/** The first and the last characters (UTF-16 units) of a text that is longer than both together. */
export const endsOf = (text: string, first: number, last: number): string =>
  text.length <= first + last ? text : `${text.slice(0, first)}\n${text.slice(-last)}`.toWellFormed()

/** Positions of the words of a line that are among `wanted`, each with its term. */
function findTerms(line: string, wanted: ReadonlySet<string>): { at: number; end: number; term: string }[] {
  const found = []
  for (const { 0: word, index } of line.matchAll(/\S+/g)) {
    const term = toPlainTerms(word).find((one) => wanted.has(one))
    if (term !== undefined) found.push({ at: index, end: index + word.length, term })
  }
  return found
}

/**
 * The text on one line in at most `limit` characters (code points), 40 or more: the passage with the most words of the
 * query, starting at a sentence or a word; the beginning if there are none.
 */
export function excerptAround(text: string, query: string, limit: number): string {
  const line = toLine(text)
  if ([...line].length <= limit) return line
  const found = findTerms(line, new Set(toPlainTerms(query).filter((term) => !isStopTerm(term))))
  const room = limit - 2
  let best = { at: 0, terms: 0 }
  for (const [first, { at }] of found.entries()) {
    const met = new Set<string>()
    for (let next = first; ; next += 1) {
      const hit = found[next]
      if (hit === undefined || hit.end - at > room) break
      met.add(hit.term)
    }
    if (met.size > best.terms) best = { at, terms: met.size }
  }
  // What the beginning shows already needs no other cut.
  const atStart = new Set(found.filter(({ end }) => end <= room / 2).map(({ term }) => term))
  if (best.terms <= atStart.size) return excerptOf(line, limit)
  // A third of the room for what leads up to it, from a sentence where one begins there.
  const from = Math.max(0, best.at - Math.floor(room / 3))
  if (from === 0) return excerptOf(line, limit)
  const lead = line.slice(from, best.at)
  const sentence = Math.max(...['. ', '! ', '? '].map((end) => lead.lastIndexOf(end)))
  const word = lead.includes(' ') ? lead.indexOf(' ') + 1 : lead.length
  return `…${excerptOf(line.slice(from + (sentence >= 0 ? sentence + 2 : word)), limit - 1)}`
}
