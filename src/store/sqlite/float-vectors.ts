/**
 * Converts the float32 vectors of schema 2 to int8. Those of the built-in model of that time are dropped: no later
 * version can embed a query for them, so their memories wait for new ones.
 */
import type BetterSqlite3 from 'better-sqlite3'
import { checksumOf, toRow } from '../search/int8-vector.ts'
import { RowWindow } from '../search/row-window.ts'
import { isUsableVector } from '../search/usable-vectors.ts'
import { toVectors } from '../search/vector-bytes.ts'
import { listAllLacking, moveVectors } from './vector-move.ts'
import { createVectorTable, loadVectorsAtOnce } from './vectors.ts'

interface ModelRow {
  readonly id: number
  readonly name: string
  readonly hash: string
  readonly dimension: number
}

function convertModel(database: BetterSqlite3.Database, { id, name, hash, dimension }: ModelRow): number {
  const { lastInsertRowid } = database
    .prepare('INSERT INTO model (name, hash, dimension) VALUES (?, ?, ?)')
    .run(name, hash, dimension)
  const to = Number(lastInsertRowid)
  database.exec(createVectorTable(to, dimension))
  const window = new RowWindow(dimension)
  moveVectors(database, {
    from: id,
    to,
    size: dimension * 4,
    convert: (embedding, { tokens }) => {
      const vector = toVectors(embedding)
      if (!isUsableVector(vector, dimension)) return undefined
      const row = toRow(vector)
      return { row, checksum: checksumOf(window.measure(row).check, tokens) }
    },
  })
  return to
}

/** The step from schema 2 to 3 that SQL cannot say. The old tables are left to be removed slice by slice. */
export function moveToInt8(database: BetterSqlite3.Database): void {
  const models = database.prepare<[], ModelRow>("SELECT * FROM model WHERE name NOT GLOB 'retired:*'").all()
  if (models.length === 0) return
  const setting = database.prepare("SELECT value FROM setting WHERE key = 'served_model'").pluck()
  const served = Number(setting.get() ?? 0)
  const convertible = loadVectorsAtOnce(database)
  for (const model of models) {
    database.prepare("UPDATE model SET name = 'retired:' || name, hash = id WHERE id = ?").run(model.id)
    const to = convertible && model.name !== 'builtin' ? convertModel(database, model) : undefined
    if (model.id !== served) continue
    if (to === undefined) database.exec("DELETE FROM setting WHERE key = 'served_model'")
    else database.prepare("UPDATE setting SET value = ? WHERE key = 'served_model'").run(String(to))
    listAllLacking(database, to ?? 0)
  }
}
