/**
 * All vectors of one model in memory, as int8, for a process that lives: scanned at memory bandwidth, with the
 * word pieces that re-ranking asks for. Of many, those are compared whose signs agree most with the question's. Knows rows and
 * partitions; where rows come from is `live-index`'s matter.
 */
import { TopRows } from '../../core/top-rows.ts'
import {
  createRowKernel,
  matchBytes,
  pageBytes,
  type RowKernel,
  signBytesOf,
  strideOf,
  writeQuery,
} from '../../simd/kernels.ts'
import type { PassageMatch } from '../candidates.ts'
import { grow, type Views, viewsOf } from './growing-memory.ts'
import type { KeptVector } from './vectors.ts'

/** Rows a partition takes at a time: small enough for a thousand small projects, large enough to scan at full speed. */
const blockRows = 128

/** Blocks whose signs lie together: a question reads them much faster than where rows stand in between. */
const groupBlocks = 64
const groupRows = groupBlocks * blockRows

/**
 * From so many bytes of rows on (87,382 of 384 dimensions) only some are compared: a hundredth, and at least 40 for each that is
 * asked for. Of the hundred nearest of 220,000 texts 99.7 % are among these, of the ten nearest all.
 */
const manyBytes = 32 * 2 ** 20
const comparedShare = 1 / 100
const comparedPerRow = 40

/** What a memory with 32-bit addresses holds at most. */
const maxBytes = 2 ** 32

/** Rows that are compared one by one at a time. */
const listRoom = 1024

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
/** Behind these columns stand the rows. */
const rowsAt = columnCount * blockRows * 4

/** Bytes that a row takes with its figures. */
export const rowBytes = (dimension: number): number =>
  columnCount * 4 + signBytesOf(dimension) + strideOf(dimension)

/** Whether a memory is among those looked for, by its id. */
type Accepts = (memoryId: number) => boolean

/** Removed rows for which a new start is not worth it yet, however few are left beside them. */
const fewRemoved = 1_000

interface Partition {
  /** Block numbers, in the order in which they were filled. */
  readonly blocks: number[]
  rows: number
}

export class LiveVectors {
  readonly #stride: number
  readonly #signBytes: number
  readonly #memory: WebAssembly.Memory
  readonly #kernel: RowKernel
  readonly #partitions = new Map<number, Partition>()
  /** The question's signs as an int8 row, and as bits. */
  readonly #askedAt: number
  readonly #askedSignsAt: number
  /** Counts rows by how many of their signs differ. */
  readonly #tallyAt: number
  /** Where a scan leaves what it finds. */
  readonly #matchesAt: number
  /** Rows that are compared one by one: their slots, their addresses, those of their factors and the similarities. */
  readonly #listAt: number
  /** In how many signs each row differs from the question's, uint16 by slots. */
  readonly #differentAt: number
  /** Groups one after the other: the signs of all their rows, then their blocks, each the figures of its rows, then the rows. */
  readonly #groupsAt: number
  readonly #blockBytes: number
  readonly #groupSignBytes: number
  readonly #groupBytes: number
  #views: Views
  #blocks = 0
  /** Word pieces; in a memory of its own, which grows without being copied and leaves no holes among what is small. */
  readonly #tokenMemory = new WebAssembly.Memory({ initial: 1 })
  #tokens = new Uint16Array(this.#tokenMemory.buffer)
  #nextToken = 0
  /** Rows that are still in the store, and those that were removed, whose room nobody else gets. */
  #present = 0
  #removed = 0

  constructor(dimension: number) {
    this.#stride = strideOf(dimension)
    this.#signBytes = signBytesOf(dimension)
    this.#blockBytes = rowsAt + blockRows * this.#stride
    this.#groupSignBytes = groupRows * this.#signBytes
    this.#groupBytes = this.#groupSignBytes + groupBlocks * this.#blockBytes
    // The query as int16 lies first.
    this.#askedAt = 2 * this.#stride
    this.#askedSignsAt = this.#askedAt + this.#stride
    this.#tallyAt = this.#askedSignsAt + this.#signBytes
    this.#matchesAt = this.#tallyAt + 4 * this.#tallies
    this.#listAt = this.#matchesAt + blockRows * matchBytes
    this.#differentAt = this.#listAt + 16 * listRoom
    // As many as a 32-bit memory has at most: of what is never written the system keeps nothing.
    const maxRows = Math.ceil(maxBytes / this.#groupBytes) * groupRows
    this.#groupsAt = this.#differentAt + 2 * maxRows
    this.#memory = new WebAssembly.Memory({ initial: Math.ceil(this.#blockAt(blockRows) / pageBytes) })
    this.#views = viewsOf(this.#memory)
    this.#kernel = createRowKernel(this.#memory)
  }

  /** Numbers of signs in which a row may differ, and as many more as keep what follows aligned. */
  get #tallies(): number {
    return this.#stride + 4
  }

  /** Bytes in use in the fuller of the two memories: 32 bits address so much of each. */
  get bytes(): number {
    return Math.max(this.#blockAt(this.#blocks * blockRows), 2 * this.#nextToken)
  }

  /** Whether so much was removed that it pays to read everything again: a question passes over each removed row, too. */
  get isWorn(): boolean {
    return this.#removed > fewRemoved && this.#removed > this.#present
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
    this.#kernel.takeSigns(this.#rowAt(slot), this.#stride, this.#signsAt(slot))
    floats[this.#figure(slot, columns.factor)] = row.vector.factor
    ints[this.#figure(slot, columns.passageId)] = row.passageId
    ints[this.#figure(slot, columns.memoryId)] = row.memoryId
    ints[this.#figure(slot, columns.tokenStart)] = this.#keepTokens(row.tokens)
    ints[this.#figure(slot, columns.tokenCount)] = row.tokens.length
    this.#present += 1
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
    const top = new TopRows(limit)
    // Who is accepted may be few, of whom none need be among those whose signs agree.
    if (accepts !== undefined || partition.rows * this.#stride < manyBytes)
      this.#scanAll(partition, accepts, top)
    else this.#scanNear(partition, { vector, limit }, top)
    return top.best().map(({ row, score }) => ({
      passageId: ints[this.#figure(row, columns.passageId)] ?? 0,
      memoryId: ints[this.#figure(row, columns.memoryId)] ?? 0,
      similarity: score * scale,
      tokens: this.#tokensOf(row).slice(),
    }))
  }

  /** Offers every row of a partition that is accepted. */
  #scanAll(partition: Partition, accepts: Accepts | undefined, top: TopRows): void {
    const { floats, ints } = this.#views
    for (const [at, block] of partition.blocks.entries()) {
      const rows = Math.min(blockRows, partition.rows - at * blockRows)
      const first = block * blockRows
      const [start, scales] = [this.#rowAt(first), this.#blockAt(first)]
      const found = this.#kernel.scan(0, start, rows, this.#stride, scales, top.threshold, this.#matchesAt)
      for (let match = this.#matchesAt / 4; match < this.#matchesAt / 4 + 2 * found; match += 2) {
        const row = first + (ints[match] ?? 0)
        if (accepts === undefined || accepts(ints[this.#figure(row, columns.memoryId)] ?? 0))
          top.offer(row, floats[match + 1] ?? 0)
      }
    }
  }

  /** Offers those rows of a partition whose signs agree most with the vector's. */
  #scanNear(
    partition: Partition,
    { vector, limit }: { vector: Float32Array; limit: number },
    top: TopRows,
  ): void {
    const { bytes, ints } = this.#views
    for (const [at, component] of vector.entries()) bytes[this.#askedAt + at] = component < 0 ? -1 : 0
    this.#kernel.takeSigns(this.#askedAt, this.#stride, this.#askedSignsAt)
    const tally = ints.subarray(this.#tallyAt / 4, this.#tallyAt / 4 + this.#tallies).fill(0)
    for (const block of partition.blocks) {
      const first = block * blockRows
      this.#kernel.countDifferent(
        ...([this.#askedSignsAt, this.#signsAt(first), blockRows, this.#signBytes] as const),
        ...([this.#differentAt + 2 * first, this.#tallyAt] as const),
      )
    }
    const wanted = Math.max(comparedPerRow * limit, comparedShare * partition.rows)
    let most = 0
    // Every fourth row was counted.
    for (let rows = tally[0] ?? 0; 4 * rows < wanted && most < this.#stride; rows += tally[most] ?? 0)
      most += 1
    let listed = 0
    for (const block of partition.blocks) {
      const first = block * blockRows
      const out = this.#listAt + 4 * listed
      listed += this.#kernel.listNear(this.#differentAt + 2 * first, blockRows, most, first, out)
      if (listed <= listRoom - blockRows) continue
      this.#offerListed(listed, top)
      listed = 0
    }
    this.#offerListed(listed, top)
  }

  /** Compares the rows in the list and offers them. */
  #offerListed(count: number, top: TopRows): void {
    const { ints, floats } = this.#views
    const list = this.#listAt / 4
    for (let at = list; at < list + count; at += 1) {
      const row = ints[at] ?? 0
      ints[at + listRoom] = this.#rowAt(row)
      ints[at + 2 * listRoom] = 4 * this.#figure(row, columns.factor)
    }
    // Up to four at once: what follows the last is compared again.
    for (let at = list + count; at % 4 !== list % 4; at += 1) {
      ints[at + listRoom] = this.#groupsAt
      ints[at + 2 * listRoom] = this.#groupsAt
    }
    const column = 4 * listRoom
    this.#kernel.compareListed(
      ...([0, this.#listAt + column, this.#listAt + 2 * column, count, this.#stride] as const),
      this.#listAt + 3 * column,
    )
    for (let at = list; at < list + count; at += 1) {
      const similarity = floats[at + 3 * listRoom] ?? 0
      // Not a number where the row was removed.
      if (similarity > top.threshold) top.offer(ints[at] ?? 0, similarity)
    }
  }

  /**
   * Compares single passages with a unit vector, by their ids; undefined when the partition does not hold one. Good until the
   * next query.
   */
  comparison(vector: Float32Array): (partitionId: number, passageId: number) => PassageMatch | undefined {
    const scale = writeQuery(vector, this.#views.shorts)
    return (partitionId, passageId) => {
      const slot = this.#find(partitionId, passageId)
      if (slot === undefined) return undefined
      const scales = 4 * this.#figure(slot, columns.factor)
      const all = Number.NEGATIVE_INFINITY
      this.#kernel.scan(0, this.#rowAt(slot), 1, this.#stride, scales, all, this.#matchesAt)
      const similarity = scale * (this.#views.floats[this.#matchesAt / 4 + 1] ?? 0)
      const memoryId = this.#views.ints[this.#figure(slot, columns.memoryId)] ?? 0
      return { memoryId, similarity, tokens: this.#tokensOf(slot).slice() }
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
    this.#views.bytes.fill(0, this.#signsAt(slot), this.#signsAt(slot) + this.#signBytes)
    this.#tokensOf(slot).fill(0)
    // The passage id stays, so that the partition remains in order; no memory has the id 0.
    this.#views.ints[this.#figure(slot, columns.memoryId)] = 0
    this.#views.floats[this.#figure(slot, columns.factor)] = Number.NaN
    this.#present -= 1
    this.#removed += 1
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
    if (grow(this.#memory, this.#blockAt(block * blockRows) + this.#blockBytes))
      this.#views = viewsOf(this.#memory)
    const start = this.#blockAt(block * blockRows) / 4
    // Until a row is there, it is above no threshold.
    this.#views.floats.fill(Number.NaN, start, start + blockRows)
    return block
  }

  /** Address of a group of blocks. */
  #groupAt(slot: number): number {
    return this.#groupsAt + Math.floor(slot / groupRows) * this.#groupBytes
  }

  /** Address of a block. */
  #blockAt(slot: number): number {
    const block = Math.floor(slot / blockRows) % groupBlocks
    return this.#groupAt(slot) + this.#groupSignBytes + block * this.#blockBytes
  }

  /** Where a row's figure stands, in steps of four bytes. */
  #figure(slot: number, column: number): number {
    return this.#blockAt(slot) / 4 + column * blockRows + (slot % blockRows)
  }

  /** Address of a row's signs. */
  #signsAt(slot: number): number {
    return this.#groupAt(slot) + (slot % groupRows) * this.#signBytes
  }

  /** Address of a row's components. */
  #rowAt(slot: number): number {
    return this.#blockAt(slot) + rowsAt + (slot % blockRows) * this.#stride
  }
}
