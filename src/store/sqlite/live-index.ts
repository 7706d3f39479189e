/**
 * Keeps a process's in-memory vectors in step with the file: filled once, then after the last passage seen,
 * whoever wrote or forgot it. Knows where vec0 keeps its chunks.
 */
import { turn } from '../../clock.ts'
import type { Connection } from './connection.ts'
import { LiveVectors, rowBytes } from './live-vectors.ts'
import { toTokens } from './vector-bytes.ts'
import { readChunk } from './vector-chunks.ts'
import type { VectorTables } from './vectors.ts'

/** Passages read at a time while catching up with other writers. */
const batchRows = 256

/** Beyond this many bytes of rows a 32-bit WebAssembly memory is full; vec0 goes on alone. */
const mostBytes = 3.5 * 2 ** 30

/** From so many bytes of rows on filling alone makes the young heap as large as it gets, and a search takes too long to miss it. */
const manyBytes = 64 * 2 ** 20

interface PassageRow {
  id: number
  memory_id: number
  tokens: Uint8Array
  shelf: number
}

const passageColumns = `passage.id, memory_id, tokens, project_id * 2 + (caution > 0) AS shelf
  FROM passage JOIN memory ON memory.id = memory_id`

/** One model's rows in memory. */
class FollowedModel {
  readonly id: number
  readonly #connection: Connection
  readonly #vectors: VectorTables
  readonly #dimension: number
  #rows: LiveVectors | undefined
  #seen = 0
  #removals = 0
  #filling: Promise<void> | undefined
  #catching: Promise<void> | undefined
  #closed = false

  constructor(connection: Connection, vectors: VectorTables, model: { id: number; dimension: number }) {
    this.id = model.id
    this.#connection = connection
    this.#vectors = vectors
    this.#dimension = model.dimension
  }

  /** The rows, up to date; undefined when there are more than memory can hold. */
  async rows(): Promise<LiveVectors | undefined> {
    await this.#filled()
    // Two queries must not read the same new rows twice; the second waits for the first, then looks again.
    while (this.#rows !== undefined && !this.#isCurrent()) {
      this.#catching ??= this.#catchUp(this.#rows).finally(() => {
        this.#catching = undefined
      })
      await this.#catching
      await this.#filled()
    }
    return this.#rows
  }

  /** Ends what works beside the rows; who still holds them can search them. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#rows?.close()
  }

  async #filled(): Promise<void> {
    this.#filling ??= this.#fill()
    // A failed fill is tried again by the next query; this one goes to vec0.
    await this.#filling.catch(() => {
      this.#filling = undefined
    })
  }

  /** Whole chunks at a time, with a turn of the event loop between any two. */
  async #fill(): Promise<void> {
    const connection = this.#connection
    const modelId = this.id
    const dimension = this.#dimension
    const last = this.#lastPassage()
    const removals = this.#lastRemoval()
    const chunks = connection.all<{ chunk_id: number; size: number; shelf: number }>(
      `SELECT chunk_id, size, partition00 AS shelf FROM vector_${modelId}_chunks ORDER BY chunk_id`,
    )
    const bytes = chunks.reduce((rows, { size }) => rows + size, 0) * rowBytes(dimension)
    if (bytes > mostBytes) return
    const { holdYoungHeap } = await import('../../heap.ts')
    if (bytes > manyBytes) holdYoungHeap()
    const rows = new LiveVectors(dimension)
    for (const { chunk_id, shelf } of chunks) {
      await turn()
      await connection.read(() =>
        this.#readChunk(rows, { modelId, chunkId: chunk_id, shelf, dimension, last }),
      )
    }
    this.#seen = last
    this.#removals = removals
    this.#rows = rows
    if (this.#closed) await rows.close()
    holdYoungHeap()
  }

  #readChunk(
    rows: LiveVectors,
    chunk: { modelId: number; chunkId: number; shelf: number; dimension: number; last: number },
  ): void {
    const stored =
      this.#vectors.compact?.rowsOf(chunk.modelId, chunk.dimension, chunk) ?? this.#readFloats(chunk)
    if (stored === undefined) return
    const { ids, vectorAt } = stored
    const places = new Map<number, number>()
    for (const [place, id] of ids.entries()) if (id !== 0 && id <= chunk.last) places.set(id, place)
    if (places.size === 0) return
    const wanted = [...places.keys()]
    // In one row: an object and a buffer for each passage would take longer than everything else.
    const packed = this.#connection.first<{ ids: string; memories: string; lengths: string; tokens: string }>(
      `SELECT json_group_array(id) AS ids, json_group_array(memory_id) AS memories,
              json_group_array(length(tokens) / 2) AS lengths, ifnull(group_concat(hex(tokens), ''), '') AS tokens
       FROM (SELECT ${passageColumns} WHERE passage.id BETWEEN ? AND ? AND model_id = ? ORDER BY passage.id)
       WHERE shelf = ?`,
      Math.min(...wanted),
      Math.max(...wanted),
      chunk.modelId,
      chunk.shelf,
    )
    if (packed === undefined) return
    // Written by the statement above.
    const [passageIds, memoryIds, lengths] = [packed.ids, packed.memories, packed.lengths].map(
      (list) => JSON.parse(list) as number[],
    )
    const tokens = toTokens(Buffer.from(packed.tokens, 'hex'))
    let next = 0
    for (const [at, passageId] of (passageIds ?? []).entries()) {
      const first = next
      next += lengths?.[at] ?? 0
      const place = places.get(passageId)
      if (place === undefined) continue
      rows.add(chunk.shelf, {
        passageId,
        memoryId: memoryIds?.[at] ?? 0,
        vector: vectorAt(place),
        tokens: tokens.subarray(first, next),
      })
    }
  }

  #readFloats({ modelId, chunkId, dimension }: { modelId: number; chunkId: number; dimension: number }) {
    const stored = readChunk(this.#connection, modelId, chunkId)
    return (
      stored && {
        ids: stored.ids,
        vectorAt: (place: number) => stored.vectors.subarray(place * dimension, (place + 1) * dimension),
      }
    )
  }

  #lastPassage(): number {
    return this.#connection.first<{ id: number | null }>('SELECT max(id) AS id FROM passage')?.id ?? 0
  }

  #isCurrent(): boolean {
    return this.#lastPassage() <= this.#seen && this.#lastRemoval() === this.#removals
  }

  #lastRemoval(): number {
    const sql = 'SELECT max(sequence) AS sequence FROM removed_passage'
    return this.#connection.first<{ sequence: number | null }>(sql)?.sequence ?? 0
  }

  /**
   * Passages written and forgotten since, by this process or another. Ids ascend with commits, so
   * none is missed.
   */
  async #catchUp(rows: LiveVectors): Promise<void> {
    const last = this.#lastPassage()
    while (this.#seen < last) {
      // By ranges of ids: while another model is being made, few passages or none are of this one.
      const end = Math.min(last, this.#seen + batchRows)
      const passages = this.#connection.all<PassageRow>(
        `SELECT ${passageColumns} WHERE passage.id > ? AND passage.id <= ? AND model_id = ? ORDER BY passage.id`,
        this.#seen,
        end,
        this.id,
      )
      for (const { id, memory_id, tokens, shelf } of passages) {
        const vector = this.#vectors.get(this.id, id)
        if (vector !== undefined)
          rows.add(shelf, { passageId: id, memoryId: memory_id, vector, tokens: toTokens(tokens) })
      }
      this.#seen = end
      // A long import elsewhere must not hold this process's event loop.
      if (this.#seen < last) await turn()
    }
    const gone = this.#connection.all<{ sequence: number; passage_id: number }>(
      'SELECT sequence, passage_id FROM removed_passage WHERE sequence > ? ORDER BY sequence',
      this.#removals,
    )
    if ((gone[0]?.sequence ?? 0) > this.#removals + 1) {
      // The oldest of them are no longer told: only a new start knows what is left.
      this.#rows = undefined
      this.#filling = undefined
      await rows.close()
      return
    }
    for (const { passage_id } of gone) rows.remove(passage_id)
    this.#removals = gone.at(-1)?.sequence ?? this.#removals
  }
}

export class LiveIndex {
  readonly #connection: Connection
  readonly #vectors: VectorTables
  #followed: FollowedModel | undefined

  constructor(connection: Connection, vectors: VectorTables) {
    this.#connection = connection
    this.#vectors = vectors
  }

  /** The rows of a model, up to date; undefined when there are more than memory can hold. */
  async rows(modelId: number, dimension: number): Promise<LiveVectors | undefined> {
    // The rows of the model before go with it, also those that a slow fill is still reading.
    if (this.#followed?.id !== modelId) {
      void this.#followed?.close()
      this.#followed = new FollowedModel(this.#connection, this.#vectors, { id: modelId, dimension })
    }
    return this.#followed.rows()
  }

  /** Ends what works beside the rows. */
  async close(): Promise<void> {
    await this.#followed?.close()
  }
}
