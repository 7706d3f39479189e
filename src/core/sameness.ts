/**
 * Detects texts that say the same thing. Knows only words: the same words apart from case, space and punctuation, or
 * nearly the same words in the same order, with the same figures, signs and negations. Nothing is forgotten or merged
 * here.
 */

import { addTo } from './lists.ts'
import { isAscii, isStopTerm, toPlainTerms } from './words.ts'

/** Share of common words from which two notes may say the same. */
const sameShare = 0.8

/**
 * Words, with what their signs make of them (`C++`, `C#`), figures with their sign, and signs that mean something by
 * themselves: comparisons, currencies, per cent, arrows, pictures.
 */
const asciiParts =
  /[-+]?(?<![a-z0-9][-+]?)\d+(?:[.,:]\d+)*(?![a-z0-9])|[a-z0-9]+(?:(?:\+\+|#)(?![a-z0-9]))?|[<>!=]=|[<>=+%$]/g
let unicodeParts: RegExp | undefined

/** The parts of a text that make up what it says, without case, space and punctuation. */
function partsOf(text: string): string[] {
  const plain = text.normalize('NFKC').toLowerCase()
  if (isAscii(plain)) return plain.match(asciiParts) ?? []
  // V8 takes a millisecond to make Unicode's classes.
  unicodeParts ??=
    /[-+−±]?(?<![\p{L}\p{N}\p{M}][-+−±]?)\p{N}+(?:[.,:]\p{N}+)*(?![\p{L}\p{N}\p{M}])|[\p{L}\p{N}\p{M}]+(?:(?:\+\+|#)(?![\p{L}\p{N}\p{M}]))?|[<>!=]=|[%\p{Sc}\p{So}]|(?![|~])\p{Sm}/gu
  return plain.match(unicodeParts) ?? []
}

const formOf = (parts: readonly string[], text: string): string =>
  parts.length === 0 ? text.trim() : parts.join(' ')

/** A text without case, space and punctuation; unchanged if it consists of nothing else. */
export const plainForm = (text: string): string => formOf(partsOf(text), text)

/** A negation, figure or sign in only one of two texts makes them differ, even with the same words. */
const pivotsOf = (parts: readonly string[], text: string): string =>
  [
    ...new Set([
      ...parts.filter((part) => /\p{N}|[+#]$|^[^\p{L}\p{M}]/u.test(part)),
      ...(text.toLowerCase().match(/\b(?:not|no|never|without)\b|n['’]t\b/g) ?? []),
    ]),
  ]
    .sort()
    .join(' ')

/** Share of the words of two texts that are in both, 0..1 (Jaccard, over stemmed words). */
export function sharedWords(a: string, b: string): number {
  const [mine, other] = [new Set(toPlainTerms(a)), new Set(toPlainTerms(b))]
  const both = [...mine].filter((word) => other.has(word)).length
  const all = mine.size + other.size - both
  return all === 0 ? 0 : both / all
}

/** Whether what two texts both name stands in the same order: from Kafka to Redis is not from Redis to Kafka. */
function inOneOrder(a: readonly string[], b: readonly string[]): boolean {
  const [mine, other] = [a, b].map((parts) => new Set(parts.filter((part) => !isStopTerm(part))))
  const shared = [...(mine ?? [])].filter((part) => other?.has(part))
  return [...(other ?? [])].filter((part) => mine?.has(part)).every((part, at) => part === shared[at])
}

/** Whether two texts are nearly in the same words: enough to ask whether they say the same, not to know it. */
export function nearlyTheSame(a: string, b: string): boolean {
  const [mine, other] = [partsOf(a), partsOf(b)]
  if (formOf(mine, a) === formOf(other, b)) return true
  return pivotsOf(mine, a) === pivotsOf(other, b) && sharedWords(a, b) >= sameShare && inOneOrder(mine, other)
}

/** Whether two texts say the same, as far as words can tell: none of one stands where the other has another. */
export function saysTheSame(a: string, b: string): boolean {
  if (plainForm(a) === plainForm(b)) return true
  const [mine, other] = [new Set(toPlainTerms(a)), new Set(toPlainTerms(b))]
  const replaced = [...mine].some((word) => !other.has(word)) && [...other].some((word) => !mine.has(word))
  return !replaced && nearlyTheSame(a, b)
}

/** A note among many. */
export interface ComparedNote {
  readonly id: number
  readonly text: string
  /** Whether it is a flag: a flag and a note never count as the same. */
  readonly flag: boolean
}

/** A 53-bit hash (with the mixing of MurmurHash3), so that the texts of a large brain need not be held in memory. */
function hashOf(text: string): number {
  let [high, low] = [0xdeadbeef, 0x41c6ce57]
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    high = Math.imul(high ^ unit, 2654435761)
    low = Math.imul(low ^ unit, 1597334677)
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909)
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909)
  return 4294967296 * (2097151 & low) + (high >>> 0)
}

/** Texts with more words than this are only compared as a whole. */
const maxWords = 1_000
/**
 * Maximum number of notes compared with one another because they share a rare word: a word that more of them share
 * says little.
 */
const maxPartners = 16
/** Notes processed between two points at which the caller may yield. */
const stretch = 50

/** One text, and the notes that have it. */
interface Entry {
  readonly ids: number[]
  /** Numbers of its words; rarest first once all notes are known. */
  words: Uint32Array
  /** Keys that only notes which may say the same have in common. */
  readonly bucket: number
}

/** Whether two ascending lists overlap enough. */
function sharesEnough(a: Uint32Array, b: Uint32Array): boolean {
  const needed = Math.ceil((sameShare / (1 + sameShare)) * (a.length + b.length) - 1e-9)
  let both = 0
  let mine = 0
  let other = 0
  while (mine < a.length && other < b.length) {
    if (both + Math.min(a.length - mine, b.length - other) < needed) return false
    const x = a[mine] ?? 0
    const y = b[other] ?? 0
    if (x === y) both += 1
    if (x <= y) mine += 1
    if (y <= x) other += 1
  }
  return both >= needed
}

/**
 * Finds groups of notes that say the same, in time that grows little faster than their number: pairs are looked for among
 * notes that share one of their rarest words (prefix filtering, Chaudhuri, Ganti and Kaushik 2006).
 */
export class Sameness {
  readonly #entries = new Map<number, Entry>()
  readonly #numbers = new Map<string, number>()
  readonly #counts: number[] = []
  readonly #buckets = new Map<string, number>()

  add({ id, text, flag }: ComparedNote): void {
    const parts = partsOf(text)
    const key = hashOf(`${flag ? '!' : ' '}${formOf(parts, text)}`)
    const known = this.#entries.get(key)
    if (known !== undefined) {
      known.ids.push(id)
      return
    }
    const terms = toPlainTerms(text)
    const words = terms.length > maxWords ? [] : terms.map((term) => this.#numberOf(term))
    for (const word of words) this.#counts[word] = (this.#counts[word] ?? 0) + 1
    const name = `${flag ? '!' : ' '}${pivotsOf(parts, text)}`
    const bucket = this.#buckets.get(name) ?? this.#buckets.size
    this.#buckets.set(name, bucket)
    this.#entries.set(key, { ids: [id], words: Uint32Array.from(words), bucket })
  }

  #numberOf(term: string): number {
    const number = this.#numbers.get(term) ?? this.#numbers.size
    this.#numbers.set(term, number)
    return number
  }

  /** Renumbers words by the number of texts that contain them, and sorts those of each text in that order. */
  *#putRarestFirst(entries: readonly Entry[]): Generator<{ done: number; total: number }, void> {
    const byCount = this.#counts.map((_, word) => word)
    byCount.sort((a, b) => (this.#counts[a] ?? 0) - (this.#counts[b] ?? 0) || a - b)
    const ranks = new Uint32Array(byCount.length)
    for (const [rank, word] of byCount.entries()) ranks[word] = rank
    for (const [at, entry] of entries.entries()) {
      if (at % (20 * stretch) === 0) yield { done: 0, total: entries.length }
      entry.words = entry.words.map((word) => ranks[word] ?? 0).sort()
    }
  }

  /** The ids of each group of two or more, in no particular order; yields the number of texts compared so far. */
  *groups(): Generator<{ done: number; total: number }, number[][]> {
    const entries = [...this.#entries.values()]
    yield* this.#putRarestFirst(entries)
    const leaders = entries.map((_, at) => at)
    const leaderOf = (at: number): number => {
      let leader = at
      while (leaders[leader] !== leader) {
        leaders[leader] = leaders[leaders[leader] ?? leader] ?? leader
        leader = leaders[leader] ?? leader
      }
      return leader
    }
    const order = entries.map((_, at) => at)
    order.sort((a, b) => (entries[a]?.words.length ?? 0) - (entries[b]?.words.length ?? 0))
    const holders = new Map<number, number[]>()
    // By which text one was looked at last.
    const seen = new Int32Array(entries.length).fill(-1)
    for (const [done, at] of order.entries()) {
      if (done % stretch === 0) yield { done, total: order.length }
      const { words = new Uint32Array(), bucket = 0 } = entries[at] ?? {}
      const prefix = words.length === 0 ? 0 : words.length - Math.ceil(sameShare * words.length) + 1
      for (const word of words.subarray(0, prefix)) {
        const place = bucket * this.#counts.length + word
        const partners = holders.get(place) ?? []
        holders.set(place, partners)
        for (const partner of partners.slice(-maxPartners)) {
          if (seen[partner] === at) continue
          seen[partner] = at
          const other = entries[partner]?.words ?? words
          if (other.length < sameShare * words.length || !sharesEnough(other, words)) continue
          leaders[leaderOf(partner)] = leaderOf(at)
        }
        partners.push(at)
      }
    }
    const groups = new Map<number, number[]>()
    for (const [at, { ids }] of entries.entries()) {
      for (const id of ids) addTo(groups, leaderOf(at), id)
    }
    return [...groups.values()].filter(({ length }) => length > 1)
  }
}
