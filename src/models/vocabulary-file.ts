/** Where a model's vocabulary lies: laid out for use by the build, or in its tokenizer.json. Knows files; what is in them is for `vocabulary`. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { compactVocabulary, Vocabulary } from './vocabulary.ts'

const tokenizerFile = 'tokenizer.json'
/** Made of tokenizer.json by the build, so that a command need not parse it. */
const vocabularyFile = 'vocabulary.bin'

/** The vocabulary of a model's directory. @throws BrainError `failed` when it is damaged or of another kind, or Node's when it is missing. */
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
