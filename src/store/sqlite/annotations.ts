/** Annotations of records, in SQLite: read for a copy of the brain, and written with it. */
import type { FeedbackVerdict } from '../../core/records.ts'
import type { Annotations, CopiedRecord, TransferKind } from '../transfer.ts'
import type { Connection } from './connection.ts'
import { insertReasons } from './dreams.ts'
import { insertRow } from './insert.ts'

const wanted = 'FROM json_each(?) AS wanted CROSS JOIN'

/** Of records of one kind, by id; those without any are left out. Inside a read. */
export function readAnnotations(
  connection: Connection,
  type: TransferKind,
  ids: readonly number[],
): Map<number, Annotations> {
  const found = new Map<number, Annotations>()
  const of = <Row extends { id: number }>(
    sql: string,
    add: (annotations: Annotations, row: Row) => Annotations,
  ): void => {
    for (const row of connection.all<Row>(sql, JSON.stringify(ids)))
      found.set(row.id, add(found.get(row.id) ?? {}, row))
  }
  if (type === 'dream') {
    of<{ id: number; reason: string }>(
      `SELECT dream_id AS id, reason ${wanted} dream_reason ON dream_id = wanted.value ORDER BY dream_id, position`,
      (annotations, { reason }) => ({ ...annotations, reasons: [...(annotations.reasons ?? []), reason] }),
    )
    of<{ id: number; verdict: FeedbackVerdict; createdAt: number }>(
      `SELECT dream_id AS id, verdict, created_at AS createdAt ${wanted} dream_feedback ON dream_id = wanted.value`,
      (annotations, { verdict, createdAt }) => ({ ...annotations, feedback: { verdict, createdAt } }),
    )
  }
  if (type === 'memory') {
    of<{ id: number; topic: string; createdAt: number }>(
      `SELECT memory_id AS id, topic, created_at AS createdAt
       ${wanted} exemption ON memory_id = wanted.value ORDER BY exemption.id`,
      (annotations, { topic, createdAt }) => ({
        ...annotations,
        exemptions: [...(annotations.exemptions ?? []), { topic, createdAt }],
      }),
    )
    of<{ id: number; score: number; right: number; createdAt: number }>(
      `SELECT memory_id AS id, score, right, created_at AS createdAt
       ${wanted} recall_verdict ON memory_id = wanted.value ORDER BY recall_verdict.id`,
      (annotations, { score, right, createdAt }) => ({
        ...annotations,
        verdicts: [...(annotations.verdicts ?? []), { score, right: right === 1, createdAt }],
      }),
    )
  }
  return found
}

/** Writes those of a record that has just been added under the same id. Inside a write. */
export function writeAnnotations(
  connection: Connection,
  { record: { id }, annotations = {} }: CopiedRecord,
): void {
  const { reasons = [], feedback, exemptions = [], verdicts = [] } = annotations
  insertReasons(connection, id, reasons)
  if (feedback !== undefined)
    insertRow(connection, 'dream_feedback', {
      dream_id: id,
      verdict: feedback.verdict,
      created_at: feedback.createdAt,
    })
  for (const { topic, createdAt } of exemptions)
    insertRow(connection, 'exemption', { memory_id: id, topic, created_at: createdAt })
  for (const { score, right, createdAt } of verdicts)
    insertRow(connection, 'recall_verdict', {
      memory_id: id,
      score,
      right: right ? 1 : 0,
      created_at: createdAt,
    })
}
