/**
 * Vectors against the passages and memories they stand for, both ways. Knows that a vector can always be made
 * again: what is wrong is dropped, and its memory waits to be embedded.
 */

import { counted } from '../../core/counts.ts'
import { healthy } from '../findings.ts'
import { checksumOf } from '../search/int8-vector.ts'
import { RowWindow } from '../search/row-window.ts'
import { toTokens } from '../search/vector-bytes.ts'
import type { Connection } from './connection.ts'
import type { Examined } from './examination.ts'
import { isBusy } from './faults.ts'
import { isRetired, readServedModel, removeServedModel } from './served-model.ts'
import { lacksVector } from './switching.ts'
import { listChunks, readChunk } from './vector-chunks.ts'
import type { VectorTables } from './vectors.ts'

interface ModelRow {
  id: number
  name: string
  dimension: number
  retired: number
}

const listModels = (connection: Connection): ModelRow[] =>
  connection.all<{ id: number; name: string; dimension: number; retired: number }>(
    `SELECT id, name, dimension, ${isRetired} AS retired FROM model`,
  )

/** Numbers of the models that have a table of vectors. */
const listTables = (connection: Connection): number[] =>
  connection
    .all<{ name: string }>(
      "SELECT name FROM sqlite_schema WHERE name GLOB 'vector_[0-9]*' AND sql LIKE 'CREATE VIRTUAL%'",
    )
    .map(({ name }) => Number(name.slice('vector_'.length)))

interface PassageRow {
  readonly id: number
  readonly checksum: number
  readonly tokens: Uint8Array
  readonly partition: number
}

/** Passages of a model, of which ids from one to another. */
const listPassages = `
  SELECT passage.id, checksum, tokens, project_id * 2 + (caution > 0) AS partition
  FROM passage JOIN memory ON memory.id = memory_id WHERE passage.id BETWEEN ? AND ? AND model_id = ?`

interface Disagreement {
  /** Vectors that belong to no passage. */
  readonly strays: number
  /** Passages that have no vector, or not the one that they were kept with. */
  readonly lacking: number
  /** Chunks that are not whole. */
  readonly broken: number
}

/** Looks at vec0's own tables, row by row: what is damaged makes its functions fail as a whole. */
function compare(connection: Connection, model: ModelRow): Disagreement {
  let window: RowWindow | undefined
  const places = new Map(
    connection
      .all<{ id: number; chunk_id: number; chunk_offset: number }>(
        `SELECT rowid AS id, chunk_id, chunk_offset FROM vector_${model.id}_rowids`,
      )
      .map(({ id, chunk_id, chunk_offset }) => [id, `${chunk_id} ${chunk_offset}`]),
  )
  let sound = 0
  let strays = 0
  let broken = 0
  for (const { chunkId, partition } of listChunks(connection, model.id, { after: 0 })) {
    const rows = readChunk(connection, model, { chunkId, after: 0 })
    if (rows === undefined) {
      broken += 1
      continue
    }
    // Made for a dimension that the length of a chunk confirms: for any other it may take gigabytes.
    window ??= new RowWindow(model.dimension)
    const [first, last] = [rows[0]?.id ?? 0, rows.at(-1)?.id ?? 0]
    const passages = new Map(
      connection.all<PassageRow>(listPassages, first, last, model.id).map((passage) => [passage.id, passage]),
    )
    for (const { id, place, row } of rows) {
      const passage = passages.get(id)
      if (passage === undefined) strays += 1
      else if (
        passage.partition === partition &&
        passage.checksum === checksumOf(window.measure(row).check, toTokens(passage.tokens)) &&
        places.get(id) === `${chunkId} ${place}`
      )
        sound += 1
    }
  }
  const all = connection.first<{ n: number }>(
    'SELECT count(*) AS n FROM passage WHERE model_id = ?',
    model.id,
  )
  return { strays, broken, lacking: (all?.n ?? 0) - sound }
}

/** What damage to vec0's own tables does to a look at them. */
function compareOrFail(connection: Connection, model: ModelRow): Disagreement | undefined {
  try {
    return compare(connection, model)
  } catch (error) {
    if (isBusy(error)) throw error
    return undefined
  }
}

function examineModel(connection: Connection, vectors: VectorTables, model: ModelRow): Examined {
  const check = `vectors of ${model.name}`
  const found = compareOrFail(connection, model)
  if (found !== undefined && found.strays + found.lacking + found.broken === 0)
    return healthy(check, 'every passage has its vector')
  const detail =
    found === undefined
      ? 'their table is damaged'
      : `${counted(found.lacking, 'passage lacks the vector it was', 'passages lack the vector they were')} kept with, ${counted(found.strays, 'vector belongs', 'vectors belong')} to nothing, ${counted(found.broken, 'chunk is', 'chunks are')} damaged`
  return { check, ok: false, detail, mend: () => vectors.rebuild(model.id) }
}

/** The copy of the vectors beside the brain. That there is none is no fault. */
function examineSnapshot(vectors: VectorTables, model: ModelRow): Examined {
  const check = `snapshot of ${model.name}`
  const { rows, fault } = vectors.snapshots.examine(model)
  if (fault === undefined)
    return healthy(check, rows === 0 ? 'none' : `${counted(rows, 'vector')}, as written`)
  return { check, ok: false, detail: fault, mend: () => vectors.snapshots.drop(model.id) }
}

/** Models that have no vectors, vectors that have no model. */
function examineTables(connection: Connection, vectors: VectorTables): Examined {
  const check = 'models'
  const models = new Set(listModels(connection).map(({ id }) => id))
  const tables = new Set(listTables(connection))
  const without = [...models].filter((id) => !tables.has(id))
  const beyond = [...tables].filter((id) => !models.has(id))
  const served = readServedModel(connection)
  const lost = served !== undefined && !models.has(served)
  if (without.length === 0 && beyond.length === 0 && !lost) {
    return healthy(check, models.size === 0 ? 'no vectors yet' : 'every model has its table')
  }
  return {
    check,
    ok: false,
    detail: `${counted(without.length, 'model has', 'models have')} no table, ${counted(beyond.length, 'table has', 'tables have')} no model`,
    mend: () => {
      for (const id of [...without, ...beyond]) vectors.drop(id)
      if (served !== undefined && (lost || without.includes(served))) {
        removeServedModel(connection)
      }
    },
  }
}

/** The list of memories that wait for a vector, against those that have none of the served model. */
function examineBacklog(connection: Connection): Examined {
  const check = 'memories without a vector'
  const served = readServedModel(connection) ?? 0
  const row = connection.first<{ forgotten: number; needless: number; waiting: number }>(
    `SELECT
       (SELECT count(*) FROM memory WHERE ${lacksVector} AND id NOT IN (SELECT memory_id FROM unembedded)) AS forgotten,
       (SELECT count(*) FROM memory WHERE NOT ${lacksVector} AND id IN (SELECT memory_id FROM unembedded)) AS needless,
       (SELECT count(*) FROM unembedded) AS waiting`,
    served,
    served,
  ) ?? { forgotten: 0, needless: 0, waiting: 0 }
  // After a switch the list is mended slice by slice, as long as something of the old model is left.
  const isMended = listModels(connection).some(({ retired }) => retired === 1)
  if (isMended || (row.forgotten === 0 && row.needless === 0)) {
    const waiting = `${row.waiting} found by keyword until they are embedded: run \`brain reindex\``
    return healthy(check, row.waiting === 0 ? 'none' : waiting)
  }
  return {
    check,
    ok: false,
    detail: `${row.forgotten} are not on the list of those to embed, ${row.needless} are on it for nothing`,
    mend: () => {
      connection.run('DELETE FROM unembedded')
      connection.run(
        `INSERT INTO unembedded (memory_id, project_id) SELECT id, project_id FROM memory WHERE ${lacksVector}`,
        readServedModel(connection) ?? 0,
      )
    },
  }
}

/** Every check of vectors, as steps to run one after another: a mended one may change what the next finds. */
export function examineVectors(connection: Connection, vectors: VectorTables): (() => Examined)[] {
  if (!vectors.available) {
    const detail = 'sqlite-vec cannot be loaded on this platform: recall is by keyword only'
    return [() => ({ check: 'vectors', ok: false, detail })]
  }
  const tables = new Set(listTables(connection))
  return [
    () => examineTables(connection, vectors),
    ...listModels(connection)
      // What is left of a retired model is nobody's and on its way out.
      .filter(({ id, retired }) => tables.has(id) && retired === 0)
      .flatMap((model) => [
        () => examineModel(connection, vectors, model),
        () => examineSnapshot(vectors, model),
      ]),
    () => examineBacklog(connection),
  ]
}
