/**
 * The vectors of word pieces, straight from an ONNX file: an int8 table and one float32 scale a row. A
 * one-shot command reads the few rows that it needs; once many are asked for, the rest comes in one read. The
 * table lies once in memory, where the dot-product kernel reaches it. Knows ids and vectors; nothing of text.
 */
import { closeSync, openSync, readSync } from 'node:fs'
import { createDotProducts, type DotProducts, dotProductStep } from '../core/dot-products.ts'
import { BrainError } from '../core/errors.ts'
import { findTensors, type StoredTensor } from './onnx-file.ts'
import { TokenMatcher } from './token-matcher.ts'

/** Rows read one by one before the whole table is cheaper: 8 MB take as long as some 600 single reads. */
const singleReads = 400
const mostDimensions = 1024
const mostRows = 65_535
const pageBytes = 65_536
/** Rows that a matcher compares at once. */
const mostMatched = 64

const refuse = (why: string, cause?: unknown): never => {
  throw new BrainError('failed', why, { cause })
}

function chooseTensors(tensors: readonly StoredTensor[]): { table: StoredTensor; scale: StoredTensor } {
  const table = tensors.find((tensor) => tensor.name === 'table') ?? refuse('it has no tensor named table')
  const scale = tensors.find((tensor) => tensor.name === 'scale') ?? refuse('it has no tensor named scale')
  const [rows = 0, dimension = 0, ...more] = table.dimensions
  const fits =
    table.type === 'int8' &&
    more.length === 0 &&
    rows > 0 &&
    rows <= mostRows &&
    dimension > 0 &&
    dimension <= mostDimensions &&
    dimension % dotProductStep === 0
  if (!fits)
    refuse(`its table is ${table.type} [${table.dimensions.join(', ')}], not int8 [pieces, dimension]`)
  const scaleRows = scale.dimensions.reduce((product, extent) => product * extent, 1)
  if (scale.type !== 'float32' || scaleRows !== rows) {
    refuse(`its scale is ${scale.type} [${scale.dimensions.join(', ')}], not one float32 a row`)
  }
  if (table.length !== rows * dimension || scale.length !== rows * 4)
    refuse('its tensors have the wrong length')
  return { table, scale }
}

function openModel(file: string): number {
  try {
    return openSync(file, 'r')
  } catch (error) {
    return refuse('it cannot be opened', error)
  }
}

export class TokenTable {
  readonly size: number
  readonly dimension: number
  /** The scales' bytes as they lie in the file, for a content hash. */
  readonly scaleBytes: Uint8Array
  readonly #descriptor: number
  readonly #table: StoredTensor
  readonly #rows: Int8Array
  readonly #scales: Float32Array
  readonly #held: Uint8Array
  readonly #lengths: Float32Array
  readonly #dots: DotProducts
  readonly #matchedAt: number
  readonly #productsAt: number
  readonly #products: Int32Array
  #matched: Uint16Array | undefined
  #singleReads = 0
  #complete = false
  #closed = false

  /** Opens the ONNX file. @throws BrainError `failed` when it is missing, truncated or of another shape. */
  constructor(file: string) {
    this.#descriptor = openModel(file)
    try {
      const { table, scale } = chooseTensors(findTensors(this.#descriptor))
      this.#table = table
      const [size = 0, dimension = 0] = table.dimensions
      this.size = size
      this.dimension = dimension
      this.#matchedAt = table.length
      this.#productsAt = table.length + mostMatched * dimension
      const bytes = this.#productsAt + mostMatched * 4
      const memory = new WebAssembly.Memory({ initial: Math.ceil(bytes / pageBytes) })
      this.#rows = new Int8Array(memory.buffer)
      this.#products = new Int32Array(memory.buffer, this.#productsAt, mostMatched)
      this.#dots = createDotProducts(memory)
      this.#held = new Uint8Array(size)
      this.#lengths = new Float32Array(size)
      this.scaleBytes = new Uint8Array(scale.length)
      this.#fill(this.scaleBytes, scale.offset)
      this.#scales = new Float32Array(this.scaleBytes.buffer)
    } catch (error) {
      closeSync(this.#descriptor)
      throw error
    }
  }

  /** Adds the vectors of `ids` to `sum`, which has the table's dimension. */
  addTo(sum: Float32Array, ids: Uint16Array): void {
    const { dimension } = this
    const rows = this.#rows
    for (const id of ids) {
      this.#need(id)
      const scale = this.#scales[id] ?? 0
      if (scale === 0) continue
      const start = id * dimension
      for (let index = 0; index < dimension; index += 1) {
        sum[index] = (sum[index] ?? 0) + scale * (rows[start + index] ?? 0)
      }
    }
  }

  /** Length of a piece's vector; 0 for a piece without meaning. */
  norm(id: number): number {
    return this.#length(id) * Math.abs(this.#scales[id] ?? 0)
  }

  /** Cosine of two pieces' vectors, -1..1; 0 when either has no meaning. */
  similarity(a: number, b: number): number {
    return this.match(Uint16Array.of(a)).similarity(0, b)
  }

  /** Compares `ids`, at most 64 of them, with any other pieces. */
  match(ids: Uint16Array): TokenMatcher {
    if (ids.length > mostMatched) throw new RangeError(`at most ${mostMatched} pieces are matched at once`)
    const { dimension } = this
    const inverses = Float32Array.from(ids, (id) => this.#inverseLength(id))
    return new TokenMatcher(ids.length, this.size, (id, out, at) => {
      // The kernel has one place for the matched rows: whoever matched last has its own there.
      if (this.#matched !== ids) {
        for (const [index, matched] of ids.entries()) {
          this.#need(matched)
          this.#rows.copyWithin(
            this.#matchedAt + index * dimension,
            matched * dimension,
            (matched + 1) * dimension,
          )
        }
        this.#matched = ids
      }
      const inverse = this.#inverseLength(id)
      this.#dots(id * dimension, this.#matchedAt, ids.length, dimension, this.#productsAt)
      for (let index = 0; index < ids.length; index += 1) {
        // Rounding may leave a row a hair more like itself than 1.
        const cosine = (this.#products[index] ?? 0) * (inverses[index] ?? 0) * inverse
        out[at + index] = Math.min(cosine, 1)
      }
    })
  }

  close(): void {
    if (this.#closed) return
    this.#closed = true
    closeSync(this.#descriptor)
  }

  /** Length of a piece's int8 row. */
  #length(id: number): number {
    this.#need(id)
    const known = this.#lengths[id] ?? 0
    if (known > 0) return known
    const row = id * this.dimension
    this.#dots(row, row, 1, this.dimension, this.#productsAt)
    const length = Math.sqrt(this.#products[0] ?? 0)
    this.#lengths[id] = length
    return length
  }

  /** 0 for a piece without meaning, so that it is like nothing. */
  #inverseLength(id: number): number {
    const length = this.#length(id)
    return length === 0 || this.#scales[id] === 0 ? 0 : 1 / length
  }

  #need(id: number): void {
    if (this.#complete || this.#held[id] === 1) return
    if (id >= this.size) throw new RangeError(`there is no piece ${id}`)
    const { dimension } = this
    if (this.#singleReads === singleReads) {
      this.#fill(this.#rows.subarray(0, this.#table.length), this.#table.offset)
      this.#complete = true
      return
    }
    this.#fill(this.#rows.subarray(id * dimension, (id + 1) * dimension), this.#table.offset + id * dimension)
    this.#held[id] = 1
    this.#singleReads += 1
  }

  #fill(target: Uint8Array | Int8Array, offset: number): void {
    if (this.#closed) throw new BrainError('failed', 'the built-in model is already closed')
    let done = 0
    while (done < target.length) {
      const read = readSync(this.#descriptor, target, done, target.length - done, offset + done)
      if (read === 0) refuse('it ends too early')
      done += read
    }
  }
}
