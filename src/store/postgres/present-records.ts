/**
 * Which of the records that come in are here already: called so where they come from, or of the same words, hand, time and
 * figures. Only those count that were here before the import began, so that what stands twice in one source stays twice.
 */
import { withoutMarks } from '../staging-rules.ts'
import type { ImportedRecord } from '../transfer.ts'
import type { Transaction, Value } from './transaction.ts'

type Of<Type extends ImportedRecord['type']> = Extract<ImportedRecord, { type: Type }>

/** Records that are known by themselves; the others by what they belong to. */
type Identified = Of<'memory' | 'belief' | 'prediction' | 'observation'>

/** Tables in which ids distinguish what was here before. */
export const numbered = [
  'memory',
  'memory_version',
  'dream',
  'belief',
  'evidence',
  'prediction',
  'observation',
] as const

export type Numbered = (typeof numbered)[number]

/** What distinguishes the records of a kind; their values begin with the third. */
function identityOf(record: Identified): [sql: string, values: Value[]] {
  const { createdAt } = record
  switch (record.type) {
    case 'memory':
      return ['created_at = $3 AND agent = $4 AND text = $5', [createdAt, record.agent, record.text]]
    case 'belief':
      return [
        'created_at = $3 AND evidence_count = $4 AND abs(log_ratio - $5) < 1e-6 AND text = $6',
        [createdAt, record.evidenceCount, record.logRatio, record.text],
      ]
    case 'prediction':
      return [
        // With everything that was added to it since.
        `created_at = $3 AND domain = $4 AND resolved_at IS NOT DISTINCT FROM $5 AND prediction = $6
         AND (SELECT count(*) FROM forecast WHERE forecast.project_id = $1 AND prediction_id = prediction.id) = $7
         AND (SELECT count(*) FROM reopening WHERE reopening.project_id = $1 AND prediction_id = prediction.id) = $8`,
        [
          createdAt,
          record.domain,
          record.resolution?.resolvedAt ?? null,
          record.prediction,
          record.forecasts.length,
          record.reopenings.length,
        ],
      ]
    case 'observation':
      return [
        'created_at = $3 AND observer_agent = $4 AND subject_agent = $5 AND observation = $6',
        [createdAt, record.observerAgent, record.subjectAgent, record.observation],
      ]
  }
}

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
    for (const table of numbered) {
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
    const [sql, values] = identityOf(record)
    const same = await this.#transaction.first<{ id: number }>(
      `SELECT id FROM ${type} WHERE project_id = $1 AND id <= $2 AND ${sql} ORDER BY id LIMIT 1`,
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
