/** What agents noted about each other, in SQLite. */
import { fromObservation, type ObservationRow, toObservation } from '../rows/observations.ts'
import type { NewObservation, ObservationStore } from '../store.ts'
import type { Connection } from './connection.ts'
import { insertRow } from './insert.ts'
import { ensureProject, findProject } from './projects.ts'
import { insertProvenance } from './provenance.ts'

/** Inside a write. Returns the id: the one given, or the next. */
export function insertObservation(
  connection: Connection,
  { id: given, projectId, observation }: { id?: number; projectId: number; observation: NewObservation },
): number {
  const row = { id: given ?? null, project_id: projectId, ...fromObservation(observation) }
  const { id } = insertRow(connection, 'observation', row)
  // Its agent stands in the row itself.
  const circumstances = { ...observation.circumstances, agent: null }
  insertProvenance(connection, { kind: 'observation', id, projectId }, circumstances)
  return id
}

export function createObservationStore(connection: Connection): ObservationStore {
  return {
    add: (project, observation) =>
      connection.write(() => {
        const projectId = ensureProject(connection, project)
        return { id: insertObservation(connection, { projectId, observation }), ...observation }
      }),

    list: (project, { subjectAgent, limit }) =>
      connection.read(() => {
        const projectId = findProject(connection, project) ?? 0
        const newestFirst = 'ORDER BY created_at DESC, id DESC LIMIT ?'
        const rows =
          subjectAgent === undefined
            ? connection.all<ObservationRow>(
                `SELECT * FROM observation WHERE project_id = ? ${newestFirst}`,
                projectId,
                limit,
              )
            : connection.all<ObservationRow>(
                `SELECT * FROM observation WHERE project_id = ? AND subject_agent = ? ${newestFirst}`,
                projectId,
                subjectAgent,
                limit,
              )
        return rows.map(toObservation)
      }),
  }
}
