/**
 * Corrects unknown words of a query to the nearest known word. Knows spellings and edits (Damerau: a letter left out,
 * inserted, replaced, or two swapped); known words come from the brain and the vocabulary.
 */
import { isStopTerm, toTerms } from '../core/words.ts'

/** A word of a query and its correction. */
export interface Correction {
  readonly written: string
  readonly read: string
}

/** Sources of known words. Both take lower case. */
export interface KnownWords {
  /** Number of memories that contain each of some terms; terms in no memory are left out. */
  frequencies(terms: readonly string[]): Promise<ReadonlyMap<string, number>>
  /** Terms of the memories with this prefix, at most a few thousand. */
  termsFrom(prefix: string): Promise<readonly string[]>
  /** A term's spelling in a memory. */
  spelling(term: string): Promise<string | undefined>
  /** Whether it is a known English word, whatever this brain contains. */
  isWord(word: string): boolean
}

/** Below this length every word is one edit from some other. */
const minLength = 4
/** From this length on, two edits are corrected. */
const minLengthForTwo = 8
/** Words of one query that are checked: each costs about a hundred lookups. */
const maxWords = 6
/** Corrections of one word that are looked up in the memories' own spelling. */
const maxReadings = 3

const letters = 'abcdefghijklmnopqrstuvwxyz'
const plain = /^[a-z]+$/

/** Cost of an edit: lowest for common slips of the fingers, two letters swapped, one doubled or not. */
const cost = {
  swap: 0,
  double: 0,
  omission: 1,
  insertion: 1,
  replacement: 1.5,
  firstLetter: 1,
  second: 3,
  split: 2,
  strange: 1.2,
}

/** Every spelling one edit away from a word, with its cost. */
export function spellingsNear(word: string): Map<string, number> {
  const near = new Map<string, number>()
  const offer = (spelling: string, price: number): void => {
    if (spelling !== word && (near.get(spelling) ?? Number.POSITIVE_INFINITY) > price)
      near.set(spelling, price)
  }
  for (let at = 0; at <= word.length; at += 1) {
    const [head, tail] = [word.slice(0, at), word.slice(at)]
    const first = at === 0 ? cost.firstLetter : 0
    const [letter = '', next = ''] = tail
    const before = head.at(-1)
    if (tail.length > 0) {
      const doubled = letter === before || letter === next
      offer(head + tail.slice(1), (doubled ? cost.double : cost.insertion) + first)
    }
    if (tail.length > 1) offer(head + next + letter + tail.slice(2), cost.swap + first)
    for (const other of letters) {
      const doubling = other === before || other === letter
      offer(head + other + tail, (doubling ? cost.double : cost.omission) + first)
      if (tail.length > 0) offer(head + other + tail.slice(1), cost.replacement + first)
    }
  }
  return near
}

/** Edit distance of two words, at most `limit` + 1 (optimal string alignment). */
export function slipsBetween(word: string, other: string, limit: number): number {
  if (Math.abs(word.length - other.length) > limit) return limit + 1
  let before: number[] = []
  let previous = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let row = 1; row <= word.length; row += 1) {
    const current = [row]
    let least = row
    for (let column = 1; column <= other.length; column += 1) {
      const same = word[row - 1] === other[column - 1]
      let value = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + (same ? 0 : 1),
      )
      if (
        row > 1 &&
        column > 1 &&
        word[row - 1] === other[column - 2] &&
        word[row - 2] === other[column - 1]
      ) {
        value = Math.min(value, (before[column - 2] ?? 0) + 1)
      }
      current.push(value)
      least = Math.min(least, value)
    }
    if (least > limit) return limit + 1
    before = previous
    previous = current
  }
  return previous[other.length] ?? limit + 1
}

interface Option {
  readonly price: number
  readonly read: () => Promise<string | undefined>
}

const termOf = (word: string): string => toTerms(word)[0] ?? word

/** Number of memories that contain each spelling: as a word, or as a name written in one. */
async function memoriesWith(
  spellings: readonly string[],
  known: KnownWords,
): Promise<(spelling: string) => number> {
  const terms = new Map(spellings.map((spelling) => [spelling, termOf(spelling)]))
  const frequencies = await known.frequencies([...new Set([...terms.values(), ...spellings])])
  return (spelling) =>
    Math.max(frequencies.get(terms.get(spelling) ?? '') ?? 0, frequencies.get(spelling) ?? 0)
}

/** The brain's own spelling of a word with the same stem, if it is as near as the stem is. */
async function confirm(word: string, spelling: string, known: KnownWords): Promise<string | undefined> {
  if (known.isWord(spelling)) return spelling
  const written = await known.spelling(termOf(spelling)).then((own) => own ?? known.spelling(spelling))
  if (written === undefined || written === word) return undefined
  return slipsBetween(word, written, 2) <= (word.length < minLengthForTwo ? 1 : 2) ? written : undefined
}

/** Words one edit away that the brain contains; words of the vocabulary only for the most common slips. */
async function oneSlipAway(word: string, known: KnownWords): Promise<Option[]> {
  const near = spellingsNear(word)
  const memories = await memoriesWith([...near.keys()], known)
  return [...near].flatMap(([spelling, price]) => {
    const holding = memories(spelling)
    if (holding > 0) {
      // Of two that the brain knows, the one that more memories hold, by a little.
      const familiar = Math.min(0.4, Math.log10(holding) / 10)
      // What only shares a stem with a word of theirs has to be looked up there.
      const strange = known.isWord(spelling) ? 0 : cost.strange
      return [{ price: price - familiar + strange, read: () => confirm(word, spelling, known) }]
    }
    if (isStopTerm(spelling) && price <= cost.omission) return [{ price, read: async () => spelling }]
    return price === 0 && known.isWord(spelling) ? [{ price: 0.5, read: async () => spelling }] : []
  })
}

/** Terms of the brain two edits away that begin like the word: two edits in its first letters are not handled. */
async function twoSlipsAway(word: string, known: KnownWords): Promise<Option[]> {
  if (word.length < minLengthForTwo) return []
  const term = termOf(word)
  const found = await known.termsFrom(word.slice(0, 3))
  return found.flatMap((other) => {
    if (!plain.test(other) || other.length < minLengthForTwo - 2) return []
    const slips = Math.min(slipsBetween(term, other, 2), slipsBetween(word, other, 2))
    if (slips > 2) return []
    const read = async () => {
      const written = await known.spelling(other)
      return written !== undefined && slipsBetween(word, written, 2) <= 2 ? written : undefined
    }
    return [{ price: cost.second + slips, read }]
  })
}

/** The word split into two that the brain contains, if a space is missing. */
async function splitInTwo(word: string, known: KnownWords): Promise<Option[]> {
  const places = Array.from({ length: Math.max(0, word.length - 5) }, (_, at) => at + 3)
  const halves = places.map((at) => [word.slice(0, at), word.slice(at)] as const)
  const memories = await memoriesWith([...new Set(halves.flat())], known)
  return halves.flatMap(([head, tail]) =>
    memories(head) > 0 && memories(tail) > 0 && known.isWord(head) && known.isWord(tail)
      ? [{ price: cost.split - Math.min(head.length, tail.length) / 10, read: async () => `${head} ${tail}` }]
      : [],
  )
}

/** The nearest correction of an unknown word; undefined if there is none. `maxPrice` limits it to likely edits. */
async function readWord(
  word: string,
  known: KnownWords,
  maxPrice = Number.POSITIVE_INFINITY,
): Promise<string | undefined> {
  // A short word has many neighbours: only what fingers do is read out of it.
  const limit = word.length > minLength ? maxPrice : Math.min(maxPrice, cost.omission)
  for (const find of [oneSlipAway, twoSlipsAway, splitInTwo]) {
    const options = (await find(word, known)).filter(({ price }) => price <= limit)
    for (const { read } of options.sort((a, b) => a.price - b.price).slice(0, maxReadings)) {
      const found = await read()
      if (found !== undefined) return found
    }
  }
  return undefined
}

/** Words on their own, not part of an identifier, a path, an address or a number. */
const lonely = /(?<![\p{L}\p{N}_.@#/\\:+-])\p{L}[\p{L}'’]*(?![\p{L}\p{N}_@#/\\]|[.:+-][\p{L}\p{N}])/gu

/** The words of a query as written. */
const wordsOf = (query: string): string[] => [
  ...new Set((query.match(lonely) ?? []).map((word) => word.replace(/['’]\p{L}*$/u, ''))),
]

/** A plural of a known word is known. */
const isKnown = (word: string, known: KnownWords): boolean =>
  known.isWord(word) || (word.endsWith('s') && known.isWord(word.slice(0, -1)))

/** A name in capitals, or with a capital inside: probably spelt as intended. */
const isName = (word: string): boolean => /\p{L}\p{Lu}/u.test(word)

/**
 * Corrections of the query's words that neither the brain nor the vocabulary contains. Words inside identifiers are
 * left alone, and so is everything beyond ASCII.
 */
export async function findCorrections(query: string, known: KnownWords): Promise<Correction[]> {
  const strange = wordsOf(query).filter((word) => {
    const lower = word.toLowerCase()
    return plain.test(lower) && lower.length >= minLength && !isStopTerm(lower) && !isKnown(lower, known)
  })
  if (strange.length === 0) return []
  const memories = await memoriesWith(
    strange.map((word) => word.toLowerCase()),
    known,
  )
  const corrections: Correction[] = []
  for (const word of strange.filter((one) => memories(one.toLowerCase()) === 0).slice(0, maxWords)) {
    const read = await readWord(word.toLowerCase(), known, isName(word) ? cost.swap : undefined)
    if (read !== undefined) corrections.push({ written: word, read })
  }
  return corrections
}

/** Keeps the capital of a name. */
const likeWritten = ({ written, read }: Correction): string =>
  /^\p{Lu}/u.test(written) ? read.charAt(0).toUpperCase() + read.slice(1) : read

/** The query with its corrections applied. */
export const applyCorrections = (query: string, corrections: readonly Correction[]): string =>
  corrections.reduce((text, correction) => {
    const word = new RegExp(`(?<![\\p{L}\\p{N}])${correction.written}(?![\\p{L}\\p{N}])`, 'gu')
    return text.replaceAll(word, likeWritten(correction))
  }, query)
