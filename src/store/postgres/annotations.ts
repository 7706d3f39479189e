/** Annotations of records, in PostgreSQL: read for a copy of the brain, and written with it. */
import type { Annotations, CopiedRecord, TransferKind } from '../transfer.ts'
import { insertReasons } from './dreams.ts'
import type { Transaction } from './transaction.ts'

const given = 'WHERE project_id = $1 AND'

/** One column each, null where nothing was said. */
const queries: Partial<Record<TransferKind, string>> = {
  dream: `SELECT id,
      (SELECT json_agg(reason ORDER BY position) FROM dream_reason ${given} dream_id = wanted.id) AS reasons,
      (SELECT json_build_object('verdict', verdict, 'createdAt', created_at) FROM dream_feedback
       ${given} dream_id = wanted.id) AS feedback
    FROM unnest($2::bigint[]) AS wanted(id)`,
  memory: `SELECT id,
      (SELECT json_agg(json_build_object('topic', topic, 'createdAt', created_at) ORDER BY exemption.id)
       FROM exemption ${given} memory_id = wanted.id) AS exemptions,
      (SELECT json_agg(json_build_object('score', score, 'right', "right", 'createdAt', created_at)
         ORDER BY recall_verdict.id)
       FROM recall_verdict ${given} memory_id = wanted.id) AS verdicts
    FROM unnest($2::bigint[]) AS wanted(id)`,
}

/** Of records of one kind, by id; those without any are left out. */
export async function readAnnotations(
  transaction: Transaction,
  type: TransferKind,
  ids: readonly number[],
): Promise<Map<number, Annotations>> {
  const found = new Map<number, Annotations>()
  const query = queries[type]
  if (query === undefined) return found
  for (const { id, ...row } of await transaction.all<{ id: number }>(query, [transaction.projectId, ids])) {
    const said = Object.entries(row).filter(([, value]) => value !== null)
    // Columns and their members are named as those of the type.
    if (said.length > 0) found.set(id, Object.fromEntries(said) as Annotations)
  }
  return found
}

/** Writes those of a record that has just been added under the same id. Inside a write. */
export async function writeAnnotations(
  transaction: Transaction,
  { record: { id }, annotations = {} }: CopiedRecord,
): Promise<void> {
  const { projectId } = transaction
  const { reasons = [], feedback, exemptions = [], verdicts = [] } = annotations
  if (reasons.length > 0) await insertReasons(transaction, id, reasons)
  if (feedback !== undefined)
    await transaction.run(
      'INSERT INTO dream_feedback (project_id, dream_id, verdict, created_at) VALUES ($1, $2, $3, $4)',
      [projectId, id, feedback.verdict, feedback.createdAt],
    )
  for (const { topic, createdAt } of exemptions)
    await transaction.run(
      'INSERT INTO exemption (project_id, memory_id, topic, created_at) VALUES ($1, $2, $3, $4)',
      [projectId, id, topic, createdAt],
    )
  for (const { score, right, createdAt } of verdicts)
    await transaction.run(
      'INSERT INTO recall_verdict (project_id, memory_id, score, "right", created_at) VALUES ($1, $2, $3, $4, $5)',
      [projectId, id, score, right, createdAt],
    )
}
