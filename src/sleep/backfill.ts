/**
 * Adds missing vectors to memories that were kept while no embedder answered. Works in small batches between other
 * requests; switching to another model is done by `sleep/reindex.ts`.
 */
import { yieldToEventLoop } from '../clock.ts'
import type { Embedder } from '../models/embedder.ts'
import { type EmbedderPool, sameModel } from '../models/pool.ts'
import { takeEmbedder } from '../operations/embedding.ts'
import type { Embedding, Store } from '../store/store.ts'
import { tidyIndex } from './reindex.ts'

export interface BackfillOptions {
  readonly store: Store
  readonly embedders: EmbedderPool
  /** Stops between two batches. */
  readonly signal?: AbortSignal
  /** UTF-16 code units of the longest text that is embedded; longer ones wait for somebody with more time. */
  readonly longest?: number
}

/** Texts embedded at a time, and their total UTF-16 code units: few enough that a request never waits long behind them. */
const batchSize = 16
const batchLength = 6_000

/** Consecutive failures after which the embedder, not a text, is to blame. */
const maxFailures = 2

interface Batch {
  readonly project: string
  readonly memories: readonly { id: number; text: string }[]
}

async function embed(
  options: BackfillOptions,
  embedder: Embedder,
  { project, memories }: Batch,
): Promise<number | undefined> {
  const passages = await options.embedders.attempt(() =>
    embedder.embedTexts(memories.map(({ text }) => text)),
  )
  if (passages === undefined) return undefined
  const embeddings = new Map<number, Embedding>()
  for (const [at, { id, text }] of memories.entries()) {
    const own = passages[at]
    if (own && own.length > 0) embeddings.set(id, { model: embedder.identity, passages: own, text })
  }
  return options.store.index.addEmbeddings(project, embeddings, { onlyServed: true })
}

/** As many as fit a batch, and at least one. */
function takeFirst<T extends { readonly text: string }>(memories: readonly T[]): T[] {
  let length = 0
  return memories.filter(({ text }, at) => {
    length += text.length
    return at === 0 || length <= batchLength
  })
}

/**
 * One round over the flags without a vector, or over all memories, project by project, newest first. Returns the
 * number embedded.
 */
async function healAmong(options: BackfillOptions, embedder: Embedder, flagsOnly: boolean): Promise<number> {
  const { index } = options.store
  const [...projects] = (await index.upkeep()).waiting
  let healed = 0
  let failures = 0
  let before = Number.MAX_SAFE_INTEGER
  // One text may have spoilt a batch: until its last is passed, one by one tells which.
  let spoiltTo = Number.MAX_SAFE_INTEGER
  while (!options.signal?.aborted && failures < maxFailures) {
    const served = await index.servedModel()
    // Switched meanwhile: nobody wants the vectors of the model before.
    if (served !== undefined && !sameModel(served, embedder.identity)) return healed
    const [project] = projects
    if (project === undefined) return healed
    const page = { before, limit: before > spoiltTo ? 1 : batchSize, flagsOnly }
    const waiting = await index.waiting(project, embedder.identity, page)
    const oldest = waiting.at(-1)
    if (oldest === undefined) {
      projects.shift()
      before = Number.MAX_SAFE_INTEGER
      spoiltTo = before
      continue
    }
    const { longest = Number.POSITIVE_INFINITY } = options
    const memories = takeFirst(waiting.filter(({ text }) => text.length <= longest))
    const last = memories.at(-1)
    if (last === undefined) {
      before = oldest.id
      continue
    }
    const added = await embed(options, embedder, { project, memories })
    if (added !== undefined) {
      healed += added
      failures = 0
      before = last.id
    } else if (memories.length > 1) {
      spoiltTo = last.id
    } else {
      failures += 1
      before = last.id
    }
    await yieldToEventLoop()
  }
  return healed
}

/**
 * One round over the memories that wait for a vector: flags first, which a gut-check must not miss, then the newest.
 * Switches to this release's built-in model if an earlier one is served. Returns the number embedded. A text that no
 * embedder accepts is skipped; an embedder that keeps failing ends the round.
 */
export async function heal(options: BackfillOptions): Promise<number> {
  const embedder = await takeEmbedder(options)
  if (embedder === undefined) return 0
  const flags = await healAmong(options, embedder, true)
  return flags + (await healAmong(options, embedder, false))
}

/** Milliseconds that a one-shot command spends on background work. */
const share = 1_000
/**
 * And the longest text that it embeds in that: some twelve passages, each a twelfth of a second. A daemon or `brain
 * reindex` takes the others.
 */
const longestInShare = 12_000

/**
 * Background work that a command does before its own, for up to a second: embeds if `heals`, removes what previously
 * served models left behind, and prepares its search. The rest waits for the next command or a daemon.
 */
export async function tidy(options: BackfillOptions, { heals }: { heals: boolean }): Promise<void> {
  const signal = AbortSignal.timeout(share)
  if (heals) await heal({ ...options, signal, longest: longestInShare })
  await tidyIndex(options.store, signal)
}

export interface Backfill {
  /** Resolves when the current batch is done. */
  stop(): Promise<void>
}

export interface BackfillSchedule extends BackfillOptions {
  /** Milliseconds between the end of a round and the next. */
  readonly every?: number
  /** Called once, behind the first round. */
  readonly afterFirst?: (signal: AbortSignal) => Promise<void>
  /** Called with errors; the next round tries again. */
  readonly fault: (error: unknown) => void
}

/** Adds missing vectors in the background until stopped. */
export function startBackfill(options: BackfillSchedule): Backfill {
  const { every = 15_000, fault } = options
  const stopping = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let round: Promise<void> = Promise.resolve()
  let { afterFirst } = options

  const run = (): void => {
    round = heal({ ...options, signal: stopping.signal })
      // What a reindex left behind that was ended before it was done.
      .then(() => tidyIndex(options.store, stopping.signal))
      .then(() => {
        const next = afterFirst
        afterFirst = undefined
        return next?.(stopping.signal)
      })
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
