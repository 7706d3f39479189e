/**
 * The vectors of word pieces, straight from an ONNX file: an int8 table and one float32 scale a row. A few rows are read
 * one by one, many in one pass through the file, and all once there were many of the few. They lie once in memory, where
 * the kernels reach them. Knows ids and vectors; nothing of text.
 */
import { closeSync, openSync, readSync } from 'node:fs'
import { dotProductStep } from '../core/dot-products-program.ts'
import { BrainError } from '../core/errors.ts'
import { findTensors, type StoredTensor } from './onnx-file.ts'
import { createTokenKernel, type TokenKernel } from './token-kernel.ts'
import * as layout from './token-layout.ts'
import type { TokenMatcher } from './token-matcher.ts'

/** Rows read one by one before one pass through the file is cheaper, which takes as long as some 500 such reads. */
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
  /** By id. */
  readonly #scales: Float32Array
  /** Where a piece's row lies, by id; 0 while it is not in memory. */
  readonly #numbers: Uint16Array
  readonly #memory: WebAssembly.Memory
  readonly #bytes: Int8Array
  readonly #floats: Float32Array
  readonly #atHand: Uint16Array
  #compiled: TokenKernel | undefined
  #matched: Uint16Array | undefined
  /** Rows in memory, and how many of them were read one by one. */
  #rows = 0
  #singleReads = 0
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
      this.#memory = new WebAssembly.Memory({ initial: Math.ceil(this.#rowAt(size + 1) / pageBytes) })
      const { buffer } = this.#memory
      this.#bytes = new Int8Array(buffer)
      this.#floats = new Float32Array(buffer)
      this.#atHand = new Uint16Array(buffer, layout.atHand, layout.mostIds)
      this.#numbers = new Uint16Array(buffer, layout.numbers, size)
      this.#scales = new Float32Array(buffer, layout.fileScales, size)
      this.#read(this.scaleBytes, scale.offset)
    } catch (error) {
      closeSync(this.#descriptor)
      throw error
    }
  }

  /** The scales' bytes as they lie in the file, for a content hash. */
  get scaleBytes(): Uint8Array {
    return this.#part(layout.fileScales, this.size * 4)
  }

  /** The sum of the vectors of `ids`, in float32. */
  sum(ids: Uint16Array): Float32Array {
    const { dimension } = this
    // Whoever met so many pieces will meet more, which makes up for the kernel's making.
    if (this.#rows > singleReads && ids.length > 0 && ids.length <= layout.mostIds) {
      const start = layout.vector / 4
      this.#eachPart(ids, (count) => this.#kernel.sum(count, dimension))
      return this.#floats.slice(start, start + dimension)
    }
    const sum = new Float32Array(dimension)
    for (const id of ids) {
      const start = this.#rowAt(this.#numberOf(id))
      const scale = this.#scales[id] ?? 0
      // Without a scale the row's numbers mean nothing.
      if (scale === 0) continue
      for (let index = 0; index < dimension; index += 1) {
        // Rounded as the kernel rounds: a text has the same vector in every process.
        sum[index] = (sum[index] ?? 0) + Math.fround(scale * (this.#bytes[start + index] ?? 0))
      }
    }
    return sum
  }

  /** Length of a piece's vector; 0 for a piece without meaning. */
  norm(id: number): number {
    const inverse = this.#kernel.inverse(this.#numberOf(id), this.dimension)
    return inverse === 0 ? 0 : Math.abs(this.#scales[id] ?? 0) / inverse
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
        const found = this.#kernel.find(this.#numberOf(id), stride, this.dimension)
        return this.#floats[found / 4 + index] ?? 0
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
   * Makes sure that all pieces of some texts are in memory, for whoever is about to need them: of many, their rows are
   * taken from one pass through the file. The others are left where they are, since to touch new memory for all eight
   * megabytes takes longer than to read them. @throws BrainError `failed` when the file is cut short, or the table is
   * closed.
   */
  need(texts: readonly Uint16Array[]): void {
    const asked = new Uint8Array(this.size)
    const missing = new Uint16Array(this.size)
    let count = 0
    for (const text of texts) {
      for (let at = 0; at < text.length; at += 1) {
        const id = text[at] ?? 0
        if (this.#numbers[id] !== 0 || asked[id] === 1) continue
        asked[id] = 1
        missing[count] = id
        count += 1
      }
    }
    if (count > singleReads) this.#pass(missing.subarray(0, count).sort())
  }

  /** Reads the rows of `ids`, ascending, in one pass through the file. */
  #pass(ids: Uint16Array): void {
    const { dimension } = this
    const windowRows = Math.floor(layout.windowBytes / dimension)
    new Uint16Array(this.#memory.buffer, layout.wanted).set(ids)
    for (let at = 0; at < ids.length; ) {
      const first = ids[at] ?? 0
      let end = at
      while (end < ids.length && (ids[end] ?? 0) < first + windowRows) end += 1
      const bytes = ((ids[end - 1] ?? 0) - first + 1) * dimension
      this.#read(this.#part(layout.window, bytes), this.#table.offset + first * dimension)
      this.#kernel.take(layout.wanted + 2 * at, end - at, first, this.#rows + 1, dimension)
      this.#rows += end - at
      at = end
    }
  }

  /** Reads one row, or, after many, all that are missing. Returns its number. */
  #load(id: number): number {
    if (this.#singleReads === singleReads) {
      this.#pass(Uint16Array.from(this.#numbers.keys()).filter((other) => this.#numbers[other] === 0))
      return this.#numbers[id] ?? 0
    }
    const { dimension } = this
    const number = this.#rows + 1
    this.#read(this.#part(this.#rowAt(number), dimension), this.#table.offset + id * dimension)
    this.#floats[layout.scales / 4 + number] = this.#scales[id] ?? 0
    this.#numbers[id] = number
    this.#rows = number
    this.#singleReads += 1
    return number
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
      const number = this.#numberOf(id)
      this.#floats[inverses / 4 + index] = this.#kernel.inverse(number, dimension)
      this.#kernel.place(number, layout.matchedPlace(index, dimension), dimension)
    }
    const { buffer } = this.#memory
    new Uint32Array(buffer, places, this.#rows + 1).fill(0)
    new Uint32Array(buffer, free, 1).fill(cosines)
    this.#matched = ids
  }

  #eachPart(ids: Uint16Array, work: (count: number) => void): void {
    for (let start = 0; start < ids.length; start += layout.mostIds) {
      const part = ids.subarray(start, start + layout.mostIds)
      this.#atHand.set(part)
      if (this.#kernel.number(part.length) > 0) {
        for (const id of part) this.#numberOf(id)
        this.#atHand.set(part)
        this.#kernel.number(part.length)
      }
      work(part.length)
    }
  }

  /** Where a piece's row lies; it is in memory then. */
  #numberOf(id: number): number {
    const number = this.#numbers[id]
    if (number === undefined) throw new RangeError(`there is no piece ${id}`)
    return number === 0 ? this.#load(id) : number
  }

  #rowAt(number: number): number {
    return layout.table + number * this.dimension
  }

  #part(start: number, length: number): Uint8Array {
    return new Uint8Array(this.#memory.buffer, start, length)
  }

  #read(target: Uint8Array, offset: number): void {
    if (this.#closed) throw new BrainError('failed', 'the built-in model is already closed')
    let done = 0
    while (done < target.length) {
      const read = readSync(this.#descriptor, target, done, target.length - done, offset + done)
      if (read === 0) refuse('it ends too early')
      done += read
    }
  }
}
