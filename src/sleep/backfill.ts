/**
 * Heals memories that were kept without a vector because no embedder answered. Works in small batches between
 * other people's requests; moving to another model is not its business (`sleep/reindex.ts` does that).
 */
import { turn } from '../clock.ts'
import type { Embedder } from '../models/embedder.ts'
import { type EmbedderPool, sameModel } from '../models/pool.ts'
import type { Embedding, Store } from '../store/store.ts'
import { clearRetired, compact } from './reindex.ts'

export interface BackfillOptions {
  readonly store: Store
  readonly embedders: EmbedderPool
  /** Stops between two batches. */
  readonly signal?: AbortSignal
}

/** Texts embedded at a time: few enough that a request never waits long behind them. */
const batchSize = 16

/** Failures in a row after which the embedder, not a text, is to blame. */
const patience = 2

/** The embedder of the vectors that are served; before the first vector the configured one. */
async function chooseEmbedder({ store, embedders }: BackfillOptions): Promise<Embedder | undefined> {
  if (!store.index.keepsVectors) return undefined
  const served = await store.index.servedModel()
  return served === undefined ? embedders.current() : embedders.of(served)
}

async function embed(
  options: BackfillOptions,
  embedder: Embedder,
  batch: readonly { id: number; text: string }[],
): Promise<number | undefined> {
  const passages = await options.embedders.attempt(() => embedder.embedTexts(batch.map(({ text }) => text)))
  if (passages === undefined) return undefined
  const embeddings = new Map<number, Embedding>()
  for (const [at, { id }] of batch.entries()) {
    const own = passages[at]
    if (own && own.length > 0) embeddings.set(id, { model: embedder.identity, passages: own })
  }
  return options.store.index.addEmbeddings(embeddings, { onlyServed: true })
}

/**
 * One round over the rows without a vector, oldest first. Returns how many were healed. A text that no
 * embedder takes is passed over; an embedder that fails again and again ends the round.
 */
export async function heal(options: BackfillOptions): Promise<number> {
  const embedder = await chooseEmbedder(options)
  if (embedder === undefined) return 0
  let healed = 0
  let failures = 0
  let after = 0
  let size = batchSize
  while (!options.signal?.aborted && failures < patience) {
    const served = await options.store.index.servedModel()
    // Switched meanwhile: all memories lack the vectors of the model before, and nobody wants them.
    if (served !== undefined && !sameModel(served, embedder.identity)) return healed
    const batch = await options.store.index.withoutVector(embedder.identity, { after, limit: size })
    const last = batch.at(-1)
    if (last === undefined) return healed
    const added = await embed(options, embedder, batch)
    if (added !== undefined) {
      healed += added
      failures = 0
      after = last.id
      size = batchSize
    } else if (size > 1) {
      // One text may have spoilt the batch: one by one tells which.
      size = 1
    } else {
      failures += 1
      after = last.id
    }
    await turn()
  }
  return healed
}

export interface Backfill {
  /** Resolves when the batch under way is done. */
  stop(): Promise<void>
}

export interface BackfillSchedule extends BackfillOptions {
  /** Milliseconds between the end of a round and the next. */
  readonly every?: number
  /** Told of what goes wrong; the next round tries again. */
  readonly fault: (error: unknown) => void
}

/** Heals in the background until stopped. */
export function startBackfill(options: BackfillSchedule): Backfill {
  const { every = 15_000, fault } = options
  const stopping = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let round: Promise<void> = Promise.resolve()

  const run = (): void => {
    round = heal({ ...options, signal: stopping.signal })
      // What a reindex left behind that was ended before it was done.
      .then(() => clearRetired(options.store, stopping.signal))
      .then(() => compact(options.store, stopping.signal))
      .catch(fault)
      .then(() => {
        if (!stopping.signal.aborted) timer = setTimeout(run, every).unref()
      })
  }
  timer = setTimeout(run, Math.min(every, 1_000)).unref()
  return {
    stop: () => {
      stopping.abort()
      clearTimeout(timer)
      return round
    },
  }
}
