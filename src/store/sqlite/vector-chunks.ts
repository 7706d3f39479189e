/**
 * Where vec0 keeps its vectors: 256 rows a chunk, each chunk of one shelf. Knows vec0's own tables, for whoever reads
 * vectors by the hundred. vec0 inserts into the latest chunk of a shelf alone, where it takes up freed places.
 */
import type { Connection } from './connection.ts'
import { toVectors } from './vector-bytes.ts'

/** Rows vec0 allocates at a time, a shelf: small brains stay small files. */
export const chunkRows = 256

export interface StoredChunk {
  /** Passage ids by place; 0 where the place is free. */
  readonly ids: Uint32Array
  /** One after the other, those of free places too. */
  readonly vectors: Float32Array
}

/** A chunk as it is; undefined when there is none. */
export function readChunk(connection: Connection, modelId: number, chunkId: number): StoredChunk | undefined {
  const found = connection.first<{ rowids: Uint8Array; validity: Uint8Array; vectors: Uint8Array }>(
    `SELECT rowids, validity, vectors FROM vector_${modelId}_chunks AS chunks
     JOIN vector_${modelId}_vector_chunks00 AS content ON content.rowid = chunks.chunk_id
     WHERE chunk_id = ?`,
    chunkId,
  )
  if (found === undefined) return undefined
  // int64, of which ids take the lower half.
  const halves = new Uint32Array(new Uint8Array(found.rowids).buffer)
  const ids = new Uint32Array(chunkRows)
  for (let place = 0; place < chunkRows; place += 1) {
    if (((found.validity[place >> 3] ?? 0) >> (place & 7)) & 1) ids[place] = halves[2 * place] ?? 0
  }
  return { ids, vectors: toVectors(found.vectors) }
}

export interface ChunkPlace {
  readonly chunkId: number
  readonly shelf: number
}

/** The chunk in which a passage's vector stands. */
export function findChunk(
  connection: Connection,
  modelId: number,
  passageId: number,
): ChunkPlace | undefined {
  return connection.first<{ chunkId: number; shelf: number }>(
    `SELECT chunk_id AS chunkId, partition00 AS shelf FROM vector_${modelId}_chunks
     WHERE chunk_id = (SELECT chunk_id FROM vector_${modelId}_rowids WHERE rowid = ?)`,
    passageId,
  )
}
