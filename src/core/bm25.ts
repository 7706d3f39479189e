/**
 * How strongly the words shared by a query and a memory indicate a match (BM25, k1 1.2, b 0.75). Knows counts and
 * lengths; where the terms come from is not its concern.
 */

/** A word of a query, and how distinctive it is here. */
export interface QueryTerm {
  readonly term: string
  /** Inverse document frequency, above 0. */
  readonly idf: number
  /** Whether it names something: a version, an error code, a path. */
  readonly identifier: boolean
}

/** How often the query's terms stand in one memory, and how long that memory is. */
export interface TermCounts {
  readonly counts: ReadonlyMap<string, number>
  /** Terms of the whole memory. */
  readonly length: number
}

/** BM25's inverse document frequency in the form that stays above 0 for any term. */
export const inverseDocumentFrequency = (documents: number, frequency: number): number =>
  Math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5))

const saturation = 1.2
const lengthWeight = 0.75

/** How BM25 accounts for a text's length, both lengths in terms; 1 at the average. */
export const lengthShape = (length: number, averageLength: number): number =>
  1 - lengthWeight + (lengthWeight * length) / Math.max(1, averageLength)

/** BM25's value for a term that occurs `count` times in a text, without its idf, 0..2.2; `shape` is from `lengthShape`. */
export const termScore = (count: number, shape: number): number =>
  (count * (saturation + 1)) / (count + saturation * shape)

/**
 * BM25 as a share of the maximum, which a memory with infinitely many occurrences of every term would reach: 0..1.
 * `averageLength` in terms.
 */
export function normalizedBm25(
  terms: readonly QueryTerm[],
  memory: TermCounts | undefined,
  averageLength: number,
): number {
  if (memory === undefined) return 0
  const shape = lengthShape(memory.length, averageLength)
  let reached = 0
  let reachable = 0
  for (const { term, idf } of terms) {
    reached += idf * termScore(memory.counts.get(term) ?? 0, shape)
    reachable += idf * (saturation + 1)
  }
  return reachable > 0 ? Math.min(1, reached / reachable) : 0
}

/** What a memory has of a query's terms. */
export interface Overlap {
  /** Share of the terms' idf that occurs in the memory at all: 0..1. */
  readonly share: number
  /** Idf of the most distinctive term that both have; 0 if they share none. */
  readonly rarest: number
  /** Number of terms that the memory lacks. */
  readonly lacking: number
}

export function overlapOf(terms: readonly QueryTerm[], memory: TermCounts | undefined): Overlap {
  const held = terms.filter(({ term }) => memory?.counts.has(term))
  const sum = (some: readonly QueryTerm[]) => some.reduce((whole, { idf }) => whole + idf, 0)
  return {
    share: held.length > 0 ? sum(held) / sum(terms) : 0,
    rarest: Math.max(0, ...held.map(({ idf }) => idf)),
    lacking: terms.length - held.length,
  }
}

/** Terms in more than this share of the memories say little and cost much, once there are enough memories. */
const commonShare = 0.1
const minDocuments = 100

/** Keyword entries that one query may read: rarest terms first, so that its cost does not grow with the brain. */
const maxPostings = 20_000

/** The terms worth looking up: known ones, rarest first, and common ones only when no others remain. */
export function chooseTerms(
  terms: readonly string[],
  { documents, frequency }: { documents: number; frequency: ReadonlyMap<string, number> },
): string[] {
  const known = terms
    .map((term) => ({ term, memories: frequency.get(term) ?? 0 }))
    .filter(({ memories }) => memories > 0)
    .sort((a, b) => a.memories - b.memories)
  const rare = known.filter(({ memories }) => documents < minDocuments || memories <= documents * commonShare)
  const chosen: string[] = []
  let postings = 0
  for (const { term, memories } of rare.length > 0 ? rare : known) {
    postings += memories
    if (chosen.length > 0 && postings > maxPostings) break
    chosen.push(term)
  }
  return chosen
}
