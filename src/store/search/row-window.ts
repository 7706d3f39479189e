/**
 * A block of int8 rows in memory, as a snapshot keeps it and the kernel scans it: ids, factors and checks of up to 1,024
 * rows, then the rows. Knows how a block is laid out, filled, checked and searched; where blocks come from is not known here.
 */
import { TopRows } from '../../core/top-rows.ts'
import {
  createRowKernel,
  matchBytes,
  pageBytes,
  type RowKernel,
  strideOf,
  writeQuery,
} from '../../simd/kernels.ts'
import { createProbe, hashOf } from './int8-vector.ts'

/** Rows of a block: few system calls, and what is read stays in the processor's cache. */
export const blockRows = 1_024

/** What a measured row comes to, in whole steps, so that what lies behind it is aligned. */
const measuredBytes = 16

/** Bytes before the row of each row: its id, factor and check. */
const headBytes = 12

/** Where in a block of so many rows the row in a place begins. */
export const placeOf = (dimension: number, { rows, place }: { rows: number; place: number }): number =>
  rows * headBytes + place * strideOf(dimension)

const blockBytesOf = (dimension: number, rows: number): number => rows * (headBytes + strideOf(dimension))

export interface Match {
  /** Of a passage. */
  readonly id: number
  /** Cosine up to the rounding of int8, -1..1. */
  readonly similarity: number
}

export interface Measured {
  /** The factor that turns a product with the row into one with its direction: 1 / length, as float32; 0 for a row of zeros. */
  readonly factor: number
  /** Its product with the probe. */
  readonly check: number
}

/** A search under way: scans block after block. */
export interface RowSearch {
  scan(): void
  /** Best first. */
  matches(): Match[]
}

/** Windows by their dimension, each made when it is first asked for. */
export class RowWindows {
  readonly #known = new Map<number, RowWindow>()

  of(dimension: number): RowWindow {
    const window = this.#known.get(dimension) ?? new RowWindow(dimension)
    this.#known.set(dimension, window)
    return window
  }
}

export class RowWindow {
  readonly #stride: number
  readonly #dimension: number
  readonly #memory: WebAssembly.Memory
  readonly #kernel: RowKernel
  readonly #probeAt: number
  readonly #matchesAt: number
  readonly #blockAt: number
  /** A row to measure, and what it comes to. */
  readonly #measuredRow: Int8Array
  readonly #measuredSums: Int32Array
  #count = 0

  constructor(dimension: number) {
    this.#dimension = dimension
    this.#stride = strideOf(dimension)
    // The query as int16 lies first.
    this.#probeAt = 2 * this.#stride
    this.#matchesAt = this.#probeAt + 2 * this.#stride
    const measuredAt = this.#matchesAt + blockRows * matchBytes
    this.#blockAt = measuredAt + this.#stride + measuredBytes
    const size = this.#blockAt + blockBytesOf(dimension, blockRows)
    this.#memory = new WebAssembly.Memory({ initial: Math.ceil(size / pageBytes) })
    const { buffer } = this.#memory
    new Int16Array(buffer, this.#probeAt, dimension).set(createProbe(dimension))
    this.#measuredRow = new Int8Array(buffer, measuredAt, this.#stride)
    this.#measuredSums = new Int32Array(buffer, measuredAt + this.#stride, 2)
    this.#kernel = createRowKernel(this.#memory)
  }

  /** Rows in the block. */
  get count(): number {
    return this.#count
  }

  /** Makes it a block of so many rows, for whoever fills its bytes. */
  resize(count: number): void {
    this.#count = count
  }

  /** All of the block. */
  get bytes(): Uint8Array {
    return new Uint8Array(this.#memory.buffer, this.#blockAt, blockBytesOf(this.#dimension, this.#count))
  }

  get ids(): Uint32Array {
    return new Uint32Array(this.#memory.buffer, this.#blockAt, this.#count)
  }

  #figures(column: number): Float32Array {
    return new Float32Array(this.#memory.buffer, this.#blockAt + 4 * column * this.#count, this.#count)
  }

  get factors(): Float32Array {
    return this.#figures(1)
  }

  #rowsAt(): number {
    return this.#blockAt + headBytes * this.#count
  }

  /** The row in a place, where it lies. */
  rowAt(place: number): Int8Array {
    return new Int8Array(this.#memory.buffer, this.#rowsAt() + place * this.#stride, this.#dimension)
  }

  /** Measures a row of this dimension, wherever it lies. */
  measure(row: Int8Array): Measured {
    this.#measuredRow.set(row)
    this.#measuredRow.fill(0, row.length)
    this.#kernel.measure(
      this.#measuredRow.byteOffset,
      this.#probeAt,
      this.#stride,
      this.#measuredSums.byteOffset,
    )
    const [square = 0, check = 0] = this.#measuredSums
    return { factor: square > 0 ? Math.fround(1 / Math.sqrt(square)) : 0, check }
  }

  /** Makes it a block of these rows, without what stands before them. */
  #lay(rows: readonly { readonly row: Int8Array }[]): void {
    this.#count = rows.length
    this.bytes.fill(0, headBytes * rows.length)
    const all = new Int8Array(this.#memory.buffer, this.#rowsAt(), rows.length * this.#stride)
    for (const [place, { row }] of rows.entries()) all.set(row, place * this.#stride)
  }

  /** Fills the block with some rows, at most `blockRows`. */
  fill(rows: readonly { readonly id: number; readonly row: Int8Array }[]): void {
    this.#lay(rows)
    const { ids, factors } = this
    const checks = this.#figures(2)
    for (const [place, { id, row }] of rows.entries()) {
      const { factor, check } = this.measure(row)
      ids[place] = id
      factors[place] = factor
      checks[place] = check
    }
  }

  /** A hash of what is not rows; the checks among it stand for these. */
  hash(): number {
    return this.#kernel.hash(this.#blockAt, (headBytes / 4) * this.#count) >>> 0
  }

  /** `hashOf` of word pieces, most of whose time in a cold command is V8's, to run and to optimise a plain loop. */
  hashTokens(tokens: Uint16Array): number {
    if (tokens.byteLength > blockRows * matchBytes) return hashOf(tokens)
    new Uint16Array(this.#memory.buffer, this.#matchesAt, tokens.length).set(tokens)
    return this.#kernel.hashShort(this.#matchesAt, tokens.length) >>> 0
  }

  /** Whether every row is the one that its check was made of. */
  isSound(): boolean {
    const checks = this.#blockAt + 8 * this.#count
    return this.#kernel.areSound(this.#probeAt, this.#rowsAt(), this.#count, this.#stride, checks) === 1
  }

  /** The cosines of a unit vector with some rows, each as a search has it. */
  cosines(
    vector: Float32Array,
    rows: readonly { readonly row: Int8Array; readonly factor: number }[],
  ): number[] {
    const { buffer } = this.#memory
    const scale = writeQuery(vector, new Int16Array(buffer, 0, vector.length))
    const similarities = new Float32Array(buffer, this.#matchesAt, 2 * blockRows)
    const found: number[] = []
    for (let from = 0; from < rows.length; from += blockRows) {
      const part = rows.slice(from, from + blockRows)
      this.#lay(part)
      const { factors } = this
      for (const [place, { factor }] of part.entries()) factors[place] = factor
      this.#kernel.scan(
        0,
        this.#rowsAt(),
        part.length,
        this.#stride,
        this.#blockAt + 4 * part.length,
        Number.NEGATIVE_INFINITY,
        this.#matchesAt,
      )
      for (let place = 0; place < part.length; place += 1)
        found.push((similarities[2 * place + 1] ?? 0) * scale)
    }
    return found
  }

  /** Looks for the `limit` rows nearest to a unit vector, block by block, of those that are accepted by their ids. */
  search(vector: Float32Array, limit: number, accepts?: (id: number) => boolean): RowSearch {
    const { buffer } = this.#memory
    const scale = writeQuery(vector, new Int16Array(buffer, 0, vector.length))
    const places = new Uint32Array(buffer, this.#matchesAt, 2 * blockRows)
    const similarities = new Float32Array(buffer, this.#matchesAt, 2 * blockRows)
    const top = new TopRows(limit)
    return {
      scan: () => {
        const { ids } = this
        const factors = this.#blockAt + 4 * this.#count
        const rows = this.#rowsAt()
        const found = this.#kernel.scan(
          0,
          rows,
          this.#count,
          this.#stride,
          factors,
          top.threshold,
          this.#matchesAt,
        )
        for (let match = 0; match < found; match += 1) {
          const id = ids[places[2 * match] ?? 0] ?? 0
          if (accepts === undefined || accepts(id)) top.offer(id, similarities[2 * match + 1] ?? 0)
        }
      },
      matches: () => top.best().map(({ row, score }) => ({ id: row, similarity: score * scale })),
    }
  }
}
