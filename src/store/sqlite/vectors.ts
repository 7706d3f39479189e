/**
 * The durable vector index: one vec0 table a model, partitioned into shelves. Knows sqlite-vec; nothing of
 * text or ranking. A brain on a platform without sqlite-vec has no vectors and says so.
 */
import { createRequire } from 'node:module'
import type BetterSqlite3 from 'better-sqlite3'
import { BrainError } from '../../core/errors.ts'
import type { ModelIdentity } from '../../embed/embedder.ts'
import type { Connection } from './connection.ts'
import { findVectorExtension } from './installed-files.ts'

/** Flags stand on a shelf of their own, so that a gut-check never scans the memories. */
export const shelfOf = (projectId: number, flag: boolean): number => projectId * 2 + (flag ? 1 : 0)

/** Rows vec0 allocates at a time, a shelf: small brains stay small files. */
const chunkSize = 256

/** Where sqlite-vec itself says that its extension is. */
const resolveVectorExtension = (): string =>
  (createRequire(import.meta.url)('sqlite-vec') as { getLoadablePath: () => string }).getLoadablePath()

/** Removals told to processes that keep vectors in memory; one that missed more reads all of them again. */
const keptRemovals = 1_000

/** Loads sqlite-vec. Returns why not, when it cannot be had. */
export function loadVectors(database: BetterSqlite3.Database): string | undefined {
  try {
    database.loadExtension(findVectorExtension() ?? resolveVectorExtension())
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

/** A vector or word pieces as SQLite takes them. */
export const bytesOf = ({ buffer, byteOffset, byteLength }: Float32Array | Uint16Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength)

/** The bytes where they lie if they may be read so, else a copy: SQLite's buffers need not be aligned. */
const aligned = (bytes: Uint8Array, unit: number): Uint8Array =>
  bytes.byteOffset % unit === 0 ? bytes : new Uint8Array(bytes)

/** Vectors one after the other, as vec0 keeps them. */
export function toVectors(bytes: Uint8Array): Float32Array {
  const { buffer, byteOffset, byteLength } = aligned(bytes, 4)
  return new Float32Array(buffer, byteOffset, byteLength / 4)
}

/** Word pieces, as passages keep them. */
export function toTokens(bytes: Uint8Array): Uint16Array {
  const { buffer, byteOffset, byteLength } = aligned(bytes, 2)
  return new Uint16Array(buffer, byteOffset, byteLength / 2)
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
  /** Vectors that vec0 keeps in one blob. */
  readonly chunkRows = chunkSize

  constructor(connection: Connection, available: boolean) {
    this.#connection = connection
    this.available = available
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
         chunk_size=${chunkSize}
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
  }

  delete(modelId: number, id: number): void {
    if (this.get(modelId, id) === undefined) return
    this.#connection.run(`DELETE FROM vector_${modelId} WHERE rowid = ?`, BigInt(id))
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

  /** Passage ids of a shelf nearest to `vector`, with their cosine. */
  nearest(
    modelId: number,
    query: { shelf: number; vector: Float32Array; limit: number },
  ): { id: number; similarity: number }[] {
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
    this.#connection.database.exec(`DROP TABLE IF EXISTS vector_${modelId}`)
    this.#connection.run('DELETE FROM model WHERE id = ?', modelId)
  }
}
