/**
 * Collects the material for a night, page by page, so that others sharing the thread get turns. Uses the store's port;
 * does no thinking.
 */
import { yieldToEventLoop } from '../clock.ts'
import { addTo } from '../core/lists.ts'
import { mattersOf } from '../core/matters.ts'
import { saidAt } from '../core/records.ts'
import type { Embedder } from '../models/embedder.ts'
import type { NightModel } from '../models/night-model.ts'
import { sameModel } from '../models/pool.ts'
import { embedAll } from '../operations/embedding.ts'
import type { Context } from '../operations/operation.ts'
import type { Embedding } from '../store/store.ts'
import { byTime } from './reading/concordance.ts'
import { asks } from './reading/cues.ts'
import { areLog } from './reading/material.ts'
import { nearStart } from './reading/pairs.ts'
import { readLength } from './reading/reading.ts'
import type { DreamNote, HeldBelief, OpenPrediction } from './thought.ts'

export type NightContext = Pick<Context, 'store' | 'embedders' | 'project' | 'directory'>

/** Number of common words at the start of the built-in vocabulary, which is ordered by frequency. */
const commonWordCount = 12_000

/** Whether a word is common in the language; undefined without the built-in vocabulary. */
export async function commonWords({
  embedders,
}: NightContext): Promise<((word: string) => boolean) | undefined> {
  const model = await embedders.pieces()
  if (model === undefined) return undefined
  return (word) => {
    const pieces = model.tokenise(word)
    return pieces.length === 1 && (pieces[0] ?? commonWordCount) < commonWordCount
  }
}

const pageSize = 250
/** Number of newest notes that are read; of older ones only the flags. */
const maxNotes = 120_000
const maxBeliefs = 2_000
const maxPredictions = 2_000

/** Mean direction of a text's passages, L2-normalised; undefined if they cancel out. */
function meanVector(vectors: readonly Float32Array[]): Float32Array | undefined {
  const [first] = vectors
  if (first === undefined || vectors.length === 1) return first
  const sum = new Float32Array(first.length)
  for (const vector of vectors)
    for (const [at, component] of vector.entries()) sum[at] = (sum[at] ?? 0) + component
  const length = Math.hypot(...sum)
  return length > 0 ? sum.map((component) => component / length) : undefined
}

/** With the apostrophe that the patterns of the night are written with: "I’ll" is "I'll". */
const plainly = (text: string): string => text.replace(/(?<=\p{L})’(?=\p{L})/gu, "'")

async function collectTexts({ store, project }: NightContext, now: number): Promise<DreamNote[]> {
  const kept: DreamNote[] = []
  const flags: DreamNote[] = []
  let after = 0
  for (;;) {
    const page = await store.memories.list(project, { after, limit: pageSize, now })
    for (const memory of page) {
      const { id, text, caution, agent } = memory
      // Sliced texts would keep the whole alive; a copy of its head does not.
      const head = text.length > readLength ? Buffer.from(text.slice(0, readLength)).toString() : text
      kept.push({ id, text: plainly(head), at: saidAt(memory), caution, agent })
    }
    if (kept.length > maxNotes * 1.25) {
      const dropped = kept.splice(0, kept.length - maxNotes)
      flags.push(...dropped.filter(({ caution }) => caution > 0))
    }
    const last = page.at(-1)
    if (last === undefined || page.length < pageSize) break
    after = last.id
    await yieldToEventLoop()
  }
  return [...flags, ...kept]
}

/**
 * The project's notes that have not expired by `now`, with their vectors of the served model; `onPage` hears how many are
 * ready and may throw to stop.
 */
export async function collectNotes(
  context: NightContext,
  now: number,
  onPage: (done: number) => void = () => {},
): Promise<DreamNote[]> {
  const { store, project } = context
  const notes = await collectTexts(context, now)
  const model = await store.index.servedModel()
  if (model === undefined) {
    onPage(notes.length)
    return notes
  }
  const withVectors: DreamNote[] = []
  for (let at = 0; at < notes.length; at += pageSize) {
    const page = notes.slice(at, at + pageSize)
    const vectors = new Map<number, Float32Array[]>()
    for (const passage of await store.index.passages(
      project,
      model,
      page.map(({ id }) => id),
    )) {
      addTo(vectors, passage.memoryId, passage.vector)
    }
    for (const note of page) {
      const vector = meanVector(vectors.get(note.id) ?? [])
      withVectors.push(vector === undefined ? note : { ...note, vector })
    }
    onPage(withVectors.length)
    await yieldToEventLoop()
  }
  return withVectors
}

/** One vector per text in the space of the notes; undefined if unavailable. */
export async function embedThoughts(
  context: NightContext,
  texts: readonly string[],
): Promise<(Float32Array | undefined)[]> {
  const served = await context.store.index.servedModel()
  const vectors: (Float32Array | undefined)[] = []
  const batch = 64
  for (let at = 0; at < texts.length; at += batch) {
    for (const embedding of await embedAll(context, texts.slice(at, at + batch))) {
      vectors.push(toVector(embedding, served))
    }
    await yieldToEventLoop()
  }
  return vectors
}

function toVector(embedding: Embedding | undefined, served: Embedder['identity'] | undefined) {
  if (embedding === undefined || (served !== undefined && !sameModel(embedding.model, served)))
    return undefined
  return meanVector(embedding.passages.map(({ vector }) => vector))
}

/** Whether the notes' vectors are of the encoder that a model reads with. */
export async function readsVectors({ store }: NightContext, { encoder }: NightModel): Promise<boolean> {
  const served = await store.index.servedModel()
  return served !== undefined && sameModel(served, encoder.identity)
}

/** The matters of a note that is read in such; one for a warning, a document, and a note without a vector. */
const partsOf = ({ text, caution, vector }: DreamNote): string[] =>
  caution > 0 || vector === undefined ? [text] : mattersOf(text, asks)

/**
 * The notes, oldest first, of which the newest are put into their matters where they are one author's log and the vectors are the
 * built-in encoder's.
 */
export async function inMatters(context: NightContext, notes: readonly DreamNote[]): Promise<DreamNote[]> {
  const inOrder = notes.toSorted(byTime)
  const reader = await context.embedders.nightReader()
  if (reader === undefined || !(await readsVectors(context, reader))) return inOrder
  const first = nearStart({ notes: inOrder })
  const newest = inOrder.slice(first).map((note) => ({ note, matters: partsOf(note) }))
  const each = newest.reduce((sum, { matters }) => sum + matters.length, 0) / Math.max(1, newest.length)
  if (!areLog(notes, each)) return inOrder
  const vectors = await embedThoughts(
    context,
    newest.flatMap(({ matters }) => (matters.length > 1 ? matters : [])),
  )
  const parts = newest.flatMap(({ note, matters }): DreamNote[] => {
    if (matters.length < 2) return [note]
    const { vector: _whole, ...rest } = note
    return matters.map((text) => {
      const vector = vectors.shift()
      return { ...rest, text, ...(vector && { vector }) }
    })
  })
  return [...inOrder.slice(0, first), ...parts]
}

/** Current beliefs with their trails. */
export async function collectBeliefs(context: NightContext): Promise<HeldBelief[]> {
  const { store, project } = context
  const beliefs = await store.beliefs.list(project, { limit: maxBeliefs })
  const held: HeldBelief[] = []
  for (const [at, belief] of beliefs.entries()) {
    const trail = belief.evidenceCount === 0 ? [] : (await store.beliefs.trail(project, belief.id)).events
    held.push({ belief, trail })
    if (at % 50 === 0) await yieldToEventLoop()
  }
  return held
}

/** Open predictions with their vectors. */
export async function collectPredictions(context: NightContext): Promise<OpenPrediction[]> {
  const { store, project } = context
  const open = await store.predictions.listOpen(project, maxPredictions)
  const vectors = await embedThoughts(
    context,
    open.map(({ prediction }) => prediction),
  )
  return open.map((prediction, at) => {
    const vector = vectors[at]
    return { prediction, ...(vector && { vector }) }
  })
}
