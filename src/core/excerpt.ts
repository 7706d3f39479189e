/**
 * Shortens texts without breaking a sentence or a word, from the beginning or around the words of a query. Knows
 * characters and words, not what a text is for.
 */
import { isStopTerm, toPlainTerms } from './words.ts'

/** A text on one line: white space and control characters, however many in a row, are one space. */
export const toLine = (text: string): string =>
  // A single space is left alone: to put each of ten thousand in its own place takes longer than all the rest.
  text.replace(/ [\s\p{Cc}]+|(?! )[\s\p{Cc}]+/gu, ' ').trim()

/** Whether a text has more than `limit` characters (code points); counted only where their number is not plain. */
export const exceeds = (text: string, limit: number): boolean =>
  text.length > 2 * limit || (text.length > limit && [...text].length > limit)

/**
 * The text on one line in at most `limit` characters (code points), 2 or more: cut after a sentence where one ends in its
 * second half, else after a word, with an ellipsis in place of the rest.
 */
export function excerptOf(text: string, limit: number): string {
  const line = toLine(text)
  if (!exceeds(line, limit)) return line
  const head = [...line.slice(0, 2 * limit)].slice(0, limit - 1).join('')
  const sentence = Math.max(...['. ', '! ', '? '].map((end) => head.lastIndexOf(end)))
  if (sentence >= head.length / 2) return `${head.slice(0, sentence + 1)} …`
  const word = head.lastIndexOf(' ')
  return `${word > head.length / 2 ? head.slice(0, word) : head}…`
}

/** The first and the last characters (UTF-16 units) of a text that is longer than both together. */
export const endsOf = (text: string, first: number, last: number): string =>
  text.length <= first + last ? text : `${text.slice(0, first)}\n${text.slice(-last)}`.toWellFormed()

/** Characters of a query whose words are looked for: beyond those no excerpt has room for more of them. */
const maxQuery = 1_000

/** Letters by which a stem may end otherwise than the word: "visibl" of "visibility", "relat" of "relational". */
const maxChanged = 2

/**
 * Finds places in words whose terms may be among `wanted`: their beginnings, in which apostrophes may stand, and whatever is
 * written in another alphabet.
 */
function candidatesFor(wanted: ReadonlySet<string>): RegExp {
  const beginnings = [...wanted].flatMap((term) => {
    const begun = /^\w+/.exec(term)?.[0]
    return begun === undefined ? [] : [[...begun.slice(0, Math.max(1, begun.length - maxChanged))].join("'?")]
  })
  return new RegExp([...new Set(beginnings), '[^\\0-\\x7f]'].join('|'), 'gi')
}

interface Hit {
  readonly at: number
  readonly end: number
  readonly term: string
}

/** Finds the words of a line that a query asks for, in order. */
function createSearch(query: string): (line: string) => Hit[] {
  const terms = toPlainTerms(query.slice(0, maxQuery)).filter((term) => !isStopTerm(term))
  const wanted = new Set(terms)
  if (wanted.size === 0) return () => []
  const candidates = candidatesFor(wanted)
  // To take a word apart is dear, and texts say most of them again.
  const known = new Map<string, string | undefined>()
  const termOf = (word: string): string | undefined => {
    if (!known.has(word))
      known.set(
        word,
        toPlainTerms(word).find((term) => wanted.has(term)),
      )
    return known.get(word)
  }
  return (line) => {
    const hits: Hit[] = []
    candidates.lastIndex = 0
    for (let found = candidates.exec(line); found !== null; found = candidates.exec(line)) {
      const at = line.lastIndexOf(' ', found.index) + 1
      const behind = line.indexOf(' ', found.index)
      const end = behind === -1 ? line.length : behind
      const term = termOf(line.slice(at, end))
      if (term !== undefined) hits.push({ at, end, term })
      candidates.lastIndex = end
    }
    return hits
  }
}

/** The first stretch of at most `room` characters with the most distinct terms: where it begins, and how many. */
function densest(found: readonly Hit[], room: number): { at: number; terms: number } {
  let best = { at: 0, terms: 0 }
  // How often each term is in the stretch, whose end only moves on.
  const within = new Map<string, number>()
  let next = 0
  for (const [first, { at, term }] of found.entries()) {
    for (let hit = found[next]; hit !== undefined && hit.end - at <= room; hit = found[++next])
      within.set(hit.term, (within.get(hit.term) ?? 0) + 1)
    if (within.size > best.terms) best = { at, terms: within.size }
    const left = (within.get(term) ?? 0) - 1
    if (left > 0) within.set(term, left)
    else within.delete(term)
    // One word may be longer than all the room.
    next = Math.max(next, first + 1)
  }
  return best
}

/**
 * Excerpts of texts around the words of one query. Each is the text on one line in at most `limit` characters (code points),
 * 40 or more: the passage with the most words of the query, starting at a sentence or a word; the beginning if there are none.
 */
export function createExcerpts(query: string): (text: string, limit: number) => string {
  const search = createSearch(query)
  return (text, limit) => {
    const line = toLine(text)
    if (!exceeds(line, limit)) return line
    const found = search(line)
    const room = limit - 2
    const best = densest(found, room)
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
}
