/**
 * The vector index: one vec0 table a model, where every vector is kept once, as int8, in partitions. Knows sqlite-vec;
 * nothing of text or ranking. A brain on a platform without sqlite-vec has no vectors and says so.
 */
import type BetterSqlite3 from 'better-sqlite3'
import { findVectorExtension } from '../../installed-files.ts'
import type { ModelIdentity } from '../../models/embedder.ts'
import { checkIn, checksumOf, toRow } from '../search/int8-vector.ts'
import { blockRows, type Match } from '../search/row-window.ts'
import { bytesOf, toInt8s } from '../search/vector-bytes.ts'
import type { Connection } from './connection.ts'
import { damage } from './faults.ts'
import { insertRow } from './insert.ts'
import { isRetired, readServedModel, writeServedModel } from './served-model.ts'
import { Snapshots, type VectorModel } from './snapshots.ts'
import { chunkRows, findPlace, readVector, type StoredRow, takesInsertion } from './vector-chunks.ts'
import { listAllLacking, moveVectors } from './vector-move.ts'

/** Flags stand in a partition of their own, so that a gut-check never scans the memories. */
export const partitionOf = (projectId: number, flag: boolean): number => projectId * 2 + (flag ? 1 : 0)

/** Where sqlite-vec itself says that its extension is. */
const resolveVectorExtension = async (): Promise<string> => {
  const { createRequire } = await import('node:module')
  return (createRequire(import.meta.url)('sqlite-vec') as { getLoadablePath: () => string }).getLoadablePath()
}

/** From so many on vectors are looked for in the snapshot, whose ids are then gone through. */
const minVectors = 8

/** Removals told to processes that keep vectors in memory; one that missed more reads all of them again. */
const keptRemovals = 1_000

const hasVectors = (database: BetterSqlite3.Database): boolean =>
  database.prepare("SELECT 1 FROM pragma_module_list WHERE name = 'vec0'").get() !== undefined

/** Loads sqlite-vec where it is found without asking Node; returns whether it is there. */
export function loadVectorsAtOnce(database: BetterSqlite3.Database): boolean {
  try {
    const file = findVectorExtension()
    if (file !== undefined && !hasVectors(database)) database.loadExtension(file)
  } catch {
    // Told by whoever opens the store.
  }
  return hasVectors(database)
}

/** Loads sqlite-vec. Returns why not, when it cannot be had. */
export async function loadVectors(database: BetterSqlite3.Database): Promise<string | undefined> {
  try {
    if (!loadVectorsAtOnce(database)) database.loadExtension(await resolveVectorExtension())
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

/** The id of a model's row, in a brain or in a staging area. */
export const findModel = (
  connection: Connection,
  { name, hash, dimension }: ModelIdentity,
): number | undefined =>
  connection.first<{ id: number }>(
    'SELECT id FROM model WHERE name = ? AND hash = ? AND dimension = ?',
    name,
    hash,
    dimension,
  )?.id

/** Adds a model's row, inside a write. Returns its id. */
export const insertModel = (connection: Connection, { name, hash, dimension }: ModelIdentity): number =>
  insertRow(connection, 'model', { name, hash, dimension }).id

/** The table of a model's vectors. */
export const createVectorTable = (modelId: number, dimension: number): string =>
  `CREATE VIRTUAL TABLE vector_${modelId} USING vec0(
     part INTEGER PARTITION KEY,
     embedding INT8[${dimension}] DISTANCE_METRIC=cosine,
     chunk_size=${chunkRows}
   )`

export interface NearestQuery {
  readonly partition: number
  readonly vector: Float32Array
  readonly limit: number
  /** By the ids of passages; all where it is absent. */
  readonly accepts?: ((id: number) => boolean) | undefined
}

/** A vector as it is kept, and what makes a product with it one with its direction. */
export interface KeptVector {
  readonly row: Int8Array
  readonly factor: number
}

export class VectorTables {
  readonly #connection: Connection
  /** Whether sqlite-vec is loaded here. Without it vectors are neither written nor read. */
  readonly available: boolean
  readonly snapshots: Snapshots

  constructor(connection: Connection, available: boolean) {
    this.#connection = connection
    this.available = available
    this.snapshots = new Snapshots(connection)
  }

  /** The id of a model's row, if any vector of it was ever written. */
  findModel(model: ModelIdentity): number | undefined {
    if (!this.available) return undefined
    return findModel(this.#connection, model)
  }

  /** The same, made with its table when new. Inside a write. */
  ensureModel(model: ModelIdentity): number {
    const known = this.findModel(model)
    if (known !== undefined) return known
    const id = insertModel(this.#connection, model)
    this.#connection.database.exec(createVectorTable(id, model.dimension))
    return id
  }

  /** Keeps the vector of a passage, and with the passage its checksum. @throws BrainError `storage` over damage. */
  insert(
    modelId: number,
    passage: { id: number; partition: number; vector: Float32Array; tokens: Uint16Array },
  ): void {
    const row = toRow(passage.vector)
    const { check } = this.snapshots.windowOf(row.length).measure(row)
    this.#insertRow(modelId, passage, row)
    this.#connection.run(
      'UPDATE passage SET checksum = ? WHERE id = ?',
      checksumOf(check, passage.tokens),
      passage.id,
    )
  }

  /** @throws BrainError `storage` over damage. */
  #insertRow(modelId: number, { id, partition }: { id: number; partition: number }, row: Int8Array): void {
    if (!takesInsertion(this.#connection, { id: modelId, size: row.length }, partition)) throw damage()
    this.#connection.run(
      `INSERT INTO vector_${modelId} (rowid, part, embedding) VALUES (?, ?, vec_int8(?))`,
      BigInt(id),
      BigInt(partition),
      bytesOf(row),
    )
  }

  /** Removes a passage's vector wherever it is, and every copy of it. Inside a write. */
  delete(modelId: number, id: number): void {
    this.snapshots.drop(modelId)
    // In tables that were replaced a vector waits to be removed under the id of the passage, too.
    const tables = this.#connection.all<{ id: number; dimension: number; retired: number }>(
      `SELECT id, dimension, ${isRetired} AS retired FROM model WHERE id = ? OR ${isRetired}`,
      modelId,
    )
    for (const table of tables) this.#deleteRow(table, id)
    const { id: sequence } = this.#connection.run('INSERT INTO removed_passage (passage_id) VALUES (?)', id)
    this.#connection.run('DELETE FROM removed_passage WHERE sequence <= ?', sequence - keptRemovals)
  }

  /** @throws BrainError `storage` over damage. */
  #deleteRow({ id: modelId, dimension }: VectorModel, id: number): void {
    // Tables of schema 2 have float32.
    const places = [1, 4].map((bytes) =>
      findPlace(this.#connection, { id: modelId, size: bytes * dimension }, id),
    )
    if (places.includes('none')) return
    if (!places.includes('whole')) throw damage()
    this.#connection.run(`DELETE FROM vector_${modelId} WHERE rowid = ?`, BigInt(id))
  }

  /** Passages' vectors by their ids; those are left out that `get` has not. Inside a read. */
  getMany(model: VectorModel, ids: readonly number[]): Map<number, KeptVector> {
    // SQLite reads 256 vectors to give out one.
    const near = ids.length >= minVectors ? this.snapshots.find(model, ids) : new Map<number, Int8Array>()
    return new Map(
      ids.flatMap((id): [number, KeptVector][] => {
        const kept = this.#check(model, id, near.get(id)) ?? this.get(model, id)
        return kept === undefined ? [] : [[id, kept]]
      }),
    )
  }

  /** A passage's vector; undefined where there is none, or it is not the one that the passage was kept with. */
  get(model: VectorModel, id: number): KeptVector | undefined {
    return this.#check(model, id, readVector(this.#connection, model, id))
  }

  /** A row found for a passage, if it is the one that the passage was kept with. */
  #check(model: VectorModel, id: number, row: Int8Array | undefined): KeptVector | undefined {
    if (row === undefined) return undefined
    const { factor, check } = this.snapshots.windowOf(model.dimension).measure(row)
    const passage = this.#connection.first<{ checksum: number }>(
      'SELECT checksum FROM passage WHERE id = ?',
      id,
    )
    return passage !== undefined && checkIn(passage.checksum) === check ? { row, factor } : undefined
  }

  /** Passages of a partition nearest to the unit vector `vector`, with their cosine, best first. Inside a read. */
  nearest(model: VectorModel, { partition, vector, limit, accepts }: NearestQuery): Match[] {
    const window = this.snapshots.windowOf(model.dimension)
    let search = window.search(vector, limit, accepts)
    const last = this.snapshots.scan(model, partition, () => search.scan())
    // A block that is damaged says that all may be: then the table tells it all.
    if (last === 0) search = window.search(vector, limit, accepts)
    let waiting: StoredRow[] = []
    const flush = (): void => {
      if (waiting.length > 0) {
        window.fill(waiting)
        search.scan()
      }
      waiting = []
    }
    for (const rows of this.snapshots.stored(model, { after: last, partition })) {
      if (waiting.length + rows.length > blockRows) flush()
      waiting.push(...rows)
    }
    flush()
    return search.matches()
  }

  /**
   * Makes a model's table anew out of the vectors that are as they were kept; memories without all of theirs wait for new
   * ones. The old table is retired. Inside a write.
   */
  rebuild(modelId: number): void {
    const connection = this.#connection
    const model = connection.first<{ name: string; hash: string; dimension: number }>(
      'SELECT name, hash, dimension FROM model WHERE id = ?',
      modelId,
    )
    if (model === undefined) return
    this.snapshots.drop(modelId)
    const served = readServedModel(connection) === modelId
    connection.run("UPDATE model SET name = 'retired:' || name, hash = id WHERE id = ?", modelId)
    const to = this.ensureModel(model)
    const window = this.snapshots.windowOf(model.dimension)
    moveVectors(connection.database, {
      from: modelId,
      to,
      size: model.dimension,
      convert: (embedding, { tokens, checksum }) => {
        const row = toInt8s(embedding)
        return checksumOf(window.measure(row).check, tokens) === checksum ? { row, checksum } : undefined
      },
    })
    if (!served) return
    writeServedModel(connection, to)
    listAllLacking(connection.database, to)
  }

  drop(modelId: number): void {
    this.#connection.run('DELETE FROM passage WHERE model_id = ?', modelId)
    this.dropEmpty(modelId)
  }

  /** The same for a model that has no passages any more. */
  dropEmpty(modelId: number): void {
    this.snapshots.drop(modelId)
    this.#connection.database.exec(`DROP TABLE IF EXISTS vector_${modelId}`)
    this.#connection.run('DELETE FROM model WHERE id = ?', modelId)
  }
}
