/** Changes to one record by several people, in PostgreSQL. Columns are known to each kind's own file. */
import type { HistoryStore } from '../histories.ts'
import { fromSettled } from '../rows/predictions.ts'
import type { Database } from './connection.ts'
import { findMemory } from './memories.ts'
import { insertVersion } from './memory-life.ts'
import { lock, updateOwn } from './own.ts'
import { findPrediction, insertForecast, insertReopening, insertTerms, readHistory } from './predictions.ts'

export const createHistoryStore = (database: Database): HistoryStore => ({
  addVersions: (project, memoryId, versions) =>
    database.write(project, async (transaction) => {
      await lock(transaction, 'memory', [memoryId])
      if (typeof (await findMemory(transaction, memoryId)) !== 'object') return
      for (const version of versions) await insertVersion(transaction, { memoryId, ...version })
    }),

  settle: (project, id, decide) =>
    database.write(project, async (transaction) => {
      const { projectId } = transaction
      await lock(transaction, 'prediction', [id])
      const prediction = await findPrediction(transaction, id)
      if (typeof prediction !== 'object') return false
      const history = await readHistory(transaction, id)
      const { forecasts, reopenings, resolution } = decide({ ...history, resolution: prediction.resolution })
      for (const table of ['forecast', 'reopening', 'prediction_term'])
        await transaction.run(`DELETE FROM ${table} WHERE project_id = $1 AND prediction_id = $2`, [
          projectId,
          id,
        ])
      for (const forecast of forecasts) await insertForecast(transaction, id, forecast)
      for (const reopening of reopenings) await insertReopening(transaction, id, reopening)
      await updateOwn(transaction, 'prediction', {
        id,
        ...fromSettled(prediction, { forecasts, resolution }),
      })
      await insertTerms(transaction, id, { ...prediction, resolution })
      return true
    }),

  succeed: (project, beliefId, successorId) =>
    database.write(project, async (transaction) => {
      if (successorId <= beliefId) return false
      const changed = await transaction.run(
        `UPDATE belief SET superseded_by = $1 WHERE project_id = $2 AND id = $3 AND superseded_by IS NULL
         AND EXISTS (SELECT 1 FROM belief AS successor WHERE successor.project_id = $2 AND successor.id = $1)`,
        [successorId, transaction.projectId, beliefId],
      )
      return changed > 0
    }),
})
