/**
 * Makes, beside the built-in model, the files that spare a command work: the vocabulary laid out for use, the
 * neutral notes already embedded, the mean of the word rows, and the model's hash.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openBuiltinModel } from '../src/models/builtin-model.ts'
import { ModelFile } from '../src/models/model-file.ts'
import { makeNeutralNotesFile, neutralNotesFile } from '../src/models/neutral-notes.ts'
import {
  identityFile,
  makeIdentity,
  makeWordMean,
  modelFile,
  tokenizerFile,
  vocabularyFile,
  wordMeanFile,
} from '../src/models/prepared-files.ts'
import { createBuiltinEmbedder } from '../src/models/providers/builtin.ts'
import { compactVocabulary } from '../src/models/vocabulary.ts'

/** Writes them into the model's directory. */
export async function makeModelFiles(directory: string): Promise<void> {
  const write = (name: string, content: string | Uint8Array): void =>
    writeFileSync(join(directory, name), content)
  for (const name of [identityFile, wordMeanFile, neutralNotesFile])
    rmSync(join(directory, name), { force: true })
  write(vocabularyFile, compactVocabulary(readFileSync(join(directory, tokenizerFile), 'utf8')))
  const file = new ModelFile(join(directory, modelFile))
  const model = openBuiltinModel(directory)
  write(identityFile, makeIdentity(file, model.identity.hash))
  write(wordMeanFile, makeWordMean(file, model.table.mean()))
  write(neutralNotesFile, await makeNeutralNotesFile(createBuiltinEmbedder(model), directory))
  model.close()
  file.close()
}
