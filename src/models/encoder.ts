/**
 * The contextual encoder: word pieces to one unit vector, by three layers of BERT. Knows the frame that a text stands in ([CLS], [SEP]) and its
 * limit; passages of longer texts are for its callers.
 */
import { join } from 'node:path'
import { BrainError } from '../core/errors.ts'
import { Layers, mostPositions, width } from './layers.ts'
import { ModelFile } from './model-file.ts'
import { WordPieceTokenizer } from './tokenizer.ts'
import { normalise } from './vectors.ts'
import { readVocabulary } from './vocabulary-file.ts'
import { WordRows } from './word-rows.ts'

export const modelFile = 'model.onnx'
/** Word pieces that one vector takes; what is more is left out. */
const mostPieces = mostPositions - 2

export class Encoder {
  /** Numbers in a vector. */
  readonly dimension = width
  readonly rows: WordRows
  /** Ids of the pieces that begin and end a text. */
  readonly start: number
  readonly end: number
  readonly #file: ModelFile
  readonly #tokenizer: WordPieceTokenizer
  #layers: Layers | undefined

  /**
   * Opens the model of a directory; its layers are read for the first text.
   * @throws BrainError `failed` when its files are missing or of another shape.
   */
  constructor(directory: string) {
    const vocabulary = readVocabulary(directory)
    const [start, end] = [vocabulary.find('[CLS]'), vocabulary.find('[SEP]')]
    if (start === undefined || end === undefined)
      throw new BrainError('failed', 'its vocabulary has no [CLS] or no [SEP]')
    this.start = start
    this.end = end
    this.#tokenizer = new WordPieceTokenizer(vocabulary)
    this.#file = new ModelFile(join(directory, modelFile))
    try {
      this.rows = new WordRows(this.#file)
    } catch (error) {
      this.#file.close()
      throw error
    }
  }

  /** Ids of the text's word pieces, in order; without [CLS] and [SEP]. */
  tokenise(text: string): Uint16Array {
    return this.#tokenizer.tokenise(text)
  }

  /**
   * Unit vector of a text or its pieces, 384 float32; of the first 254 pieces where there are more.
   * @throws BrainError `failed` when the file is damaged, RangeError for a piece that does not exist.
   */
  embed(text: string | Uint16Array): Float32Array {
    const pieces = typeof text === 'string' ? this.tokenise(text) : text
    this.#layers ??= new Layers(this.#file)
    const count = Math.min(pieces.length, mostPieces)
    this.rows.place(this.#layers, [this.start, ...pieces.subarray(0, count), this.end])
    const vector = this.#layers.run(count + 2).slice()
    normalise(vector)
    return vector
  }

  close(): void {
    this.#file.close()
  }
}
