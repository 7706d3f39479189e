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

/**
 * The same words, hand, time and figures; a time that few others share is looked at first. `ofProject` begins the
 * conditions of a subquery on a table, where the store's tables have a project each.
 */
export function identityOf(
  record: Identified,
  ofProject: (table: string) => string,
): readonly [sql: string, values: (string | number | null)[]] {
  const { createdAt } = record
  switch (record.type) {
    case 'memory':
      return ['created_at = ? AND agent = ? AND text = ?', [createdAt, record.agent, record.text]]
    case 'belief':
      return [
        'created_at = ? AND evidence_count = ? AND abs(log_ratio - ?) < 1e-6 AND text = ?',
        [createdAt, record.evidenceCount, record.logRatio, record.text],
      ]
    case 'prediction':
      return [
        // With everything that was added to it since.
        `created_at = ? AND domain = ? AND resolved_at IS NOT DISTINCT FROM ? AND prediction = ?
         AND (SELECT count(*) FROM forecast WHERE ${ofProject('forecast')} prediction_id = prediction.id) = ?
         AND (SELECT count(*) FROM reopening WHERE ${ofProject('reopening')} prediction_id = prediction.id) = ?`,
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
        'created_at = ? AND observer_agent = ? AND subject_agent = ? AND observation = ?',
        [createdAt, record.observerAgent, record.subjectAgent, record.observation],
      ]
  }
}
