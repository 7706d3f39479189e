/**
 * From candidates to an order: what vectors, word pieces and keywords say of each, blended and put on a scale
 * of 0..1. Knows numbers only; who found the candidates and how is not its matter. The blend and its figures
 * are in the model card: reciprocal rank fusion does worse than keywords alone with a static model.
 */

/** Logistic that turns a raw score above its background into 0..1; fitted per model on the development sets. */
export interface RelevanceScale {
  readonly slope: number
  readonly midpoint: number
}

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

/** What the vectors say of one candidate. */
export interface Likeness {
  /** Cosine of the best passage, -1..1. */
  readonly cosine: number
  /** Late interaction over word pieces, 0..1; undefined when pieces are unknown. */
  readonly soft: number | undefined
}

export interface Candidate {
  readonly id: number
  /** Undefined when the memory has no vector. */
  readonly likeness: Likeness | undefined
  /** Late interaction over the word pieces of a memory without a vector, 0..1; undefined when that was not asked for. */
  readonly soft?: number | undefined
  /** Undefined when it holds none of the terms. */
  readonly terms: TermCounts | undefined
}

/** The parts of a score, as `recall --explain` shows them. */
export interface ScoreParts {
  readonly cosine: number | null
  readonly soft: number | null
  /** 0..1: share of what the query's terms could weigh. */
  readonly coverage: number
  /** Share of the query's identifiers that the memory holds; null when it names none. */
  readonly identifiers: number | null
}

export interface Ranked extends ScoreParts {
  readonly id: number
  /** 0..1. */
  readonly score: number
}

/** BM25's inverse document frequency in the form that stays above 0 for any term. */
export const inverseDocumentFrequency = (documents: number, frequency: number): number =>
  Math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5))

const saturation = 1.2
const lengthWeight = 0.75

const clamp = (value: number): number => Math.min(1, Math.max(0, value))

/** How BM25 takes a text's length into account, both in terms; 1 at the average. */
export const lengthShape = (length: number, averageLength: number): number =>
  1 - lengthWeight + (lengthWeight * length) / Math.max(1, averageLength)

/** What BM25 gives for a term that stands in a text `count` times, but for its idf, 0..2.2; `shape` is `lengthShape`. */
export const termScore = (count: number, shape: number): number =>
  (count * (saturation + 1)) / (count + saturation * shape)

/**
 * BM25 (k1 1.2, b 0.75) as a share of what a memory could reach that held every term without end: 0..1.
 * `averageLength` in terms.
 */
export function coverageOf(
  terms: readonly QueryTerm[],
  memory: TermCounts | undefined,
  averageLength: number,
): number {
  if (memory === undefined) return 0
  const shape = lengthShape(memory.length, averageLength)
  let reached = 0
  let reachable = 0
  for (const { term, idf } of terms) {
    const count = memory.counts.get(term) ?? 0
    reached += idf * termScore(count, shape)
    reachable += idf * (saturation + 1)
  }
  return reachable > 0 ? clamp(reached / reachable) : 0
}

/** Below this cosine two word pieces have nothing to do with each other. */
const softFloor = 0.1

/**
 * Soft match: how much of the query's weight finds a like piece in a passage, 0..1. `best` holds, for each piece
 * of the query, its highest cosine with any piece of the passage.
 */
export function softMatch(weights: Float32Array, best: Float32Array): number {
  let found = 0
  let whole = 0
  // By index: an iterator would make a cold recall some ten thousand objects.
  for (let at = 0; at < weights.length; at += 1) {
    const weight = weights[at] ?? 0
    found += weight * Math.max(0, ((best[at] ?? 0) - softFloor) / (1 - softFloor))
    whole += weight
  }
  return whole > 0 ? clamp(found / whole) : 0
}

/** Largest idf a word piece may weigh with: beyond it, rarity says no more. */
export const mostPieceIdf = 6

/**
 * How far the words of a query can be trusted, 0..1, by the largest share of their weight (idf) that one memory
 * holds: below 0.15 the query is put in other words than the memories, and the few it shares mislead; from 0.25 on
 * they are the same. Without terms the words mislead nobody.
 */
export function wordTrustOf(terms: readonly QueryTerm[], memories: readonly TermCounts[]): number {
  const whole = terms.reduce((sum, { idf }) => sum + idf, 0)
  if (whole === 0) return 1
  const most = memories.reduce((best, { counts }) => {
    const held = terms.reduce((sum, { term, idf }) => (counts.has(term) ? sum + idf : sum), 0)
    return Math.max(best, held)
  }, 0)
  return clamp((most / whole - 0.15) / 0.1)
}

/**
 * Soft match and cosine in one: their mean, the raw score that relevance is fitted on. It leans to the cosine, which
 * sees the whole text, the less the words can be trusted (`wordTrustOf`).
 */
export function likenessOf({ cosine, soft }: Likeness, wordTrust = 1): number {
  const lean = 0.8 - 0.3 * wordTrust
  return (1 - lean) * (soft ?? cosine) + lean * cosine
}

/** The middle value; 0 of none. */
export function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? 0
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2
}

/** 0..1: how sure a raw score is no chance, given what unrelated texts score (`background`) for the same query. */
export const relevanceOf = (raw: number, background: number, scale: RelevanceScale): number =>
  1 / (1 + Math.exp(-scale.slope * (raw - background - scale.midpoint)))

export interface RankingQuery {
  readonly terms: readonly QueryTerm[]
  readonly averageLength: number
  /** What unrelated memories score for this query; see `relevanceOf`. */
  readonly background: number
  readonly scale: RelevanceScale
  /** See `wordTrustOf`. */
  readonly wordTrust: number
}

/** Weight of keyword coverage beside likeness, as measured on conversations and paraphrased notes. */
const coverageWeight = 0.2

/** `identifiers` are those of the query's terms. */
function score(candidate: Candidate, query: RankingQuery, identifiers: readonly QueryTerm[]): Ranked {
  const coverage = coverageOf(query.terms, candidate.terms, query.averageLength)
  const held = identifiers.filter(({ term }) => candidate.terms?.counts.has(term)).length
  const named = identifiers.length > 0 ? held / identifiers.length : null
  const { likeness } = candidate
  // Coverage lifts a score above what likeness gives, and never lowers it.
  const general =
    likeness === undefined
      ? (coverage + (candidate.soft ?? coverage)) / 2
      : relevanceOf(
          likenessOf(likeness, query.wordTrust) + (coverageWeight / (1 - coverageWeight)) * coverage,
          query.background,
          query.scale,
        )
  return {
    id: candidate.id,
    // The halves keep apart what holds the very thing the query names and what is only like it; in the upper one
    // no likeness makes up for one thing less that is named.
    score:
      named === null
        ? general
        : named > 0
          ? 0.5 + 0.25 * named + (0.25 * general) / identifiers.length
          : 0.5 * general,
    cosine: likeness?.cosine ?? null,
    soft: likeness?.soft ?? candidate.soft ?? null,
    coverage,
    identifiers: named,
  }
}

/** Best first, ties by coverage, then by id. */
export function rank(candidates: readonly Candidate[], query: RankingQuery): Ranked[] {
  const identifiers = query.terms.filter((term) => term.identifier)
  return candidates
    .map((candidate) => score(candidate, query, identifiers))
    .sort((a, b) => b.score - a.score || b.coverage - a.coverage || a.id - b.id)
}
