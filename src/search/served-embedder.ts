/** The vector space in which recall currently compares, and a question's vector in it. */
import type { Embedder, ModelIdentity, Passage } from '../models/embedder.ts'
import { type EmbedderPool, sameModel } from '../models/pool.ts'
import type { Store } from '../store/store.ts'

export interface EmbeddingContext {
  readonly store: Store
  readonly embedders: EmbedderPool
}

/**
 * The embedder of the served vectors, or before the first vector the configured one; undefined when it is unavailable.
 * Vectors of another model would not be found. Where the vectors are those of an earlier release's built-in model, it
 * is this release's, which replaces it: queries of the former can no longer be embedded.
 */
export async function chooseEmbedder({ store, embedders }: EmbeddingContext): Promise<Embedder | undefined> {
  const served = await store.index.servedModel()
  if (served === undefined) return embedders.current()
  return (await embedders.successor(served)) ?? embedders.of(served)
}

/** A query embedded in the currently served space. */
export interface EmbeddedQuery {
  readonly embedder: Embedder
  readonly passage: Passage
}

/** Undefined if only keywords can answer. */
async function embedQuery(context: EmbeddingContext, query: string): Promise<EmbeddedQuery | undefined> {
  const embedder = await chooseEmbedder(context)
  if (embedder === undefined) return undefined
  const passage = await context.embedders.attempt(() => embedder.embedQuery(query))
  return passage && { embedder, passage }
}

/** Whether vectors of `model` can be compared when `served` is the served model. */
async function isServed(
  { embedders }: EmbeddingContext,
  served: ModelIdentity | undefined,
  model: ModelIdentity,
): Promise<boolean> {
  if (served === undefined || sameModel(served, model)) return true
  const successor = await embedders.successor(served)
  return successor !== undefined && sameModel(successor.identity, model)
}

/** How often one query is repeated because the model was switched; there are minutes between switches. */
const maxSwitches = 2

/**
 * The result of `look` for a query in the served space, repeated if another process switched to another space in the
 * meantime. `look` gets no vector if only keywords can answer.
 */
export async function inServedSpace<T extends { readonly served: ModelIdentity | undefined }>(
  context: EmbeddingContext,
  query: string,
  look: (embedded: EmbeddedQuery | undefined) => Promise<T>,
): Promise<T> {
  for (let switches = 0; ; switches += 1) {
    const embedded = await embedQuery(context, query)
    const found = await look(embedded)
    const final = embedded === undefined || switches === maxSwitches
    if (final || (await isServed(context, found.served, embedded.embedder.identity))) return found
  }
}
