/**
 * Makes, beside the built-in models, the files that spare a command work: the vocabulary laid out for use, the
 * neutral notes already embedded, the mean of the word rows, the model's hash, and where its tensors are.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openBuiltinModel } from '../src/models/builtin-model.ts'
import { makeNeutralNotesFile, neutralNotesFile } from '../src/models/neutral-notes.ts'
import {
  indexFile,
  makeIndex,
  makeWordMean,
  openModelFile,
  tokenizerFile,
  vocabularyFile,
  wordMeanFile,
} from '../src/models/prepared-files.ts'
import { createBuiltinEmbedder } from '../src/models/providers/builtin.ts'
import { compactVocabulary } from '../src/models/vocabulary.ts'

/** Writes where the tensors of any model are into its directory. */
export function makeIndexFile(directory: string): void {
  const { file } = openModelFile(directory)
  writeFileSync(join(directory, indexFile), makeIndex(file))
  file.close()
}

/** Writes them all into the encoder's directory. */
export async function makeModelFiles(directory: string): Promise<void> {
  const write = (name: string, content: string | Uint8Array): void =>
    writeFileSync(join(directory, name), content)
  for (const name of [indexFile, wordMeanFile, neutralNotesFile])
    rmSync(join(directory, name), { force: true })
  write(vocabularyFile, compactVocabulary(readFileSync(join(directory, tokenizerFile), 'utf8')))
  const { file } = openModelFile(directory)
  const model = openBuiltinModel(directory)
  write(indexFile, makeIndex(file, model.identity.hash))
  write(wordMeanFile, makeWordMean(file, model.table.mean()))
  write(neutralNotesFile, await makeNeutralNotesFile(createBuiltinEmbedder(model), directory))
  model.close()
  file.close()
}
