/**
 * From word pieces in their frame to a unit vector: the word rows of a model file and its layers together. Knows ids,
 * no text.
 */
import { maxPositions } from './layer-layout.ts'
import { Layers } from './layers.ts'
import type { ModelFile } from './model-file.ts'
import { normalise } from './vectors.ts'
import type { WordTable } from './word-table.ts'

export class PieceEncoder {
  readonly #file: ModelFile
  readonly #table: WordTable
  #layers: Layers | undefined

  /** Reads the layers for the first text. */
  constructor(file: ModelFile, table: WordTable) {
    this.#file = file
    this.#table = table
  }

  /**
   * Unit vector, 384 float32, of 1 to 256 pieces, [CLS] and [SEP] among them; undefined where a broken model gives none.
   * @throws BrainError `failed` when the file is damaged or closed, RangeError for a piece that does not exist.
   */
  embed(framed: Uint16Array): Float32Array | undefined {
    this.#layers ??= new Layers(this.#file)
    this.#table.copy(framed.subarray(0, maxPositions), this.#layers.words, this.#layers.wordScales)
    const vector = this.#layers.run(Math.min(framed.length, maxPositions)).slice()
    return normalise(vector) ? vector : undefined
  }
}
