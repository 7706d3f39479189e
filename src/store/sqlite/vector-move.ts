/**
 * Moves the vectors of a model into a table of their own, as they have to be when they are kept in another form or when what
 * holds them is damaged. Knows that a vector can always be made again: a memory whose vectors are not all there waits for it.
 */
import type BetterSqlite3 from 'better-sqlite3'
import { bytesOf, toTokens } from '../search/vector-bytes.ts'
import { lacksVector } from './switching.ts'
import { readRows } from './vector-chunks.ts'

export interface Move {
  readonly from: number
  readonly to: number
  /** Bytes of a vector in the old table. */
  readonly size: number
  /** The row of what the old table has, and its checksum; undefined where it is not to be kept. */
  readonly convert: (
    embedding: Uint8Array,
    passage: { tokens: Uint16Array; checksum: number },
  ) => { row: Int8Array; checksum: number } | undefined
}

interface PassageRow {
  readonly tokens: Uint8Array
  readonly checksum: number
  readonly partition: number
}

/** Takes what was moved of memories back that have passages left behind: theirs would be found in part. */
function dropParts(database: BetterSqlite3.Database, { from, to }: Move): void {
  const parts = database
    .prepare<[number, number], { id: number }>(
      `SELECT id FROM passage WHERE model_id = ? AND memory_id IN (SELECT memory_id FROM passage WHERE model_id = ?)`,
    )
    .all(to, from)
  for (const { id } of parts) {
    database.prepare(`DELETE FROM vector_${to} WHERE rowid = ?`).run(BigInt(id))
    database.prepare('DELETE FROM passage WHERE id = ?').run(id)
  }
}

/**
 * Gives the passages whose vectors can be had to the model `to`; the others stay with `from`. Reads vec0's own tables, since
 * its functions fail over damaged ones, and crash over some. Inside a write.
 */
export function moveVectors(database: BetterSqlite3.Database, move: Move): void {
  const { from, to, size, convert } = move
  const write = database.prepare(
    `INSERT INTO vector_${to} (rowid, part, embedding) VALUES (?, ?, vec_int8(?))`,
  )
  const own = database.prepare('UPDATE passage SET model_id = ?, checksum = ? WHERE id = ?')
  const find = database.prepare<[number, number], PassageRow>(
    `SELECT tokens, checksum, project_id * 2 + (caution > 0) AS partition
     FROM passage JOIN memory ON memory.id = memory_id WHERE passage.id = ? AND model_id = ?`,
  )
  for (const chunkId of listChunkIds(database, from)) {
    for (const { id, embedding } of readRows(database, { table: `vector_${from}`, size }, chunkId) ?? []) {
      const passage = find.get(id, from)
      const kept =
        passage && convert(embedding, { tokens: toTokens(passage.tokens), checksum: passage.checksum })
      if (passage === undefined || kept === undefined) continue
      write.run(BigInt(id), BigInt(passage.partition), bytesOf(kept.row))
      own.run(to, kept.checksum, id)
    }
  }
  dropParts(database, move)
}

/** None where there is no such table. */
function listChunkIds(database: BetterSqlite3.Database, modelId: number): number[] {
  try {
    return database
      .prepare<[], { chunk_id: number }>(`SELECT chunk_id FROM vector_${modelId}_chunks ORDER BY chunk_id`)
      .all()
      .map(({ chunk_id }) => chunk_id)
  } catch {
    return []
  }
}

/** Puts all memories that have no vector of a model on the list of those that wait. Inside a write. */
export function listAllLacking(database: BetterSqlite3.Database, modelId: number): void {
  database
    .prepare(
      `INSERT OR IGNORE INTO unembedded (memory_id, project_id) SELECT id, project_id FROM memory
       WHERE ${lacksVector}`,
    )
    .run(modelId)
}
