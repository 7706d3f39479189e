/** Location and opening of the model that ships in the package. Knows its name; what it computes is for `encoder`. */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { BrainError, codeOf } from '../core/errors.ts'
import { Encoder } from './encoder.ts'

const modelName = 'brain-encoder-v1'
/** Dimension of its vectors, known without opening it. */
export const builtinDimension = 384

export type BuiltinModel = Encoder

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

/** Opens the model of a directory. @throws BrainError `failed` when its files are missing or damaged. */
export function openBuiltinModel(directory: string = builtinDirectory()): BuiltinModel {
  try {
    return new Encoder(directory)
  } catch (error) {
    // What the engine throws where it gets no memory.
    if (error instanceof RangeError && error.message.startsWith('WebAssembly.Memory'))
      throw new BrainError(
        'failed',
        'there is too little memory for the built-in model: free some, let the process have more (`ulimit -v`), or set embedder to none',
        { cause: error },
      )
    const why =
      error instanceof BrainError ? error.message : `its files cannot be read (${codeOf(error) ?? error})`
    const remedy = 'reinstall brain to restore it, or set embedder to none'
    throw new BrainError('failed', `the built-in model in ${directory} cannot be used: ${why}; ${remedy}`, {
      cause: error,
    })
  }
}
