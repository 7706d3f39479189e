/**
 * The model that ships inside the package, opened without a runtime: its vocabulary and its table of vectors.
 * Serves the built-in embedder, and token-level matching whatever embedder is configured. Knows where its files
 * are; nothing of passages.
 */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { BrainError } from '../core/errors.ts'
import type { ModelIdentity } from './embedder.ts'
import { sha256 } from './hashes.ts'
import { TokenTable } from './token-table.ts'
import { WordPieceTokenizer } from './tokenizer.ts'
import { normalise, spellingVector } from './vectors.ts'
import { compactVocabulary, Vocabulary } from './vocabulary.ts'

const modelName = 'brain-static-v1'
/** Numbers in a vector of it; told without opening it. */
export const builtinDimension = 256
export const modelFile = 'model.onnx'
export const tokenizerFile = 'tokenizer.json'
/** Made of tokenizer.json by the build, so that a command need not parse it. */
export const vocabularyFile = 'vocabulary.bin'
/** The model's hash, computed by the build, so that a command need not compute it. */
export const identityFile = 'identity.txt'

/** The directory of the model in the package, whether its code runs bundled or from source. */
export function builtinDirectory(): string {
  let directory = import.meta.dirname
  for (let level = 0; level < 4; level += 1) {
    const candidate = join(directory, 'models', modelName)
    if (existsSync(candidate)) return candidate
    directory = dirname(directory)
  }
  return join(directory, 'models', modelName)
}

function readVocabulary(directory: string): Vocabulary {
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

/** What a model's identity file says it is of: the sizes of its files, which change with them. */
const sizesOf = (directory: string): string =>
  [modelFile, tokenizerFile]
    .map((name) => statSync(join(directory, name), { throwIfNoEntry: false })?.size ?? 0)
    .join(' ')

/** The content of the identity file of a model: its hash, and what it is of. */
export const makeIdentity = (directory: string, hash: string): string => `${hash} ${sizesOf(directory)}\n`

/** The hash that was computed ahead of time for this very model; undefined where there is none. */
function readIdentity(directory: string): string | undefined {
  const file = join(directory, identityFile)
  if (!existsSync(file)) return undefined
  const content = readFileSync(file, 'utf8')
  const [hash = ''] = content.split(' ')
  return /^[0-9a-f]{32}$/.test(hash) && content === makeIdentity(directory, hash) ? hash : undefined
}

export class BuiltinModel {
  readonly identity: ModelIdentity
  readonly table: TokenTable
  readonly vocabulary: Vocabulary
  readonly #tokenizer: WordPieceTokenizer

  /** Opens the model of a directory. @throws BrainError `failed` when its files are missing or damaged. */
  constructor(directory: string = builtinDirectory()) {
    try {
      this.vocabulary = readVocabulary(directory)
      this.table = new TokenTable(join(directory, modelFile))
    } catch (error) {
      const why = error instanceof BrainError ? error.message : `its files cannot be read (${codeOf(error)})`
      const remedy = 'reinstall brain to restore it, or set embedder to none'
      throw new BrainError('failed', `the built-in model in ${directory} cannot be used: ${why}; ${remedy}`, {
        cause: error,
      })
    }
    if (this.table.size !== this.vocabulary.size) {
      this.table.close()
      const sizes = `${this.table.size} rows for ${this.vocabulary.size} pieces`
      throw new BrainError(
        'failed',
        `the built-in model in ${directory} has ${sizes}; reinstall brain to restore it`,
      )
    }
    // The rows' scales and the tokenizer are a fingerprint: hashing all 8 MB would cost every command its speed.
    const hash =
      readIdentity(directory) ??
      sha256(this.table.scaleBytes, this.vocabulary.digest).toString('hex').slice(0, 32)
    this.identity = { name: 'builtin', hash, dimension: this.table.dimension }
    this.#tokenizer = new WordPieceTokenizer(this.vocabulary)
  }

  /** Ids of the text's word pieces, in order. */
  tokenise(text: string): Uint16Array {
    return this.#tokenizer.tokenise(text)
  }

  /** Unit vector of a text and its pieces: the sum of their rows, or of its spelling when none has a meaning. */
  embed(text: string, tokens: Uint16Array = this.tokenise(text)): Float32Array {
    const vector = this.table.sum(tokens)
    return normalise(vector) ? vector : spellingVector(text, vector.length)
  }

  close(): void {
    this.table.close()
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}
