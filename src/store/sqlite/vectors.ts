/**
 * The durable vector index: one vec0 table a model, partitioned into shelves. Knows sqlite-vec; nothing of
 * text or ranking. A brain on a platform without sqlite-vec has no vectors and says so.
 */
import type BetterSqlite3 from 'better-sqlite3'
import { BrainError } from '../../core/errors.ts'
import type { ModelIdentity } from '../../models/embedder.ts'
import { CompactChunks, type NearestQuery } from './compact-chunks.ts'
import type { Match } from './compact-slots.ts'
import type { Connection } from './connection.ts'
import { findVectorExtension } from './installed-files.ts'
import { bytesOf, toVectors } from './vector-bytes.ts'
import { chunkRows, findChunk } from './vector-chunks.ts'

/** Flags stand on a shelf of their own, so that a gut-check never scans the memories. */
export const shelfOf = (projectId: number, flag: boolean): number => projectId * 2 + (flag ? 1 : 0)

/** Where sqlite-vec itself says that its extension is. */
const resolveVectorExtension = async (): Promise<string> => {
  const { createRequire } = await import('node:module')
  return (createRequire(import.meta.url)('sqlite-vec') as { getLoadablePath: () => string }).getLoadablePath()
}

/** Removals told to processes that keep vectors in memory; one that missed more reads all of them again. */
const keptRemovals = 1_000

/** Chunks copied in the commit of an ordinary write: what fills one pays for it, and helps one left behind. */
const chunksPerWrite = 4

/** Loads sqlite-vec. Returns why not, when it cannot be had. */
export async function loadVectors(database: BetterSqlite3.Database): Promise<string | undefined> {
  try {
    database.loadExtension(findVectorExtension() ?? (await resolveVectorExtension()))
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

/** Whether a vector has this dimension, only finite components, and a direction. */
export function isUsableVector(vector: Float32Array, dimension: number): boolean {
  let square = 0
  for (const component of vector) square += component * component
  return vector.length === dimension && Number.isFinite(square) && square > 0
}

/** vec0 takes NaN, infinities and zeros without a word. @throws BrainError `failed`. */
export function requireVector(vector: Float32Array, dimension: number): void {
  if (isUsableVector(vector, dimension)) return
  throw new BrainError(
    'failed',
    `the embedder returned an unusable vector (expected ${dimension} finite numbers, not all 0)`,
  )
}

export class VectorTables {
  readonly #connection: Connection
  /** Whether sqlite-vec is loaded here. Without it vectors are neither written nor read. */
  readonly available: boolean
  /** Beside a brain that lies in a file which takes writes. */
  readonly #compact: CompactChunks | undefined
  /** Models of which a chunk was filled here since `keepUp`. */
  readonly #filled = new Set<number>()

  constructor(connection: Connection, available: boolean) {
    const { file } = connection
    this.#connection = connection
    this.available = available
    this.#compact = available && file !== undefined ? new CompactChunks(connection, file) : undefined
  }

  /** Copies of chunks as int8, if this brain can have them. */
  get compact(): CompactChunks | undefined {
    return this.#compact
  }

  /** The id of a model's row, if any vector of it was ever written. */
  findModel(model: ModelIdentity): number | undefined {
    if (!this.available) return undefined
    return this.#connection.first<{ id: number }>(
      'SELECT id FROM model WHERE name = ? AND hash = ? AND dimension = ?',
      model.name,
      model.hash,
      model.dimension,
    )?.id
  }

  /** The same, made with its table when new. Inside a write. */
  ensureModel(model: ModelIdentity): number {
    const known = this.findModel(model)
    if (known !== undefined) return known
    const { id } = this.#connection.run(
      'INSERT INTO model (name, hash, dimension) VALUES (?, ?, ?)',
      model.name,
      model.hash,
      model.dimension,
    )
    this.#connection.database.exec(
      `CREATE VIRTUAL TABLE vector_${id} USING vec0(
         shelf INTEGER PARTITION KEY,
         embedding FLOAT[${model.dimension}] DISTANCE_METRIC=cosine,
         chunk_size=${chunkRows}
       )`,
    )
    return id
  }

  insert(modelId: number, row: { id: number; shelf: number; vector: Float32Array }): void {
    this.#connection.run(
      `INSERT INTO vector_${modelId} (rowid, shelf, embedding) VALUES (?, ?, ?)`,
      BigInt(row.id),
      BigInt(row.shelf),
      bytesOf(row.vector),
    )
    // Near enough to when a chunk is full: that is looked at afterwards.
    if (row.id % chunkRows === 0) this.#filled.add(modelId)
  }

  /** After insertions, in the same write: copies chunks that became full. */
  keepUp(): void {
    for (const modelId of this.#filled) this.#compact?.make(modelId, chunksPerWrite)
    this.#filled.clear()
  }

  delete(modelId: number, id: number): void {
    if (this.get(modelId, id) === undefined) return
    const chunk = findChunk(this.#connection, modelId, id)
    this.#connection.run(`DELETE FROM vector_${modelId} WHERE rowid = ?`, BigInt(id))
    if (chunk !== undefined) this.#compact?.removed(modelId, chunk)
    const { id: sequence } = this.#connection.run('INSERT INTO removed_passage (passage_id) VALUES (?)', id)
    this.#connection.run('DELETE FROM removed_passage WHERE sequence <= ?', sequence - keptRemovals)
  }

  get(modelId: number, id: number): Float32Array | undefined {
    const row = this.#connection.first<{ embedding: Uint8Array }>(
      `SELECT embedding FROM vector_${modelId} WHERE rowid = ?`,
      BigInt(id),
    )
    return row === undefined ? undefined : toVectors(row.embedding)
  }

  /** Passage ids of a shelf nearest to the unit vector `vector`, with their cosine, best first. */
  nearest(modelId: number, query: NearestQuery): Match[] {
    return this.#compact?.nearest(modelId, query) ?? this.#nearestStored(modelId, query)
  }

  #nearestStored(modelId: number, query: NearestQuery): Match[] {
    return this.#connection
      .all<{ rowid: number; distance: number }>(
        `SELECT rowid, distance FROM vector_${modelId} WHERE embedding MATCH ? AND k = ? AND shelf = ?`,
        bytesOf(query.vector),
        BigInt(query.limit),
        BigInt(query.shelf),
      )
      .map(({ rowid, distance }) => ({ id: rowid, similarity: 1 - distance }))
  }

  drop(modelId: number): void {
    this.#connection.run('DELETE FROM passage WHERE model_id = ?', modelId)
    this.dropEmpty(modelId)
  }

  /** The same for a model that has no passages any more. */
  dropEmpty(modelId: number): void {
    this.#compact?.drop(modelId)
    this.#connection.database.exec(`DROP TABLE IF EXISTS vector_${modelId}`)
    this.#connection.run('DELETE FROM model WHERE id = ?', modelId)
  }
}
