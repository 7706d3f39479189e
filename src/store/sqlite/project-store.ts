/** Which projects a brain holds, and how much of what. */
import type { ProjectCounts, ProjectStore } from '../store.ts'
import type { Connection } from './connection.ts'

const counts = `
  (SELECT count(*) FROM memory WHERE project_id = project.id) AS memories,
  (SELECT count(*) FROM memory WHERE project_id = project.id AND caution > 0) AS flags,
  (SELECT count(*) FROM belief WHERE project_id = project.id AND superseded_by IS NULL) AS beliefs,
  (SELECT count(*) FROM prediction WHERE project_id = project.id AND resolved_at IS NULL) AS openPredictions,
  (SELECT count(*) FROM prediction WHERE project_id = project.id AND resolved_at IS NOT NULL) AS resolvedPredictions,
  (SELECT count(*) FROM dream WHERE project_id = project.id) AS dreams,
  (SELECT count(*) FROM observation WHERE project_id = project.id) AS observations`

export function createProjectStore(connection: Connection): ProjectStore {
  return {
    has: (name) =>
      connection.read(() => connection.first('SELECT 1 FROM project WHERE name = ?', name) !== undefined),

    list: () =>
      connection.read(() =>
        connection.all<ProjectCounts>(`SELECT name, ${counts} FROM project ORDER BY name`),
      ),
  }
}
