/**
 * A second thread for the scan of a large partition. Both threads claim chunks of its rows, one after the other from a
 * counter that they share; the main thread never waits. When no chunk is left, it takes what the helper has finished, and
 * scans the one the helper has in hand, if any, again itself: so the helper may be slow, stand still or die at any time.
 * Knows chunks and matches; what rows mean is for `live-vectors`.
 */
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { holdYoungHeap } from '../../heap.ts'
import { sharedRowScan } from '../../simd/kernels.ts'

/** Where the helper finds rows, all in bytes but the counts of rows; its matches go to `matchesAt`. */
export interface ScanLayout {
  readonly blockRows: number
  readonly blockBytes: number
  readonly blocksAt: number
  readonly headBytes: number
  readonly stride: number
  readonly matchesAt: number
  /** Whole blocks. */
  readonly chunkRows: number
  /** Blocks that a partition has at most. */
  readonly maxBlocks: number
}

/**
 * The helper rests until it is invited, and is invited only at rest: whatever it still does for a search that is over,
 * nobody reads. Only the main thread invites and dismisses, only the helper begins to work and to rest.
 */
const states = { starting: 0, resting: 1, invited: 2, working: 3 } as const

/** Words of the board, int32. */
const at = {
  state: 0,
  /** Rows of the partition. */
  rows: 1,
  /** The chunk that is claimed next. */
  next: 2,
  /** Chunks that the helper has finished. */
  finished: 3,
  /** Where its matches end after an even number of chunks, and after an odd one: what is next written is not what is read. */
  ends: 4,
} as const
const wordCount = 6

/** So many chunks full of matches: a search has some three thousand, unless better rows come later and later. */
const roomyChunks = 8

/** Megabytes; what it starts with takes half of the heap, and it needs no more. */
const resourceLimits = { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 16, stackSizeMb: 1 }

/** What the helper found, in ascending order of rows, and what it did not come to. */
export interface Help {
  readonly slots: Uint32Array
  readonly scores: Float32Array
  /** The first row of a chunk after all these, that remains to be scanned. */
  readonly unfinished: number | undefined
}

/** Whether another thread could run beside this one. */
export const canRunBeside = (): boolean => availableParallelism() > 1

export class ScanHelper {
  readonly #worker: Worker
  readonly #chunkRows: number
  readonly #words = new Int32Array(new SharedArrayBuffer(4 * wordCount))
  readonly #threshold = new Float32Array(new SharedArrayBuffer(4))
  readonly #blocks: Uint32Array
  readonly #slots: Uint32Array
  readonly #scores: Float32Array
  /** Chunks of this search; those that are the main thread's; the latest of them, and of the helper's. */
  #chunks = 0
  #own = 0
  #latestOwn = -1
  #latestTheirs = -1

  /** Starts the thread; until it is ready it accepts no invitation. @throws where threads are not allowed. */
  constructor(memory: WebAssembly.Memory, layout: ScanLayout) {
    this.#chunkRows = layout.chunkRows
    this.#blocks = new Uint32Array(new SharedArrayBuffer(4 * layout.maxBlocks))
    const room = roomyChunks * layout.chunkRows
    this.#slots = new Uint32Array(new SharedArrayBuffer(4 * room))
    this.#scores = new Float32Array(new SharedArrayBuffer(4 * room))
    const board = {
      ...{ at, states, words: this.#words, threshold: this.#threshold },
      ...{ blocks: this.#blocks, slots: this.#slots, scores: this.#scores },
    }
    this.#worker = new Worker(fileURLToPath(new URL('./scan-helper-thread.js', import.meta.url)), {
      workerData: { memory, module: sharedRowScan(), layout, board },
      env: {},
      execArgv: [],
      resourceLimits,
    })
    // It holds no process open, and one that fails is missed by nobody.
    this.#worker.unref()
    this.#worker.on('error', () => {})
    this.#worker.once('online', holdYoungHeap)
  }

  /** Begins a search of a partition's rows; false when the helper is not at rest, and one scans alone. */
  invite(blocks: readonly number[], rows: number): boolean {
    const words = this.#words
    if (Atomics.load(words, at.state) !== states.resting) return false
    this.#chunks = Math.ceil(rows / this.#chunkRows)
    this.#own = 0
    this.#latestOwn = -1
    this.#latestTheirs = -1
    this.#blocks.set(blocks)
    this.#threshold[0] = Number.NEGATIVE_INFINITY
    words[at.rows] = rows
    words[at.finished] = 0
    words[at.ends] = 0
    Atomics.store(words, at.next, 0)
    Atomics.store(words, at.state, states.invited)
    Atomics.notify(words, at.state)
    return true
  }

  /**
   * The first row of the next chunk; undefined when none is left. Rows that score less than `threshold` are not among
   * the best.
   */
  claim(threshold: number): number | undefined {
    // Equals count: the helper's may come before this thread's. The kernel tells what is above a number.
    this.#threshold[0] = threshold - Math.abs(threshold) * 2 ** -23 - 2 ** -149
    const chunk = Math.min(Atomics.add(this.#words, at.next, 1), this.#chunks)
    if (chunk > this.#latestOwn + 1) this.#latestTheirs = chunk - 1
    if (chunk === this.#chunks) return undefined
    this.#latestOwn = chunk
    this.#own += 1
    return chunk * this.#chunkRows
  }

  /** What the helper did; after a claim that found none left. */
  dismiss(): Help {
    const words = this.#words
    // Not woken yet, it has claimed nothing.
    Atomics.compareExchange(words, at.state, states.invited, states.resting)
    const finished = Atomics.load(words, at.finished)
    const end = words[at.ends + (finished % 2)] ?? 0
    return {
      slots: this.#slots.subarray(0, end),
      scores: this.#scores.subarray(0, end),
      unfinished: finished < this.#chunks - this.#own ? this.#latestTheirs * this.#chunkRows : undefined,
    }
  }

  /** Ends the thread. */
  async close(): Promise<void> {
    await this.#worker.terminate()
  }
}
