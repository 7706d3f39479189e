/**
 * What agents noted about each other, in SQLite.
 */
import type { Observation, ObservationKind } from '../../core/records.ts'
import type { ObservationStore } from '../store.ts'
import type { Connection } from './connection.ts'
import { ensureProject, findProject } from './projects.ts'

export interface ObservationRow {
  id: number
  observer_agent: string
  subject_agent: string
  observation: string
  kind: ObservationKind | null
  created_at: number
}

export const toObservation = (row: ObservationRow): Observation => ({
  id: row.id,
  observerAgent: row.observer_agent,
  subjectAgent: row.subject_agent,
  observation: row.observation,
  kind: row.kind,
  createdAt: row.created_at,
})

export function createObservationStore(connection: Connection): ObservationStore {
  return {
    add: (project, observation) =>
      connection.write(() => {
        const { id } = connection.run(
          `INSERT INTO observation (project_id, observer_agent, subject_agent, observation, kind, created_at)
           VALUES (?, ?, ?, ?, ?, ?)`,
          ensureProject(connection, project),
          observation.observerAgent,
          observation.subjectAgent,
          observation.observation,
          observation.kind,
          observation.createdAt,
        )
        return { id, ...observation }
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
