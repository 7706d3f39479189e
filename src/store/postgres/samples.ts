/** Draws a sample of a project. */
import { type Ends, startsOf } from '../search/samples.ts'
import type { Transaction } from './transaction.ts'

const none: Ends = { low: null, high: null }

/** Between which ids it is drawn. */
export const readEnds = async (transaction: Transaction): Promise<Ends> =>
  (await transaction.first<Ends>(
    `SELECT (SELECT id FROM memory WHERE project_id = $1 AND caution = 0 ORDER BY id LIMIT 1) AS low,
            (SELECT id FROM memory WHERE project_id = $1 AND caution = 0 ORDER BY id DESC LIMIT 1) AS high`,
    [transaction.projectId],
  )) ?? none

/** First passages of up to `size` ordinary memories, spread over the project's history. Inside a read. */
export async function drawSample(
  transaction: Transaction,
  { ends, modelId, size }: { ends: Ends; modelId: number; size: number },
): Promise<number[]> {
  const starts = startsOf(ends, size)
  if (starts.length === 0) return []
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
