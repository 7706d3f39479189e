/** What tells the records of a kind apart, as SQL that every store understands, with a question mark for each value. */
import type { ImportedOf } from '../transfer.ts'

/** Records that are known by themselves; the others by what they belong to. Each is in the table of its type. */
export type Identified = ImportedOf<'memory' | 'belief' | 'prediction' | 'observation'>

/** Tables in which ids distinguish what was here before. */
export const numberedTables = [
  'memory',
  'memory_version',
  'dream',
  'belief',
  'evidence',
  'prediction',
  'observation',
] as const

export type Numbered = (typeof numberedTables)[number]

type Condition = readonly [sql: string, values: (string | number | null)[]]

/**
 * The same words, hand and time as when it was made, whatever was added since; a time that few others share is looked at
 * first.
 */
export function identityOf(record: Identified): Condition {
  const { createdAt } = record
  switch (record.type) {
    case 'memory':
      return ['created_at = ? AND agent = ? AND text = ?', [createdAt, record.agent, record.text]]
    case 'belief':
      return ['created_at = ? AND text = ? AND abs(prior - ?) < 1e-9', [createdAt, record.text, record.prior]]
    case 'prediction':
      return [
        'created_at = ? AND domain = ? AND prediction = ?',
        [createdAt, record.domain, record.prediction],
      ]
    case 'observation':
      return [
        'created_at = ? AND observer_agent = ? AND subject_agent = ? AND observation = ?',
        [createdAt, record.observerAgent, record.subjectAgent, record.observation],
      ]
  }
}

/**
 * Whether what is here says less than a record that is the same: another text, which it never had, or something that was
 * added elsewhere. `ofProject` begins the conditions of a subquery on a table, where the store's tables have a project each.
 */
export function saysLess(record: Identified, ofProject: (table: string) => string): Condition {
  switch (record.type) {
    case 'memory':
      return [
        `text <> ? AND NOT EXISTS (SELECT 1 FROM memory_version
         WHERE ${ofProject('memory_version')} memory_id = memory.id AND memory_version.text = ?)`,
        [record.text, record.text],
      ]
    case 'belief':
      return ['evidence_count < ?', [record.evidenceCount]]
    case 'prediction': {
      const countOf = (table: string): string =>
        `(SELECT count(*) FROM ${table} WHERE ${ofProject(table)} prediction_id = prediction.id)`
      return [
        `((resolved_at IS NULL AND ? = 1) OR ${countOf('forecast')} < ? OR ${countOf('reopening')} < ?)`,
        [record.resolution === null ? 0 : 1, record.forecasts.length, record.reopenings.length],
      ]
    }
    case 'observation':
      return ['1 = 0', []]
  }
}
