/** Draws a sample of a project. */
import type { Ends } from '../search/samples.ts'
import type { Connection } from './connection.ts'

/** Between which ids it is drawn. Inside a read. */
export const readEnds = (connection: Connection, projectId: number): Ends | undefined =>
  connection.first<Ends>(
    `SELECT (SELECT min(id) FROM memory WHERE project_id = ? AND caution = 0) AS low,
            (SELECT max(id) FROM memory WHERE project_id = ? AND caution = 0) AS high`,
    projectId,
    projectId,
  )

/** First passages of the ordinary memories that come first from each of some ids on. Inside a read. */
export const drawSample = (
  connection: Connection,
  { projectId, modelId, starts }: { projectId: number; modelId: number; starts: readonly number[] },
): number[] =>
  connection
    .all<{ id: number }>(
      `SELECT passage.id FROM passage WHERE passage.id IN (
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
    .map(({ id }) => id)
