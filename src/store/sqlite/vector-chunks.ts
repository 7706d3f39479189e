/**
 * Where vec0 keeps its vectors: 256 rows a chunk, each chunk of one partition. Knows vec0's own tables, for whoever reads
 * vectors by the hundred, and for all who read: its functions fail over damaged tables as a whole, and crash over some. vec0
 * inserts into the latest chunk of a partition alone, where it takes up freed places.
 */
import type BetterSqlite3 from 'better-sqlite3'
import { toInt8s } from '../search/vector-bytes.ts'
import type { Connection } from './connection.ts'

/** Rows vec0 allocates at a time, a partition: small brains stay small files. */
export const chunkRows = 256

export interface StoredVector {
  /** Of the passage. */
  readonly id: number
  /** Where it stands in its chunk. */
  readonly place: number
  /** As the table has it. */
  readonly embedding: Uint8Array
}

export interface StoredRow extends StoredVector {
  readonly row: Int8Array
}

export interface ChunkPlace {
  readonly chunkId: number
  readonly partition: number
}

/** In SQL, whether the columns of a chunk have the lengths that vec0 takes for granted. */
const isWhole = (size: number): string =>
  `length(rowids) = ${chunkRows * 8} AND length(validity) = ${chunkRows / 8} AND length(vectors) = ${chunkRows * size}`

const chunksOf = (table: string): string =>
  `${table}_chunks AS chunks JOIN ${table}_vector_chunks00 AS content ON content.rowid = chunks.chunk_id`

/** Chunks of a model with a passage above `after`, of one partition or of all, in their order. */
export function listChunks(
  connection: Connection,
  modelId: number,
  { after, partition }: { after: number; partition?: number },
): ChunkPlace[] {
  const table = `vector_${modelId}`
  const wanted = after > 0 ? `chunk_id IN (SELECT chunk_id FROM ${table}_rowids WHERE rowid > ?)` : '? = 0'
  return connection.all<{ chunkId: number; partition: number }>(
    `SELECT chunk_id AS chunkId, partition00 AS partition FROM ${table}_chunks
     WHERE ${wanted} AND partition00 = coalesce(?, partition00) ORDER BY partition00, chunk_id`,
    after,
    partition ?? null,
  )
}

/** The vectors of a chunk, each of `size` bytes, in order of id; undefined where it is not there or not whole. */
export function readRows(
  database: BetterSqlite3.Database | Pick<Connection, 'first'>,
  { table, size }: { table: string; size: number },
  chunkId: number,
): StoredVector[] | undefined {
  const sql = `SELECT rowids, validity, vectors FROM ${chunksOf(table)} WHERE chunk_id = ? AND ${isWhole(size)}`
  type Columns = { rowids: Uint8Array; validity: Uint8Array; vectors: Uint8Array }
  const found =
    'first' in database
      ? database.first<Columns>(sql, chunkId)
      : database.prepare<[number], Columns>(sql).get(chunkId)
  if (found === undefined) return undefined
  const { validity, vectors } = found
  // int64, of which ids take the lower half.
  const halves = new Uint32Array(new Uint8Array(found.rowids).buffer)
  const rows: StoredVector[] = []
  for (let place = 0; place < chunkRows; place += 1) {
    if ((((validity[place >> 3] ?? 0) >> (place & 7)) & 1) === 0) continue
    rows.push({
      id: halves[2 * place] ?? 0,
      place,
      embedding: vectors.subarray(place * size, (place + 1) * size),
    })
  }
  return rows.sort((a, b) => a.id - b.id)
}

/** The same of a model's chunk, as int8, ids above `after`. */
export const readChunk = (
  connection: Connection,
  { id, dimension }: { id: number; dimension: number },
  { chunkId, after }: { chunkId: number; after: number },
): StoredRow[] | undefined =>
  readRows(connection, { table: `vector_${id}`, size: dimension }, chunkId)
    ?.filter((row) => row.id > after)
    .map((row) => ({ ...row, row: toInt8s(row.embedding) }))

/** One vector; undefined where it is not there, or its chunk is not whole. */
export function readVector(
  connection: Connection,
  { id, dimension }: { id: number; dimension: number },
  passageId: number,
): Int8Array | undefined {
  const found = connection.first<{ embedding: Uint8Array }>(
    `SELECT substr(vectors, chunk_offset * ${dimension} + 1, ${dimension}) AS embedding
     FROM vector_${id}_rowids AS places JOIN vector_${id}_vector_chunks00 AS content ON content.rowid = chunk_id
     WHERE places.rowid = ? AND length(vectors) = ${chunkRows * dimension}`,
    passageId,
  )?.embedding
  return found === undefined || found.length !== dimension ? undefined : toInt8s(found)
}

/** Whether vec0 can insert into a partition: the latest chunk, if there is any, is whole. `size` in bytes a vector. */
export const takesInsertion = (
  connection: Connection,
  { id, size }: { id: number; size: number },
  partition: number,
): boolean =>
  connection.first(
    `SELECT 1 WHERE (SELECT max(chunk_id) FROM vector_${id}_chunks WHERE partition00 = ?) IS
       (SELECT chunk_id FROM ${chunksOf(`vector_${id}`)} WHERE ${isWhole(size)} AND chunk_id =
         (SELECT max(chunk_id) FROM vector_${id}_chunks WHERE partition00 = ?))`,
    partition,
    partition,
  ) !== undefined

/** Whether a passage has a vector in a table, and vec0 can delete it. `size` in bytes a vector. */
export function findPlace(
  connection: Connection,
  { id, size }: { id: number; size: number },
  passageId: number,
): 'none' | 'whole' | 'broken' {
  const found = connection.first<{ whole: number | null }>(
    `SELECT (SELECT ${isWhole(size)} FROM ${chunksOf(`vector_${id}`)} WHERE chunks.chunk_id = places.chunk_id)
       AND chunk_offset BETWEEN 0 AND ${chunkRows - 1} AS whole
     FROM vector_${id}_rowids AS places WHERE places.rowid = ?`,
    passageId,
  )
  if (found === undefined) return 'none'
  return found.whole === 1 ? 'whole' : 'broken'
}
