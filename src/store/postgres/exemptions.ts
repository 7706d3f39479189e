/** Plans that somebody exempted from a flag, in PostgreSQL. They are deleted with the flag. */
import type { Exemption } from '../candidates.ts'
import { type ExemptionStore, maxExemptions } from '../store.ts'
import type { Database } from './connection.ts'
import type { Transaction } from './transaction.ts'

/** The latest judgements about some flags. Inside a read. */
export const readExemptions = (transaction: Transaction, flagIds: readonly number[]): Promise<Exemption[]> =>
  transaction.all<Exemption>(
    `SELECT memory_id AS "flagId", topic FROM exemption WHERE project_id = $1 AND memory_id = ANY($2::bigint[])
     ORDER BY id DESC LIMIT ${maxExemptions}`,
    [transaction.projectId, flagIds],
  )

/** Holds a flag as it is; false where the project has none of this id. */
const holdFlag = async (transaction: Transaction, id: number): Promise<boolean> =>
  (await transaction.first(
    'SELECT 1 FROM memory WHERE project_id = $1 AND id = $2 AND caution > 0 FOR NO KEY UPDATE',
    [transaction.projectId, id],
  )) !== undefined

export const createExemptionStore = (database: Database): ExemptionStore => ({
  add: (project, { flagId, topic, now }) =>
    database.write(project, async (transaction) => {
      if (!(await holdFlag(transaction, flagId))) return false
      await transaction.run(
        `INSERT INTO exemption (project_id, memory_id, topic, created_at)
         SELECT $1, $2, $3, $4 WHERE NOT EXISTS
           (SELECT 1 FROM exemption WHERE project_id = $1 AND memory_id = $2 AND topic = $3)`,
        [transaction.projectId, flagId, topic, now],
      )
      return true
    }),

  remove: (project, { flagId, topic }) =>
    database.write(project, async (transaction) => {
      if (!(await holdFlag(transaction, flagId))) return false
      await transaction.run('DELETE FROM exemption WHERE project_id = $1 AND memory_id = $2 AND topic = $3', [
        transaction.projectId,
        flagId,
        topic,
      ])
      return true
    }),

  list: (project, flagIds) => database.read(project, (transaction) => readExemptions(transaction, flagIds)),
})
