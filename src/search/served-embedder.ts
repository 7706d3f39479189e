/** Which vector space recall compares in now, and a question's place in it. */
import type { Embedder, ModelIdentity, Passage } from '../models/embedder.ts'
import { type EmbedderPool, sameModel } from '../models/pool.ts'
import type { Store } from '../store/store.ts'

export interface EmbeddingContext {
  readonly store: Store
  readonly embedders: EmbedderPool
}

/**
 * The embedder of the served vectors, before the first vector the configured one; undefined when it cannot be had or
 * used. Vectors of another model would be found by nobody. Where those of an earlier release's built-in model are served
 * it is this release's, which replaces it: queries of the former cannot be made any more.
 */
export async function chooseEmbedder({ store, embedders }: EmbeddingContext): Promise<Embedder | undefined> {
  const served = await store.index.servedModel()
  if (served === undefined) return embedders.current()
  return (await embedders.successor(served)) ?? embedders.of(served)
}

/** A query in the space that is served now. */
export interface EmbeddedQuery {
  readonly embedder: Embedder
  readonly passage: Passage
}

/** Undefined when only keywords can answer. */
async function embedQuery(context: EmbeddingContext, query: string): Promise<EmbeddedQuery | undefined> {
  const embedder = await chooseEmbedder(context)
  if (embedder === undefined) return undefined
  const passage = await context.embedders.attempt(() => embedder.embedQuery(query))
  return passage && { embedder, passage }
}

/** Whether vectors of `model` are those that recall compares, where those of `served` are served. */
async function isServed(
  { embedders }: EmbeddingContext,
  served: ModelIdentity | undefined,
  model: ModelIdentity,
): Promise<boolean> {
  if (served === undefined || sameModel(served, model)) return true
  const successor = await embedders.successor(served)
  return successor !== undefined && sameModel(successor.identity, model)
}

/** Switches of the model that one query lives through; there are minutes between any two. */
const maxSwitches = 2

/**
 * What `look` finds for a query in the space that is served, looked for again when another process switched to another space
 * before it looked. It is given no place when only keywords can answer.
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
