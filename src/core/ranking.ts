/**
 * From candidates to an order: blends what vectors, word pieces and keywords say of each. Knows numbers only;
 * who found the candidates and what they say is not its matter.
 */

/** What is known of one candidate for one query. */
export interface Evidence {
  readonly id: number
  /** Cosine of the best passage, -1..1; undefined when the memory has no vector. */
  readonly cosine: number | undefined
  /** Late interaction over word pieces, 0..1; undefined when pieces are unknown. */
  readonly soft: number | undefined
  /** BM25 of the keyword match; 0 when no term is shared. */
  readonly bm25: number
  /** How many of the query's identifiers the memory holds. */
  readonly identifiers: number
}

export interface Ranked {
  readonly id: number
  /** 0..1. */
  readonly score: number
  readonly evidence: Evidence
}

/** What is known of the query itself. */
export interface QueryWeights {
  /** Sum of the inverse document frequencies of its terms. */
  readonly idf: number
  readonly identifiers: number
}

/** BM25's inverse document frequency, above 0 for any term. */
export const inverseDocumentFrequency = (documents: number, frequency: number): number =>
  Math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5))

const clamp = (value: number): number => Math.min(1, Math.max(0, value))

/** BM25 as a share of what a memory holding every term often could reach (k1 = 1.2): 0..1. */
export const coverage = (bm25: number, idf: number): number => (idf > 0 ? clamp(bm25 / (2.2 * idf)) : 0)

function blend(evidence: Evidence, weights: QueryWeights): number {
  const covered = coverage(evidence.bm25, weights.idf)
  if (evidence.cosine === undefined) return covered
  const cosine = clamp(evidence.cosine)
  return 0.4 * (evidence.soft ?? cosine) + 0.4 * cosine + 0.2 * covered
}

/** Best first, ties by id. A memory that holds what the query names exactly stands before any that does not. */
export function rank(candidates: readonly Evidence[], weights: QueryWeights): Ranked[] {
  return candidates
    .map((evidence) => {
      const likeness = blend(evidence, weights)
      const named = weights.identifiers > 0 ? evidence.identifiers / weights.identifiers : 0
      // Halves keep the two orders apart: any exact hit outranks the best likeness without one.
      const score =
        named > 0
          ? 0.5 + 0.5 * ((named * 2 + likeness) / 3)
          : weights.identifiers > 0
            ? 0.5 * likeness
            : likeness
      return { id: evidence.id, score: clamp(score), evidence }
    })
    .sort((a, b) => b.score - a.score || a.id - b.id)
}
