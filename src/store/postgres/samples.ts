/** Draws the samples that are kept of projects. */
import type { Sampling } from '../search/samples.ts'
import type { Transaction } from './transaction.ts'

/** First passages of up to so many ordinary memories, spread over the project's history. Inside a read. */
export async function drawSample(
  transaction: Transaction,
  { projectId, modelId, size }: Sampling,
): Promise<number[]> {
  const ends = await transaction.first<{ low: number | null; high: number | null }>(
    `SELECT (SELECT id FROM memory WHERE project_id = $1 AND caution = 0 ORDER BY id LIMIT 1) AS low,
            (SELECT id FROM memory WHERE project_id = $1 AND caution = 0 ORDER BY id DESC LIMIT 1) AS high`,
    [projectId],
  )
  if (ends?.low == null || ends.high == null) return []
  const { low, high } = ends
  const starts = Array.from({ length: size }, (_, at) => low + Math.floor((at * (high - low + 1)) / size))
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
    [projectId, starts, modelId],
  )
  return rows.map(({ id }) => id)
}
