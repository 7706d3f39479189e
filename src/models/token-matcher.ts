/**
 * How alike some pieces (a query's) are to any others: late interaction over the token table. Knows ids and
 * cosines; what they weigh is for ranking.
 */
export interface TokenMatcher {
  /** Cosine, -1..1, of the matched piece number `index` with piece `id`; 0 when either has no meaning. */
  similarity(index: number, id: number): number
  /** Writes to `best`, for each matched piece, its highest cosine with any of `ids`; 0 where all are negative. */
  bestSimilarities(ids: Uint16Array, best: Float32Array): void
}
