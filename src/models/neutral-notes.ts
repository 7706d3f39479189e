/**
 * Vectors of unrelated texts, for brains too small to provide them: bundled neutral notes. Embedded by the build for
 * the built-in model, and once per machine for any other, cached in the user's cache. Knows the notes and their file;
 * comparing them is ranking's concern.
 */
import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makeDirectories } from '../make-directories.ts'
import type { BuiltinModel } from './builtin-model.ts'
import type { Embedder, Passage } from './embedder.ts'
import { fingerprint } from './hashes.ts'

/** Number of bundled notes that a one-shot command has time to compare. */
const maxNotes = 64

/** Beside the models: a list of short texts about nothing in particular. */
const notesFile = 'neutral-notes.json'
/** Beside the model's own files. */
export const neutralNotesFile = 'neutral-notes.bin'

const keyBytes = 32
const headerWords = 2

/** The bundled notes; none if they are missing: ranking then has no baseline. */
function readNotes(builtin: string): string[] {
  try {
    const notes: unknown = JSON.parse(readFileSync(join(builtin, '..', notesFile), 'utf8'))
    return Array.isArray(notes) ? notes.map(String).slice(0, maxNotes) : []
  } catch {
    return []
  }
}

/** The notes' passages as the embedder makes them; none where the notes are missing. @throws BrainError `failed`. */
export async function embedNotes(embedder: Embedder, builtin: string): Promise<Passage[]> {
  const notes = readNotes(builtin)
  return notes.length > 0 ? (await embedder.embedTexts(notes)).flat() : []
}

/**
 * Names what a file of passages depends on: whose vectors, whose pieces, which notes. Those that ship with the model are of notes that
 * ship as well, and told by their size: to read and hash them took a command some milliseconds.
 */
function keyOf(embedder: Embedder, pieces: BuiltinModel | undefined, builtin: string): Buffer {
  const { name, hash, dimension } = embedder.identity
  const notes = isShipped(embedder)
    ? statSync(join(builtin, '..', notesFile), { throwIfNoEntry: false })?.size
    : readNotes(builtin)
  return fingerprint(JSON.stringify([name, hash, dimension, pieces?.identity.hash ?? null, notes ?? null]))
}

const isShipped = (embedder: Embedder): boolean => embedder.identity.name === 'builtin'

/** Key, number of passages, dimension, tokens of each (32 bits), vectors (float32), tokens (16 bits); little-endian. */
function writePassages(key: Uint8Array, passages: readonly Passage[]): Uint8Array {
  const words = Uint32Array.of(
    passages.length,
    passages[0]?.vector.length ?? 0,
    ...passages.map(({ tokens }) => tokens.length),
  )
  const parts = [words, ...passages.map(({ vector }) => vector), ...passages.map(({ tokens }) => tokens)]
  return Buffer.concat([
    key,
    ...parts.map((part) => new Uint8Array(part.buffer, part.byteOffset, part.byteLength)),
  ])
}

/** The passages of such a file; undefined when it is of another key or damaged. */
function readPassages(file: Uint8Array, key: Uint8Array): Passage[] | undefined {
  if (file.length < keyBytes + headerWords * 4 || Buffer.compare(file.subarray(0, keyBytes), key) !== 0)
    return undefined
  // A copy, since views of words and floats need an aligned start.
  const { buffer } = file.slice(keyBytes)
  const [count = 0, dimension = 0] = new Uint32Array(buffer, 0, headerWords)
  const vectorsAt = (headerWords + count) * 4
  const tokensAt = vectorsAt + count * dimension * 4
  if (tokensAt > buffer.byteLength) return undefined
  const lengths = new Uint32Array(buffer, headerWords * 4, count)
  const all = lengths.reduce((sum, length) => sum + length, 0)
  if (tokensAt + all * 2 !== buffer.byteLength) return undefined
  const passages: Passage[] = []
  let at = tokensAt
  for (const [index, length] of lengths.entries()) {
    const vector = new Float32Array(buffer, vectorsAt + index * dimension * 4, dimension)
    passages.push({ start: 0, end: 0, vector, tokens: new Uint16Array(buffer, at, length) })
    at += length * 2
  }
  return passages
}

function readFile(file: string, key: Uint8Array): Passage[] | undefined {
  try {
    // Buffer's own `slice` is no copy.
    return readPassages(new Uint8Array(readFileSync(file)), key)
  } catch {
    return undefined
  }
}

function keep(file: string, content: Uint8Array): void {
  try {
    makeDirectories(dirname(file))
    writeFileSync(`${file}.${process.pid}`, content, { mode: 0o600 })
    renameSync(`${file}.${process.pid}`, file)
  } catch {
    // A cache that cannot be written costs time, not answers.
  }
}

export interface BackgroundOptions {
  /** Directory of the built-in model. */
  readonly builtin: string
  /** Directory where other embedders' passages are kept. */
  readonly cache: () => Promise<string>
  readonly pieces: () => Promise<BuiltinModel | undefined>
}

/** Returns the notes' passages for an embedder: from memory, from a file, or freshly embedded. */
export function createNeutralNotes({ builtin, cache, pieces }: BackgroundOptions) {
  const known = new WeakMap<Embedder, Promise<Passage[]>>()
  const find = async (embedder: Embedder): Promise<Passage[]> => {
    const key = keyOf(embedder, await pieces(), builtin)
    const shipped = isShipped(embedder)
    const file = shipped ? join(builtin, neutralNotesFile) : join(await cache(), `${key.toString('hex')}.bin`)
    const kept = readFile(file, key)
    if (kept) return kept
    const passages = await embedNotes(embedder, builtin)
    if (!shipped) keep(file, writePassages(key, passages))
    return passages
  }
  return (embedder: Embedder): Promise<Passage[]> => {
    const found = known.get(embedder) ?? find(embedder)
    known.set(embedder, found)
    // An endpoint that is down now may answer the next query.
    found.catch(() => known.delete(embedder))
    return found
  }
}

/** What the build ships for the built-in model. */
export async function makeNeutralNotesFile(
  embedder: Embedder,
  model: BuiltinModel,
  builtin: string,
): Promise<Uint8Array> {
  return writePassages(keyOf(embedder, model, builtin), await embedNotes(embedder, builtin))
}
