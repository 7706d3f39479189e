/**
 * Checks that a brain's content has a size and number that brain itself produces. SQLite would read a text of a
 * gigabyte into memory, and a schema of a million entries for minutes, uninterruptibly; so a brain that this user has
 * not opened on this machine is measured first. Knows sizes, from the headers of pages and rows; reads no text.
 */
import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type BetterSqlite3 from 'better-sqlite3'
import { count } from '../../core/counts.ts'
import { BrainError } from '../../core/errors.ts'
import { damage } from './faults.ts'

const kib = 2 ** 10
const mib = 2 ** 20

/** A database's bytes, of which each command of some kind reads all: ten times what 100,000 memories take. */
const maxBytes = 4 * 2 ** 30

/** Bytes of one value, far above the longest text that an interface takes, and above what else a row keeps. */
const maxOf = { TEXT: 512 * kib, BLOB: mib } as const
/** The words of a text, which are longer than it is. */
const maxTerms = 4 * mib
/** Vectors stand together, some thousand of them. */
const maxVectors = 64 * mib

/** Rows of which every command, or one of them, reads all. */
const smallTables: Readonly<Record<string, number>> = {
  project: 10_000,
  key: 10_000,
  setting: 10_000,
  model: 1_000,
  snapshot: 1_000,
  sqlite_sequence: 1_000,
  prediction: 100_000,
}
const maxRows = 1_000_000

/** Some 2,500 projects' tables; reading more of them takes SQLite seconds, and ten times as many minutes. */
const maxEntries = 20_000

const tooMuch = (file: string, what: string): BrainError =>
  new BrainError(
    'storage',
    `${file} was not made by you on this machine, and ${what}: \`brain trust ${dirname(dirname(file))}\` takes it for yours`,
  )

interface Column {
  readonly name: string
  readonly type: string
}

function maxOfColumn(table: string, { name, type }: Column): number | undefined {
  if (/^vector_\d+_/.test(table)) return maxVectors
  if (name === 'terms') return maxTerms
  // Of columns without a type, as SQLite's own tables have them, any value may stand there.
  return type === 'BLOB' || type === 'TEXT' ? maxOf[type] : type === '' ? maxOf.BLOB : undefined
}

/** The columns of a table that can be long, as a condition. */
function longColumns(database: BetterSqlite3.Database, table: string): string[] {
  const columns = database.pragma(`table_info('${table}')`) as Column[]
  return columns.flatMap((column) => {
    const max = maxOfColumn(table, column)
    return max === undefined ? [] : [`octet_length("${column.name}") > ${max}`]
  })
}

/** Virtual tables: their data is in other tables. */
const virtual = /^(keyword|term|vector)_\d+$/

function tablesOf(database: BetterSqlite3.Database): string[] {
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all() as {
    name: string
  }[]
  return tables.flatMap(({ name }) => (virtual.test(name) ? [] : [name]))
}

/**
 * Of a database whose schema is known to be ours. @throws BrainError `storage` naming the table that holds more than a brain
 * that came from elsewhere may bring.
 */
export function requireModest(database: BetterSqlite3.Database, file: string): void {
  for (const name of tablesOf(database)) {
    const max = smallTables[name] ?? maxRows
    if (database.prepare(`SELECT 1 FROM "${name}" LIMIT 1 OFFSET ${max}`).get() !== undefined)
      throw tooMuch(file, `holds more than ${count(max)} rows of ${name}`)
  }
  requireShortRows(database, file)
}

/** The same of a brain of any size. @throws BrainError `storage` naming the table that holds a row which no brain keeps. */
export function requireShortRows(database: BetterSqlite3.Database, file: string): void {
  for (const name of tablesOf(database)) {
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

/**
 * A page of a b-tree of rows (sqlite.org/fileformat.html, section 1.6): how many entries it has, or which pages they
 * stand on.
 */
function readPage(page: Buffer, header: number): { readonly entries: number; readonly below: number[] } {
  const cells = page.readUInt16BE(header + 3)
  const kind = page[header]
  if (kind === 0x0d) return { entries: cells, below: [] }
  if (kind !== 0x05) throw damage()
  const below = [page.readUInt32BE(header + 8)]
  for (let at = 0; at < cells; at += 1) {
    const cell = page.readUInt16BE(header + 12 + 2 * at)
    below.push(page.readUInt32BE(cell))
  }
  return { entries: 0, below }
}

/**
 * Of a file that this process does not have open. @throws BrainError `storage` for one that is larger than may come
 * from elsewhere.
 */
export function requireModestFile(file: string): void {
  if (statSync(file).size > maxBytes) throw tooMuch(file, `has more than ${maxBytes / 2 ** 30} GB`)
  requireFewEntries(file)
}

/**
 * Counts the entries of a database's schema without SQLite, which would take them all in first. Of a file that this process does
 * not have open. @throws BrainError `storage` where there are more than any brain has, and for pages that are damaged.
 */
export function requireFewEntries(file: string): void {
  const descriptor = openSync(file, 'r')
  try {
    const first = Buffer.alloc(100)
    readSync(descriptor, first, 0, 100, 0)
    const declared = first.readUInt16BE(16)
    const size = declared === 1 ? 65_536 : declared
    const page = Buffer.alloc(size)
    const waiting = [1]
    let [entries, pages] = [0, 0]
    while (waiting.length > 0) {
      const number = waiting.pop() ?? 0
      pages += 1
      if (number === 0 || readSync(descriptor, page, 0, size, (number - 1) * size) < size) throw damage()
      const read = readPage(page, number === 1 ? 100 : 0)
      entries += read.entries
      waiting.push(...read.below)
      // An entry takes a page at most times its overflow; pages that lead to themselves are never done.
      if (entries > maxEntries || pages + waiting.length > maxEntries)
        throw new BrainError(
          'storage',
          `${file} has a schema of more than ${count(maxEntries)} entries, which no brain makes: use a brain of your own`,
        )
    }
  } catch (error) {
    // An offset that points outside of its page.
    throw error instanceof RangeError ? damage() : error
  } finally {
    closeSync(descriptor)
  }
}
