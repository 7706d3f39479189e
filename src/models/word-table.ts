/**
 * The rows of word pieces, straight from a model file: int8 and one float32 scale a row. A few are read one by one,
 * many in one pass through the file, and none that nobody asked for: what a daemon compares in days is a part of the
 * vocabulary. They lie once in memory, where the kernel reaches them. Knows ids and rows; nothing of text.
 */
import { BrainError } from '../core/errors.ts'
import {
  createWordMatchKernel,
  matchLayout as layout,
  pageBytes,
  type WordMatchKernel,
} from '../simd/kernels.ts'
import type { ModelFile } from './model-file.ts'
import type { TokenMatcher } from './token-matcher.ts'

/** Rows read one by one at a time before one pass through the file is cheaper, which takes as long as some 500 such reads. */
const singleReads = 400
/** Rows there is room for at first: V8 cleans up its whole heap where much memory is made that nobody may need. */
const firstRows = 6000
const step = 16

export class WordTable {
  readonly size: number
  readonly dimension: number
  readonly #file: ModelFile
  readonly #offset: number
  /** By id. */
  #scales: Float32Array
  /** Position of a piece's row, by id; 0 while it is not in memory. */
  #numbers: Uint16Array
  readonly #memory: WebAssembly.Memory
  #bytes: Int8Array
  #floats: Float32Array
  #atHand: Uint16Array
  readonly #findMean: (table: WordTable) => Float32Array
  #compiled: WordMatchKernel | undefined
  #matched: Uint16Array | undefined
  /** Rows in memory. */
  #rows = 0
  #hasMean = false

  /**
   * Finds the tables in a file. `findMean` gives the row that comparisons take off; it is asked once, by the first of them.
   * @throws BrainError `failed` when the file has no such tables or ends too early.
   */
  constructor(file: ModelFile, findMean: (table: WordTable) => Float32Array = (table) => table.mean()) {
    const { offset, dimensions } = file.tensor('word.weight', 'int8', [0, 0])
    const [size = 0, dimension = 0] = dimensions
    if (size > layout.maxRows || dimension > layout.maxDimension || dimension % step !== 0)
      throw new BrainError('failed', `its word.weight is [${size}, ${dimension}]`)
    const scale = file.tensor('word.scale', 'float32', [size])
    this.#file = file
    this.#offset = offset
    this.#findMean = findMean
    this.size = size
    this.dimension = dimension
    this.#memory = new WebAssembly.Memory({ initial: this.#pagesFor(Math.min(size, firstRows)) })
    const { buffer } = this.#memory
    this.#bytes = new Int8Array(buffer)
    this.#floats = new Float32Array(buffer)
    this.#atHand = new Uint16Array(buffer, layout.atHand, layout.maxIds)
    this.#numbers = new Uint16Array(buffer, layout.numbers, size)
    this.#scales = new Float32Array(buffer, layout.fileScales, size)
    file.read(this.#part(layout.fileScales, size * 4), scale.offset)
  }

  /** Copies the int8 rows of some pieces and their scales, one after the other, to where they are embedded. */
  copy(ids: Uint16Array, rows: Int8Array, scales: Float32Array): void {
    for (const [index, id] of ids.entries()) {
      const at = this.#rowAt(this.#numberOf(id))
      rows.set(this.#bytes.subarray(at, at + this.dimension), index * this.dimension)
      scales[index] = this.#scales[id] ?? 0
    }
  }

  /** The mean of all rows, float32, in a pass through all of them. */
  mean(): Float32Array {
    const sums = new Float64Array(this.dimension)
    const windowRows = Math.floor(layout.windowBytes / this.dimension)
    const window = new Int8Array(windowRows * this.dimension)
    for (let first = 0; first < this.size; first += windowRows) {
      const rows = Math.min(windowRows, this.size - first)
      this.#file.read(
        new Uint8Array(window.buffer, 0, rows * this.dimension),
        this.#offset + first * this.dimension,
      )
      for (let row = 0; row < rows; row += 1) {
        const scale = this.#scales[first + row] ?? 0
        for (let at = 0; at < this.dimension; at += 1)
          sums[at] = (sums[at] ?? 0) + scale * (window[row * this.dimension + at] ?? 0)
      }
    }
    return Float32Array.from(sums, (sum) => sum / this.size)
  }

  /** Length of a piece's row without the mean; 0 for a piece without meaning. */
  norm(id: number): number {
    const inverse = this.#measuring.measure(this.#numberOf(id), this.dimension)
    return inverse === 0 ? 0 : 1 / inverse
  }

  /** Cosine of two pieces' rows without the mean, -1..1; 0 when either has no meaning. */
  similarity(a: number, b: number): number {
    return this.match(Uint16Array.of(a)).similarity(0, b)
  }

  /** Compares `ids`, at most 64 of them, with any other pieces; each pair is computed once while one query lasts. */
  match(ids: Uint16Array): TokenMatcher {
    if (ids.length > layout.maxMatched)
      throw new RangeError(`at most ${layout.maxMatched} pieces are matched at once`)
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
        this.#floats.fill(0, best, best + layout.maxMatched)
        if (own.length > 0)
          this.#eachPart(others, (count) => this.#kernel.best(count, stride, this.dimension))
        for (let index = 0; index < own.length; index += 1) target[index] = this.#floats[best + index] ?? 0
      },
    }
  }

  /**
   * Makes sure that all pieces of some texts are in memory, for whoever is about to need them: of many, their rows are
   * taken from one pass through the file. The others are left where they are, since to touch new memory for all of
   * them takes longer than to read them. @throws BrainError `failed` when the file is cut short or closed.
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

  #pagesFor(rows: number): number {
    return Math.ceil(this.#rowAt(rows + 1) / pageBytes)
  }

  /** Makes room for so many more rows: for all there are, where the first room does not do. */
  #makeRoom(rows: number): void {
    if (this.#rowAt(this.#rows + rows + 1) <= this.#bytes.length) return
    this.#memory.grow(this.#pagesFor(this.size) - this.#bytes.length / pageBytes)
    const { buffer } = this.#memory
    this.#bytes = new Int8Array(buffer)
    this.#floats = new Float32Array(buffer)
    this.#atHand = new Uint16Array(buffer, layout.atHand, layout.maxIds)
    this.#numbers = new Uint16Array(buffer, layout.numbers, this.size)
    this.#scales = new Float32Array(buffer, layout.fileScales, this.size)
  }

  /** Reads the rows of `ids`, ascending, in one pass through the file. */
  #pass(ids: Uint16Array): void {
    const { dimension } = this
    const windowRows = Math.floor(layout.windowBytes / dimension)
    this.#makeRoom(ids.length)
    new Uint16Array(this.#memory.buffer, layout.wanted).set(ids)
    for (let at = 0; at < ids.length; ) {
      const first = ids[at] ?? 0
      let end = at
      while (end < ids.length && (ids[end] ?? 0) < first + windowRows) end += 1
      const bytes = ((ids[end - 1] ?? 0) - first + 1) * dimension
      this.#file.read(this.#part(layout.window, bytes), this.#offset + first * dimension)
      this.#kernel.take(layout.wanted + 2 * at, end - at, first, this.#rows + 1, dimension)
      this.#rows += end - at
      at = end
    }
  }

  /** Reads one row. Returns its number. */
  #load(id: number): number {
    const { dimension } = this
    this.#makeRoom(1)
    const number = this.#rows + 1
    this.#file.read(this.#part(this.#rowAt(number), dimension), this.#offset + id * dimension)
    this.#floats[layout.scales / 4 + number] = this.#scales[id] ?? 0
    this.#numbers[id] = number
    this.#rows = number
    return number
  }

  /** Made when it is first needed: what only embeds a text does without. */
  get #kernel(): WordMatchKernel {
    this.#compiled ??= createWordMatchKernel(this.#memory)
    return this.#compiled
  }

  /** The kernel, once it knows the mean. */
  get #measuring(): WordMatchKernel {
    if (!this.#hasMean) {
      const mean = this.#findMean(this)
      this.#floats.set(mean, layout.mean / 4)
      this.#floats[layout.meanSquare / 4] = mean.reduce((sum, value) => sum + value * value, 0)
      this.#hasMean = true
    }
    return this.#kernel
  }

  /** The kernel has one place for the matched rows: whoever matches next puts its own there. */
  #matchWith(ids: Uint16Array): void {
    if (this.#matched === ids) return
    const { matchedLengths, places, free, cosines } = layout
    // Four at a time: where there are fewer, the others have no meaning.
    this.#floats.fill(0, matchedLengths / 4, matchedLengths / 4 + Math.ceil(ids.length / 4) * 4)
    for (const [index, id] of ids.entries()) this.#measuring.place(this.#numberOf(id), index, this.dimension)
    const { buffer } = this.#memory
    new Uint32Array(buffer, places, this.#rows + 1).fill(0)
    new Uint32Array(buffer, free, 1).fill(cosines)
    this.#matched = ids
  }

  #eachPart(ids: Uint16Array, work: (count: number) => void): void {
    for (let start = 0; start < ids.length; start += layout.maxIds) {
      const part = ids.subarray(start, start + layout.maxIds)
      this.#atHand.set(part)
      if (this.#kernel.number(part.length) > 0) {
        for (const id of part) this.#numberOf(id)
        this.#atHand.set(part)
        this.#kernel.number(part.length)
      }
      work(part.length)
    }
  }

  /** Position of a piece's row, which is in memory afterwards. */
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
}
