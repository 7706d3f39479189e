/**
 * How alike some pieces (a query's) are to any others: late interaction over the token table. Each pair is
 * computed once and kept as long as the matcher. Knows ids and cosines; what they weigh is for ranking.
 */

/** Writes the cosines of the matched pieces with piece `id` to `out` from `at` on. */
export type Compare = (id: number, out: Float32Array, at: number) => void

export class TokenMatcher {
  /** How many pieces are matched. */
  readonly size: number
  readonly #compare: Compare
  // Place of a piece's cosines in the store, counted from 1; 0 while they are not computed.
  readonly #places: Uint32Array
  #cosines: Float32Array
  #count = 0

  constructor(size: number, vocabularySize: number, compare: Compare) {
    this.size = size
    this.#compare = compare
    this.#places = new Uint32Array(vocabularySize)
    this.#cosines = new Float32Array(size * 256)
  }

  /** Cosine, -1..1, of the matched piece number `index` with piece `id`; 0 when either has no meaning. */
  similarity(index: number, id: number): number {
    return this.#cosines[this.#find(id) + index] ?? 0
  }

  /** Writes to `best`, for each matched piece, its highest cosine with any of `ids`; 0 where all are negative. */
  bestSimilarities(ids: Uint16Array, best: Float32Array): void {
    best.fill(0)
    const { size } = this
    for (const id of ids) {
      const start = this.#find(id)
      const cosines = this.#cosines
      for (let index = 0; index < size; index += 1) {
        const cosine = cosines[start + index] ?? 0
        if (cosine > (best[index] ?? 0)) best[index] = cosine
      }
    }
  }

  #find(id: number): number {
    const place = this.#places[id] ?? 0
    if (place > 0) return (place - 1) * this.size
    const start = this.#count * this.size
    if (start + this.size > this.#cosines.length) {
      const larger = new Float32Array(2 * this.#cosines.length + this.size)
      larger.set(this.#cosines)
      this.#cosines = larger
    }
    this.#compare(id, this.#cosines, start)
    this.#count += 1
    this.#places[id] = this.#count
    return start
  }
}
