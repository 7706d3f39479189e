/**
 * Which of the records that come in are here already: called so where they come from, or of the same words, hand, time and
 * figures. Only those count that were here before the import began, so that what stands twice in one source stays twice.
 */
import { type Identified, identityOf, numberedTables } from '../rows/identity.ts'
import { withoutMarks } from '../staging-rules.ts'
import { numbered } from './conditions.ts'
import type { Transaction } from './transaction.ts'

export type Numbered = (typeof numberedTables)[number]

const ofProject = (table: string): string => `${table}.project_id = $1 AND`

export class PresentRecords {
  readonly #transaction: Transaction
  /** The last id that was given of each kind; 0 where none ever was. */
  readonly #last: Readonly<Record<Numbered, number>>

  private constructor(transaction: Transaction, last: Readonly<Record<Numbered, number>>) {
    this.#transaction = transaction
    this.#last = last
  }

  /** Looks at what is there now. */
  static async read(transaction: Transaction): Promise<PresentRecords> {
    const last = {} as Record<Numbered, number>
    for (const table of numberedTables) {
      const given = await transaction.first<{ last: number }>(
        `SELECT CASE WHEN is_called THEN last_value ELSE 0 END AS last FROM ${table}_id_seq`,
      )
      last[table] = given?.last ?? 0
    }
    return new PresentRecords(transaction, last)
  }

  /** Whether no record was ever kept, so that every id is free and was never anyone's. */
  get untouched(): boolean {
    return Object.values(this.#last).every((id) => id === 0)
  }

  /** Whether a record of a table has been here since before. */
  has(table: 'memory' | 'belief', id: number | undefined): boolean {
    return id !== undefined && id <= this.#last[table]
  }

  /** The first record that is the same; undefined where there is none. */
  async find(record: Identified): Promise<number | undefined> {
    const { type } = record
    const last = this.#last[type]
    if (last === 0) return undefined
    const { projectId } = this.#transaction
    const origin = record.circumstances?.origin ?? null
    const called =
      origin === null
        ? undefined
        : await this.#transaction.first<{ id: number }>(
            'SELECT record_id AS id FROM provenance WHERE project_id = $1 AND kind = $2 AND origin = $3',
            [projectId, type, origin],
          )
    if (called !== undefined && called.id <= last) return called.id
    const [sql, values] = identityOf(record, ofProject)
    const same = await this.#transaction.first<{ id: number }>(
      `SELECT id FROM ${type} WHERE project_id = $1 AND id <= $2 AND ${numbered(sql, 3)} ORDER BY id LIMIT 1`,
      [projectId, last, ...values],
    )
    return same?.id
  }

  /** The dream that was dreamt from a memory and has one of these origins, whatever import a forgotten source came with. */
  async findDream(memoryId: number, origins: readonly string[]): Promise<number | undefined> {
    const rows = await this.#transaction.all<{ id: number; origin: string }>(
      `SELECT id, origin FROM dream WHERE project_id = $1 AND id <= $2 AND id IN
         (SELECT dream_id FROM dream_source WHERE project_id = $1 AND memory_id = $3) ORDER BY id`,
      [this.#transaction.projectId, this.#last.dream, memoryId],
    )
    return rows.find(({ origin }) => origins.includes(withoutMarks(origin)))?.id
  }
}
