/** A transaction of SQLite as work written for any database uses it: every answer is there at once. */
import {
  type Columns,
  type Dialect,
  runAtOnce,
  Session,
  type SqlDatabase,
  type Value,
  type Work,
} from '../sql/session.ts'
import type { Connection } from './connection.ts'
import { tagsColumn } from './memory-columns.ts'
import { ensureProject, findProject } from './projects.ts'

/** Their rows belong to a record, which says whose they are. */
const ofRecords = new Set([
  'citation',
  'dream_feedback',
  'dream_reason',
  'dream_source',
  'evidence',
  'evidence_run',
  'exemption',
  'forecast',
  'memory_version',
  'passage',
  'recall_verdict',
  'reopening',
])

const among = 'IN (SELECT value FROM json_each(?))'

const dialect: Dialect = {
  hasProject: (table) => !ofRecords.has(table),
  amongIds: among,
  amongTexts: among,
  hold: () => '',
  tags: tagsColumn,
  // Asked of an index: reading every row that is skipped would cost much on a page far behind.
  noFlag: 'id NOT IN (SELECT id FROM memory WHERE caution > 0)',
  selectLastIds: 'SELECT name, seq AS last FROM sqlite_sequence',
  setLastId: (table) => `UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = '${table}'`,
  selectTaken: (kind) => `SELECT 1 FROM ${kind} WHERE id = ?`,
}

/** A value as SQLite takes it. */
function toBound(value: Value): string | number | bigint | Uint8Array | null {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value === 'object' && value !== null && !(value instanceof Uint8Array))
    return JSON.stringify(value)
  return value
}

class SqliteSession extends Session {
  readonly dialect = dialect
  readonly projectId: number
  readonly #connection: Connection

  constructor(connection: Connection, projectId: number) {
    super()
    this.#connection = connection
    this.projectId = projectId
  }

  protected query(sql: string, values: readonly Value[]): unknown[] {
    return this.#connection.all(sql, ...this.#bound(values))
  }

  protected change(sql: string, values: readonly Value[]): number {
    return this.#connection.run(sql, ...this.#bound(values)).changes
  }

  protected add(table: string, rows: readonly Columns[]): void {
    const names = Object.keys(rows[0] ?? {})
    const own = dialect.hasProject(table)
    const columns = own ? [...names, 'project_id'] : names
    const sql = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`
    for (const row of rows)
      this.#connection.run(sql, ...Object.values(row).map(toBound), ...(own ? [this.projectId] : []))
  }

  #bound(values: readonly Value[]) {
    return [...values.map(toBound), { project: this.projectId }]
  }
}

/** Does such work in the read or write that is under way. */
export const over = <T>(connection: Connection, projectId: number, work: Work<T>): T =>
  runAtOnce(work(new SqliteSession(connection, projectId)))

export const createSqlDatabase = (connection: Connection): SqlDatabase => ({
  read: (project, work) =>
    connection.read(() => over(connection, findProject(connection, project) ?? 0, work)),
  writeAnywhere: (work) => connection.write(() => over(connection, 0, work)),
  write: (project, work, { makes = false } = {}) =>
    connection.write(() => {
      const find = makes ? ensureProject : findProject
      return over(connection, find(connection, project) ?? 0, work)
    }),
})
