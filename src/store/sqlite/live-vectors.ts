/**
 * All vectors of one model in memory, as int8, for a process that lives: scanned at memory bandwidth, with the
 * word pieces that re-ranking asks for. Knows rows and partitions; where rows come from is `live-index`'s matter.
 */
import { bestOf, type ScoredRow, TopRows } from '../../core/top-rows.ts'
import {
  createRowKernel,
  createSharedMemory,
  matchBytes,
  maxPages,
  pageBytes,
  type ScanRows,
  strideOf,
  writeQuery,
} from '../../simd/kernels.ts'
import type { ScanHelper } from './scan-helper.ts'
import type { KeptVector } from './vectors.ts'

/** Rows a partition takes at a time: small enough for a thousand small projects, large enough to scan at full speed. */
const blockRows = 128

/** Blocks that a thread claims at a time when two scan: some 30 microseconds' work at 256 dimensions. */
const chunkBlocks = 16

/** A partition of so many bytes takes 2 milliseconds to scan, of which a second thread takes almost half. */
const helpedBytes = 32 * 2 ** 20

export interface LiveRow {
  readonly passageId: number
  readonly memoryId: number
  readonly vector: KeptVector
  readonly tokens: Uint16Array
}

export interface LiveMatch {
  readonly passageId: number
  readonly memoryId: number
  /** Cosine up to the rounding of int8, -1..1. */
  readonly similarity: number
  readonly tokens: Uint16Array
}

/** What stands before the rows of a block, in 32-bit columns: a figure for each of its rows. */
const columns = {
  /**
   * float32: what makes a product with the row one with its direction; NaN where the row was removed: such a product is
   * above no threshold.
   */
  factor: 0,
  passageId: 1,
  /** 0 where the row was removed. */
  memoryId: 2,
  /** Where the row's word pieces begin. */
  tokenStart: 3,
  tokenCount: 4,
} as const
const columnCount = Object.keys(columns).length
const headBytes = columnCount * blockRows * 4

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

/** Bytes that a row takes with its figures. */
export const rowBytes = (dimension: number): number => strideOf(dimension) + columnCount * 4

/** Whether a memory had to grow to have so many bytes. */
function grow(memory: WebAssembly.Memory, needed: number): boolean {
  const missing = needed - memory.buffer.byteLength
  if (missing <= 0) return false
  // An eighth more than needed: each growth is a system call and detaches the views.
  memory.grow(Math.ceil((missing + needed / 8) / pageBytes))
  return true
}

/** Whether a memory is among those looked for, by its id. */
type Accepts = (memoryId: number) => boolean

interface Partition {
  /** Block numbers, in the order in which they were filled. */
  readonly blocks: number[]
  rows: number
}

export class LiveVectors {
  readonly #stride: number
  readonly #memory: WebAssembly.Memory
  readonly #scan: ScanRows
  readonly #partitions = new Map<number, Partition>()
  /** Where the scan leaves what it finds, and where a helper's does. */
  readonly #matchesAt: number
  readonly #helperMatchesAt: number
  /** Blocks one after the other, each the figures of its rows, then the rows. */
  readonly #blocksAt: number
  readonly #blockBytes: number
  #views: Views
  #blocks = 0
  #helper: ScanHelper | undefined
  #helperStarts: Promise<void> | undefined
  #closed = false
  /** Word pieces; in a memory of its own, which grows without being copied and leaves no holes among what is small. */
  readonly #tokenMemory = new WebAssembly.Memory({ initial: 1 })
  #tokens = new Uint16Array(this.#tokenMemory.buffer)
  #nextToken = 0

  constructor(dimension: number) {
    this.#stride = strideOf(dimension)
    this.#blockBytes = headBytes + blockRows * this.#stride
    // The query as int16 lies first.
    this.#matchesAt = 2 * this.#stride
    this.#helperMatchesAt = this.#matchesAt + blockRows * matchBytes
    this.#blocksAt = this.#helperMatchesAt + blockRows * matchBytes
    this.#memory = createSharedMemory(Math.ceil((this.#blocksAt + this.#blockBytes) / pageBytes))
    this.#views = viewsOf(this.#memory)
    this.#scan = createRowKernel(this.#memory).scan
  }

  /** Appends a row; passage ids of a partition come in ascending order. */
  add(partitionId: number, row: LiveRow): void {
    const partition = this.#partitions.get(partitionId) ?? { blocks: [], rows: 0 }
    this.#partitions.set(partitionId, partition)
    if (partition.rows === partition.blocks.length * blockRows) partition.blocks.push(this.#addBlock())
    const slot = this.#slot(partition, partition.rows)
    partition.rows += 1
    const { bytes, floats, ints } = this.#views
    bytes.set(row.vector.row, this.#rowAt(slot))
    floats[this.#figure(slot, columns.factor)] = row.vector.factor
    ints[this.#figure(slot, columns.passageId)] = row.passageId
    ints[this.#figure(slot, columns.memoryId)] = row.memoryId
    ints[this.#figure(slot, columns.tokenStart)] = this.#keepTokens(row.tokens)
    ints[this.#figure(slot, columns.tokenCount)] = row.tokens.length
  }

  /** Copies the tokens to where there is room for all of them together; returns where that is. */
  #keepTokens(tokens: Uint16Array): number {
    const start = this.#nextToken
    this.#nextToken += tokens.length
    if (grow(this.#tokenMemory, this.#nextToken * 2)) this.#tokens = new Uint16Array(this.#tokenMemory.buffer)
    this.#tokens.set(tokens, start)
    return start
  }

  /** The rows of a partition nearest to a unit vector, best first. */
  nearest(
    partitionId: number,
    { vector, limit, accepts }: { vector: Float32Array; limit: number; accepts?: Accepts | undefined },
  ): LiveMatch[] {
    const partition = this.#partitions.get(partitionId)
    if (partition === undefined || limit < 1) return []
    const scale = writeQuery(vector, this.#views.shorts)
    const { ints } = this.#views
    return this.#best(partition, limit, accepts).map(({ row, score }) => ({
      passageId: ints[this.#figure(row, columns.passageId)] ?? 0,
      memoryId: ints[this.#figure(row, columns.memoryId)] ?? 0,
      similarity: score * scale,
      tokens: this.#tokensOf(row).slice(),
    }))
  }

  #best(partition: Partition, limit: number, accepts: Accepts | undefined): ScoredRow[] {
    const top = new TopRows(limit)
    // A second thread does not know who is accepted.
    const alone = accepts !== undefined || partition.rows * this.#stride < helpedBytes
    const helper = alone ? undefined : this.#findHelper()
    if (!helper?.invite(partition.blocks, partition.rows)) {
      this.#scanBlocks(partition, { from: 0, count: partition.blocks.length, accepts }, top)
      return top.best()
    }
    const chunkAt = (row: number) => ({ from: row / blockRows, count: chunkBlocks })
    for (let row = helper.claim(top.threshold); row !== undefined; row = helper.claim(top.threshold))
      this.#scanBlocks(partition, chunkAt(row), top)
    const { slots, scores, unfinished } = helper.dismiss()
    const others = new TopRows(limit)
    for (let at = 0; at < slots.length; at += 1) {
      const score = scores[at] ?? 0
      // Of those that were above the threshold when they were found, few are now.
      if (score >= top.threshold) others.offer(slots[at] ?? 0, score)
    }
    if (unfinished !== undefined) this.#scanBlocks(partition, chunkAt(unfinished), others)
    return bestOf([top, others], limit)
  }

  /** Offers the rows of some blocks of a partition, as many as there are. */
  #scanBlocks(
    partition: Partition,
    { from, count, accepts }: { from: number; count: number; accepts?: Accepts | undefined },
    top: TopRows,
  ): void {
    const { ints, floats } = this.#views
    const end = Math.min(from + count, partition.blocks.length)
    for (let at = from; at < end; at += 1) {
      const rows = Math.min(blockRows, partition.rows - at * blockRows)
      const first = (partition.blocks[at] ?? 0) * blockRows
      const start = this.#rowAt(first)
      const scales = 4 * this.#figure(first, columns.factor)
      const found = this.#scan(0, start, rows, this.#stride, scales, top.threshold, this.#matchesAt)
      for (let match = this.#matchesAt / 4; match < this.#matchesAt / 4 + 2 * found; match += 2) {
        const row = first + (ints[match] ?? 0)
        if (accepts === undefined || accepts(ints[this.#figure(row, columns.memoryId)] ?? 0))
          top.offer(row, floats[match + 1] ?? 0)
      }
    }
  }

  /** A second thread, which the first large scan starts; until it is there, and where none can be, one scans alone. */
  #findHelper(): ScanHelper | undefined {
    this.#helperStarts ??= this.#startHelper().catch(() => {})
    return this.#helper
  }

  async #startHelper(): Promise<void> {
    const { canRunBeside, ScanHelper } = await import('./scan-helper.ts')
    if (this.#closed || !canRunBeside()) return
    this.#helper = new ScanHelper(this.#memory, {
      blockRows,
      blockBytes: this.#blockBytes,
      blocksAt: this.#blocksAt,
      headBytes,
      stride: this.#stride,
      matchesAt: this.#helperMatchesAt,
      chunkRows: chunkBlocks * blockRows,
      maxBlocks: Math.floor((maxPages * pageBytes) / this.#blockBytes),
    })
  }

  /** Ends the second thread, if there is one; searches go on with one. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#helperStarts
    const helper = this.#helper
    this.#helper = undefined
    await helper?.close()
  }

  /**
   * Compares single passages with a unit vector: cosine and word pieces of each, undefined when the partition does not hold
   * it. Good until the next query.
   */
  comparison(
    vector: Float32Array,
  ): (partitionId: number, passageId: number) => { similarity: number; tokens: Uint16Array } | undefined {
    const scale = writeQuery(vector, this.#views.shorts)
    return (partitionId, passageId) => {
      const slot = this.#find(partitionId, passageId)
      if (slot === undefined) return undefined
      const scales = 4 * this.#figure(slot, columns.factor)
      this.#scan(0, this.#rowAt(slot), 1, this.#stride, scales, Number.NEGATIVE_INFINITY, this.#matchesAt)
      const similarity = scale * (this.#views.floats[this.#matchesAt / 4 + 1] ?? 0)
      return { similarity, tokens: this.#tokensOf(slot).slice() }
    }
  }

  /** Where they lie: a copy for whoever keeps them, since the memory may grow. */
  #tokensOf(slot: number): Uint16Array {
    const { ints } = this.#views
    const start = ints[this.#figure(slot, columns.tokenStart)] ?? 0
    return this.#tokens.subarray(start, start + (ints[this.#figure(slot, columns.tokenCount)] ?? 0))
  }

  /** Forgets a row that is no longer in the store. */
  remove(passageId: number): void {
    for (const partitionId of this.#partitions.keys()) this.#clear(this.#find(partitionId, passageId))
  }

  #clear(slot: number | undefined): void {
    if (slot === undefined) return
    const start = this.#rowAt(slot)
    this.#views.bytes.fill(0, start, start + this.#stride)
    this.#tokensOf(slot).fill(0)
    // The passage id stays, so that the partition remains in order; no memory has the id 0.
    this.#views.ints[this.#figure(slot, columns.memoryId)] = 0
    this.#views.floats[this.#figure(slot, columns.factor)] = Number.NaN
  }

  #slot(partition: Partition, row: number): number {
    return (partition.blocks[Math.floor(row / blockRows)] ?? 0) * blockRows + (row % blockRows)
  }

  /** Binary search: a partition's passage ids ascend. */
  #find(partitionId: number, passageId: number): number | undefined {
    const partition = this.#partitions.get(partitionId)
    if (partition === undefined) return undefined
    const { ints } = this.#views
    let low = 0
    let high = partition.rows - 1
    while (low <= high) {
      const middle = (low + high) >> 1
      const slot = this.#slot(partition, middle)
      const found = ints[this.#figure(slot, columns.passageId)] ?? 0
      if (found === passageId) return ints[this.#figure(slot, columns.memoryId)] === 0 ? undefined : slot
      if (found < passageId) low = middle + 1
      else high = middle - 1
    }
    return undefined
  }

  #addBlock(): number {
    const block = this.#blocks
    this.#blocks += 1
    if (grow(this.#memory, this.#blocksAt + this.#blocks * this.#blockBytes))
      this.#views = viewsOf(this.#memory)
    return block
  }

  /** Address of a block. */
  #blockAt(slot: number): number {
    return this.#blocksAt + Math.floor(slot / blockRows) * this.#blockBytes
  }

  /** Where a row's figure stands, in steps of four bytes. */
  #figure(slot: number, column: number): number {
    return this.#blockAt(slot) / 4 + column * blockRows + (slot % blockRows)
  }

  /** Address of a row's components. */
  #rowAt(slot: number): number {
    return this.#blockAt(slot) + headBytes + (slot % blockRows) * this.#stride
  }
}
