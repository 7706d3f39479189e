/**
 * The vectors of word pieces, straight from an ONNX file: an int8 table and one float32 scale a row. A
 * one-shot command reads the few rows that it needs; once many are asked for, the rest comes in one read. The
 * table lies once in memory, where the dot-product kernel reaches it. Knows ids and vectors; nothing of text.
 */
import { closeSync, openSync, readSync } from 'node:fs'
import { dotProductStep } from '../core/dot-products-program.ts'
import { BrainError } from '../core/errors.ts'
import { findTensors, type StoredTensor } from './onnx-file.ts'
import { createTokenKernel, type TokenKernel } from './token-kernel.ts'
import * as layout from './token-layout.ts'
import type { TokenMatcher } from './token-matcher.ts'

/** Rows read one by one before the whole table is cheaper: 8 MB take as long as some 600 single reads. */
const singleReads = 400
const pageBytes = 65_536

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
    rows <= layout.mostRows &&
    dimension > 0 &&
    dimension <= layout.mostDimensions &&
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
  readonly #descriptor: number
  readonly #table: StoredTensor
  readonly #memory: WebAssembly.Memory
  readonly #buffer: ArrayBufferLike
  readonly #rows: Int8Array
  readonly #floats: Float32Array
  readonly #ids: Uint16Array
  readonly #held: Uint8Array
  #compiled: TokenKernel | undefined
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
      // Pages that are never touched take no memory: a command that reads ten rows has ten rows.
      const memory = new WebAssembly.Memory({
        initial: Math.ceil((layout.table + size * dimension) / pageBytes),
      })
      this.#buffer = memory.buffer
      this.#memory = memory
      this.#rows = new Int8Array(this.#buffer, layout.table)
      this.#floats = new Float32Array(this.#buffer)
      this.#ids = new Uint16Array(this.#buffer, layout.ids, layout.mostIds)
      this.#held = new Uint8Array(size)
      this.#fill(this.#bytes(layout.scales, scale.length), scale.offset)
    } catch (error) {
      closeSync(this.#descriptor)
      throw error
    }
  }

  /** The scales' bytes as they lie in the file, for a content hash. */
  get scaleBytes(): Uint8Array {
    return this.#bytes(layout.scales, this.size * 4)
  }

  /** The sum of the vectors of `ids`, in float32. */
  sum(ids: Uint16Array): Float32Array {
    const { dimension } = this
    for (const id of ids) this.#need(id)
    // Whoever met pieces enough to have all of the table will meet more, which makes up for the kernel's making.
    if (this.#complete && ids.length > 0 && ids.length <= layout.mostIds) {
      const start = layout.vector / 4
      this.#eachPart(ids, (count) => this.#kernel.sum(count, dimension))
      return this.#floats.slice(start, start + dimension)
    }
    const sum = new Float32Array(dimension)
    const rows = this.#rows
    for (const id of ids) {
      const scale = this.#floats[layout.scales / 4 + id] ?? 0
      // Without a scale the row's numbers mean nothing.
      if (scale === 0) continue
      const start = id * dimension
      for (let index = 0; index < dimension; index += 1) {
        // Rounded as the kernel rounds: a text has the same vector in every process.
        sum[index] = (sum[index] ?? 0) + Math.fround(scale * (rows[start + index] ?? 0))
      }
    }
    return sum
  }

  /** Length of a piece's vector; 0 for a piece without meaning. */
  norm(id: number): number {
    this.#need(id)
    const inverse = this.#kernel.inverse(id, this.dimension)
    return inverse === 0 ? 0 : Math.abs(this.#floats[layout.scales / 4 + id] ?? 0) / inverse
  }

  /** Cosine of two pieces' vectors, -1..1; 0 when either has no meaning. */
  similarity(a: number, b: number): number {
    return this.match(Uint16Array.of(a)).similarity(0, b)
  }

  /** Compares `ids`, at most 64 of them, with any other pieces; each pair is computed once while one query lasts. */
  match(ids: Uint16Array): TokenMatcher {
    if (ids.length > layout.mostMatched)
      throw new RangeError(`at most ${layout.mostMatched} pieces are matched at once`)
    const own = ids.slice()
    const stride = Math.ceil(own.length / 4) * 16
    const best = layout.out / 4
    return {
      similarity: (index, id) => {
        this.#matchWith(own)
        this.#need(id)
        return this.#floats[this.#kernel.find(id, stride, this.dimension) / 4 + index] ?? 0
      },
      bestSimilarities: (others, target) => {
        this.#matchWith(own)
        this.#floats.fill(0, best, best + layout.mostMatched)
        if (own.length > 0)
          this.#eachPart(others, (count) => this.#kernel.best(count, stride, this.dimension))
        for (let index = 0; index < own.length; index += 1) target[index] = this.#floats[best + index] ?? 0
      },
    }
  }

  /** Cosine of a unit vector with a text of these pieces, at most `layout.mostIds`; undefined where only its vector tells. */
  cosine(vector: Float32Array, ids: Uint16Array): number | undefined {
    if (ids.length > layout.mostIds) return undefined
    this.#floats.set(vector, layout.vector / 4)
    let cosine = Number.NaN
    this.#eachPart(ids, (count) => {
      cosine = this.#kernel.cosine(count, this.dimension)
    })
    return Number.isNaN(cosine) ? undefined : cosine
  }

  /**
   * Reads all rows, for whoever will need most of them. Not on another thread: its page faults hold up this one's more
   * than the reading takes. @throws BrainError `failed` when the file is cut short, or the table is closed.
   */
  readWhole(): void {
    if (this.#complete) return
    this.#fill(this.#bytes(layout.table, this.#table.length), this.#table.offset)
    this.#complete = true
  }

  close(): void {
    if (this.#closed) return
    this.#closed = true
    closeSync(this.#descriptor)
  }

  /** Made when it is first needed: what only embeds a text does without. */
  get #kernel(): TokenKernel {
    this.#compiled ??= createTokenKernel(this.#memory)
    return this.#compiled
  }

  /** The kernel has one place for the matched rows: whoever matches next puts its own there. */
  #matchWith(ids: Uint16Array): void {
    if (this.#matched === ids) return
    const { inverses, places, free, cosines } = layout
    const { dimension } = this
    // Four at a time: where there are fewer, the others have no meaning.
    this.#floats.fill(0, inverses / 4, inverses / 4 + Math.ceil(ids.length / 4) * 4)
    for (const [index, id] of ids.entries()) {
      this.#need(id)
      this.#floats[inverses / 4 + index] = this.#kernel.inverse(id, dimension)
      this.#kernel.place(id, layout.matchedPlace(index, dimension), dimension)
    }
    new Uint32Array(this.#buffer, places, this.size).fill(0)
    new Uint32Array(this.#buffer, free, 1).fill(cosines)
    this.#matched = ids
  }

  #eachPart(ids: Uint16Array, work: (count: number) => void): void {
    for (let start = 0; start < ids.length; start += layout.mostIds) {
      const part = ids.subarray(start, start + layout.mostIds)
      if (!this.#complete) for (const id of part) this.#need(id)
      this.#ids.set(part)
      work(part.length)
    }
  }

  /** Makes sure that a row is in memory. */
  #need(id: number): void {
    if (id >= this.size) throw new RangeError(`there is no piece ${id}`)
    if (this.#complete || this.#held[id] === 1) return
    const { dimension } = this
    if (this.#singleReads === singleReads) {
      this.readWhole()
      return
    }
    this.#fill(this.#bytes(layout.table + id * dimension, dimension), this.#table.offset + id * dimension)
    this.#held[id] = 1
    this.#singleReads += 1
  }

  #bytes(start: number, length: number): Uint8Array {
    return new Uint8Array(this.#buffer, start, length)
  }

  #fill(target: Uint8Array, offset: number): void {
    if (this.#closed) throw new BrainError('failed', 'the built-in model is already closed')
    let done = 0
    while (done < target.length) {
      const read = readSync(this.#descriptor, target, done, target.length - done, offset + done)
      if (read === 0) refuse('it ends too early')
      done += read
    }
  }
}
