/**
 * Moves a brain to another model's vector space while others keep reading and writing: every memory is embedded again
 * beside the old vectors, all processes switch at once, and the old vectors are removed. Every batch is committed, so
 * an interrupted run resumes where it stopped. Knows no terminal.
 */
import { pause } from '../clock.ts'
import { BrainError, reasonOf } from '../core/errors.ts'
import type { Embedder } from '../models/embedder.ts'
import type { Embedding, Store } from '../store/store.ts'

export interface ReindexProgress {
  /** `embedding` counts memories; the length of `clearing` is unknown. */
  readonly phase: 'embedding' | 'clearing'
  readonly done: number
  readonly total: number
}

export interface ReindexOptions {
  readonly store: Store
  /** The embedder that every memory is to be embedded with. */
  readonly embedder: Embedder
  /** Stops between two batches; what was done is kept. */
  readonly signal: AbortSignal
  readonly progress?: (progress: ReindexProgress) => void
  /** Waits for a number of milliseconds. */
  readonly pause?: (milliseconds: number, signal: AbortSignal) => Promise<unknown>
}

export interface Reindexed {
  /** Memories that were embedded. */
  readonly embedded: number
  /** Memories that the model does not accept; they are found by keyword. */
  readonly refused: readonly number[]
}

/** Target duration of a batch in milliseconds: fewer commits, and still a lively progress bar. */
const wantedTime = 300
const firstBatch = 16
const maxTexts = 512
/** Memories whose vectors are written in one commit, which other writers wait for. */
const rowsPerCommit = 192

/** Milliseconds between two writes: those waiting for the lock retry within four, so each gets its turn. */
const pauseLength = 5

/** Consecutive texts, each tried alone, after whose failure the embedder is to blame and not a text. */
const maxFailures = 3
/** Milliseconds to wait after a failure, doubled each time. */
const firstPause = 1_100

interface Text {
  readonly project: string
  readonly id: number
  readonly text: string
}

type Passages = Awaited<ReturnType<Embedder['embedTexts']>>

/** Texts that are being embedded. */
interface Batch {
  readonly texts: readonly Text[]
  readonly passages: Promise<Passages>
}

class Reindexing {
  readonly #options: ReindexOptions
  readonly #pause: (milliseconds: number, signal: AbortSignal) => Promise<unknown>
  /** Ids of those that failed alone while others did not. */
  readonly #refused = new Map<number, Text>()
  /** By project, the id up to which all memories have their vectors. */
  readonly #seen = new Map<string, number>()
  #failures = 0
  #size = firstBatch
  /** When the batch before was done, by the clock that only grows. */
  #since = 0
  #embedded = 0
  #total = 0

  constructor(options: ReindexOptions) {
    this.#options = options
    this.#pause = options.pause ?? pause
  }

  async run(): Promise<Reindexed> {
    const { store, embedder } = this.#options
    const { identity } = embedder
    this.#total = await store.index.lacking(identity)
    await this.#embedAll()
    await this.#tryRefusedAgain()
    // Memories that others kept meanwhile have higher ids.
    const after = this.#seen
    while (!(await store.index.serve(identity, { after, without: [...this.#refused.keys()] })))
      await this.#embedAll()
    return { embedded: this.#embedded, refused: [...this.#refused.keys()] }
  }

  /** Embeds memories without vectors that were not seen before: while one batch is written, the next is under way. */
  async #embedAll(): Promise<void> {
    const { store, signal } = this.#options
    for (const project of await store.maintenance.projects()) {
      signal.throwIfAborted()
      this.#report()
      this.#since = performance.now()
      for (let next = await this.#begin(project); next !== undefined; ) {
        const batch = next
        next = await this.#begin(project)
        await this.#finish(batch)
        this.#report()
        await this.#pause(pauseLength, signal)
        signal.throwIfAborted()
      }
    }
  }

  /** Takes the next texts; undefined when there are no more. */
  async #begin(project: string): Promise<Batch | undefined> {
    const { store, embedder } = this.#options
    const page = { after: this.#seen.get(project) ?? 0, limit: this.#size }
    const found = await store.index.withoutVector(project, embedder.identity, page)
    const last = found.at(-1)
    if (last === undefined) return undefined
    this.#seen.set(project, last.id)
    const texts = found.map(({ id, text }) => ({ project, id, text }))
    const passages = this.#passagesOf(texts)
    // Whoever waits for them hears of their failure; where the run ended before, nobody does.
    passages.catch(() => {})
    return { texts, passages }
  }

  #passagesOf(texts: readonly Text[]): Promise<Passages> {
    const { embedder, signal } = this.#options
    return embedder.embedTexts(
      texts.map(({ text }) => text),
      signal,
    )
  }

  /** An endpoint that failed for a while makes texts look at fault. */
  async #tryRefusedAgain(): Promise<void> {
    for (const one of [...this.#refused.values()]) {
      try {
        await this.#keep([one], this.#passagesOf([one]))
        this.#refused.delete(one.id)
      } catch (error) {
        this.#failures = 0
        await this.#rest(error)
      }
    }
  }

  #report(): void {
    const { progress } = this.#options
    progress?.({
      phase: 'embedding',
      done: this.#embedded,
      total: Math.max(this.#total, this.#embedded),
    })
  }

  async #finish({ texts, passages }: Batch): Promise<void> {
    try {
      await this.#keep(texts, passages)
      const now = performance.now()
      const share = wantedTime / Math.max(1, now - this.#since)
      this.#since = now
      this.#size = Math.max(1, Math.min(maxTexts, Math.round(texts.length * Math.min(2, share))))
    } catch (error) {
      await this.#rest(error)
      // One text may have spoilt the batch: one by one tells which.
      this.#size = firstBatch
      for (const one of texts) await this.#embedAlone(one)
      this.#since = performance.now()
    }
  }

  async #embedAlone(one: Text): Promise<void> {
    try {
      await this.#keep([one], this.#passagesOf([one]))
      this.#failures = 0
    } catch (error) {
      this.#failures += 1
      if (this.#failures >= maxFailures) throw this.#givingUp(error)
      this.#refused.set(one.id, one)
      await this.#rest(error)
    }
    this.#report()
  }

  /** Waits for a failed embedder to recover. @throws the failure, if it was not the embedder's. */
  async #rest(error: unknown): Promise<void> {
    const { signal } = this.#options
    signal.throwIfAborted()
    if (!(error instanceof BrainError) || error.kind !== 'failed') throw error
    await this.#pause(firstPause * 2 ** this.#failures, signal)
  }

  #givingUp(error: unknown): BrainError {
    const why = reasonOf(error)
    const done = `${this.#embedded} of ${this.#total} memories were embedded and stay so`
    return new BrainError(
      'failed',
      `reindexing stopped: ${why}; ${done}, and recall goes on as before: run brain reindex again to continue`,
      { cause: error },
    )
  }

  /** Writes the vectors of texts of one project. */
  async #keep(texts: readonly Text[], under: Promise<Passages>): Promise<void> {
    const { store, embedder, signal } = this.#options
    const passages = await under
    const embeddings = texts.map(({ id, text }, at): [number, Embedding] => {
      const own = passages[at] ?? []
      if (own.length === 0) throw new BrainError('failed', `the model gives memory ${id} no vector`)
      return [id, { model: embedder.identity, passages: own, text }]
    })
    for (let from = 0; from < embeddings.length; from += rowsPerCommit) {
      if (from > 0) await this.#pause(pauseLength, signal)
      const slice = embeddings.slice(from, from + rowsPerCommit)
      this.#embedded += await store.index.addEmbeddings(texts[0]?.project ?? '', new Map(slice))
    }
  }
}

/** Does deferred work slice by slice; what is left when it is stopped stays deferred. */
export async function tidyIndex(store: Store, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await store.index.tidy())) await pause(pauseLength)
}

/**
 * Embeds every memory of every project with `embedder`, serves those vectors, and removes all others.
 * @throws BrainError `failed` when the embedder stops answering: nothing is lost, and another run resumes.
 */
export async function reindex(options: ReindexOptions): Promise<Reindexed> {
  const { store, signal, progress } = options
  const result = await new Reindexing(options).run()
  progress?.({ phase: 'clearing', done: result.embedded, total: result.embedded })
  await tidyIndex(store, signal)
  return result
}
