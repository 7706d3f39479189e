/**
 * Which of the records that come in are here already: called so where they come from, or of the same words, hand, time and figures. Only those count that
 * were here before the import began, so that what stands twice in one source stays twice. Knows what makes records the same.
 */
import { type Identified, identityOf } from '../rows/identity.ts'
import { withoutMarks } from '../staging-rules.ts'
import type { ImportedMemory } from '../transfer.ts'
import type { Connection } from './connection.ts'
import { findProject } from './projects.ts'

/** The record that is called so where it comes from. */
const findByOrigin = (
  connection: Connection,
  projectId: number,
  { type, circumstances }: Identified,
): number | undefined =>
  circumstances?.origin == null
    ? undefined
    : connection.first<{ record_id: number }>(
        'SELECT record_id FROM provenance WHERE project_id = ? AND kind = ? AND origin = ?',
        projectId,
        type,
        circumstances.origin,
      )?.record_id

/** Whether a project has a memory of this origin, or of this text, agent and time. */
export function hasMemory(connection: Connection, project: string, record: ImportedMemory): boolean {
  const projectId = findProject(connection, project)
  if (projectId === undefined) return false
  if (findByOrigin(connection, projectId, record) !== undefined) return true
  const [sql, values] = identityOf(record)
  return (
    connection.first(`SELECT 1 FROM ${record.type} WHERE project_id = ? AND ${sql}`, projectId, ...values) !==
    undefined
  )
}

export class PresentRecords {
  readonly #connection: Connection
  readonly #last: Readonly<Record<string, number>>

  /** Looks at what is there now. */
  constructor(connection: Connection) {
    this.#connection = connection
    const rows = connection.all<{ name: string; seq: number }>('SELECT name, seq FROM sqlite_sequence')
    this.#last = Object.fromEntries(rows.map(({ name, seq }) => [name, seq]))
  }

  /** Whether a record of a table has been here since before. */
  has(table: 'memory' | 'belief', id: number | undefined): boolean {
    return id !== undefined && id <= (this.#last[table] ?? 0)
  }

  /** The first record that is the same; undefined where there is none. */
  find(projectId: number, record: Identified): number | undefined {
    const [sql, values] = identityOf(record)
    const last = this.#last[record.type]
    if (last === undefined) return undefined
    const called = findByOrigin(this.#connection, projectId, record)
    if (called !== undefined && called <= last) return called
    return this.#connection.first<{ id: number }>(
      `SELECT id FROM ${record.type} WHERE project_id = ? AND ${sql} AND id <= ? ORDER BY id LIMIT 1`,
      projectId,
      ...values,
      last,
    )?.id
  }

  /** The dream that was dreamt from a memory and has one of these origins, whatever import a forgotten source came with. */
  findDream(memoryId: number, origins: readonly string[]): number | undefined {
    return this.#connection
      .all<{ id: number; origin: string }>(
        `SELECT id, origin FROM dream WHERE id <= ? AND id IN
           (SELECT dream_id FROM dream_source WHERE memory_id = ?) ORDER BY id`,
        this.#last.dream ?? 0,
        memoryId,
      )
      .find(({ origin }) => origins.includes(withoutMarks(origin)))?.id
  }
}
