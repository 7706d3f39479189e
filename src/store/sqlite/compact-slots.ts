/**
 * Chunks of vectors as int8, a slot each: ids, scales and rows in one piece that is read at once and scanned by the
 * kernel where it lies. Knows how a slot is laid out and filled; where slots are kept is `compact-file`'s matter.
 */
import { createQuantiser, type Quantise } from '../../core/quantisation.ts'
import { createRowScan, writeQuery } from '../../core/row-scan.ts'
import { matchBytes, scanStep } from '../../core/row-scan-program.ts'
import { TopRows } from '../../core/top-rows.ts'
import { chunkRows, type StoredChunk } from './vector-chunks.ts'

/** Slots read at a time: few system calls, and what is read stays in the processor's cache. */
export const windowSlots = 4

const pageBytes = 65_536
/** A seal and what fills it up to a step of the kernel. */
export const sealBytes = 16
const idsAt = sealBytes
const scalesAt = idsAt + chunkRows * 4
const rowsAt = scalesAt + chunkRows * 4

/** Bytes of a row: the dimension, padded to whole steps of the kernel. */
const strideOf = (dimension: number): number => Math.ceil(dimension / scanStep) * scanStep

/** Bytes of a slot. It begins and ends with its seal, a float64: one that is half written has two. */
export const slotBytesOf = (dimension: number): number => rowsAt + chunkRows * strideOf(dimension) + sealBytes

export interface Match {
  /** Of a passage. */
  readonly id: number
  /** Cosine up to the rounding of int8, -1..1. */
  readonly similarity: number
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
  readonly #windowAt: number
  readonly #draft: Float32Array

  constructor(dimension: number) {
    this.#dimension = dimension
    this.#stride = strideOf(dimension)
    this.slotBytes = slotBytesOf(dimension)
    // The query as int16 lies first, then what the scan finds.
    this.#draftAt = 2 * this.#stride + chunkRows * matchBytes
    this.#windowAt = this.#draftAt + this.#stride * 4
    const size = this.#windowAt + windowSlots * this.slotBytes
    this.#memory = new WebAssembly.Memory({ initial: Math.ceil(size / pageBytes) })
    this.bytes = new Uint8Array(this.#memory.buffer, this.#windowAt, windowSlots * this.slotBytes)
    this.#draft = new Float32Array(this.#memory.buffer, this.#draftAt, dimension)
    this.#quantise = createQuantiser(this.#memory)
  }

  /** The bytes of one slot. */
  slot(at: number): Uint8Array {
    return this.bytes.subarray(at * this.slotBytes, (at + 1) * this.slotBytes)
  }

  #seals(at: number): [Float64Array, Float64Array] {
    const start = this.#windowAt + at * this.slotBytes
    const { buffer } = this.#memory
    return [
      new Float64Array(buffer, start, 1),
      new Float64Array(buffer, start + this.slotBytes - sealBytes, 1),
    ]
  }

  /** Whether the slot bears this seal from beginning to end. */
  isSealed(at: number, seal: number): boolean {
    return this.#seals(at).every(([found]) => found === seal)
  }

  #ids(at: number): Uint32Array {
    return new Uint32Array(this.#memory.buffer, this.#windowAt + at * this.slotBytes + idsAt, chunkRows)
  }

  #scales(at: number): Float32Array {
    return new Float32Array(this.#memory.buffer, this.#windowAt + at * this.slotBytes + scalesAt, chunkRows)
  }

  /** Writes a chunk's rows into a slot; free places become zeros. */
  fill(at: number, chunk: StoredChunk, seal: number): void {
    this.slot(at).fill(0)
    for (const place of this.#seals(at)) place[0] = seal
    const ids = this.#ids(at)
    const scales = this.#scales(at)
    ids.set(chunk.ids)
    for (const [place, id] of ids.entries()) {
      if (id === 0) continue
      this.#draft.set(chunk.vectors.subarray(place * this.#dimension, (place + 1) * this.#dimension))
      const row = this.#windowAt + at * this.slotBytes + rowsAt + place * this.#stride
      scales[place] = this.#quantise(this.#draftAt, row, this.#stride)
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
        const start = this.#windowAt + at * this.slotBytes
        const scales = start + scalesAt
        const found = scan(0, start + rowsAt, chunkRows, stride, scales, top.threshold, matchesAt)
        const ids = this.#ids(at)
        for (let match = 0; match < found; match += 1) {
          const id = ids[places[2 * match] ?? 0] ?? 0
          if (id !== 0) top.offer(id, similarities[2 * match + 1] ?? 0)
        }
      },
      matches: () => top.best().map(({ row, score }) => ({ id: row, similarity: score * scale })),
    }
  }
}
