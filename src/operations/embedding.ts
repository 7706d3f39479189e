/**
 * Between operations and embedders: which vector space to use now, and how to go on without one.
 */
import type { Embedder, Passage } from '../embed/embedder.ts'
import type { Embedding } from '../store/store.ts'
import type { Context } from './operation.ts'

type EmbeddingContext = Pick<Context, 'store' | 'embedders'>

/** The embedder of the served vectors, else the configured one; undefined when neither can be had or used. */
async function chooseEmbedder({ store, embedders }: EmbeddingContext): Promise<Embedder | undefined> {
  if (!store.index.keepsVectors) return undefined
  // Asked first: an endpoint whose vectors are served need not be asked for their dimension.
  const served = await store.index.servedModel()
  return (served && (await embedders.of(served))) ?? embedders.current()
}

/** One embedding a text, in order; all undefined when no embedder answers. */
export async function embedAll(
  context: EmbeddingContext,
  texts: readonly string[],
): Promise<(Embedding | undefined)[]> {
  const embedder = await chooseEmbedder(context)
  if (embedder === undefined) return texts.map(() => undefined)
  const passages = await context.embedders.attempt(() => embedder.embedTexts(texts))
  return texts.map((_, at) => {
    const own = passages?.[at]
    return own && own.length > 0 ? { model: embedder.identity, passages: own } : undefined
  })
}

/** A query in the space that is served now; undefined when only keywords can answer. */
export async function embedQuery(
  context: EmbeddingContext,
  query: string,
): Promise<{ embedder: Embedder; passage: Passage } | undefined> {
  const embedder = await chooseEmbedder(context)
  if (embedder === undefined) return undefined
  const passage = await context.embedders.attempt(() => embedder.embedQuery(query))
  return passage && { embedder, passage }
}
