/** Chooses the vector space for operations, and lets them go on without one. */
import type { Found, Memory } from '../core/records.ts'
import type { Embedder } from '../models/embedder.ts'
import { chooseEmbedder, type EmbeddingContext } from '../search/served-embedder.ts'
import type { Cited } from '../store/citations.ts'
import type { AmendedMemory, MemoryEdit } from '../store/memory-life.ts'
import type { AddedMemory, Embedding } from '../store/store.ts'
import { circumstancesOf } from './circumstances.ts'
import type { Context } from './operation.ts'

/**
 * The embedder to write vectors with: its model is the served one afterwards, unless that changes in the meantime.
 * @throws BrainError if the brain takes no writes.
 */
export async function takeEmbedder({ store, embedders }: EmbeddingContext): Promise<Embedder | undefined> {
  const served = await store.index.servedModel()
  const successor = served && (await embedders.successor(served))
  if (served === undefined || successor === undefined) return chooseEmbedder({ store, embedders })
  await store.index.replaceServed(served, successor.identity)
  return successor
}

/**
 * One embedding a text, in order; all undefined when no embedder answers.
 * @throws the signal's reason once it is aborted.
 */
export async function embedAll(
  context: EmbeddingContext & Pick<Context, 'signal'>,
  texts: readonly string[],
): Promise<(Embedding | undefined)[]> {
  const { signal } = context
  const embedder = await takeEmbedder(context)
  if (embedder === undefined) return texts.map(() => undefined)
  const passages = await context.embedders.attempt(async () => {
    try {
      return await embedder.embedTexts(texts, signal)
    } catch (error) {
      // No fault of the embedder's.
      if (signal?.aborted) return undefined
      throw error
    }
  })
  signal?.throwIfAborted()
  return texts.map((_, at) => {
    const own = passages?.[at]
    return own && own.length > 0 ? { model: embedder.identity, passages: own } : undefined
  })
}

/**
 * Embeds a memory again that has no vector of the served model, though an embedder may answer: the model was switched
 * while it was added, or there was none to keep. Returns whether it has its vector.
 */
async function settle(
  context: Context,
  { id, text, semantic }: AddedMemory,
  embeddable: boolean,
): Promise<boolean> {
  if (semantic || !embeddable) return semantic
  const [again] = await embedAll(context, [text])
  if (again !== undefined)
    await context.store.index.addEmbeddings(context.project, new Map([[id, { ...again, text }]]))
  return again !== undefined
}

interface Kept extends Pick<Memory, 'text' | 'caution'>, Cited {
  readonly tags?: readonly string[]
  readonly expiresAt?: number
  /** The text's, where it is known already. */
  readonly embedding?: Embedding | undefined
}

/** Adds a memory; `semantic` says whether it has a vector that recall compares. */
export async function keepMemory(
  context: Context,
  { text, caution, tags, expiresAt, citations, embedding: known }: Kept,
): Promise<{ memory: Memory; semantic: boolean; embedding: Embedding | undefined }> {
  const embedding = known ?? (await embedAll(context, [text]))[0]
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
  readonly before: Pick<Memory, 'text'>
  /** The result of `decide`, unless the memory changes in the meantime. */
  readonly text: string
  readonly decide: (before: Found<Memory>) => Omit<MemoryEdit, 'embedding'>
}

/**
 * Replaces a memory's text and vectors, which the same text keeps; `semantic` as above. @throws whatever `decide`
 * throws.
 */
export async function amendMemory(
  context: Context,
  { id, before, text, decide }: Amendment,
): Promise<{ memory: AmendedMemory; semantic: boolean }> {
  const same = text === before.text
  const [embedding] = same ? [] : await embedAll(context, [text])
  const memory = await context.store.memories.amend(context.project, id, (found) => {
    const edit = decide(found)
    return { ...edit, ...(embedding && edit.text === text && { embedding }) }
  })
  // One that had no vectors, or another text by now, has none to keep.
  return { memory, semantic: await settle(context, memory, same || embedding !== undefined) }
}
