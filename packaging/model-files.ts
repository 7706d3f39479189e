/**
 * Makes, beside the built-in model, the files that spare a command work: the vocabulary laid out for use, the
 * background notes already embedded, and the model's hash.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { backgroundFile, makeBackgroundFile } from '../src/models/background.ts'
import {
  BuiltinModel,
  identityFile,
  makeIdentity,
  tokenizerFile,
  vocabularyFile,
} from '../src/models/builtin-model.ts'
import { createBuiltinEmbedder } from '../src/models/providers/builtin.ts'
import { compactVocabulary } from '../src/models/vocabulary.ts'

/** Writes them into the model's directory. */
export async function makeModelFiles(directory: string): Promise<void> {
  const tokenizer = readFileSync(join(directory, tokenizerFile), 'utf8')
  writeFileSync(join(directory, vocabularyFile), compactVocabulary(tokenizer))
  rmSync(join(directory, identityFile), { force: true })
  const model = new BuiltinModel(directory)
  writeFileSync(join(directory, identityFile), makeIdentity(directory, model.identity.hash))
  const background = await makeBackgroundFile(createBuiltinEmbedder(model), model, directory)
  writeFileSync(join(directory, backgroundFile), background)
  model.close()
}
