/**
 * Between operations and embedders: which vector space to use now, and how to go on without one.
 */
import type { Found, Memory } from '../core/records.ts'
import type { Embedder } from '../models/embedder.ts'
import { chooseEmbedder, type EmbeddingContext } from '../search/served-embedder.ts'
import type { Cited } from '../store/citations.ts'
import type { MemoryEdit } from '../store/memory-life.ts'
import type { AddedMemory, Embedding } from '../store/store.ts'
import { circumstancesOf } from './circumstances.ts'
import type { Context } from './operation.ts'

/**
 * The embedder of whoever writes vectors: theirs is the served model afterwards, unless it is another by then.
 * @throws BrainError where the brain takes no writes.
 */
export async function takeEmbedder({ store, embedders }: EmbeddingContext): Promise<Embedder | undefined> {
  const served = await store.index.servedModel()
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

/** Once more in the new space, for a memory that was kept while the model was switched. Returns whether it has its vector. */
async function settle(
  context: Context,
  { id, text, semantic }: AddedMemory,
  embedded: boolean,
): Promise<boolean> {
  if (semantic || !embedded) return semantic
  const [again] = await embedAll(context, [text])
  if (again !== undefined)
    await context.store.index.addEmbeddings(context.project, new Map([[id, { ...again, text }]]))
  return again !== undefined
}

interface Kept extends Pick<Memory, 'text' | 'caution'>, Cited {
  readonly tags?: readonly string[]
  readonly expiresAt?: number
}

/** Keeps a memory; `semantic` says whether it was kept with a vector that recall compares. */
export async function keepMemory(
  context: Context,
  { text, caution, tags, expiresAt, citations }: Kept,
): Promise<{ memory: Memory; semantic: boolean; embedding: Embedding | undefined }> {
  const [embedding] = await embedAll(context, [text])
  const memory = await context.store.memories.add(context.project, {
    text,
    caution,
    agent: context.agent,
    createdAt: context.now(),
    circumstances: circumstancesOf(context),
    ...(embedding && { embedding }),
    ...(tags && { tags }),
    ...(citations && { citations }),
    ...(expiresAt !== undefined && { expiresAt }),
  })
  return { memory, semantic: await settle(context, memory, embedding !== undefined), embedding }
}

interface Amendment {
  readonly id: number
  /** What `decide` will say unless the memory changes meanwhile. */
  readonly text: string
  readonly decide: (before: Found<Memory>) => Omit<MemoryEdit, 'embedding'>
}

/** Gives a memory another text, with its vectors; `semantic` as above. @throws whatever `decide` throws. */
export async function amendMemory(
  context: Context,
  { id, text, decide }: Amendment,
): Promise<{ memory: Memory; semantic: boolean }> {
  const [embedding] = await embedAll(context, [text])
  const memory = await context.store.memories.amend(context.project, id, (before) => {
    const edit = decide(before)
    return { ...edit, ...(embedding && edit.text === text && { embedding }) }
  })
  return { memory, semantic: await settle(context, memory, embedding !== undefined) }
}
