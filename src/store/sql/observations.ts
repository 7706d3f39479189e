/** What agents noted about each other. */
import { spellingsOf } from '../../core/agent-names.ts'
import { fromObservation, type ObservationRow, toObservation } from '../rows/observations.ts'
import type { NewObservation, ObservationStore } from '../store.ts'
import { insertProvenance } from './provenance.ts'
import type { Session, SqlDatabase, Steps } from './session.ts'

/** Inside a write. Returns the id: the one given, or the next. */
export function* insertObservation(
  session: Session,
  observation: NewObservation & { readonly id?: number },
): Steps<number> {
  const id = yield* session.insert('observation', { id: observation.id, row: fromObservation(observation) })
  // Its agent stands in the row itself.
  const circumstances = { ...observation.circumstances, agent: null }
  yield* insertProvenance(session, { kind: 'observation', id }, circumstances)
  return id
}

export const createObservationStore = (database: SqlDatabase): ObservationStore => ({
  add: (project, observation) =>
    database.write(
      project,
      function* (session) {
        return { id: yield* insertObservation(session, observation), ...observation }
      },
      { makes: true },
    ),

  list: (project, { subjectAgent, limit }) =>
    database.read(project, function* (session) {
      const spellings = subjectAgent === undefined ? [] : spellingsOf(subjectAgent)
      const rows = yield* session.all<ObservationRow>(
        `SELECT * FROM observation WHERE project_id = @project ${subjectAgent === undefined ? '' : 'AND subject_agent IN (?, ?)'}
         ORDER BY created_at DESC, id DESC LIMIT ?`,
        ...spellings,
        limit,
      )
      return rows.map(toObservation)
    }),
})
