/**
 * Gives every memory a vector of one model and then has recall use them. Works in batches that other processes write
 * between, goes on where an earlier run stopped, and leaves the old vectors in service until the new ones are whole.
 */
import { BrainError } from '../core/errors.ts'
import type { Embedder } from '../embed/embedder.ts'
import type { Embedding, Store } from '../store/store.ts'

const batchSize = 128

export interface ReindexOptions {
  readonly store: Store
  readonly embedder: Embedder
  readonly signal: AbortSignal
  /** Memories that have a vector of the model, of all that are to have one. */
  readonly progress: (done: number, total: number) => void
}

type Batch = readonly { readonly id: number; readonly text: string }[]

async function embed(options: ReindexOptions, batch: Batch): Promise<number> {
  const { store, embedder, signal } = options
  const passages = await embedder.embedTexts(
    batch.map(({ text }) => text),
    signal,
  )
  const embeddings = new Map<number, Embedding>()
  for (const [at, { id }] of batch.entries()) {
    const own = passages[at]
    if (!own || own.length === 0) throw new BrainError('failed', `memory ${id} was given no vector`)
    embeddings.set(id, { model: embedder.identity, passages: own })
  }
  return store.index.addEmbeddings(embeddings)
}

/** One by one: tells which text an embedder does not take. */
async function embedSingly(options: ReindexOptions, batch: Batch): Promise<number> {
  let added = 0
  for (const memory of batch) {
    options.signal.throwIfAborted()
    try {
      added += await embed(options, [memory])
    } catch (error) {
      if (!(error instanceof BrainError) || error.kind !== 'failed') throw error
      throw new BrainError('failed', `memory ${memory.id} cannot be embedded: ${error.message}`, {
        cause: error,
      })
    }
  }
  return added
}

/**
 * Embeds what lacks a vector of the embedder's model and switches recall to it. Returns how many were embedded.
 * @throws BrainError `failed` naming the memory that cannot be embedded; what was done before stays done.
 */
export async function reindex(options: ReindexOptions): Promise<number> {
  const { store, embedder, signal, progress } = options
  if (!store.index.keepsVectors) {
    throw new BrainError('storage', 'sqlite-vec is needed to keep vectors: run this where it loads')
  }
  let embedded = 0
  let served = false
  // Memories that others add meanwhile may make another round needed.
  while (!served) {
    const lacking = await store.index.lacking(embedder.identity)
    const total = embedded + lacking
    let after = 0
    for (;;) {
      signal.throwIfAborted()
      const batch = await store.index.withoutVector(embedder.identity, { after, limit: batchSize })
      const last = batch.at(-1)
      if (last === undefined) break
      embedded += await embed(options, batch).catch((error: unknown) => {
        if (error instanceof BrainError && error.kind === 'failed') return embedSingly(options, batch)
        throw error
      })
      progress(embedded, Math.max(total, embedded))
      after = last.id
      await new Promise((resolve) => setImmediate(resolve))
    }
    served = await store.index.serve(embedder.identity)
  }
  return embedded
}
