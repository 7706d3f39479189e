/** What agents noted about each other, in PostgreSQL. */
import { fromObservation, type ObservationRow, toObservation } from '../rows/observations.ts'
import type { NewObservation, ObservationStore } from '../store.ts'
import type { Database } from './connection.ts'
import { insertOwn } from './own.ts'
import { insertProvenance } from './provenance.ts'
import type { Transaction } from './transaction.ts'

/** Inside a write. Returns the id: the one given, or the next. */
export async function insertObservation(
  transaction: Transaction,
  observation: NewObservation & { readonly id?: number },
): Promise<number> {
  const row = fromObservation(observation)
  const id = await insertOwn(transaction, 'observation', { id: observation.id, row })
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
