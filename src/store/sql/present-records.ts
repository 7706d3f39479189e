/**
 * Which of the records that come in are here already: called so where they come from, or of the same words, hand and time,
 * also where they were edited, merged or added to since. Only those count that were here before the import began, so
 * that what stands twice in one source stays twice.
 */
import { type Identified, identityOf, type Numbered, numberedTables, saysLess } from '../rows/identity.ts'
import { withoutMarks } from '../staging-rules.ts'
import type { Session, Steps } from './session.ts'

export class PresentRecords {
  /** The last id that was given of each kind; 0 where none ever was. */
  readonly #lastOf: (table: Numbered) => number

  private constructor(lastOf: (table: Numbered) => number) {
    this.#lastOf = lastOf
  }

  /** Looks at what is there now. */
  static *read(session: Session): Steps<PresentRecords> {
    const rows = yield* session.all<{ name: string; last: number }>(session.dialect.selectLastIds)
    const given = new Map(rows.map(({ name, last }) => [name, last]))
    return new PresentRecords((table) => given.get(table) ?? 0)
  }

  /** Whether no record was ever kept, so that every id is free and was never anyone's. */
  get untouched(): boolean {
    return numberedTables.every((table) => this.#lastOf(table) === 0)
  }

  /** Whether a record of a table has been here since before. */
  has(table: 'memory' | 'belief', id: number | undefined): boolean {
    return id !== undefined && id <= this.#lastOf(table)
  }

  /** The first record of the project that is the same; undefined where there is none. */
  *find(session: Session, record: Identified): Steps<number | undefined> {
    const { type } = record
    const last = this.#lastOf(type)
    if (last === 0) return undefined
    const origin = record.circumstances?.origin ?? null
    const called =
      origin === null
        ? undefined
        : yield* session.first<{ id: number }>(
            'SELECT record_id AS id FROM provenance WHERE project_id = @project AND kind = ? AND origin = ?',
            type,
            origin,
          )
    if (called !== undefined && called.id <= last) return called.id
    const [sql, values] = identityOf(record)
    const same = yield* session.first<{ id: number }>(
      `SELECT id FROM ${type} WHERE project_id = @project AND ${sql} AND id <= ? ORDER BY id LIMIT 1`,
      ...values,
      last,
    )
    if (same !== undefined) return same.id
    return type === 'memory' ? yield* this.#findEarlier(session, record) : undefined
  }

  /** The memory that said the same before it was edited, or that this one was merged into. */
  *#findEarlier(
    session: Session,
    { text, agent, createdAt, editedAt }: Extract<Identified, { type: 'memory' }>,
  ): Steps<number | undefined> {
    if (this.#lastOf('memory_version') === 0) return undefined
    const last = this.#lastOf('memory')
    const own = session.own('memory_version')
    const edited = yield* session.first<{ id: number }>(
      `SELECT id FROM memory WHERE project_id = @project AND created_at = ? AND edited_at IS NOT NULL AND id <= ?
       AND EXISTS (SELECT 1 FROM memory_version
         WHERE ${own} memory_id = memory.id AND memory_version.text = ? AND memory_version.agent = ?)
       ORDER BY id LIMIT 1`,
      createdAt,
      last,
      text,
      agent,
    )
    if (edited !== undefined) return edited.id
    // Begun with the versions that were memories: few, and found by the index of what they were called.
    const merged = yield* session.first<{ id: number }>(
      `SELECT memory_id AS id FROM memory_version
       WHERE ${own} former_id > 0 AND created_at = ? AND agent = ? AND text = ? AND memory_id <= ?
       AND EXISTS (SELECT 1 FROM memory WHERE memory.id = memory_id AND memory.project_id = @project) LIMIT 1`,
      editedAt ?? createdAt,
      agent,
      text,
      last,
    )
    return merged?.id
  }

  /** Whether a record that is here says less than the same one that comes. */
  *saysLess(session: Session, record: Identified, id: number): Steps<boolean> {
    const [sql, values] = saysLess(record, (table) => session.own(table))
    const found = yield* session.first(
      `SELECT 1 FROM ${record.type} WHERE project_id = @project AND id = ? AND ${sql}`,
      id,
      ...values,
    )
    return found !== undefined
  }

  /** The dream that was dreamt from a memory and has one of these origins, whatever import a forgotten source came with. */
  *findDream(session: Session, memoryId: number, origins: readonly string[]): Steps<number | undefined> {
    const rows = yield* session.all<{ id: number; origin: string }>(
      `SELECT id, origin FROM dream WHERE project_id = @project AND id <= ? AND id IN
         (SELECT dream_id FROM dream_source WHERE ${session.own('dream_source')} memory_id = ?) ORDER BY id`,
      this.#lastOf('dream'),
      memoryId,
    )
    return rows.find(({ origin }) => origins.includes(withoutMarks(origin)))?.id
  }
}
