/**
 * The contextual encoder: word pieces to one unit vector, by three layers of BERT, and the word rows below them for
 * matching word by word. Knows the frame that a text stands in ([CLS], [SEP]) and its limit; passages of longer texts
 * are for its callers.
 */
import { join } from 'node:path'
import { BrainError } from '../core/errors.ts'
import type { ModelIdentity } from './embedder.ts'
import { maxPositions, width } from './layer-layout.ts'
import type { ModelFile } from './model-file.ts'
import { PieceEncoder } from './piece-encoder.ts'
import { hashOf, modelFile, openModelFile, readVocabulary, readWordMean } from './prepared-files.ts'
import { WordPieceTokenizer } from './tokenizer.ts'
import { spellingVector } from './vectors.ts'
import type { Vocabulary } from './vocabulary.ts'
import { WordTable } from './word-table.ts'

/** Word pieces that one vector takes; what is more is left out. */
const maxPieces = maxPositions - 2

export class Encoder {
  readonly identity: ModelIdentity
  readonly vocabulary: Vocabulary
  readonly table: WordTable
  /** Ids of the pieces that begin and end a text. */
  readonly start: number
  readonly end: number
  /** The file that its vectors come from. */
  readonly path: string
  readonly #file: ModelFile
  readonly #tokenizer: WordPieceTokenizer
  readonly #pieces: PieceEncoder

  /**
   * Opens the model of a directory; its layers are read for the first text.
   * @throws BrainError `failed` when its files are of another shape, or Node's own when they are missing.
   */
  constructor(directory: string) {
    this.vocabulary = readVocabulary(directory)
    this.#tokenizer = new WordPieceTokenizer(this.vocabulary)
    this.path = join(directory, modelFile)
    const { file, hash } = openModelFile(directory)
    this.#file = file
    try {
      this.table = new WordTable(this.#file, (table) => readWordMean(directory, this.#file) ?? table.mean())
      if (this.table.size !== this.vocabulary.size || this.table.dimension !== width) {
        const shape = `${this.table.size} rows of ${this.table.dimension}`
        throw new BrainError('failed', `it has ${shape} for ${this.vocabulary.size} pieces of ${width}`)
      }
      const known = hash ?? hashOf(file, this.vocabulary)
      this.identity = { name: 'builtin', hash: known, dimension: width }
      this.#pieces = new PieceEncoder(this.#file, this.table)
      this.start = this.#idOf('[CLS]')
      this.end = this.#idOf('[SEP]')
    } catch (error) {
      this.#file.close()
      throw error
    }
  }

  #idOf(piece: string): number {
    const id = this.vocabulary.find(piece)
    if (id === undefined) throw new BrainError('failed', `its vocabulary has no ${piece}`)
    return id
  }

  /** Ids of the text's word pieces, in order; without [CLS] and [SEP]. */
  tokenise(text: string): Uint16Array {
    return this.#tokenizer.tokenise(text)
  }

  /** What the layers read of a text's pieces: the first 254 in their frame; undefined where the vocabulary knows none of them. */
  frame(pieces: Uint16Array): Uint16Array | undefined {
    if (pieces.every((id) => id === this.vocabulary.unknown)) return undefined
    const taken = pieces.subarray(0, maxPieces)
    const framed = new Uint16Array(taken.length + 2)
    framed[0] = this.start
    framed.set(taken, 1)
    framed[framed.length - 1] = this.end
    return framed
  }

  /** Unit vector of framed pieces; undefined where a broken model gives none. @throws as `embed`. */
  embedFramed(framed: Uint16Array): Float32Array | undefined {
    return this.#pieces.embed(framed)
  }

  /**
   * Unit vector of a text, 384 float32: of its first 254 pieces where there are more, of its spelling where the
   * vocabulary knows none.
   * @throws BrainError `failed` when the file is damaged or closed, RangeError for a piece that does not exist.
   */
  embed(text: string, pieces: Uint16Array = this.tokenise(text)): Float32Array {
    const framed = this.frame(pieces)
    return (framed && this.embedFramed(framed)) ?? spellingVector(text, width)
  }

  close(): void {
    this.#file.close()
  }
}
