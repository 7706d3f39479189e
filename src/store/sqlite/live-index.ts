/**
 * Keeps a process's in-memory vectors in step with the file: filled once, then after the last passage seen,
 * whoever wrote or forgot it. What was forgotten keeps its room until it outweighs what is left: then all are read anew.
 */
import { yieldToEventLoop } from '../../clock.ts'
import { isOfTokens } from '../search/int8-vector.ts'
import type { RowWindow } from '../search/row-window.ts'
import { toTokens } from '../search/vector-bytes.ts'
import type { Connection } from './connection.ts'
import { LiveVectors, rowBytes } from './live-vectors.ts'
import { among, type VectorModel } from './snapshots.ts'
import type { VectorTables } from './vectors.ts'

/** Passages read at a time while catching up with other writers. */
const batchRows = 256

/** Beyond this many bytes of rows a 32-bit WebAssembly memory is full; vectors are then read where they lie. */
const usualBytes = 3.5 * 2 ** 30

interface PassageRow {
  id: number
  memory_id: number
  tokens: Uint8Array
  checksum: number
  partition: number
}

const passageColumns = `passage.id, memory_id, tokens, checksum, project_id * 2 + (caution > 0) AS partition
  FROM passage JOIN memory ON memory.id = memory_id`

interface FollowOptions {
  readonly model: VectorModel
  readonly maxBytes: number
}

/** One model's rows in memory. */
class FollowedModel {
  readonly model: VectorModel
  readonly #maxBytes: number
  readonly #connection: Connection
  readonly #vectors: VectorTables
  #rows: LiveVectors | undefined
  #seen = 0
  #removals = 0
  #filling: Promise<void> | undefined
  #catching: Promise<void> | undefined

  constructor(connection: Connection, vectors: VectorTables, { model, maxBytes }: FollowOptions) {
    this.model = model
    this.#maxBytes = maxBytes
    this.#connection = connection
    this.#vectors = vectors
  }

  /** The rows, up to date; undefined when there are more than memory can hold. */
  async rows(): Promise<LiveVectors | undefined> {
    await this.#filled()
    // Two queries must not read the same new rows twice; the second waits for the first, then looks again.
    while (this.#rows !== undefined && !this.#isCurrent()) {
      this.#catching ??= this.#follow(this.#rows).finally(() => {
        this.#catching = undefined
      })
      await this.#catching
      await this.#filled()
    }
    return this.#rows
  }

  /** Whether these are the model's rows as the file has them now. */
  holds(rows: LiveVectors): boolean {
    return this.#rows === rows && this.#isCurrent()
  }

  async #filled(): Promise<void> {
    this.#filling ??= this.#fill()
    const filling = this.#filling
    // A failed fill is tried again by the next query; this one reads the vectors where they lie.
    await filling.catch(() => {
      // Not where another has begun to fill meanwhile.
      if (this.#filling === filling) this.#filling = undefined
    })
  }

  async #follow(rows: LiveVectors): Promise<void> {
    if (await this.#catchUp(rows)) return
    // Only a new start knows what is left, and has room for it alone.
    this.#rows = undefined
    this.#filling = undefined
  }

  /** From a snapshot, made for that where it is worth it, and then from the table what came after it. */
  async #fill(): Promise<void> {
    const connection = this.#connection
    const { snapshots } = this.#vectors
    const { id, dimension } = this.model
    const count = connection.first<{ n: number }>(`SELECT count(*) AS n FROM vector_${id}_rowids`)?.n ?? 0
    if (count * rowBytes(dimension) > this.#maxBytes) return
    const due = await connection.read(() => snapshots.findDue())
    if (due?.id === id) await snapshots.make(due)
    let rows = new LiveVectors(dimension)
    let last = await this.#fillFromSnapshot(rows)
    for (;;) {
      this.#seen = last ?? 0
      if (last !== undefined && (await this.#catchUp(rows))) break
      if (rows.bytes > this.#maxBytes) return
      rows = new LiveVectors(dimension)
      this.#removals = this.#lastRemoval()
      last = 0
    }
    this.#rows = rows
  }

  /**
   * Returns the passage up to which the rows go then; undefined where the snapshot turned out to be damaged, or they
   * are too many.
   */
  async #fillFromSnapshot(rows: LiveVectors): Promise<number | undefined> {
    const opened = await this.#connection.read(() => {
      this.#removals = this.#lastRemoval()
      return this.#vectors.snapshots.open(this.model)
    })
    if (opened === undefined) return 0
    const { snapshot, last } = opened
    const window = this.#vectors.snapshots.windowOf(this.model.dimension)
    try {
      for (const block of snapshot.blocks) {
        // A turn of the event loop between any two blocks, not within one: others use the window, too.
        await yieldToEventLoop()
        const sound = await this.#connection.read(() => {
          if (!snapshot.read(block, window)) return false
          this.#addBlock(rows, block.partition, window)
          return true
        })
        if (!sound || rows.bytes > this.#maxBytes) return undefined
      }
      return last
    } finally {
      snapshot.close()
    }
  }

  /** Adds what the window holds, with what the passages themselves tell. */
  #addBlock(rows: LiveVectors, partition: number, window: RowWindow): void {
    const { ids, factors } = window
    const [lie, ...places] = among(ids)
    // In one row: an object and a buffer for each passage would take longer than everything else.
    const packed = this.#connection.first<
      Record<'ids' | 'memories' | 'lengths' | 'checksums' | 'tokens', string>
    >(
      `SELECT json_group_array(id) AS ids, json_group_array(memory_id) AS memories,
              json_group_array(length(tokens) / 2) AS lengths, json_group_array(checksum) AS checksums, ifnull(group_concat(hex(tokens), ''), '') AS tokens
       FROM (SELECT ${passageColumns} WHERE ${lie} AND model_id = ? ORDER BY passage.id)
       WHERE partition = ?`,
      ...places,
      this.model.id,
      partition,
    )
    if (packed === undefined) return
    // Written by the statement above.
    const [passageIds = [], memoryIds = [], lengths = [], checksums = []] = [
      packed.ids,
      packed.memories,
      packed.lengths,
      packed.checksums,
    ].map((list) => JSON.parse(list) as number[])
    const tokens = toTokens(Buffer.from(packed.tokens, 'hex'))
    let place = 0
    let next = 0
    for (const [at, passageId] of passageIds.entries()) {
      const start = next
      next += lengths[at] ?? 0
      // Both ascend. What was forgotten since is in the snapshot alone, what is damaged in the passages alone.
      while (place < ids.length && (ids[place] ?? 0) < passageId) place += 1
      const own = tokens.subarray(start, next)
      if (ids[place] !== passageId || !isOfTokens(checksums[at] ?? 0, own)) continue
      rows.add(partition, {
        passageId,
        memoryId: memoryIds[at] ?? 0,
        vector: { row: window.rowAt(place), factor: factors[place] ?? 0 },
        tokens: own,
      })
    }
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
   * Passages written and forgotten since, by this process or another. Ids ascend with commits, so none is missed. False
   * when the rows are of no use any more: so many were forgotten that the oldest of them are no longer told, or that the
   * rows are worn, or the memory is full.
   */
  async #catchUp(rows: LiveVectors): Promise<boolean> {
    const last = this.#lastPassage()
    while (this.#seen < last) {
      // By ranges of ids: while another model is being made, few passages or none are of this one.
      const end = Math.min(last, this.#seen + batchRows)
      const passages = this.#connection.all<PassageRow>(
        `SELECT ${passageColumns} WHERE passage.id > ? AND passage.id <= ? AND model_id = ? ORDER BY passage.id`,
        this.#seen,
        end,
        this.model.id,
      )
      for (const { id, memory_id, tokens: packed, checksum, partition } of passages) {
        const [vector, tokens] = [this.#vectors.get(this.model, id), toTokens(packed)]
        if (vector !== undefined && isOfTokens(checksum, tokens))
          rows.add(partition, { passageId: id, memoryId: memory_id, vector, tokens })
      }
      this.#seen = end
      if (rows.bytes > this.#maxBytes) return false
      // A long import elsewhere must not hold this process's event loop.
      if (this.#seen < last) await yieldToEventLoop()
    }
    const gone = this.#connection.all<{ sequence: number; passage_id: number }>(
      'SELECT sequence, passage_id FROM removed_passage WHERE sequence > ? ORDER BY sequence',
      this.#removals,
    )
    if ((gone[0]?.sequence ?? 0) > this.#removals + 1) return false
    for (const { passage_id } of gone) rows.remove(passage_id)
    this.#removals = gone.at(-1)?.sequence ?? this.#removals
    return !rows.isWorn
  }
}

export class LiveIndex {
  readonly #connection: Connection
  readonly #vectors: VectorTables
  readonly #maxBytes: number
  #followed: FollowedModel | undefined

  constructor(connection: Connection, vectors: VectorTables, maxBytes = usualBytes) {
    this.#connection = connection
    this.#vectors = vectors
    this.#maxBytes = maxBytes
  }

  /** The rows of a model, up to date; undefined when there are more than memory can hold. */
  async rows(model: VectorModel): Promise<LiveVectors | undefined> {
    // The rows of the model before go with it, also those that a slow fill is still reading.
    if (this.#followed?.model.id !== model.id)
      this.#followed = new FollowedModel(this.#connection, this.#vectors, {
        model,
        maxBytes: this.#maxBytes,
      })
    return this.#followed.rows()
  }

  /** Whether rows that were given out are still those of their model, nothing missing. Inside a read: in that very read. */
  isCurrent(rows: LiveVectors): boolean {
    return this.#followed?.holds(rows) === true
  }
}
