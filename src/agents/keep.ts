/** Keeps captured notes, each unless the brain knows it already. */
import { embedAll, keepMemory } from '../operations/embedding.ts'
import type { Context } from '../operations/operation.ts'
import { recall } from '../operations/recall.ts'
import { repeats } from '../operations/related.ts'
import type { Embedding } from '../store/store.ts'
import type { CapturedNote } from './capture.ts'

/** Nearest memories among which a note is looked for. */
const compared = 3
/** Nearest passages: several may be of one memory. */
const comparedPassages = 8

/** Texts that may say what a note says. */
async function findLike(context: Context, text: string, embedding: Embedding | undefined): Promise<string[]> {
  const { store, project, now } = context
  const [passage] = embedding?.passages ?? []
  if (embedding === undefined || passage === undefined || (await store.index.backlog(project)) > 0) {
    const { results, keyword_extra: extra } = await recall.run(context, { query: text, limit: compared })
    return [...results, ...extra].map((one) => one.text)
  }
  // The same words have nearly the same vector. What else recall weighs, times above all, takes longer than a hook has.
  const near = await store.index.nearest(project, {
    model: embedding.model,
    vector: passage.vector,
    limit: comparedPassages,
    among: { now: now() },
  })
  const ids = [...new Set(near.map(({ memoryId }) => memoryId))]
  return (await store.memories.findMany(project, ids)).map((one) => one.text)
}

async function isKnown(context: Context, like: readonly string[], text: string): Promise<boolean> {
  for (const known of like) if (await repeats(context, known, text)) return true
  return false
}

/** Keeps the notes that are new, in order; returns their ids. */
export async function keepNotes(context: Context, notes: readonly CapturedNote[]): Promise<number[]> {
  const kept: number[] = []
  for (const note of notes) {
    const [embedding] = await embedAll(context, [note.text])
    const like = await findLike(context, note.text, embedding)
    if (await isKnown(context, like, note.text)) continue
    kept.push((await keepMemory(context, { ...note, embedding })).memory.id)
  }
  return kept
}
