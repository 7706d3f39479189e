/** Writes a row of a table from its columns: names and values stand in one place, the record's file in `rows/`. */
import type { Connection } from './connection.ts'

/**
 * Inside a write. The names are the code's own, never a caller's; for an id of null SQLite assigns one. `unless` is a
 * clause that may keep the row out: then no row is changed.
 */
export function insertRow(
  connection: Connection,
  table: string,
  row: object,
  unless = '',
): { changes: number; id: number } {
  const names = Object.keys(row)
  const places = names.map(() => '?').join(', ')
  return connection.run(
    `INSERT INTO ${table} (${names.join(', ')}) VALUES (${places}) ${unless}`,
    ...Object.values(row),
  )
}
