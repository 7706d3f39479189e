/**
 * Another program's database, read as safely as if it were hostile: from a copy of our own, so that its locks, journals
 * and logs stay as they are; table by table, so that no view, trigger, index or computed column of it runs; with bounds on
 * what is taken from a row. Knows no program.
 */
import { constants, copyFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type BetterSqlite3 from 'better-sqlite3'
import { BrainError } from '../../core/errors.ts'
import type { ForeignDatabase, ForeignRow } from '../foreign.ts'
import { loadDatabase } from './binding.ts'
import { createDraft, discard, dropDrafts } from './drafts.ts'

/** Bytes of a database that are copied: more is no notes. */
const maxBytes = 2 * 2 ** 30
/** Bytes of a value that are read. */
const maxValueBytes = 1_048_576
/** Bytes of a schema, and tables in it, that are looked at. */
const maxSchemaBytes = 4 * 1_048_576
const maxTables = 500
const pageRows = 64

const damaged = (path: string, cause?: unknown): BrainError =>
  new BrainError('invalid', `${path} is damaged, or no database that SQLite reads`, { cause })

const sizeOf = (path: string): bigint => statSync(path, { bigint: true, throwIfNoEntry: false })?.size ?? 0n

/** What tells whether a file was written to. */
const stateOf = (path: string): string =>
  [path, `${path}-wal`]
    .map((file) => statSync(file, { bigint: true, throwIfNoEntry: false }))
    .map((found) => `${found?.size}:${found?.mtimeNs}:${found?.ino}`)
    .join(' ')

/** Copies a database and its log as they are at one moment. @throws BrainError naming the file. */
function copy(path: string, draft: string): void {
  const size = sizeOf(path) + sizeOf(`${path}-wal`)
  if (size > maxBytes) throw new BrainError('invalid', `${path} is larger than ${maxBytes} bytes`)
  if (sizeOf(`${path}-journal`) > 0n) {
    throw new BrainError(
      'invalid',
      `${path} was left in the middle of a change: open it once with the program it belongs to, and close that`,
    )
  }
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    const before = stateOf(path)
    copyFileSync(path, draft, constants.COPYFILE_FICLONE)
    if (sizeOf(`${path}-wal`) > 0n) copyFileSync(`${path}-wal`, `${draft}-wal`, constants.COPYFILE_FICLONE)
    else rmSync(`${draft}-wal`, { force: true })
    if (stateOf(path) === before) return
  }
  throw new BrainError('busy', `${path} is being written to: close the program it belongs to, and try again`)
}

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`

interface ColumnRow {
  name: string
  hidden: number
}

class CopiedDatabase implements ForeignDatabase {
  readonly tables: ReadonlyMap<string, ReadonlySet<string>>
  readonly #database: BetterSqlite3.Database
  readonly #path: string
  readonly #draft: string

  constructor(database: BetterSqlite3.Database, path: string, draft: string) {
    this.#database = database
    this.#path = path
    this.#draft = draft
    this.tables = this.#look(() => this.#readTables())
  }

  #look<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      throw error instanceof BrainError ? error : damaged(this.#path, error)
    }
  }

  #readTables(): Map<string, Set<string>> {
    const listed = this.#database
      .prepare<[], { name: unknown; sql: unknown; bytes: number }>(
        `SELECT name, CASE WHEN octet_length(sql) < 65536 THEN sql END AS sql, octet_length(sql) AS bytes
         FROM sqlite_schema NOT INDEXED WHERE type = 'table' LIMIT ${maxTables}`,
      )
      .all()
    if (listed.reduce((sum, { bytes }) => sum + bytes, 0) > maxSchemaBytes) throw damaged(this.#path)
    const tables = new Map<string, Set<string>>()
    for (const { name, sql } of listed) {
      // A virtual table is code of the one who made it, and one without row numbers is kept in another shape.
      if (typeof name !== 'string' || typeof sql !== 'string' || name.startsWith('sqlite_')) continue
      if (!/^\s*CREATE\s+TABLE\b/i.test(sql) || /\bWITHOUT\s+ROWID\b/i.test(sql)) continue
      const columns = this.#database
        .prepare<[string], ColumnRow>('SELECT name, hidden FROM pragma_table_xinfo(?)')
        .all(name)
      // Computed columns are somebody's expressions, which reading a row would run.
      if (columns.some(({ hidden }) => hidden !== 0)) continue
      tables.set(name, new Set(columns.map((column) => column.name)))
    }
    return tables
  }

  /** The columns of a statement, each bounded, and the row's number. */
  #select(table: string, columns: readonly string[]): string {
    const there = this.tables.get(table)
    if (there === undefined) throw new BrainError('invalid', `${this.#path} has no table ${table}`)
    const wanted = columns.map((column) => {
      const name = quote(column)
      if (!there.has(column)) return `NULL AS ${name}`
      return `CASE WHEN typeof(${name}) <> 'blob' AND octet_length(${name}) <= ${maxValueBytes} THEN ${name} END AS ${name}`
    })
    return `SELECT rowid AS "#"${wanted.map((one) => `, ${one}`).join('')} FROM ${quote(table)} NOT INDEXED`
  }

  *rows(table: string, columns: readonly string[]): Generator<ForeignRow, void, undefined> {
    const page = this.#look(() =>
      this.#database.prepare<[number], ForeignRow>(
        `${this.#select(table, columns)} WHERE rowid > ? ORDER BY rowid LIMIT ${pageRows}`,
      ),
    )
    let after = Number.MIN_SAFE_INTEGER
    for (;;) {
      const rows = this.#look(() => page.all(after))
      for (const row of rows) {
        // Pages that lead round in a circle give a row a second time.
        if (typeof row['#'] !== 'number' || row['#'] <= after) throw damaged(this.#path)
        after = row['#']
      }
      yield* rows
      if (rows.length < pageRows) return
    }
  }

  find(
    table: string,
    { column, value }: { column: string; value: string },
    columns: readonly string[],
  ): ForeignRow | undefined {
    return this.#look(() =>
      this.#database
        .prepare<[string], ForeignRow>(
          // By whatever index there is on the column itself: to read a document for each of many would be endless.
          `${this.#select(table, columns).replace(/ NOT INDEXED$/, '')} WHERE ${quote(column)} = ? LIMIT 1`,
        )
        .get(value),
    )
  }

  close(): void {
    this.#database.close()
    discard(this.#draft)
  }
}

/**
 * Opens a copy of the database at `path`, made in `directory`, which is private to this user.
 * @throws BrainError naming the file that is damaged or in use; what the system refuses as it comes.
 */
export function openForeign(path: string, directory: string): ForeignDatabase {
  dropDrafts(directory)
  const draft = createDraft(join(directory, 'foreign.db'))
  let database: BetterSqlite3.Database | undefined
  try {
    copy(path, draft)
    database = loadDatabase(draft, { timeout: 0 })
    database.pragma('mmap_size = 0')
    database.pragma('cache_size = -4000')
    database.pragma('temp_store = MEMORY')
    // What the log holds goes into the copy, which then needs no file beside it.
    database.pragma('journal_mode = DELETE')
    database.pragma('query_only = ON')
    return new CopiedDatabase(database, path, draft)
  } catch (error) {
    database?.close()
    discard(draft)
    // What the system refuses, whoever named the file says in words.
    const told = error instanceof BrainError || (error instanceof Error && 'syscall' in error)
    throw told ? error : damaged(path, error)
  }
}
