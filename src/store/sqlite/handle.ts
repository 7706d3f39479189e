/** An open database and the statements that were prepared on it. Knows nothing of what they say. */
import type BetterSqlite3 from 'better-sqlite3'

export type Value = number | bigint | string | Uint8Array | null
/** Values for the question marks of a statement, and for its names. */
export type Bound = Value | Readonly<Record<string, number>>

/** Prepared statements kept: bounds the memory of a process that serves thousands of projects. */
const maxStatements = 512

export class Handle {
  readonly database: BetterSqlite3.Database
  readonly #statements = new Map<string, BetterSqlite3.Statement<Bound[]>>()

  constructor(database: BetterSqlite3.Database) {
    this.database = database
  }

  prepare(sql: string): BetterSqlite3.Statement<Bound[]> {
    let statement = this.#statements.get(sql)
    if (statement === undefined) {
      statement = this.database.prepare<Bound[]>(sql)
      // Every project has statements of its own; those met first make room for new ones.
      const [oldest] = this.#statements.keys()
      if (this.#statements.size >= maxStatements && oldest !== undefined) this.#statements.delete(oldest)
      this.#statements.set(sql, statement)
    }
    return statement
  }
}
