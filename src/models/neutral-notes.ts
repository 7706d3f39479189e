/**
 * Vectors of unrelated texts, for brains too small to provide them: bundled neutral notes. Embedded by the build for
 * the built-in model, and once per machine for any other, cached in the user's cache. Knows the notes and their file;
 * comparing them is ranking's concern.
 */
import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makeDirectories } from '../make-directories.ts'
import { createRowKernel, pageBytes } from '../simd/kernels.ts'
import type { Embedder } from './embedder.ts'
import { fingerprint } from './hashes.ts'

/** Number of bundled notes that a one-shot command has time to compare. */
const maxNotes = 64

/** Beside the models: a list of short texts about nothing in particular. */
const notesFile = 'neutral-notes.json'
/** Beside the model's own files. */
export const neutralNotesFile = 'neutral-notes.bin'

const keyBytes = 32
const headerBytes = 8

/** The bundled notes; none if they are missing: ranking then has no baseline. */
function readNotes(builtin: string): string[] {
  try {
    const notes: unknown = JSON.parse(readFileSync(join(builtin, '..', notesFile), 'utf8'))
    return Array.isArray(notes) ? notes.map(String).slice(0, maxNotes) : []
  } catch {
    return []
  }
}

/** The bundled notes as an embedder sees them. */
export interface NeutralNotes {
  /** Of their vectors, one of each passage; empty where there are no notes. */
  readonly mean: Float32Array
  /** The product of each vector with another of their dimension; none where there are no notes. */
  products(vector: Float32Array): number[]
}

/** The notes of these vectors, which lie one after the other. */
function notesOf(mean: Float32Array, vectors: Float32Array): NeutralNotes {
  const dimension = mean.length
  if (dimension === 0) return { mean, products: () => [] }
  const count = vectors.length / dimension
  const askedAt = 8 * count
  const vectorsAt = askedAt + mean.byteLength
  const size = vectorsAt + vectors.byteLength
  const memory = new WebAssembly.Memory({ initial: Math.ceil(size / pageBytes) })
  const { buffer } = memory
  const kernel = createRowKernel(memory)
  new Float32Array(buffer, vectorsAt).set(vectors)
  return {
    mean,
    products: (vector) => {
      new Float32Array(buffer, askedAt, dimension).fill(0).set(vector.subarray(0, dimension))
      kernel.multiplyFloats(vectorsAt, count, askedAt, dimension, 0)
      return [...new Float64Array(buffer, 0, count)]
    },
  }
}

interface NoteVectors {
  readonly vectors: readonly Float32Array[]
  readonly mean: Float32Array
}

async function embed(embedder: Embedder, builtin: string): Promise<NoteVectors> {
  const notes = readNotes(builtin)
  const passages = notes.length > 0 ? (await embedder.embedTexts(notes)).flat() : []
  const vectors = passages.map(({ vector }) => vector)
  const mean = new Float32Array(vectors[0]?.length ?? 0)
  for (const vector of vectors)
    for (let at = 0; at < mean.length; at += 1)
      mean[at] = (mean[at] ?? 0) + (vector[at] ?? 0) / vectors.length
  return { vectors, mean }
}

/** Asks the embedder for the notes' vectors. @throws BrainError `failed`. */
export async function embedNotes(embedder: Embedder, builtin: string): Promise<NeutralNotes> {
  const { vectors, mean } = await embed(embedder, builtin)
  return notesOf(mean, joined(vectors, mean.length))
}

/** Vectors of one dimension, one after the other. */
function joined(vectors: readonly Float32Array[], dimension: number): Float32Array {
  const all = new Float32Array(vectors.length * dimension)
  for (const [at, vector] of vectors.entries()) all.set(vector, at * dimension)
  return all
}

/**
 * Names what a file of vectors depends on: whose vectors, of which notes. Those that ship with the model are of notes that
 * ship as well, and recognised by their size: reading and hashing them took a command some milliseconds.
 */
function keyOf(embedder: Embedder, builtin: string): Buffer {
  const { name, hash, dimension } = embedder.identity
  const notes = isShipped(embedder)
    ? statSync(join(builtin, '..', notesFile), { throwIfNoEntry: false })?.size
    : readNotes(builtin)
  return fingerprint(JSON.stringify([name, hash, dimension, notes ?? null]))
}

const isShipped = (embedder: Embedder): boolean => embedder.identity.name === 'builtin'

/** Key, number of vectors and dimension (32 bits), the mean, and the vectors (float32); little-endian. */
function write(key: Uint8Array, { vectors, mean }: NoteVectors): Uint8Array {
  const parts = [Uint32Array.of(vectors.length, mean.length), mean, ...vectors]
  return Buffer.concat([
    key,
    ...parts.map((part) => new Uint8Array(part.buffer, part.byteOffset, part.byteLength)),
  ])
}

/** The notes in such a file; undefined when it is of another key or damaged. */
function read(file: Uint8Array, key: Uint8Array): NeutralNotes | undefined {
  if (file.length < keyBytes + headerBytes || Buffer.compare(file.subarray(0, keyBytes), key) !== 0)
    return undefined
  const { buffer, byteLength } = file
  const [count = 0, dimension = 0] = new Uint32Array(buffer, keyBytes, 2)
  const start = keyBytes + headerBytes
  if (byteLength !== start + (1 + count) * dimension * 4) return undefined
  const floats = new Float32Array(buffer, start)
  return notesOf(floats.slice(0, dimension), floats.subarray(dimension))
}

function readFile(file: string, key: Uint8Array): NeutralNotes | undefined {
  try {
    // A copy, since numbers need an aligned start.
    return read(new Uint8Array(readFileSync(file)), key)
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

interface NeutralOptions {
  /** Directory of the built-in model. */
  readonly builtin: string
  /** Directory where other embedders' vectors are kept. */
  readonly cache: () => Promise<string>
}

/** Returns the notes' vectors for an embedder: from memory, from a file, or freshly embedded. */
export function createNeutralNotes({ builtin, cache }: NeutralOptions) {
  const known = new WeakMap<Embedder, Promise<NeutralNotes>>()
  const find = async (embedder: Embedder): Promise<NeutralNotes> => {
    const key = keyOf(embedder, builtin)
    const shipped = isShipped(embedder)
    const file = shipped ? join(builtin, neutralNotesFile) : join(await cache(), `${key.toString('hex')}.bin`)
    const kept = readFile(file, key)
    if (kept) return kept
    const notes = await embed(embedder, builtin)
    if (!shipped) keep(file, write(key, notes))
    return notesOf(notes.mean, joined(notes.vectors, notes.mean.length))
  }
  return (embedder: Embedder): Promise<NeutralNotes> => {
    const found = known.get(embedder) ?? find(embedder)
    known.set(embedder, found)
    // An endpoint that is down now may answer the next query.
    found.catch(() => known.delete(embedder))
    return found
  }
}

/** What the build ships for the built-in model. */
export async function makeNeutralNotesFile(embedder: Embedder, builtin: string): Promise<Uint8Array> {
  return write(keyOf(embedder, builtin), await embed(embedder, builtin))
}
