/**
 * All vectors of one model in memory, as int8, for a process that lives: scanned at memory bandwidth, with the
 * word pieces that re-ranking asks for. Knows rows and shelves; where rows come from is `live-index`'s matter.
 */
import { createDotProducts, type DotProducts, dotProductStep } from '../../core/dot-products.ts'

/** Rows a shelf takes at a time: small enough for a thousand small projects, large enough to scan at full speed. */
const blockRows = 128

const pageBytes = 65_536

export interface LiveRow {
  readonly passageId: number
  readonly memoryId: number
  readonly vector: Float32Array
  readonly tokens: Uint16Array
}

export interface LiveMatch {
  readonly passageId: number
  readonly memoryId: number
  /** Cosine up to the rounding of int8, -1..1. */
  readonly similarity: number
  readonly tokens: Uint16Array
}

interface Shelf {
  /** Block numbers, in the order in which they were filled. */
  readonly blocks: number[]
  rows: number
}

/** A typed array that doubles when it is full; untouched capacity costs no resident memory. */
const grown = <T extends Float32Array | Uint32Array | Uint16Array>(array: T, needed: number): T => {
  if (needed <= array.length) return array
  // One constructor serves three types; it is the array's own.
  const larger = new (array.constructor as new (length: number) => T)(Math.max(needed, array.length * 2))
  larger.set(array)
  return larger
}

export class LiveVectors {
  readonly #dimension: number
  /** Bytes a row takes: the dimension, padded to whole steps of the kernel. */
  readonly #stride: number
  readonly #memory: WebAssembly.Memory
  readonly #dots: DotProducts
  readonly #shelves = new Map<number, Shelf>()
  readonly #productsAt: number
  readonly #blocksAt: number
  #bytes: Int8Array
  #products: Int32Array
  #blocks = 0
  #scales = new Float32Array(1024)
  #passageIds = new Uint32Array(1024)
  #memoryIds = new Uint32Array(1024)
  #tokenStarts = new Uint32Array(1025)
  #tokenLengths = new Uint16Array(1024)
  #tokens = new Uint16Array(8192)
  #tokenCount = 0

  constructor(dimension: number) {
    this.#dimension = dimension
    this.#stride = Math.ceil(dimension / dotProductStep) * dotProductStep
    this.#productsAt = this.#stride
    this.#blocksAt = this.#stride + blockRows * 4
    this.#memory = new WebAssembly.Memory({
      initial: Math.ceil((this.#blocksAt + blockRows * this.#stride) / pageBytes),
    })
    this.#bytes = new Int8Array(this.#memory.buffer)
    this.#products = new Int32Array(this.#memory.buffer, this.#productsAt, blockRows)
    this.#dots = createDotProducts(this.#memory)
  }

  /** Appends a row; passage ids of a shelf come in ascending order. */
  add(shelfId: number, row: LiveRow): void {
    const shelf = this.#shelves.get(shelfId) ?? { blocks: [], rows: 0 }
    this.#shelves.set(shelfId, shelf)
    if (shelf.rows === shelf.blocks.length * blockRows) shelf.blocks.push(this.#addBlock())
    const slot = this.#slot(shelf, shelf.rows)
    shelf.rows += 1
    this.#scales[slot] = this.#quantise(row.vector, this.#blocksAt + slot * this.#stride)
    this.#passageIds[slot] = row.passageId
    this.#memoryIds[slot] = row.memoryId
    this.#tokens = grown(this.#tokens, this.#tokenCount + row.tokens.length)
    this.#tokens.set(row.tokens, this.#tokenCount)
    this.#tokenStarts[slot] = this.#tokenCount
    this.#tokenLengths[slot] = row.tokens.length
    this.#tokenCount += row.tokens.length
  }

  /** The rows of a shelf nearest to a unit vector, best first. */
  nearest(shelfId: number, vector: Float32Array, limit: number): LiveMatch[] {
    const shelf = this.#shelves.get(shelfId)
    if (shelf === undefined || limit < 1) return []
    const scale = this.#quantise(vector, 0)
    const slots: number[] = []
    const similarities: number[] = []
    let threshold = Number.NEGATIVE_INFINITY
    const keepBest = (): void => {
      const order = slots.map((_, at) => at).sort((a, b) => (similarities[b] ?? 0) - (similarities[a] ?? 0))
      const kept = order.slice(0, limit).map((at) => [slots[at] ?? 0, similarities[at] ?? 0] as const)
      slots.length = 0
      similarities.length = 0
      for (const [slot, similarity] of kept) {
        slots.push(slot)
        similarities.push(similarity)
      }
      if (kept.length === limit) threshold = kept.at(-1)?.[1] ?? threshold
    }
    for (const [at, block] of shelf.blocks.entries()) {
      const rows = Math.min(blockRows, shelf.rows - at * blockRows)
      this.#dots(0, this.#blocksAt + block * blockRows * this.#stride, rows, this.#stride, this.#productsAt)
      const first = block * blockRows
      for (let row = 0; row < rows; row += 1) {
        const similarity = (this.#products[row] ?? 0) * (this.#scales[first + row] ?? 0)
        if (similarity <= threshold || this.#memoryIds[first + row] === 0) continue
        slots.push(first + row)
        similarities.push(similarity)
        // Sorting seldom and much is cheaper than a heap here: past the first blocks few rows get this far.
        if (slots.length >= 4 * limit) keepBest()
      }
    }
    keepBest()
    return slots.map((slot, at) => ({
      passageId: this.#passageIds[slot] ?? 0,
      memoryId: this.#memoryIds[slot] ?? 0,
      similarity: (similarities[at] ?? 0) * scale,
      tokens: this.#tokensOf(slot),
    }))
  }

  /** Cosine with a unit vector and word pieces of one passage; undefined when the shelf does not hold it. */
  compare(
    shelfId: number,
    passageId: number,
    vector: Float32Array,
  ): { similarity: number; tokens: Uint16Array } | undefined {
    const slot = this.#find(shelfId, passageId)
    if (slot === undefined) return undefined
    const start = this.#blocksAt + slot * this.#stride
    let product = 0
    for (let at = 0; at < this.#dimension; at += 1)
      product += (this.#bytes[start + at] ?? 0) * (vector[at] ?? 0)
    return { similarity: product * (this.#scales[slot] ?? 0), tokens: this.#tokensOf(slot) }
  }

  #tokensOf(slot: number): Uint16Array {
    const from = this.#tokenStarts[slot] ?? 0
    return this.#tokens.subarray(from, from + (this.#tokenLengths[slot] ?? 0))
  }

  /** Forgets a row that is no longer in the store. */
  remove(passageId: number): void {
    for (const shelfId of this.#shelves.keys()) this.#clear(this.#find(shelfId, passageId))
  }

  #clear(slot: number | undefined): void {
    if (slot === undefined) return
    const start = this.#blocksAt + slot * this.#stride
    this.#bytes.fill(0, start, start + this.#stride)
    this.#tokens.fill(
      0,
      this.#tokenStarts[slot],
      (this.#tokenStarts[slot] ?? 0) + (this.#tokenLengths[slot] ?? 0),
    )
    // The passage id stays, so that the shelf remains in order; no memory has the id 0.
    this.#memoryIds[slot] = 0
  }

  #slot(shelf: Shelf, row: number): number {
    return (shelf.blocks[Math.floor(row / blockRows)] ?? 0) * blockRows + (row % blockRows)
  }

  /** Binary search: a shelf's passage ids ascend. */
  #find(shelfId: number, passageId: number): number | undefined {
    const shelf = this.#shelves.get(shelfId)
    if (shelf === undefined) return undefined
    let low = 0
    let high = shelf.rows - 1
    while (low <= high) {
      const middle = (low + high) >> 1
      const slot = this.#slot(shelf, middle)
      const found = this.#passageIds[slot] ?? 0
      if (found === passageId) return this.#memoryIds[slot] === 0 ? undefined : slot
      if (found < passageId) low = middle + 1
      else high = middle - 1
    }
    return undefined
  }

  #addBlock(): number {
    const block = this.#blocks
    this.#blocks += 1
    const needed = this.#blocksAt + this.#blocks * blockRows * this.#stride
    if (needed > this.#memory.buffer.byteLength) {
      // An eighth more than needed: each growth is a system call and detaches the views.
      const pages = Math.ceil((needed * 1.125 - this.#memory.buffer.byteLength) / pageBytes)
      this.#memory.grow(pages)
      this.#bytes = new Int8Array(this.#memory.buffer)
      this.#products = new Int32Array(this.#memory.buffer, this.#productsAt, blockRows)
    }
    const rows = this.#blocks * blockRows
    this.#scales = grown(this.#scales, rows)
    this.#passageIds = grown(this.#passageIds, rows)
    this.#memoryIds = grown(this.#memoryIds, rows)
    this.#tokenStarts = grown(this.#tokenStarts, rows)
    this.#tokenLengths = grown(this.#tokenLengths, rows)
    return block
  }

  /** Writes a vector as int8 from `start` on, scaled by its largest component; returns the scale. */
  #quantise(vector: Float32Array, start: number): number {
    let largest = 0
    for (let at = 0; at < this.#dimension; at += 1) largest = Math.max(largest, Math.abs(vector[at] ?? 0))
    const factor = largest > 0 ? 127 / largest : 0
    for (let at = 0; at < this.#dimension; at += 1)
      this.#bytes[start + at] = Math.round((vector[at] ?? 0) * factor)
    return largest / 127
  }
}
