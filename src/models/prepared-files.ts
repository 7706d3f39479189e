/**
 * The files of a model's directory: the model and its tokenizer, and what the build derives from them so that a command need not.
 * A prepared file that is left over from another model is not believed: it bears a stamp of the model it is of.
 */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { sha256 } from './hashes.ts'
import { layerTensors } from './layer-layout.ts'
import { ModelFile } from './model-file.ts'
import type { StoredTensor } from './onnx-file.ts'
import { compactVocabulary, Vocabulary } from './vocabulary.ts'

export const modelFile = 'model.onnx'
export const tokenizerFile = 'tokenizer.json'
/** The vocabulary of tokenizer.json, laid out for use. */
export const vocabularyFile = 'vocabulary.bin'
/** Where the model's tensors are, its stamp, and its hash where it has one. */
export const indexFile = 'index.json'
/** The mean of the word rows, float32, and the model's stamp. */
export const wordMeanFile = 'word-mean.bin'

/**
 * The vocabulary of a model's directory. @throws BrainError `failed` when it is of another kind, or Node's own when it
 * is missing.
 */
export function readVocabulary(directory: string): Vocabulary {
  const source = join(directory, tokenizerFile)
  const compact = join(directory, vocabularyFile)
  if (existsSync(compact)) {
    try {
      const vocabulary = new Vocabulary(readFileSync(compact))
      // Without its source, or of the very one that is here; left over from another model it must not serve.
      if (!existsSync(source) || statSync(source).size === vocabulary.sourceBytes) return vocabulary
    } catch (error) {
      if (!existsSync(source)) throw error
    }
  }
  return new Vocabulary(compactVocabulary(readFileSync(source, 'utf8')))
}

/** What every training changes: some scales of the last layer, as hexadecimal digits. */
function stampOf(file: ModelFile): string {
  const { offset, length } = file.tensor('layer.2.down.scale', 'float32', [0])
  const bytes = Buffer.alloc(Math.min(64, length))
  file.read(bytes, offset)
  return bytes.toString('hex')
}

/** Content hash of a model and its tokenizer, 32 hexadecimal digits: of all layers, and of the scales of the word rows. */
export function hashOf(file: ModelFile, vocabulary: Vocabulary): string {
  const parts = ['word.scale', 'position.weight', 'position.scale', ...layerTensors(file)].map((name) =>
    file.bytes(name),
  )
  return sha256(...parts, vocabulary.digest)
    .toString('hex')
    .slice(0, 32)
}

interface Index {
  /** Bytes of the model's file, and the first of them, as hexadecimal digits. */
  readonly size: number
  readonly start: string
  readonly stamp: string
  readonly hash?: string | undefined
  readonly tensors: readonly StoredTensor[]
}

/** Tells a model's file from one whose beginning is damaged. */
function startOf(file: ModelFile): string {
  const bytes = Buffer.alloc(64)
  file.read(bytes, 0)
  return bytes.toString('hex')
}

/** The content of the index of a model, with its hash where one is given. */
export const makeIndex = (file: ModelFile, hash?: string): string => {
  const { size, tensors } = file
  return JSON.stringify({ size, start: startOf(file), stamp: stampOf(file), hash, tensors } satisfies Index)
}

/**
 * Opens the model of a directory, without searching it for its tensors where an index says where they are. @throws as
 * `ModelFile`.
 */
export function openModelFile(directory: string): { file: ModelFile; hash?: string | undefined } {
  const [path, index] = [join(directory, modelFile), join(directory, indexFile)]
  let file: ModelFile | undefined
  try {
    if (existsSync(index)) {
      const { size, start, stamp, hash, tensors }: Index = JSON.parse(readFileSync(index, 'utf8'))
      file = new ModelFile(path, tensors)
      if (file.size === size && startOf(file) === start && stampOf(file) === stamp) return { file, hash }
    }
  } catch {
    // An index that is damaged is as good as none.
  }
  file?.close()
  return { file: new ModelFile(path) }
}

/** The content of the file of the word rows' mean. */
export const makeWordMean = (file: ModelFile, mean: Float32Array): Uint8Array =>
  Buffer.concat([new Uint8Array(mean.buffer, mean.byteOffset, mean.byteLength), Buffer.from(stampOf(file))])

/** The mean that was computed ahead of time for this very model; undefined where there is none. */
export function readWordMean(directory: string, file: ModelFile): Float32Array | undefined {
  const path = join(directory, wordMeanFile)
  if (!existsSync(path)) return undefined
  const stamp = stampOf(file)
  const bytes = new Uint8Array(readFileSync(path))
  const at = bytes.length - stamp.length
  if (at <= 0 || at % 4 !== 0 || Buffer.from(bytes.subarray(at)).toString() !== stamp) return undefined
  return new Float32Array(bytes.buffer, 0, at / 4)
}
