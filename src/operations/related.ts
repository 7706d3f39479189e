/** Finds notes that a new one may repeat or replace: reported and never acted upon. */
import type { Memory } from '../core/records.ts'
import { plainForm, saysTheSame } from '../core/sameness.ts'
import type { Embedding } from '../store/store.ts'
import type { Context } from './operation.ts'

export const relations = ['same', 'replaces'] as const

/** Relation of a new note to an existing one. */
export interface Related {
  readonly id: number
  readonly relation: (typeof relations)[number]
  readonly text: string
}

/** Project size from which on the check would slow down a command too much. */
const maxMemories = 20_000
/** Nearest notes that are read with the new one: each takes a few milliseconds. */
const maxRead = 2
/** Cosine below which two notes are about different things. */
const minSimilarity = 0.7
/** Minimum probability of a relation that is reported. */
const minSure = 0.9

/** The notes near a new one that it repeats or replaces, nearest first. */
export async function relatedTo(
  { store, project, embedders, now }: Context,
  { id, text }: Memory,
  embedding: Embedding | undefined,
): Promise<Related[]> {
  const [passage, ...others] = embedding?.passages ?? []
  // Long texts say many things.
  if (embedding === undefined || passage === undefined || others.length > 0) return []
  if ((await store.memories.count(project)) > maxMemories) return []
  const among = { now: now(), kind: 'memory' } as const
  const query = { model: embedding.model, vector: passage.vector, limit: maxRead + 1, among }
  const near = (await store.index.nearest(project, query)).filter(
    ({ memoryId, similarity }) => memoryId !== id && similarity >= minSimilarity,
  )
  const ids = [...new Set(near.map(({ memoryId }) => memoryId))].slice(0, maxRead)
  if (ids.length === 0) return []
  const found = new Map((await store.memories.findMany(project, ids)).map((memory) => [memory.id, memory]))
  const related: Related[] = []
  for (const older of ids.flatMap((one) => found.get(one) ?? [])) {
    const alike = plainForm(older.text) === plainForm(text)
    const relation = alike ? 'same' : await read(embedders, older.text, text)
    if (relation !== undefined) related.push({ id: older.id, relation, text: older.text })
  }
  return related
}

/** The pair model's confident judgement; without that model, a comparison of words. */
async function read(
  embedders: Context['embedders'],
  older: string,
  newer: string,
): Promise<Related['relation'] | undefined> {
  const reader = await embedders.reader()
  if (reader === undefined) return saysTheSame(older, newer) ? 'same' : undefined
  const { same, reverses } = reader.relate(older, newer)
  if (same >= minSure) return 'same'
  return reverses >= minSure ? 'replaces' : undefined
}
