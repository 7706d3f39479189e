/**
 * Between operations and embedders: which vector space to use now, and how to go on without one.
 */
import type { Memory } from '../core/records.ts'
import type { Embedder, ModelIdentity, Passage } from '../models/embedder.ts'
import { sameModel } from '../models/pool.ts'
import type { Embedding } from '../store/store.ts'
import type { Context } from './operation.ts'

type EmbeddingContext = Pick<Context, 'store' | 'embedders'>

/**
 * The embedder of the served vectors, before the first vector the configured one; undefined when it cannot be had or
 * used. Vectors of another model would be found by nobody. Where those of an earlier release's built-in model are served
 * it is this release's, which replaces it: queries of the former cannot be made any more.
 */
async function chooseEmbedder({ store, embedders }: EmbeddingContext): Promise<Embedder | undefined> {
  if (!store.index.keepsVectors) return undefined
  const served = await store.index.servedModel()
  if (served === undefined) return embedders.current()
  return (await embedders.successor(served)) ?? embedders.of(served)
}

/**
 * The same for whoever writes vectors: theirs is the served model afterwards, unless it is another by then.
 * @throws BrainError where the brain takes no writes.
 */
export async function takeEmbedder({ store, embedders }: EmbeddingContext): Promise<Embedder | undefined> {
  const served = store.index.keepsVectors ? await store.index.servedModel() : undefined
  const successor = served && (await embedders.successor(served))
  if (served === undefined || successor === undefined) return chooseEmbedder({ store, embedders })
  await store.index.replaceServed(served, successor.identity)
  return successor
}

/** One embedding a text, in order; all undefined when no embedder answers. */
export async function embedAll(
  context: EmbeddingContext,
  texts: readonly string[],
): Promise<(Embedding | undefined)[]> {
  const embedder = await takeEmbedder(context)
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

/** Whether vectors of `model` are those that recall compares now; another process may have switched to others. */
export async function isServed(
  { store, embedders }: EmbeddingContext,
  model: ModelIdentity,
): Promise<boolean> {
  const served = await store.index.servedModel()
  if (served === undefined || sameModel(served, model)) return true
  const successor = await embedders.successor(served)
  return successor !== undefined && sameModel(successor.identity, model)
}

/** Keeps a memory; `semantic` says whether it was kept with a vector that recall compares. */
export async function keepMemory(
  context: Context,
  { text, caution }: Pick<Memory, 'text' | 'caution'>,
): Promise<{ memory: Memory; semantic: boolean }> {
  const [embedding] = await embedAll(context, [text])
  const memory = await context.store.memories.add(context.project, {
    text,
    caution,
    agent: context.agent,
    createdAt: context.now(),
    ...(embedding && { embedding }),
  })
  if (embedding === undefined || memory.semantic) return { memory, semantic: memory.semantic }
  // Switched while this text was embedded: once more, in the new space.
  const [again] = await embedAll(context, [text])
  if (again !== undefined) await context.store.index.addEmbeddings(new Map([[memory.id, again]]))
  return { memory, semantic: again !== undefined }
}
