/**
 * The vectors of one project and model in memory, as int8, with their word pieces, scanned by the same code as SQLite's.
 * Holds what several transactions saw, each of which is shown what it sees itself. Knows rows; where they are read
 * is described in `vector-cache.ts`.
 */

import { msPerMinute } from '../../core/durations.ts'
import { strideOf } from '../../simd/kernels.ts'
import type { PassageMatch } from '../candidates.ts'
import { blockRows, placeOf, type RowWindow } from '../search/row-window.ts'
import { hasSeen, type Snapshot } from './snapshot.ts'

/** A passage as it is read. */
export interface PassageRow {
  readonly id: number
  readonly memoryId: number
  readonly flag: boolean
  readonly tokens: Uint16Array
  readonly vector: Int8Array
}

/** Rows of a block of vectors and what makes a product with each one with its direction. */
interface Block {
  readonly rows: Int8Array
  readonly factors: Float32Array
}

/** Flags, or all other memories, in the order in which they were read. */
class Part {
  readonly #window: RowWindow
  readonly #dimension: number
  readonly #blocks: Block[] = []
  readonly memoryIds: number[] = []
  readonly #tokenEnds: number[] = []
  #tokens = new Uint16Array(1_024)

  constructor(window: RowWindow, dimension: number) {
    this.#window = window
    this.#dimension = dimension
  }

  /** Returns the place it is given. */
  add({ memoryId, tokens, vector }: PassageRow): number {
    const place = this.memoryIds.push(memoryId) - 1
    const at = place % blockRows
    const stride = strideOf(this.#dimension)
    if (at === 0)
      this.#blocks.push({
        rows: new Int8Array(blockRows * stride),
        factors: new Float32Array(blockRows),
      })
    const block = this.#blocks.at(-1)
    block?.rows.set(vector, at * stride)
    block?.factors.fill(this.#window.measure(vector).factor, at, at + 1)
    const start = this.#tokenEnds.at(-1) ?? 0
    const end = start + tokens.length
    if (end > this.#tokens.length) {
      const larger = new Uint16Array(Math.max(end, 2 * this.#tokens.length))
      larger.set(this.#tokens)
      this.#tokens = larger
    }
    this.#tokens.set(tokens, start)
    this.#tokenEnds.push(end)
    return place
  }

  get bytes(): number {
    const stride = strideOf(this.#dimension)
    return (
      this.#blocks.length * blockRows * (stride + 4) + 2 * this.#tokens.length + 32 * this.memoryIds.length
    )
  }

  /** The best of the accepted places, best first; of equals the one that was read first. */
  nearest(vector: Float32Array, limit: number, accepts: (place: number) => boolean): PassageMatch[] {
    const window = this.#window
    const search = window.search(vector, limit, accepts)
    const stride = strideOf(this.#dimension)
    for (const [at, { rows, factors }] of this.#blocks.entries()) {
      const first = at * blockRows
      const count = Math.min(blockRows, this.memoryIds.length - first)
      window.resize(count)
      const { ids, bytes } = window
      for (let place = 0; place < count; place += 1) ids[place] = first + place
      window.factors.set(factors.subarray(0, count))
      bytes.set(
        new Uint8Array(rows.buffer, 0, count * stride),
        placeOf(this.#dimension, { rows: count, place: 0 }),
      )
      search.scan()
    }
    return search.matches().map(({ id: place, similarity }) => ({
      memoryId: this.memoryIds[place] ?? 0,
      similarity,
      tokens: this.#tokens.slice(this.#tokenEnds[place - 1] ?? 0, this.#tokenEnds[place]),
    }))
  }
}

/** Where a passage stands: in which part, and there in which place. */
interface Slot {
  readonly part: Part
  readonly place: number
}

/** What not everybody sees of a passage in some place: the transactions that wrote and removed it, and when we learnt of that. */
interface Change {
  readonly passageId: number
  readonly written: bigint | undefined
  readonly removed: bigint | undefined
  readonly learnt: number
}

/** Milliseconds after which every transaction that began before has ended. */
const longestTransaction = 5 * msPerMinute

export interface Found {
  readonly vector: Float32Array
  readonly limit: number
  readonly kind: 'memory' | 'flag' | undefined
  /** By the id of a memory; all where it is absent. */
  readonly accepts: ((memoryId: number) => boolean) | undefined
}

export class ProjectVectors {
  readonly #notes: Part
  readonly #flags: Part
  readonly #slots = new Map<number, Slot>()
  readonly #changes = new Map<Part, Map<number, Change>>()
  #gone = 0

  constructor(window: RowWindow, dimension: number) {
    this.#notes = new Part(window, dimension)
    this.#flags = new Part(window, dimension)
    for (const part of [this.#notes, this.#flags]) this.#changes.set(part, new Map())
  }

  get bytes(): number {
    return this.#notes.bytes + this.#flags.bytes + 64 * this.#slots.size
  }

  /** Whether so much was removed that it pays to read everything again. */
  get isWorn(): boolean {
    return this.#gone > 1_000 && this.#gone > this.#slots.size
  }

  has(passageId: number): boolean {
    return this.#slots.has(passageId)
  }

  /** Adds a passage, which those see that see the transaction; all, where none is given. */
  add(row: PassageRow, written?: bigint): void {
    if (this.#slots.has(row.id)) return
    const part = row.flag ? this.#flags : this.#notes
    const place = part.add(row)
    this.#slots.set(row.id, { part, place })
    if (written !== undefined)
      this.#changes
        .get(part)
        ?.set(place, { passageId: row.id, written, removed: undefined, learnt: Date.now() })
  }

  /** Removes a passage for those who see the transaction. */
  remove(passageId: number, removed: bigint): void {
    const slot = this.#slots.get(passageId)
    if (slot === undefined) return
    const changes = this.#changes.get(slot.part)
    const before = changes?.get(slot.place)
    if (before?.removed !== undefined) return
    changes?.set(slot.place, { passageId, written: before?.written, removed, learnt: Date.now() })
  }

  /** Lets go of changes that every transaction under way sees. */
  settle({ xmin }: Snapshot): void {
    const before = Date.now() - longestTransaction
    for (const [part, changes] of this.#changes) {
      for (const [place, { passageId, written = 0n, removed, learnt }] of changes) {
        if (learnt > before || written >= xmin || (removed ?? 0n) >= xmin) continue
        changes.delete(place)
        if (removed === undefined) continue
        // No memory has this id.
        part.memoryIds[place] = 0
        this.#slots.delete(passageId)
        this.#gone += 1
      }
    }
  }

  /** The passages nearest to a unit vector of those that a snapshot has, best first. */
  nearest(snapshot: Snapshot, { vector, limit, kind, accepts }: Found): PassageMatch[] {
    if (limit < 1) return []
    const parts = [...(kind === 'flag' ? [] : [this.#notes]), ...(kind === 'memory' ? [] : [this.#flags])]
    return parts
      .flatMap((part) => part.nearest(vector, limit, this.#acceptsIn(part, snapshot, accepts)))
      .sort((a, b) => b.similarity - a.similarity || a.memoryId - b.memoryId)
      .slice(0, limit)
  }

  #acceptsIn(part: Part, snapshot: Snapshot, accepts: Found['accepts']): (place: number) => boolean {
    const changes = this.#changes.get(part)
    return (place) => {
      const memoryId = part.memoryIds[place] ?? 0
      if (memoryId === 0 || accepts?.(memoryId) === false) return false
      const change = changes?.get(place)
      if (change === undefined) return true
      return (
        (change.written === undefined || hasSeen(snapshot, change.written)) &&
        (change.removed === undefined || !hasSeen(snapshot, change.removed))
      )
    }
  }
}
