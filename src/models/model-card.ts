/**
 * The files of the built-in model against what its card documents. Every command opens the model by a faster
 * fingerprint; this reads every byte, for whoever asks.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { builtinDirectory } from './builtin-model.ts'
import { hashFile } from './download.ts'

const cardFile = 'MODEL_CARD.md'

/** Files whose SHA-256 is not the one on the model's card; undefined where there is no card. Absent files are left out. */
export async function findAltered(directory: string = builtinDirectory()): Promise<string[] | undefined> {
  const card = join(directory, cardFile)
  if (!existsSync(card)) return undefined
  const altered: string[] = []
  for (const [, file = '', digest] of readFileSync(card, 'utf8').matchAll(
    /SHA-256 of `([\w.]+)` \| `([0-9a-f]{64})`/g,
  )) {
    const path = join(directory, file)
    if (existsSync(path) && (await hashFile(path, 'sha256')) !== digest) altered.push(file)
  }
  return altered
}
