/**
 * The int8 rows of word pieces, by their ids, straight from a model file: only those that a text needs are read, and all once there were many of
 * them. Knows ids and numbers; nothing of text.
 */
import { type Layers, width } from './layers.ts'
import type { ModelFile } from './model-file.ts'

/** Rows read one by one before all are read at once, which takes as long as some 2,000 such reads. */
const singleReads = 2000

export class WordRows {
  readonly size: number
  readonly scales: Float32Array
  readonly #file: ModelFile
  readonly #offset: number
  readonly #rows: Int8Array
  readonly #present: Uint8Array
  #reads = 0

  /** @throws BrainError `failed` when the file has no such rows. */
  constructor(file: ModelFile) {
    const { offset, dimensions } = file.tensor('word.weight', 'int8', [0, width])
    this.size = dimensions[0] ?? 0
    const scale = file.tensor('word.scale', 'float32', [this.size])
    this.scales = new Float32Array(this.size)
    file.read(new Uint8Array(this.scales.buffer), scale.offset)
    this.#file = file
    this.#offset = offset
    // Pages that are never touched take no memory.
    this.#rows = new Int8Array(this.size * width)
    this.#present = new Uint8Array(this.size)
  }

  /** The row of a piece. @throws RangeError for an id that does not exist, BrainError `failed` when the file ends too early. */
  row(id: number): Int8Array {
    if (id >= this.size) throw new RangeError(`there is no piece ${id}`)
    const row = this.#rows.subarray(id * width, (id + 1) * width)
    if (this.#present[id] === 0) this.#load(id, row)
    return row
  }

  /** Puts the rows of some pieces, one after the other, where the layers take them from. */
  place(layers: Layers, ids: readonly number[]): void {
    for (const [at, id] of ids.entries()) {
      layers.words.set(this.row(id), at * width)
      layers.wordScales[at] = this.scales[id] ?? 0
    }
  }

  #load(id: number, row: Int8Array): void {
    if (this.#reads === singleReads) {
      this.#file.read(new Uint8Array(this.#rows.buffer), this.#offset)
      this.#present.fill(1)
      return
    }
    this.#file.read(new Uint8Array(row.buffer, row.byteOffset, width), this.#offset + id * width)
    this.#present[id] = 1
    this.#reads += 1
  }
}
