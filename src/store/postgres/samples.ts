/** Draws a sample of a project. */
import type { Ends } from '../search/samples.ts'
import type { Transaction } from './transaction.ts'

/** Between which ids it is drawn. Inside a read. */
export const readEnds = (transaction: Transaction): Promise<Ends | undefined> =>
  transaction.first<Ends>(
    `SELECT (SELECT id FROM memory WHERE project_id = $1 AND caution = 0 ORDER BY id LIMIT 1) AS low,
            (SELECT id FROM memory WHERE project_id = $1 AND caution = 0 ORDER BY id DESC LIMIT 1) AS high`,
    [transaction.projectId],
  )

/** First passages of the ordinary memories that come first from each of some ids on. Inside a read. */
export async function drawSample(
  transaction: Transaction,
  modelId: number,
  starts: readonly number[],
): Promise<number[]> {
  const rows = await transaction.all<{ id: number }>(
    `SELECT first.id FROM (
       SELECT DISTINCT drawn.id FROM unnest($2::bigint[]) AS start(id) CROSS JOIN LATERAL (
         SELECT memory.id FROM memory WHERE project_id = $1 AND caution = 0 AND memory.id >= start.id
         ORDER BY memory.id LIMIT 1
       ) AS drawn
     ) AS chosen CROSS JOIN LATERAL (
       SELECT min(passage.id) AS id FROM passage
       WHERE project_id = $1 AND memory_id = chosen.id AND model_id = $3
     ) AS first WHERE first.id IS NOT NULL ORDER BY first.id`,
    [transaction.projectId, starts, modelId],
  )
  return rows.map(({ id }) => id)
}
