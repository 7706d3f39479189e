/** The best of many scored rows, offered one by one. Knows only numbers. */

/** Rows kept before the worse ones are dropped, as a multiple of the limit: dropping many at once is fastest. */
const slack = 4

/** The value of the given rank in descending order; reorders `values` (C. A. R. Hoare, "Algorithm 65: Find", 1961). */
function findGreatest(values: Float32Array, but: number): number {
  let low = 0
  let high = values.length - 1
  while (low < high) {
    const pivot = values[(low + high) >> 1] ?? 0
    let left = low
    let right = high
    while (left <= right) {
      while ((values[left] ?? 0) > pivot) left += 1
      while ((values[right] ?? 0) < pivot) right -= 1
      if (left > right) break
      const value = values[left] ?? 0
      values[left] = values[right] ?? 0
      values[right] = value
      left += 1
      right -= 1
    }
    if (but <= right) high = right
    else if (but >= left) low = left
    else break
  }
  return values[but] ?? 0
}

export interface ScoredRow {
  readonly row: number
  readonly score: number
}

export class TopRows {
  readonly #limit: number
  readonly #rows: Float64Array
  readonly #scores: Float32Array
  #size = 0
  #threshold = Number.NEGATIVE_INFINITY

  /** Keeps the `limit` best, 1 or more. */
  constructor(limit: number) {
    this.#limit = limit
    this.#rows = new Float64Array(slack * limit)
    this.#scores = new Float32Array(slack * limit)
  }

  /** Only a row whose score is above this can be among the best. */
  get threshold(): number {
    return this.#threshold
  }

  /** Offers a row; `score` is rounded to float32. */
  offer(row: number, score: number): void {
    if (score <= this.#threshold) return
    this.#rows[this.#size] = row
    this.#scores[this.#size] = score
    this.#size += 1
    if (this.#size === this.#rows.length) this.#dropWorse()
  }

  /** Best first; among equals those offered first. */
  best(): ScoredRow[] {
    if (this.#size > this.#limit) this.#dropWorse()
    return Array.from(this.#rows.subarray(0, this.#size), (row, at) => ({
      row,
      score: this.#scores[at] ?? 0,
    })).sort((a, b) => b.score - a.score)
  }

  /** The same in the order in which they were offered. */
  rows(): number[] {
    if (this.#size > this.#limit) this.#dropWorse()
    return [...this.#rows.subarray(0, this.#size)]
  }

  #dropWorse(): void {
    const scores = this.#scores.subarray(0, this.#size)
    // Not sorted: that took a twentieth of a recall.
    const least = findGreatest(scores.slice(), this.#limit - 1)
    let equals = this.#limit
    for (const score of scores) if (score > least) equals -= 1
    let kept = 0
    for (let at = 0; at < this.#size; at += 1) {
      const score = scores[at] ?? 0
      if (score < least || (score === least && equals <= 0)) continue
      if (score === least) equals -= 1
      scores[kept] = score
      this.#rows[kept] = this.#rows[at] ?? 0
      kept += 1
    }
    this.#size = kept
    this.#threshold = least
  }
}
