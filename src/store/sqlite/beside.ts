/** What was said of records and is in no export, in SQLite: read for a copy of the brain, and written where it arrives. */
import type { FeedbackVerdict } from '../../core/records.ts'
import type { Beside, CopiedRecord, TransferKind } from '../transfer.ts'
import type { Connection } from './connection.ts'

const wanted = 'FROM json_each(?) AS wanted CROSS JOIN'

/** Of records of one kind, by id; those of which nothing was said are left out. Inside a read. */
export function readBeside(
  connection: Connection,
  type: TransferKind,
  ids: readonly number[],
): Map<number, Beside> {
  const found = new Map<number, Beside>()
  const of = <Row extends { id: number }>(sql: string, add: (beside: Beside, row: Row) => Beside): void => {
    for (const row of connection.all<Row>(sql, JSON.stringify(ids)))
      found.set(row.id, add(found.get(row.id) ?? {}, row))
  }
  if (type === 'dream') {
    of<{ id: number; reason: string }>(
      `SELECT dream_id AS id, reason ${wanted} dream_reason ON dream_id = wanted.value ORDER BY dream_id, position`,
      (beside, { reason }) => ({ ...beside, reasons: [...(beside.reasons ?? []), reason] }),
    )
    of<{ id: number; verdict: FeedbackVerdict; createdAt: number }>(
      `SELECT dream_id AS id, verdict, created_at AS createdAt ${wanted} dream_feedback ON dream_id = wanted.value`,
      (beside, { verdict, createdAt }) => ({ ...beside, feedback: { verdict, createdAt } }),
    )
  }
  if (type === 'memory') {
    of<{ id: number; topic: string; createdAt: number }>(
      `SELECT memory_id AS id, topic, created_at AS createdAt
       ${wanted} exemption ON memory_id = wanted.value ORDER BY exemption.id`,
      (beside, { topic, createdAt }) => ({
        ...beside,
        exemptions: [...(beside.exemptions ?? []), { topic, createdAt }],
      }),
    )
    of<{ id: number; score: number; right: number; createdAt: number }>(
      `SELECT memory_id AS id, score, right, created_at AS createdAt
       ${wanted} recall_verdict ON memory_id = wanted.value ORDER BY recall_verdict.id`,
      (beside, { score, right, createdAt }) => ({
        ...beside,
        verdicts: [...(beside.verdicts ?? []), { score, right: right === 1, createdAt }],
      }),
    )
  }
  return found
}

/** Writes it for a record that has just been added under the same id. Inside a write. */
export function writeBeside(connection: Connection, { record: { id }, beside = {} }: CopiedRecord): void {
  const { reasons = [], feedback, exemptions = [], verdicts = [] } = beside
  for (const [position, reason] of reasons.entries())
    connection.run(
      'INSERT INTO dream_reason (dream_id, position, reason) VALUES (?, ?, ?)',
      id,
      position,
      reason,
    )
  if (feedback !== undefined)
    connection.run(
      'INSERT INTO dream_feedback (dream_id, verdict, created_at) VALUES (?, ?, ?)',
      id,
      feedback.verdict,
      feedback.createdAt,
    )
  for (const { topic, createdAt } of exemptions)
    connection.run(
      'INSERT INTO exemption (memory_id, topic, created_at) VALUES (?, ?, ?)',
      id,
      topic,
      createdAt,
    )
  for (const { score, right, createdAt } of verdicts)
    connection.run(
      'INSERT INTO recall_verdict (memory_id, score, right, created_at) VALUES (?, ?, ?, ?)',
      id,
      score,
      right ? 1 : 0,
      createdAt,
    )
}
