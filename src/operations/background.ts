/**
 * What unrelated texts look like to an embedder, for brains too small to show it themselves: neutral notes of
 * our own, embedded once a process.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { builtinDirectory } from '../embed/builtin-model.ts'
import type { Embedder, Passage } from '../embed/embedder.ts'

/** Of the bundled notes, as many as a one-shot command has the time to embed. */
const notes = 64

function readNotes(): string[] {
  const file = join(builtinDirectory(), '..', 'background.json')
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as string[]) : []
}

const embedded = new WeakMap<Embedder, Promise<Passage[]>>()

/** The bundled notes beside a query vector. */
export async function backgroundPassages(
  embedder: Embedder,
  vector: Float32Array,
): Promise<{ similarity: number; tokens: Uint16Array }[]> {
  let passages = embedded.get(embedder)
  if (passages === undefined) {
    passages = embedder.embedTexts(readNotes().slice(0, notes)).then((texts) => texts.flat())
    embedded.set(embedder, passages)
    // An endpoint that is down now may answer the next query.
    passages.catch(() => embedded.delete(embedder))
  }
  return (await passages).map((passage) => ({
    similarity: passage.vector.reduce((sum, component, at) => sum + component * (vector[at] ?? 0), 0),
    tokens: passage.tokens,
  }))
}
