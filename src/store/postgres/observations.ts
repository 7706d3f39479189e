/** What agents noted about each other, in PostgreSQL. */
import { type ObservationRow, toObservation } from '../rows/observations.ts'
import type { NewObservation, ObservationStore } from '../store.ts'
import type { Database } from './connection.ts'
import { insertProvenance } from './provenance.ts'
import type { Transaction } from './transaction.ts'

/** Inside a write. Returns the id: the one given, or the next. */
export async function insertObservation(
  transaction: Transaction,
  observation: NewObservation & { readonly id?: number },
): Promise<number> {
  const made = await transaction.first<{ id: number }>(
    `INSERT INTO observation (id, project_id, observer_agent, subject_agent, observation, kind, created_at)
     VALUES (coalesce($1, nextval('observation_id_seq')), $2, $3, $4, $5, $6, $7) RETURNING id`,
    [
      observation.id ?? null,
      transaction.projectId,
      observation.observerAgent,
      observation.subjectAgent,
      observation.observation,
      observation.kind,
      observation.createdAt,
    ],
  )
  const id = made?.id ?? 0
  // Its agent stands in the row itself.
  await insertProvenance(
    transaction,
    { kind: 'observation', id },
    { ...observation.circumstances, agent: null },
  )
  return id
}

export const createObservationStore = (database: Database): ObservationStore => ({
  add: (project, observation) =>
    database.write(
      project,
      async (transaction) => ({ id: await insertObservation(transaction, observation), ...observation }),
      { makes: true },
    ),

  list: (project, { subjectAgent, limit }) =>
    database.read(project, async (transaction) => {
      const rows = await transaction.all<ObservationRow>(
        `SELECT * FROM observation WHERE project_id = $1 AND ($2::text IS NULL OR subject_agent = $2)
         ORDER BY created_at DESC, id DESC LIMIT $3`,
        [transaction.projectId, subjectAgent ?? null, limit],
      )
      return rows.map(toObservation)
    }),
})
