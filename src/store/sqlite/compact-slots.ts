/**
 * Chunks of vectors as int8, a slot each: ids, scales and rows in one piece that is read at once and scanned by the
 * kernel where it lies. Knows how a slot is laid out and filled; where slots are kept is `compact-file`'s matter.
 */

import { TopRows } from '../../core/top-rows.ts'
import {
  createQuantiser,
  createRowScan,
  matchBytes,
  type Quantise,
  strideOf,
  writeQuery,
} from '../../simd/kernels.ts'
import type { CompactVector } from './live-vectors.ts'
import { chunkRows, type StoredChunk } from './vector-chunks.ts'

/** Slots read at a time: few system calls, and what is read stays in the processor's cache. */
export const windowSlots = 4

const pageBytes = 65_536
/** A seal and what fills it up to a step of the kernel. */
export const sealBytes = 16
const idsAt = sealBytes
const scalesAt = idsAt + chunkRows * 4
const rowsAt = scalesAt + chunkRows * 4

/** Bytes of a slot. It begins and ends with its seal, a float64: one that is half written has two. */
export const slotBytesOf = (dimension: number): number => rowsAt + chunkRows * strideOf(dimension) + sealBytes

export interface CompactRows {
  /** Passage ids by place; 0 where the place is free. */
  readonly ids: Uint32Array
  vectorAt(place: number): CompactVector
}

export interface Match {
  /** Of a passage. */
  readonly id: number
  /** Cosine up to the rounding of int8, -1..1. */
  readonly similarity: number
}

/** A slot in the window, part by part. */
interface Views {
  readonly start: number
  readonly head: Float64Array
  readonly ids: Uint32Array
  readonly scales: Float32Array
  readonly tail: Float64Array
}

/** Room for some slots of one dimension, and the kernels over it. */
export class SlotWindow {
  readonly slotBytes: number
  /** The slots, one after the other. */
  readonly bytes: Uint8Array
  readonly #dimension: number
  readonly #stride: number
  readonly #memory: WebAssembly.Memory
  readonly #quantise: Quantise
  readonly #draftAt: number
  readonly #draft: Float32Array
  readonly #views: readonly Views[]

  constructor(dimension: number) {
    this.#dimension = dimension
    this.#stride = strideOf(dimension)
    this.slotBytes = slotBytesOf(dimension)
    // The query as int16 lies first, then what the scan finds.
    this.#draftAt = 2 * this.#stride + chunkRows * matchBytes
    const windowAt = this.#draftAt + this.#stride * 4
    const size = windowAt + windowSlots * this.slotBytes
    this.#memory = new WebAssembly.Memory({ initial: Math.ceil(size / pageBytes) })
    this.bytes = new Uint8Array(this.#memory.buffer, windowAt, windowSlots * this.slotBytes)
    this.#draft = new Float32Array(this.#memory.buffer, this.#draftAt, dimension)
    const { buffer } = this.#memory
    this.#views = Array.from({ length: windowSlots }, (_, at) => {
      const start = windowAt + at * this.slotBytes
      return {
        start,
        head: new Float64Array(buffer, start, 1),
        ids: new Uint32Array(buffer, start + idsAt, chunkRows),
        scales: new Float32Array(buffer, start + scalesAt, chunkRows),
        tail: new Float64Array(buffer, start + this.slotBytes - sealBytes, 1),
      }
    })
    this.#quantise = createQuantiser(this.#memory)
  }

  #viewsOf(at: number): Views {
    const views = this.#views[at]
    if (views === undefined) throw new RangeError(`there is no slot ${at}`)
    return views
  }

  /** The bytes of one slot. */
  slot(at: number): Uint8Array {
    return this.bytes.subarray(at * this.slotBytes, (at + 1) * this.slotBytes)
  }

  /** Whether the slot bears this seal from beginning to end. */
  isSealed(at: number, seal: number): boolean {
    const { head, tail } = this.#viewsOf(at)
    return head[0] === seal && tail[0] === seal
  }

  /** Writes a chunk's rows into a slot; free places become zeros. */
  fill(at: number, chunk: StoredChunk, seal: number): void {
    const { start, head, tail, ids, scales } = this.#viewsOf(at)
    this.slot(at).fill(0)
    head[0] = seal
    tail[0] = seal
    ids.set(chunk.ids)
    for (let place = 0; place < chunkRows; place += 1) {
      if (ids[place] === 0) continue
      this.#draft.set(chunk.vectors.subarray(place * this.#dimension, (place + 1) * this.#dimension))
      scales[place] = this.#quantise(this.#draftAt, start + rowsAt + place * this.#stride, this.#stride)
    }
  }

  /** The rows of a slot by place, where they lie: whoever needs them later copies them. */
  rowsOf(at: number): CompactRows {
    const { start, ids, scales } = this.#viewsOf(at)
    const stride = this.#stride
    const rows = new Int8Array(this.#memory.buffer, start + rowsAt, chunkRows * stride)
    return {
      ids,
      vectorAt: (place) => ({
        row: rows.subarray(place * stride, (place + 1) * stride),
        scale: scales[place] ?? 0,
      }),
    }
  }

  /** Looks for the `limit` rows nearest to a unit vector, slot by slot. */
  search(vector: Float32Array, limit: number): { scan(at: number): void; matches(): Match[] } {
    const { buffer } = this.#memory
    const stride = this.#stride
    const matchesAt = 2 * stride
    const scale = writeQuery(vector, new Int16Array(buffer, 0, vector.length))
    const scan = createRowScan(this.#memory)
    const places = new Uint32Array(buffer, matchesAt)
    const similarities = new Float32Array(buffer, matchesAt)
    const top = new TopRows(limit)
    return {
      scan: (at) => {
        const { start, ids } = this.#viewsOf(at)
        const found = scan(0, start + rowsAt, chunkRows, stride, start + scalesAt, top.threshold, matchesAt)
        for (let match = 0; match < found; match += 1) {
          const id = ids[places[2 * match] ?? 0] ?? 0
          if (id !== 0) top.offer(id, similarities[2 * match + 1] ?? 0)
        }
      },
      matches: () => top.best().map(({ row, score }) => ({ id: row, similarity: score * scale })),
    }
  }
}
