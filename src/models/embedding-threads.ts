/**
 * Threads that embed off the event loop: up to two, started by the first work there is for them, ended when there was
 * none for a while. A thread that fails is missed by nobody: its work is done by whoever asked. Knows pieces and
 * vectors; texts and passages are for the embedder.
 */
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { holdYoungHeap } from '../heap.ts'

const maxThreads = 2
/** Pieces that one message asks for: some 20 milliseconds, so that both threads end at about the same time. */
const piecesPerJob = 128
/** Milliseconds without work after which a thread ends. */
const rest = 15_000
/** Megabytes; the model itself is outside the heap. */
const resourceLimits = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 32, stackSizeMb: 1 }

type Vectors = (Float32Array | undefined)[]

interface Job {
  readonly texts: readonly Uint16Array[]
  readonly done: (vectors: Vectors) => void
  readonly failed: (error: unknown) => void
}

interface Thread {
  readonly worker: Worker
  job: Job | undefined
  timer: NodeJS.Timeout | undefined
}

/** The program of a thread, in the same directory as this one where it was built; run from source there is none. */
const builtProgram = (): string => fileURLToPath(new URL('./embedding-thread.js', import.meta.url))

export interface ThreadOptions {
  /** The model's file. */
  readonly model: string
  readonly program?: string
  /** Embeds on this thread, what another one failed at. */
  readonly embedHere: (framed: Uint16Array) => Promise<Float32Array | undefined>
}

export class EmbeddingThreads {
  readonly #options: ThreadOptions
  readonly #program: string
  readonly #threads = new Set<Thread>()
  readonly #waiting: Job[] = []
  #usable: boolean

  constructor(options: ThreadOptions) {
    this.#options = options
    this.#program = options.program ?? builtProgram()
    this.#usable = existsSync(this.#program)
  }

  /**
   * The vectors of framed texts, in order. @throws the signal's reason when it aborts; vectors that are under way are
   * then given to nobody.
   */
  async embed(texts: readonly Uint16Array[], signal?: AbortSignal): Promise<Vectors> {
    signal?.throwIfAborted()
    const jobs: Promise<Vectors>[] = []
    const own: Job[] = []
    for (let from = 0; from < texts.length; ) {
      let end = from
      for (let pieces = 0; end < texts.length && (pieces === 0 || pieces < piecesPerJob); end += 1)
        pieces += texts[end]?.length ?? 0
      const part = texts.slice(from, end)
      jobs.push(
        new Promise((done, failed) => {
          own.push({ texts: part, done, failed })
        }),
      )
      from = end
    }
    const stop = (): void => {
      for (const job of own) {
        const at = this.#waiting.indexOf(job)
        if (at >= 0) this.#waiting.splice(at, 1)
        job.failed(signal?.reason)
      }
    }
    signal?.addEventListener('abort', stop, { once: true })
    this.#waiting.push(...own)
    this.#assign()
    try {
      return (await Promise.all(jobs)).flat()
    } finally {
      signal?.removeEventListener('abort', stop)
    }
  }

  /** Ends all threads; what waits is embedded by whoever asked. */
  async close(): Promise<void> {
    this.#usable = false
    await Promise.all([...this.#threads].map(({ worker }) => worker.terminate()))
    for (const job of this.#waiting.splice(0)) void this.#runHere(job)
  }

  #assign(): void {
    for (const thread of this.#threads) {
      // One that has nothing to do and is not to get anything stays as it is: it may be on its way to its end, waited for.
      if (thread.job === undefined && this.#waiting.length > 0) this.#give(thread)
    }
    const wanted = Math.min(maxThreads, Math.max(1, availableParallelism()))
    while (this.#waiting.length > 0 && this.#threads.size < wanted && this.#usable) this.#give(this.#start())
    if (!this.#usable) for (const job of this.#waiting.splice(0)) void this.#runHere(job)
  }

  #give(thread: Thread): void {
    clearTimeout(thread.timer)
    thread.job = this.#waiting.shift()
    if (thread.job !== undefined) {
      // Work holds the process open, waiting for work does not.
      thread.worker.ref()
      thread.worker.postMessage(thread.job.texts)
      return
    }
    thread.worker.unref()
    thread.timer = setTimeout(() => void thread.worker.terminate(), rest).unref()
  }

  #start(): Thread {
    const worker = new Worker(this.#program, {
      workerData: this.#options.model,
      env: {},
      execArgv: [],
      resourceLimits,
    })
    const thread: Thread = { worker, job: undefined, timer: undefined }
    this.#threads.add(thread)
    worker.once('online', holdYoungHeap)
    worker.on('message', (vectors: Vectors) => {
      thread.job?.done(vectors)
      this.#give(thread)
    })
    worker.on('error', () => {
      this.#usable = false
    })
    worker.on('exit', () => {
      clearTimeout(thread.timer)
      this.#threads.delete(thread)
      if (thread.job !== undefined) void this.#runHere(thread.job)
      this.#assign()
    })
    return thread
  }

  async #runHere({ texts, done, failed }: Job): Promise<void> {
    try {
      const vectors: Vectors = []
      for (const framed of texts) vectors.push(await this.#options.embedHere(framed))
      done(vectors)
    } catch (error) {
      failed(error)
    }
  }
}
