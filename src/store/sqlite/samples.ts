/** Draws the samples that are kept of projects. */
import type { Sampling } from '../search/samples.ts'
import type { Connection } from './connection.ts'

export interface SampledPassage {
  readonly id: number
  readonly memory_id: number
}

/** First passages of up to so many ordinary memories, spread over the project's history. Inside a read. */
export function drawSample(connection: Connection, { projectId, modelId, size }: Sampling): SampledPassage[] {
  const ends = connection.first<{ low: number | null; high: number | null }>(
    `SELECT (SELECT min(id) FROM memory WHERE project_id = ? AND caution = 0) AS low,
            (SELECT max(id) FROM memory WHERE project_id = ? AND caution = 0) AS high`,
    projectId,
    projectId,
  )
  if (ends?.low == null || ends.high == null) return []
  const { low, high } = ends
  const starts = Array.from({ length: size }, (_, at) => low + Math.floor((at * (high - low + 1)) / size))
  return connection.all<SampledPassage>(
    `SELECT passage.id, memory_id FROM passage WHERE passage.id IN (
       SELECT (SELECT min(id) FROM passage WHERE memory_id = drawn.id AND model_id = ?) FROM (
         SELECT DISTINCT (
           SELECT memory.id FROM memory WHERE project_id = ? AND caution = 0 AND memory.id >= start.value ORDER BY memory.id LIMIT 1
         ) AS id FROM json_each(?) AS start
       ) AS drawn
     )`,
    modelId,
    projectId,
    JSON.stringify(starts),
  )
}
