/**
 * The snapshot of each model's vectors beside a brain: when it is good, when it is to be made, and how. The brain has a row
 * for the good one, which names it by a random generation: a file that a crash, a backup put back or a hand left there bears
 * another. It holds every passage up to one; those after it are read from vec0, since vectors never change. Forgetting
 * removes row and file in the same write, so that no copy outlives its vector.
 */
import { rmSync, statSync } from 'node:fs'
import { yieldToEventLoop } from '../../clock.ts'
import { checkIn } from '../search/int8-vector.ts'
import { blockRows, type RowWindow, RowWindows } from '../search/row-window.ts'
import type { Connection } from './connection.ts'
import { isRetired } from './served-model.ts'
import { listSnapshots, openSnapshot, type Snapshot, SnapshotWriter, snapshotPath } from './snapshot-file.ts'
import { type ChunkPlace, listChunks, readChunk, type StoredRow } from './vector-chunks.ts'

/** So many vectors after a snapshot, besides a share of those in it, before a new one is worth making. */
const minRows = 1_024
const tailShare = 8

export interface VectorModel {
  readonly id: number
  readonly dimension: number
}

interface SnapshotRow {
  readonly generation: number
  readonly last_passage: number
  readonly rows: number
}

/**
 * A condition on `passage.id` for some passages, which ascend, and its parameters: by their range where that holds few
 * others. Among the passages of many projects those of one lie far apart, as flags do among all, and a range of them may
 * be most of the table.
 */
export function among(ids: ArrayLike<number>): [string, ...(number | string)[]] {
  const [first, last] = [ids[0] ?? 0, ids[ids.length - 1] ?? 0]
  return last - first < 4 * ids.length
    ? ['passage.id BETWEEN ? AND ?', first, last]
    : ['passage.id IN (SELECT value FROM json_each(?))', JSON.stringify(Array.from(ids))]
}

/** A float64 holds it, and SQLite an integer of it. */
const createGeneration = (): number => 1 + Math.floor(Math.random() * (2 ** 53 - 1))

export class Snapshots {
  readonly #connection: Connection
  /** The brain's file; undefined where there is none beside which one could write. */
  readonly #brain: string | undefined
  /** By dimension: a brain that goes over to another model uses two. */
  readonly #windows = new RowWindows()

  constructor(connection: Connection) {
    this.#connection = connection
    this.#brain = connection.file
  }

  /** Room for a block; what it holds is gone with the next use. */
  windowOf(dimension: number): RowWindow {
    return this.#windows.of(dimension)
  }

  #find(modelId: number): SnapshotRow | undefined {
    return this.#connection.first<{ generation: number; last_passage: number; rows: number }>(
      'SELECT generation, last_passage, rows FROM snapshot WHERE model_id = ?',
      modelId,
    )
  }

  /** The model's snapshot and the passage up to which it goes; undefined where there is none that is good. Inside a read. */
  open({ id, dimension }: VectorModel): { snapshot: Snapshot; last: number } | undefined {
    const row = this.#brain === undefined ? undefined : this.#find(id)
    if (row === undefined || this.#brain === undefined) return undefined
    const { generation, last_passage } = row
    const path = snapshotPath(this.#brain, { modelId: id, generation })
    const snapshot = openSnapshot(path, { generation, dimension })
    return snapshot && { snapshot, last: last_passage }
  }

  /**
   * Hands every block of one partition, or of all, to `work` in the window. Returns the passage up to which they go; 0 where
   * there is no snapshot, or it is damaged: what `work` was given is worth nothing then. Inside a read.
   */
  scan(model: VectorModel, partition: number | undefined, work: (window: RowWindow) => void): number {
    const opened = this.open(model)
    if (opened === undefined) return 0
    const { snapshot, last } = opened
    const window = this.windowOf(model.dimension)
    try {
      const sound = snapshot.blocks
        .filter((block) => partition === undefined || block.partition === partition)
        .every((block) => {
          if (!snapshot.read(block, window)) return false
          work(window)
          return true
        })
      return sound ? last : 0
    } finally {
      snapshot.close()
    }
  }

  /** The rows of some passages, those that the model's snapshot has, unchecked. Inside a read. */
  find(model: VectorModel, ids: readonly number[]): Map<number, Int8Array> {
    const opened = this.open(model)
    if (opened === undefined) return new Map()
    const { snapshot, last } = opened
    try {
      return snapshot.find(ids.filter((id) => id <= last))
    } finally {
      snapshot.close()
    }
  }

  /**
   * Rows of passages above `after`, chunk by chunk, those left out that are not as their passage has them. `lost` is told of
   * a chunk that cannot be read. Inside a read.
   */
  *stored(
    model: VectorModel,
    from: { after: number; partition?: number; chunks?: readonly ChunkPlace[] },
    lost: () => void = () => {},
  ): Generator<readonly StoredRow[]> {
    const { after } = from
    const window = this.windowOf(model.dimension)
    for (const { chunkId } of from.chunks ?? listChunks(this.#connection, model.id, from)) {
      const rows = readChunk(this.#connection, model, { chunkId, after })
      if (rows === undefined) lost()
      if (rows === undefined || rows.length === 0) continue
      const [lie, ...places] = among(rows.map(({ id }) => id))
      const sums = new Map(
        this.#connection
          .all<{ id: number; checksum: number }>(
            `SELECT id, checksum FROM passage WHERE ${lie} AND model_id = ?`,
            ...places,
            model.id,
          )
          .map(({ id, checksum }) => [id, checkIn(checksum)]),
      )
      yield rows.filter(({ id, row }) => sums.get(id) === window.measure(row).check)
    }
  }

  #listModels(): VectorModel[] {
    return this.#connection.all<{ id: number; dimension: number }>(
      `SELECT id, dimension FROM model WHERE NOT ${isRetired}`,
    )
  }

  #isDue({ id }: VectorModel): boolean {
    const known = this.#find(id)
    const there =
      known !== undefined &&
      this.#brain !== undefined &&
      statSync(snapshotPath(this.#brain, { modelId: id, ...known }), { throwIfNoEntry: false }) !== undefined
    const after = there ? known.last_passage : 0
    const few = minRows + Math.floor((there ? known.rows : 0) / tailShare)
    const sql = `SELECT 1 FROM vector_${id}_rowids WHERE rowid > ? LIMIT 1 OFFSET ?`
    return this.#connection.first(sql, after, few) !== undefined
  }

  /** The first model whose snapshot is worth making anew, if any is. Inside a read. */
  findDue(): VectorModel | undefined {
    if (this.#brain === undefined || !this.#connection.writable) return undefined
    return this.#listModels().find((model) => this.#isDue(model))
  }

  /**
   * Makes a model's snapshot, with a turn of the event loop between any two chunks. Whatever is forgotten meanwhile makes
   * it worthless. Returns whether the brain has it now.
   */
  async make(model: VectorModel): Promise<boolean> {
    const brain = this.#brain
    if (brain === undefined) return false
    const connection = this.#connection
    const name = { modelId: model.id, generation: createGeneration() }
    const start = await connection.read(() => ({
      last: this.#lastPassage(),
      removals: this.#lastRemoval(),
      chunks: listChunks(connection, model.id, { after: 0 }),
    }))
    let writer: SnapshotWriter | undefined
    try {
      writer = new SnapshotWriter(brain, name)
      const rows = await this.#fill(writer, model, start)
      writer.publish(model.dimension)
      return await connection.write(() => {
        const known = connection.first(`SELECT 1 FROM model WHERE id = ? AND NOT ${isRetired}`, model.id)
        if (known === undefined || this.#lastRemoval() !== start.removals) throw new Error('outdated')
        // Another process made one at the same time, and removed what it did not know of.
        if (statSync(snapshotPath(brain, name), { throwIfNoEntry: false }) === undefined)
          throw new Error('gone')
        this.#removeFiles(model.id, snapshotPath(brain, name))
        connection.run(
          'INSERT OR REPLACE INTO snapshot (model_id, generation, last_passage, rows) VALUES (?, ?, ?, ?)',
          model.id,
          name.generation,
          start.last,
          rows,
        )
        return true
      })
    } catch {
      // Where nothing can be written beside the brain, or somebody forgot something, vec0 goes on alone.
      writer?.discard()
      return false
    }
  }

  async #fill(
    writer: SnapshotWriter,
    model: VectorModel,
    { chunks, last }: { chunks: readonly ChunkPlace[]; last: number },
  ): Promise<number> {
    const window = this.windowOf(model.dimension)
    const waiting: StoredRow[] = []
    let total = 0
    const flush = (partition: number, least: number): void => {
      while (waiting.length >= least && waiting.length > 0) {
        window.fill(waiting.splice(0, blockRows))
        writer.add(partition, window)
        total += window.count
      }
    }
    for (const [at, chunk] of chunks.entries()) {
      await this.#connection.read(() => {
        for (const rows of this.stored(model, { after: 0, chunks: [chunk] }))
          waiting.push(...rows.filter(({ id }) => id <= last))
      })
      flush(chunk.partition, chunks[at + 1]?.partition === chunk.partition ? blockRows : 1)
      await yieldToEventLoop()
    }
    return total
  }

  #lastPassage(): number {
    return this.#connection.first<{ id: number | null }>('SELECT max(id) AS id FROM passage')?.id ?? 0
  }

  #lastRemoval(): number {
    const sql = 'SELECT max(sequence) AS sequence FROM removed_passage'
    return this.#connection.first<{ sequence: number | null }>(sql)?.sequence ?? 0
  }

  /** Removes the files of a model, but for one. What is not ours to remove stays. */
  #removeFiles(modelId: number, except?: string): void {
    if (this.#brain === undefined) return
    for (const path of listSnapshots(this.#brain, modelId)) {
      if (path === except) continue
      try {
        rmSync(path, { force: true })
      } catch (error) {
        if (
          !['EACCES', 'EPERM', 'EISDIR', 'ERR_FS_EISDIR'].includes(
            (error as NodeJS.ErrnoException).code ?? '',
          )
        )
          throw error
      }
    }
  }

  /** Removes a model's snapshot and whatever there is of others of it. Inside a write. */
  drop(modelId: number): void {
    this.#connection.run('DELETE FROM snapshot WHERE model_id = ?', modelId)
    this.#removeFiles(modelId)
  }

  /** How many vectors a model's snapshot has, and what is wrong with it. Inside a read. */
  examine(model: VectorModel): { rows: number; fault?: string } {
    const row = this.#brain === undefined ? undefined : this.#find(model.id)
    if (row === undefined) return { rows: 0 }
    let rows = 0
    const last = this.scan(model, undefined, ({ count }) => {
      rows += count
    })
    if (last === 0) return { rows: row.rows, fault: 'it is missing or damaged' }
    return rows === row.rows ? { rows } : { rows, fault: `it has ${rows} of ${row.rows} vectors` }
  }
}
