/** Changes to one record by several people. Columns are known to each kind's own file. */
import type { HistoryStore } from '../histories.ts'
import { fromSettled } from '../rows/predictions.ts'
import { findPrediction, insertHistory, insertTerms, readHistory } from './predictions.ts'
import type { SqlDatabase } from './session.ts'
import { insertVersion } from './versions.ts'

export const createHistoryStore = (database: SqlDatabase): HistoryStore => ({
  addVersions: (project, memoryId, versions) =>
    database.write(project, function* (session) {
      yield* session.lock('memory', [memoryId])
      const own = 'SELECT 1 FROM memory WHERE project_id = @project AND id = ?'
      if ((yield* session.first(own, memoryId)) === undefined) return
      for (const version of versions) yield* insertVersion(session, { memoryId, ...version })
    }),

  settle: (project, id, decide) =>
    database.write(project, function* (session) {
      yield* session.lock('prediction', [id])
      const prediction = yield* findPrediction(session, id)
      if (typeof prediction !== 'object') return false
      const history = yield* readHistory(session, id)
      const { forecasts, reopenings, resolution } = decide({ ...history, resolution: prediction.resolution })
      yield* session.removeOf('prediction_id', id, ['forecast', 'reopening', 'prediction_term'])
      yield* insertHistory(session, id, { forecasts, reopenings })
      yield* session.update('prediction', { id, ...fromSettled(prediction, { forecasts, resolution }) })
      yield* insertTerms(session, id, { ...prediction, resolution })
      return true
    }),

  succeed: (project, beliefId, successorId) =>
    database.write(project, function* (session) {
      if (successorId <= beliefId) return false
      const changed = yield* session.run(
        `UPDATE belief SET superseded_by = ? WHERE project_id = @project AND id = ? AND superseded_by IS NULL
         AND EXISTS (SELECT 1 FROM belief AS successor WHERE successor.project_id = @project AND successor.id = ?)`,
        successorId,
        beliefId,
        successorId,
      )
      return changed > 0
    }),
})
