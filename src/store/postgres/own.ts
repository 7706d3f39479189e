/**
 * Records of a transaction's project, found by id. For an id that is not found there, the only further question is
 * whether it belongs to another project.
 */
import type { Found, RecordKind } from '../../core/records.ts'
import type { Transaction, Value } from './transaction.ts'

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
 * Adds a row of the project from its columns, inside a write: names and values stand in one place, the record's file in
 * `rows/`. The names are the code's own, never a caller's. Returns the row's id: the one given, or the next; 0 where
 * `unless` keeps it out.
 */
export async function insertOwn(
  transaction: Transaction,
  table: string,
  {
    id,
    row,
    unless = '',
  }: { readonly id?: number | undefined; readonly row: object; readonly unless?: string },
): Promise<number> {
  const columns = { ...(id !== undefined && { id }), project_id: transaction.projectId, ...row }
  const names = Object.keys(columns)
  const places = names.map((_, at) => `$${at + 1}`).join(', ')
  const made = await transaction.first<{ id: number }>(
    `INSERT INTO ${table} (${names.join(', ')}) VALUES (${places}) ${unless} RETURNING id`,
    Object.values(columns),
  )
  return made?.id ?? 0
}

/** Changes these columns of a row of the project, inside a write. The names are the code's own, never a caller's. */
export async function updateOwn(
  transaction: Transaction,
  table: string,
  { id, ...row }: Readonly<Record<string, Value>> & { readonly id: number },
): Promise<void> {
  const changes = Object.keys(row).map((name, at) => `${name} = $${at + 3}`)
  await transaction.run(`UPDATE ${table} SET ${changes.join(', ')} WHERE project_id = $1 AND id = $2`, [
    transaction.projectId,
    id,
    ...Object.values(row),
  ])
}

/** Whether an id that the project does not have is another's. */
export const findElsewhere = async (
  transaction: Transaction,
  kind: RecordKind | 'evidence',
  id: number,
): Promise<'elsewhere' | undefined> => {
  const answer = await transaction.first<{ taken: boolean }>('SELECT is_taken($1, $2) AS taken', [kind, id])
  return answer?.taken === true ? 'elsewhere' : undefined
}

export async function findOwn<Row, T>(
  transaction: Transaction,
  { table, id, select, toRecord, held = false }: Wanted<Row, T>,
): Promise<Found<T>> {
  const row = await transaction.first<Row>(
    `${select} WHERE ${table}.project_id = $1 AND ${table}.id = $2 ${held ? `FOR UPDATE OF ${table}` : ''}`,
    [transaction.projectId, id],
  )
  return row === undefined ? findElsewhere(transaction, table, id) : toRecord(row)
}

/**
 * Holds records of the project until the transaction ends, in the order of their ids, so that two who want the same never
 * wait for each other. What is read of them afterwards is as it is then.
 */
export const lock = async (
  transaction: Transaction,
  table: RecordKind,
  ids: readonly number[],
): Promise<void> =>
  void (await transaction.run(
    `SELECT 1 FROM ${table} WHERE project_id = $1 AND id = ANY($2::bigint[]) ORDER BY id FOR UPDATE`,
    [transaction.projectId, ids],
  ))

/** A record that a decision accepted, and that must therefore exist. */
export function requireFound<T>(kind: RecordKind, id: number, found: Found<T>): T {
  if (found === undefined || found === 'elsewhere') throw new Error(`${kind} ${id} is gone`)
  return found
}
