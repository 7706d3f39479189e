/**
 * Work inside a transaction of an SQL database, written once for all of them: generators that hand out one statement at a time
 * and go on with its answer. SQLite answers at once, since its transactions end before the event loop turns; PostgreSQL answers
 * over a connection. Knows what the two write differently, and no driver.
 */
import type { Found, RecordKind } from '../../core/records.ts'

export type Scalar = string | number | bigint | boolean | Uint8Array | null
/** A list is a value of `amongIds` or `amongTexts`. */
export type Value = Scalar | readonly (string | number)[]

/** Columns of a row by name. The names are the code's own, never a caller's. */
export type Columns = Readonly<Record<string, Value>>

/** Work under way, which other work waits for with `yield*`. */
export type Steps<T> = Generator<unknown, T, unknown>

/** What is done in one transaction. */
export type Work<T> = (session: Session) => Steps<T>

/** What is asked for: there at once, or later. */
export type Answer<T> = T | Promise<T>

/** Asks for several things of which none waits for another. */
export function* together<T extends readonly unknown[]>(
  ...answers: T
): Steps<{ -readonly [At in keyof T]: Awaited<T[At]> }> {
  // Whoever runs the work hands back the answer of each.
  return (yield answers) as { -readonly [At in keyof T]: Awaited<T[At]> }
}

/** Runs work whose every answer is there when it is asked for. */
export function runAtOnce<T>(steps: Steps<T>): T {
  let step = steps.next()
  while (!step.done) step = steps.next(step.value)
  return step.value
}

/** Runs work whose answers arrive later, those of a list in one go. */
export async function runInTurn<T>(steps: Steps<T>): Promise<T> {
  let step = steps.next()
  while (!step.done)
    step = steps.next(await (Array.isArray(step.value) ? Promise.all(step.value) : step.value))
  return step.value
}

/** A brain's database, whose transactions are of one project each. */
export interface SqlDatabase {
  /** One consistent view of a project, empty where there is no such project. */
  read<T>(project: string, work: Work<T>): Promise<T>
  /** Changes a project, all or nothing; a missing one is made if `makes` is set. `work` may run again and does nothing else. */
  write<T>(project: string, work: Work<T>, options?: { readonly makes?: boolean }): Promise<T>
  /** Changes what belongs to no project. */
  writeAnywhere<T>(work: Work<T>): Promise<T>
}

/** The value under a name, and how a name is given one. */
export const selectSetting = 'SELECT value FROM setting WHERE key = ?'
export const putSetting =
  'INSERT INTO setting (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value'

/** What is kept beside the records, under a name. */
export function* readSetting(session: Session, name: string): Steps<string | undefined> {
  const sql = `${selectSetting} ${session.dialect.hold('UPDATE')}`
  return (yield* session.first<{ value: string }>(sql, name))?.value
}

/** Inside a write. */
export const writeSetting = (session: Session, name: string, value: string): Steps<number> =>
  session.run(putSetting, name, value)

/** What databases write differently. */
export interface Dialect {
  /** Whether a table says of each row which project it belongs to; else the row it refers to says so. */
  readonly hasProject: (table: string) => boolean
  /** What follows a column that is to be one of a list. */
  readonly amongIds: string
  readonly amongTexts: string
  /** Holds the rows of a SELECT, which it ends, until the transaction ends; empty where a transaction holds everything. */
  readonly hold: (strength: string) => string
  /** The tags of a memory, parted by commas, `AS tags`. */
  readonly tags: string
  /** That a row of memories is no flag. */
  readonly noFlag: string
  /** Selects a row where an id is taken, in whichever project. */
  readonly selectTaken: (kind: RecordKind | 'evidence') => string
  /** Selects the `last` id that each table of a `name` gave; those that gave none may be absent or 0. */
  readonly selectLastIds: string
  /** Lets the ids that a table gives follow an id that was kept, if they do not yet. */
  readonly setLastId: (table: string) => string
}

/** A record to find by its id. */
interface Wanted<Row, T> {
  readonly table: RecordKind
  readonly id: number
  /** What to read of the table and others: a SELECT up to its conditions. */
  readonly select: string
  readonly toRecord: (row: Row) => T
  /** Whether the row is held until the transaction ends; what is joined to it is read as it was when the statement began. */
  readonly held?: boolean
}

/**
 * One transaction of one project. In its SQL a question mark stands for each value, in order, and `@project` for the id of the
 * project; names of columns that are not in lower case are quoted.
 */
export abstract class Session {
  /** Of the project; 0, which none has, where there is no such project. */
  abstract readonly projectId: number
  abstract readonly dialect: Dialect

  /** All rows, or a promise of them. */
  protected abstract query(sql: string, values: readonly Value[]): unknown
  /** How many rows were changed, or a promise of that. */
  protected abstract change(sql: string, values: readonly Value[]): unknown
  /** Adds rows of the same columns, of which the project is one where the table has it. */
  protected abstract add(table: string, rows: readonly Columns[]): unknown

  /** All rows. The caller names the columns it selected. */
  *all<T>(sql: string, ...values: readonly Value[]): Steps<T[]> {
    return (yield this.query(sql, values)) as T[]
  }

  *first<T>(sql: string, ...values: readonly Value[]): Steps<T | undefined> {
    return (yield* this.all<T>(sql, ...values))[0]
  }

  /** The one number that a statement selects as `n`; 0 without a row. */
  *count(sql: string, ...values: readonly Value[]): Steps<number> {
    return (yield* this.first<{ n: number }>(sql, ...values))?.n ?? 0
  }

  /** Executes one statement; returns how many rows it changed. */
  *run(sql: string, ...values: readonly Value[]): Steps<number> {
    return (yield this.change(sql, values)) as number
  }

  /** A condition and AND: that rows of a table are the project's, where the table tells. */
  own(table: string): string {
    return this.dialect.hasProject(table) ? `${table}.project_id = @project AND` : ''
  }

  /** Adds rows of the same columns to a table of the project. */
  *insertEach(table: string, rows: readonly Columns[]): Steps<void> {
    if (rows.length > 0) yield this.add(table, rows)
  }

  /** Adds a row; returns its id: the one given, or the next; 0 where `unless` keeps it out. */
  *insert(
    table: string,
    {
      id,
      row,
      unless = '',
    }: { readonly id?: number | undefined; readonly row: object; readonly unless?: string },
  ): Steps<number> {
    const columns = Object.entries({ ...(id !== undefined && { id }), ...row })
    const names = columns.map(([name]) => name)
    const places = names.map(() => '?')
    if (this.dialect.hasProject(table)) {
      names.push('project_id')
      places.push('@project')
    }
    const made = yield* this.first<{ id: number }>(
      `INSERT INTO ${table} (${names.join(', ')}) VALUES (${places.join(', ')}) ${unless} RETURNING id`,
      ...columns.map(([, value]) => value),
    )
    return made?.id ?? 0
  }

  /** Changes these columns of a row of the project. */
  *update(table: RecordKind, { id, ...row }: Columns & { readonly id: number }): Steps<void> {
    const changes = Object.keys(row).map((name) => `${name} = ?`)
    yield* this.run(
      `UPDATE ${table} SET ${changes.join(', ')} WHERE project_id = @project AND id = ?`,
      ...Object.values(row),
      id,
    )
  }

  /** Takes away the rows of other tables that refer to a record of the project. */
  *removeOf(column: string, id: number, tables: readonly string[]): Steps<void> {
    for (const table of tables)
      yield* this.run(`DELETE FROM ${table} WHERE ${this.own(table)} ${column} = ?`, id)
  }

  /**
   * Holds records of the project until the transaction ends, in the order of their ids, so that two who want the same never
   * wait for each other. What is read of them afterwards is as it is then.
   */
  *lock(table: RecordKind, ids: readonly number[]): Steps<void> {
    const { amongIds, hold } = this.dialect
    const held = hold('UPDATE')
    if (held === '') return
    yield* this.all(
      `SELECT 1 FROM ${table} WHERE project_id = @project AND id ${amongIds} ORDER BY id ${held}`,
      ids,
    )
  }

  /** Whether an id that the project does not have is another's. */
  *findElsewhere(kind: RecordKind | 'evidence', id: number): Steps<'elsewhere' | undefined> {
    const taken = yield* this.first(this.dialect.selectTaken(kind), id)
    return taken === undefined ? undefined : 'elsewhere'
  }

  /** The project's record of an id, or word of there being one elsewhere. */
  *find<Row, T>({ table, id, select, toRecord, held = false }: Wanted<Row, T>): Steps<Found<T>> {
    const row = yield* this.first<Row>(
      `${select} WHERE ${table}.project_id = @project AND ${table}.id = ?
       ${held ? this.dialect.hold(`UPDATE OF ${table}`) : ''}`,
      id,
    )
    return row === undefined ? yield* this.findElsewhere(table, id) : toRecord(row)
  }
}

/** A record that a decision accepted, and that must therefore exist. */
export function requireFound<T>(kind: RecordKind, id: number, found: Found<T>): T {
  if (found === undefined || found === 'elsewhere') throw new Error(`${kind} ${id} is gone`)
  return found
}
