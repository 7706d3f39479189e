/**
 * Whether what a brain holds is of a size that brain itself keeps. SQLite would read a text of a gigabyte into memory for whoever
 * asks, so one that this user has not opened on this machine is measured first. Knows sizes, which a row's header tells; reads no text.
 */
import type BetterSqlite3 from 'better-sqlite3'
import { BrainError } from '../../core/errors.ts'

/** Bytes far above the longest text that an interface takes, its words included, and above what else a row keeps. */
const maxBytes = { TEXT: 4 * 2 ** 20, BLOB: 64 * 2 ** 20 } as const

/** What FTS5 and vec0 keep their own data in is theirs to bound. */
const ofIndexes = /^(keyword|term|vector)_\d+|^sqlite_/

/** The columns of a table that can be long. */
function longColumns(database: BetterSqlite3.Database, table: string): string[] {
  const columns = database.pragma(`table_info('${table}')`) as { name: string; type: string }[]
  return columns.flatMap(({ name, type }) =>
    type === 'TEXT' || type === 'BLOB' ? [`octet_length("${name}") > ${maxBytes[type]}`] : [],
  )
}

/** Of a database whose schema is known to be ours. @throws BrainError `storage` naming the table. */
export function requireModest(database: BetterSqlite3.Database, file: string): void {
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all() as {
    name: string
  }[]
  for (const { name } of tables) {
    if (ofIndexes.test(name)) continue
    const long = longColumns(database, name)
    if (long.length === 0) continue
    if (database.prepare(`SELECT 1 FROM "${name}" WHERE ${long.join(' OR ')} LIMIT 1`).get() === undefined)
      continue
    throw new BrainError(
      'storage',
      `${file} holds more in one row of ${name} than any brain keeps there: use a brain of your own`,
    )
  }
}
