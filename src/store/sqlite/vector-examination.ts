/**
 * Vectors against the passages and memories they stand for, both ways. Knows that a vector can always be made
 * again: what is wrong is dropped, and its memory waits to be embedded.
 */
import type { Connection } from './connection.ts'
import { type Examined, healthy } from './examination.ts'
import { isRetired, readServedModel } from './served-model.ts'
import { toVectors } from './vector-bytes.ts'
import { isUsableVector, type VectorTables } from './vectors.ts'

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

/** Drops a model's vectors of these memories and lets them wait for new ones. */
function forgetVectors(
  connection: Connection,
  vectors: VectorTables,
  { modelId, memoryIds }: { modelId: number; memoryIds: Iterable<number> },
): void {
  for (const memoryId of memoryIds) {
    const passages = connection.all<{ id: number }>(
      'SELECT id FROM passage WHERE memory_id = ? AND model_id = ?',
      memoryId,
      modelId,
    )
    for (const { id } of passages) vectors.delete(modelId, id)
    connection.run('DELETE FROM passage WHERE memory_id = ? AND model_id = ?', memoryId, modelId)
    if (modelId !== readServedModel(connection)) continue
    connection.run(
      'INSERT OR IGNORE INTO unembedded (memory_id, project_id) SELECT id, project_id FROM memory WHERE id = ?',
      memoryId,
    )
  }
}

interface Disagreement {
  /** Vectors that belong to no passage. */
  readonly strays: number[]
  /** Memories with a passage that has no vector, or an unusable one. */
  readonly lacking: Set<number>
}

function compare(connection: Connection, { id, dimension }: ModelRow): Disagreement {
  const passages = new Map(
    connection
      .all<{ id: number; memory_id: number; shelf: number }>(
        `SELECT passage.id, memory_id, project_id * 2 + (caution > 0) AS shelf
         FROM passage JOIN memory ON memory.id = memory_id WHERE model_id = ?`,
        id,
      )
      .map((passage) => [passage.id, passage]),
  )
  const strays: number[] = []
  const lacking = new Set<number>()
  const rows = connection.database
    .prepare<[], { rowid: number; shelf: number; embedding: Uint8Array }>(
      `SELECT rowid, shelf, embedding FROM vector_${id}`,
    )
    .iterate()
  for (const { rowid, shelf, embedding } of rows) {
    const passage = passages.get(rowid)
    if (passage === undefined) strays.push(rowid)
    else if (passage.shelf !== shelf || !isUsableVector(toVectors(embedding), dimension))
      lacking.add(passage.memory_id)
    passages.delete(rowid)
  }
  for (const { memory_id } of passages.values()) lacking.add(memory_id)
  return { strays, lacking }
}

function examineModel(connection: Connection, vectors: VectorTables, model: ModelRow): Examined {
  const check = `vectors of ${model.name}`
  const { strays, lacking } = compare(connection, model)
  if (strays.length === 0 && lacking.size === 0) return healthy(check, 'every passage has its vector')
  return {
    check,
    ok: false,
    detail: `${lacking.size} memories lack a usable vector, ${strays.length} vectors belong to nothing`,
    mend: () => {
      for (const stray of strays) vectors.delete(model.id, stray)
      forgetVectors(connection, vectors, { modelId: model.id, memoryIds: lacking })
    },
  }
}

/** What stands as int8 beside the brain, against the vectors. That some or all is missing is no fault. */
function examineCompact(vectors: VectorTables, { id, name }: ModelRow): Examined {
  const check = `compact vectors of ${name}`
  const { copied, wrong } = vectors.compact?.examine(id) ?? { copied: 0, wrong: [] }
  if (wrong.length === 0) {
    return healthy(check, copied === 0 ? 'none' : 'as the vectors themselves')
  }
  return {
    check,
    ok: false,
    detail: `${wrong.length} of ${copied} chunks are not those of the vectors`,
    mend: () => vectors.compact?.discard(id, wrong),
  }
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
    detail: `${without.length} models have no table, ${beyond.length} tables have no model`,
    mend: () => {
      for (const id of [...without, ...beyond]) vectors.drop(id)
      if (served !== undefined && (lost || without.includes(served))) {
        connection.run("DELETE FROM setting WHERE key = 'served_model'")
      }
    },
  }
}

/** The list of memories that wait for a vector, against those that have none of the served model. */
function examineBacklog(connection: Connection): Examined {
  const check = 'memories without a vector'
  const served = readServedModel(connection) ?? 0
  const bare = 'NOT EXISTS (SELECT 1 FROM passage WHERE memory_id = memory.id AND model_id = ?)'
  const row = connection.first<{ forgotten: number; needless: number; waiting: number }>(
    `SELECT
       (SELECT count(*) FROM memory WHERE ${bare} AND id NOT IN (SELECT memory_id FROM unembedded)) AS forgotten,
       (SELECT count(*) FROM memory WHERE NOT ${bare} AND id IN (SELECT memory_id FROM unembedded)) AS needless,
       (SELECT count(*) FROM unembedded) AS waiting`,
    served,
    served,
  ) ?? { forgotten: 0, needless: 0, waiting: 0 }
  // After a switch the list is mended slice by slice, as long as something of the old model is left.
  const needless = listModels(connection).some(({ retired }) => retired === 1) ? 0 : row.needless
  if (row.forgotten === 0 && needless === 0) {
    const waiting = `${row.waiting} found by keyword until they are embedded: run \`brain reindex\``
    return healthy(check, row.waiting === 0 ? 'none' : waiting)
  }
  return {
    check,
    ok: false,
    detail: `${row.forgotten} are not on the list of those to embed, ${needless} are on it for nothing`,
    mend: () => {
      connection.run('DELETE FROM unembedded')
      connection.run(
        `INSERT INTO unembedded (memory_id, project_id) SELECT id, project_id FROM memory WHERE ${bare}`,
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
        () => examineCompact(vectors, model),
      ]),
    () => examineBacklog(connection),
  ]
}
