/**
 * All vectors of one model in memory, as int8, for a process that lives: scanned at memory bandwidth, with the
 * word pieces that re-ranking asks for. Knows rows and shelves; where rows come from is `live-index`'s matter.
 */
import { createQuantiser, type Quantise } from '../../core/quantisation.ts'
import { createRowScan, type ScanRows, writeQuery } from '../../core/row-scan.ts'
import { matchBytes, scanStep } from '../../core/row-scan-program.ts'
import { TopRows } from '../../core/top-rows.ts'

/** Rows a shelf takes at a time: small enough for a thousand small projects, large enough to scan at full speed. */
const blockRows = 128

const pageBytes = 65_536

/** A vector as int8 already: each component times the scale, padded to whole steps of the kernel. */
export interface CompactVector {
  readonly row: Int8Array
  readonly scale: number
}

export interface LiveRow {
  readonly passageId: number
  readonly memoryId: number
  readonly vector: Float32Array | CompactVector
  readonly tokens: Uint16Array
}

export interface LiveMatch {
  readonly passageId: number
  readonly memoryId: number
  /** Cosine up to the rounding of int8, -1..1. */
  readonly similarity: number
  readonly tokens: Uint16Array
}

const scaleBytes = 4

/** The memory as its parts are read and written; made anew when it grows. */
interface Views {
  readonly bytes: Int8Array
  readonly shorts: Int16Array
  readonly ints: Uint32Array
  readonly floats: Float32Array
}

const viewsOf = ({ buffer }: WebAssembly.Memory): Views => ({
  bytes: new Int8Array(buffer),
  shorts: new Int16Array(buffer),
  ints: new Uint32Array(buffer),
  floats: new Float32Array(buffer),
})

interface Shelf {
  /** Block numbers, in the order in which they were filled. */
  readonly blocks: number[]
  rows: number
}

/** Rows whose figures stand in arrays together: nothing is copied when there are more. */
const segmentRows = 65_536

/** Word pieces that stand in one array. */
const segmentTokens = 4_194_304

/** What is known of rows beside their vectors; a place a row. */
interface Segment {
  readonly passageIds: Uint32Array
  /** 0 where the row was removed. */
  readonly memoryIds: Uint32Array
  /** Number of the token array times its size, plus the place in it. */
  readonly tokenStarts: Uint32Array
  readonly tokenLengths: Uint16Array
}

const createSegment = (): Segment => ({
  passageIds: new Uint32Array(segmentRows),
  memoryIds: new Uint32Array(segmentRows),
  tokenStarts: new Uint32Array(segmentRows),
  tokenLengths: new Uint16Array(segmentRows),
})

export class LiveVectors {
  readonly #dimension: number
  /** Bytes a row takes: the dimension, padded to whole steps of the kernel. */
  readonly #stride: number
  readonly #memory: WebAssembly.Memory
  readonly #scan: ScanRows
  readonly #quantiser: Quantise
  readonly #shelves = new Map<number, Shelf>()
  /** Where the scan leaves what it finds. */
  readonly #matchesAt: number
  /** Where a vector lies while it is turned into int8. */
  readonly #draftAt: number
  /** Blocks one after the other, each the scales of its rows, then the rows. */
  readonly #blocksAt: number
  readonly #blockBytes: number
  #views: Views
  #blocks = 0
  readonly #segments: Segment[] = []
  readonly #tokens: Uint16Array[] = []
  /** Where the next tokens go, counted over all arrays. */
  #nextToken = 0

  constructor(dimension: number) {
    this.#dimension = dimension
    this.#stride = Math.ceil(dimension / scanStep) * scanStep
    this.#blockBytes = blockRows * (scaleBytes + this.#stride)
    // The query as int16 lies first.
    this.#matchesAt = 2 * this.#stride
    this.#draftAt = this.#matchesAt + blockRows * matchBytes
    this.#blocksAt = this.#draftAt + this.#stride * 4
    this.#memory = new WebAssembly.Memory({
      initial: Math.ceil((this.#blocksAt + this.#blockBytes) / pageBytes),
    })
    this.#views = viewsOf(this.#memory)
    this.#scan = createRowScan(this.#memory)
    this.#quantiser = createQuantiser(this.#memory)
  }

  /** Appends a row; passage ids of a shelf come in ascending order. */
  add(shelfId: number, row: LiveRow): void {
    const shelf = this.#shelves.get(shelfId) ?? { blocks: [], rows: 0 }
    this.#shelves.set(shelfId, shelf)
    if (shelf.rows === shelf.blocks.length * blockRows) shelf.blocks.push(this.#addBlock())
    const slot = this.#slot(shelf, shelf.rows)
    shelf.rows += 1
    const segment = this.#segmentOf(slot)
    const place = slot % segmentRows
    this.#views.floats[this.#scaleAt(slot) / 4] = this.#quantise(row.vector, this.#rowAt(slot))
    segment.passageIds[place] = row.passageId
    segment.memoryIds[place] = row.memoryId
    segment.tokenStarts[place] = this.#keepTokens(row.tokens)
    segment.tokenLengths[place] = row.tokens.length
  }

  /** Copies the tokens to where there is room for all of them together; returns where that is. */
  #keepTokens(tokens: Uint16Array): number {
    const room = this.#tokens.length * segmentTokens - this.#nextToken
    if (room < tokens.length) {
      this.#nextToken = this.#tokens.length * segmentTokens
      this.#tokens.push(new Uint16Array(segmentTokens))
    }
    const start = this.#nextToken
    this.#tokens.at(-1)?.set(tokens, start % segmentTokens)
    this.#nextToken += tokens.length
    return start
  }

  #segmentOf(slot: number): Segment {
    const segment = this.#segments[Math.floor(slot / segmentRows)]
    if (segment === undefined) throw new RangeError(`there is no row ${slot}`)
    return segment
  }

  /** The rows of a shelf nearest to a unit vector, best first. */
  nearest(shelfId: number, vector: Float32Array, limit: number): LiveMatch[] {
    const shelf = this.#shelves.get(shelfId)
    if (shelf === undefined || limit < 1) return []
    const scale = writeQuery(vector, this.#views.shorts)
    const top = new TopRows(limit)
    for (const [at, block] of shelf.blocks.entries()) {
      const rows = Math.min(blockRows, shelf.rows - at * blockRows)
      const first = block * blockRows
      const [start, scales] = [this.#rowAt(first), this.#scaleAt(first)]
      const found = this.#scan(0, start, rows, this.#stride, scales, top.threshold, this.#matchesAt)
      const { memoryIds } = this.#segmentOf(first)
      const { ints, floats } = this.#views
      for (let match = this.#matchesAt / 4; match < this.#matchesAt / 4 + 2 * found; match += 2) {
        const slot = first + (ints[match] ?? 0)
        if (memoryIds[slot % segmentRows] !== 0) top.offer(slot, floats[match + 1] ?? 0)
      }
    }
    return top.best().map(({ row, score }) => {
      const { passageIds, memoryIds } = this.#segmentOf(row)
      return {
        passageId: passageIds[row % segmentRows] ?? 0,
        memoryId: memoryIds[row % segmentRows] ?? 0,
        similarity: score * scale,
        tokens: this.#tokensOf(row),
      }
    })
  }

  /** Cosine with a unit vector and word pieces of one passage; undefined when the shelf does not hold it. */
  compare(
    shelfId: number,
    passageId: number,
    vector: Float32Array,
  ): { similarity: number; tokens: Uint16Array } | undefined {
    const slot = this.#find(shelfId, passageId)
    if (slot === undefined) return undefined
    const start = this.#rowAt(slot)
    const { bytes, floats } = this.#views
    let product = 0
    for (let at = 0; at < this.#dimension; at += 1) product += (bytes[start + at] ?? 0) * (vector[at] ?? 0)
    return {
      similarity: product * (floats[this.#scaleAt(slot) / 4] ?? 0),
      tokens: this.#tokensOf(slot),
    }
  }

  #tokensOf(slot: number): Uint16Array {
    const { tokenStarts, tokenLengths } = this.#segmentOf(slot)
    const start = tokenStarts[slot % segmentRows] ?? 0
    const tokens = this.#tokens[Math.floor(start / segmentTokens)] ?? new Uint16Array()
    const from = start % segmentTokens
    return tokens.subarray(from, from + (tokenLengths[slot % segmentRows] ?? 0))
  }

  /** Forgets a row that is no longer in the store. */
  remove(passageId: number): void {
    for (const shelfId of this.#shelves.keys()) this.#clear(this.#find(shelfId, passageId))
  }

  #clear(slot: number | undefined): void {
    if (slot === undefined) return
    const start = this.#rowAt(slot)
    this.#views.bytes.fill(0, start, start + this.#stride)
    this.#views.floats[this.#scaleAt(slot) / 4] = 0
    this.#tokensOf(slot).fill(0)
    // The passage id stays, so that the shelf remains in order; no memory has the id 0.
    this.#segmentOf(slot).memoryIds[slot % segmentRows] = 0
  }

  #slot(shelf: Shelf, row: number): number {
    return (shelf.blocks[Math.floor(row / blockRows)] ?? 0) * blockRows + (row % blockRows)
  }

  /** Binary search: a shelf's passage ids ascend. */
  #find(shelfId: number, passageId: number): number | undefined {
    const shelf = this.#shelves.get(shelfId)
    if (shelf === undefined) return undefined
    let low = 0
    let high = shelf.rows - 1
    while (low <= high) {
      const middle = (low + high) >> 1
      const slot = this.#slot(shelf, middle)
      const { passageIds, memoryIds } = this.#segmentOf(slot)
      const found = passageIds[slot % segmentRows] ?? 0
      if (found === passageId) return memoryIds[slot % segmentRows] === 0 ? undefined : slot
      if (found < passageId) low = middle + 1
      else high = middle - 1
    }
    return undefined
  }

  #addBlock(): number {
    const block = this.#blocks
    this.#blocks += 1
    const needed = this.#blocksAt + this.#blocks * this.#blockBytes
    if (needed > this.#memory.buffer.byteLength) {
      // An eighth more than needed: each growth is a system call and detaches the views.
      const pages = Math.ceil((needed * 1.125 - this.#memory.buffer.byteLength) / pageBytes)
      this.#memory.grow(pages)
      this.#views = viewsOf(this.#memory)
    }
    if (this.#blocks * blockRows > this.#segments.length * segmentRows) this.#segments.push(createSegment())
    return block
  }

  /** Address of a row's scale. */
  #scaleAt(slot: number): number {
    return this.#blocksAt + Math.floor(slot / blockRows) * this.#blockBytes + (slot % blockRows) * scaleBytes
  }

  /** Address of a row's components. */
  #rowAt(slot: number): number {
    const block = this.#blocksAt + Math.floor(slot / blockRows) * this.#blockBytes
    return block + blockRows * scaleBytes + (slot % blockRows) * this.#stride
  }

  /** Writes a vector as int8 from `start` on, scaled by its largest component; returns the scale. */
  #quantise(vector: Float32Array | CompactVector, start: number): number {
    if (!(vector instanceof Float32Array)) {
      this.#views.bytes.set(vector.row, start)
      return vector.scale
    }
    this.#views.floats.set(vector, this.#draftAt / 4)
    return this.#quantiser(this.#draftAt, start, this.#stride)
  }
}
