/** Draws a sample of a project. */
import { type Ends, startsOf } from '../search/samples.ts'
import type { Connection } from './connection.ts'

/** What a sample is of. */
export interface Sampling {
  readonly projectId: number
  readonly modelId: number
  /** Memories wanted. */
  readonly size: number
}

export interface SampledPassage {
  readonly id: number
  readonly memory_id: number
}

/** First passages of up to so many ordinary memories, spread over the project's history. Inside a read. */
export function drawSample(connection: Connection, { projectId, modelId, size }: Sampling): SampledPassage[] {
  const ends = connection.first<Ends>(
    `SELECT (SELECT min(id) FROM memory WHERE project_id = ? AND caution = 0) AS low,
            (SELECT max(id) FROM memory WHERE project_id = ? AND caution = 0) AS high`,
    projectId,
    projectId,
  )
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
    JSON.stringify(ends === undefined ? [] : startsOf(ends, size)),
  )
}
