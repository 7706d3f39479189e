/**
 * Makes, beside the built-in model, the files that spare a command work: the vocabulary laid out for use and the
 * background notes already embedded.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { backgroundFile, makeBackgroundFile } from '../src/embed/background.ts'
import { createBuiltinEmbedder } from '../src/embed/builtin.ts'
import { BuiltinModel, tokenizerFile, vocabularyFile } from '../src/embed/builtin-model.ts'
import { compactVocabulary } from '../src/embed/vocabulary.ts'

/** Writes both files into the model's directory. */
export async function makeModelFiles(directory: string): Promise<void> {
  const tokenizer = readFileSync(join(directory, tokenizerFile), 'utf8')
  writeFileSync(join(directory, vocabularyFile), compactVocabulary(tokenizer))
  const model = new BuiltinModel(directory)
  const background = await makeBackgroundFile(createBuiltinEmbedder(model), model, directory)
  writeFileSync(join(directory, backgroundFile), background)
  model.close()
}
