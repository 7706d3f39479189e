/**
 * The flags near a topic. Knows likeness alone; what it means for a verdict is decided by the gut-check.
 */
import { type Likeness, likenessOf, medianOf, relevanceOf } from '../core/ranking.ts'
import type { PassageMatch } from '../store/store.ts'
import { minOwnBackground, type SearchContext } from './candidates.ts'
import { createComparison } from './comparison.ts'
import { type EmbeddedQuery, inServedSpace } from './served-embedder.ts'

/** Passages of flags looked at: many, since the most cautious flag need not be the nearest. */
const maxFlagPassages = 400
const sampleSize = 32

/** A flag and how near it is to a topic. */
export interface NearFlag {
  readonly id: number
  /** Of its nearest passage, -1..1. */
  readonly cosine: number
}

/** The flags nearest to a topic by cosine, nearest first; undefined when no embedder answers. */
export async function nearFlags(
  context: SearchContext,
  topic: string,
  limit: number,
): Promise<NearFlag[] | undefined> {
  const passages = await inServedSpace(context, topic, ({ embedder, passage }) =>
    context.store.index.nearest(context.project, {
      model: embedder.identity,
      vector: passage.vector,
      limit: maxFlagPassages,
      flagsOnly: true,
    }),
  )
  if (passages === undefined) return undefined
  const best = new Map<number, number>()
  // Nearest first: what is known of a flag is its nearest passage.
  for (const { memoryId, similarity } of passages) if (!best.has(memoryId)) best.set(memoryId, similarity)
  return [...best].slice(0, limit).map(([id, cosine]) => ({ id, cosine }))
}

interface FlagOptions {
  /** Flags looked at even where they are not near. */
  readonly also: readonly number[]
  /** How many the project has. */
  readonly flags: number
  /** Looks at `also` alone. */
  readonly onlyThese?: boolean
}

/**
 * How much the flags near a topic, and those in `also`, have to do with it, 0..1; those without a vector are left
 * out. Undefined when no embedder answers.
 */
export const flagRelevances = (
  context: SearchContext,
  topic: string,
  options: FlagOptions,
): Promise<ReadonlyMap<number, number> | undefined> =>
  inServedSpace(context, topic, (embedded) => compareFlags(context, { topic, ...options, ...embedded }))

async function compareFlags(
  { store, embedders, project }: SearchContext,
  { topic, also, flags, onlyThese, embedder, passage }: FlagOptions & EmbeddedQuery & { topic: string },
): Promise<ReadonlyMap<number, number>> {
  const { vector } = passage
  const model = embedder.identity
  // No statistics of the store: another flag changes no other's relevance.
  const comparison = createComparison(await embedders.pieces(), topic, undefined)
  const near = onlyThese
    ? []
    : await store.index.nearest(project, { model, vector, limit: maxFlagPassages, flagsOnly: true })
  const seen = new Set(near.map(({ memoryId }) => memoryId))
  const ordinary = (await store.memories.count(project)) - flags
  const { own, sample } = await store.index.compare(project, {
    model,
    vector,
    memoryIds: also.filter((id) => !seen.has(id)),
    sample: ordinary >= minOwnBackground ? sampleSize : 0,
  })
  const raw = (one: Pick<PassageMatch, 'similarity' | 'tokens'>): number => {
    const likeness: Likeness = comparison.likeness(one)
    return likenessOf(likeness)
  }
  const notes = (await embedders.attempt(() => embedders.background(embedder))) ?? []
  const bundled = notes.map((note) => ({
    similarity: note.vector.reduce((sum, component, at) => sum + component * (vector[at] ?? 0), 0),
    tokens: note.tokens,
  }))
  // The higher of the two: a store of other matters makes any note of this one look near.
  const background = Math.max(
    medianOf(bundled.map(raw)),
    ...(sample.length > 0 ? [medianOf(sample.map(raw))] : []),
  )
  const best = new Map<number, number>()
  for (const match of [...near, ...own]) {
    const relevance = relevanceOf(raw(match), background, embedder.relevance)
    best.set(match.memoryId, Math.max(best.get(match.memoryId) ?? 0, relevance))
  }
  return best
}
