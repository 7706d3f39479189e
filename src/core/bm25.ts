/**
 * How much the words that a query and a memory share tell (BM25, k1 1.2, b 0.75). Knows counts and lengths; where the
 * terms come from is not its matter.
 */

/** A word of a query: how telling it is here. */
export interface QueryTerm {
  readonly term: string
  /** Inverse document frequency, above 0. */
  readonly idf: number
  /** Whether the query names something by it: a version, an error code, a path. */
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

/** How BM25 takes a text's length into account, both in terms; 1 at the average. */
export const lengthShape = (length: number, averageLength: number): number =>
  1 - lengthWeight + (lengthWeight * length) / Math.max(1, averageLength)

/** What BM25 gives for a term that stands in a text `count` times, but for its idf, 0..2.2; `shape` is `lengthShape`. */
export const termScore = (count: number, shape: number): number =>
  (count * (saturation + 1)) / (count + saturation * shape)

/**
 * BM25 as a share of what a memory could reach that held every term without end: 0..1. `averageLength` in terms.
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

/** Share of the terms' idf that a memory holds at all: 0..1. */
export function heldShare(terms: readonly QueryTerm[], memory: TermCounts | undefined): number {
  if (memory === undefined) return 0
  let held = 0
  let whole = 0
  for (const { term, idf } of terms) {
    whole += idf
    if (memory.counts.has(term)) held += idf
  }
  return whole > 0 ? held / whole : 0
}

/** Terms in more than this share of the memories tell little and cost much, once there are some memories. */
const commonShare = 0.1
const minDocuments = 100

/** Keyword entries one query may walk through: the rarest terms first, so that cost does not grow with the brain. */
const maxPostings = 20_000

/** The terms worth looking up: known ones, rarest first, common ones only when nothing else remains. */
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
