/** A transaction of PostgreSQL as work written for any database uses it: every answer comes over the connection. */
import { numberedTables } from '../rows/identity.ts'
import {
  type Columns,
  type Dialect,
  runInTurn,
  Session,
  type SqlDatabase,
  type Value,
  type Work,
} from '../sql/session.ts'
import type { Database } from './connection.ts'
import { tagsColumn } from './memory-columns.ts'
import type { Transaction } from './transaction.ts'

const dialect: Dialect = {
  hasProject: () => true,
  amongIds: '= ANY(?::bigint[])',
  amongTexts: '= ANY(?::text[])',
  hold: (strength) => `FOR ${strength}`,
  tags: tagsColumn,
  noFlag: 'caution = 0',
  selectLastIds: numberedTables
    .map(
      (table) =>
        `SELECT '${table}' AS name, CASE WHEN is_called THEN last_value ELSE 0 END AS last FROM ${table}_id_seq`,
    )
    .join(' UNION ALL '),
  setLastId: (table) => `SELECT setval('${table}_id_seq', greatest(?, last_value)) FROM ${table}_id_seq`,
  selectTaken: (kind) => `SELECT 1 WHERE is_taken('${kind}', ?)`,
}

class PostgresSession extends Session {
  readonly dialect = dialect
  readonly transaction: Transaction

  constructor(transaction: Transaction) {
    super()
    this.transaction = transaction
  }

  get projectId(): number {
    return this.transaction.projectId
  }

  protected query(sql: string, values: readonly Value[]): Promise<unknown[]> {
    return this.transaction.all(...this.#numbered(sql, values))
  }

  protected change(sql: string, values: readonly Value[]): Promise<number> {
    return this.transaction.run(...this.#numbered(sql, values))
  }

  /** In one statement, whose text is the same however many rows there are. */
  protected add(table: string, rows: readonly Columns[]): Promise<number> {
    const names = Object.keys(rows[0] ?? {})
      .map((name) => `"${name}"`)
      .join(', ')
    return this.transaction.run(
      `INSERT INTO ${table} (project_id, ${names})
       SELECT $1, ${names} FROM json_populate_recordset(NULL::${table}, $2)`,
      // Half a character, as a text that was cut may end with, is none to PostgreSQL's JSON.
      [
        this.projectId,
        JSON.stringify(rows, (_, value) => (typeof value === 'string' ? value.toWellFormed() : value)),
      ],
    )
  }

  /** PostgreSQL numbers what others write as a question mark; the project comes last. */
  #numbered(sql: string, values: readonly Value[]): [string, Value[]] {
    let at = 0
    const text = sql.replace(/\?/g, () => {
      at += 1
      return `$${at}`
    })
    if (!text.includes('@project')) return [text, [...values]]
    return [text.replaceAll('@project', `$${at + 1}`), [...values, this.projectId]]
  }
}

/** What a session of this store is of, for what only this store does. */
export function transactionOf(session: Session): Transaction {
  if (session instanceof PostgresSession) return session.transaction
  throw new Error('a session of another store')
}

/** Does such work in a transaction that is under way. */
export const over = <T>(transaction: Transaction, work: Work<T>): Promise<T> =>
  runInTurn(work(new PostgresSession(transaction)))

export const createSqlDatabase = (database: Database): SqlDatabase => ({
  read: (project, work) => database.read(project, (transaction) => over(transaction, work)),
  writeAnywhere: (work) => database.writeAnywhere((transaction) => over(transaction, work)),
  write: (project, work, options) =>
    database.write(project, (transaction) => over(transaction, work), options),
})
