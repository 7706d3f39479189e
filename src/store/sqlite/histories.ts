/** Changes to one record by several people, in SQLite. Columns are known to each kind's own file. */
import type { HistoryStore } from '../histories.ts'
import { fromSettled, type PredictionRow, toPrediction } from '../rows/predictions.ts'
import type { Connection } from './connection.ts'
import { insertForecast, insertReopening, readHistory } from './forecasts.ts'
import { updateRow } from './insert.ts'
import { insertVersion } from './memory-life.ts'
import { selectPrediction } from './prediction-rows.ts'
import { insertTerms } from './predictions.ts'
import { findProject } from './projects.ts'

export const createHistoryStore = (connection: Connection): HistoryStore => ({
  addVersions: (project, memoryId, versions) =>
    connection.write(() => {
      const projectId = findProject(connection, project) ?? 0
      const own = 'SELECT 1 FROM memory WHERE id = ? AND project_id = ?'
      if (connection.first(own, memoryId, projectId) === undefined) return
      for (const version of versions) insertVersion(connection, { memoryId, version })
    }),

  settle: (project, id, decide) =>
    connection.write(() => {
      const projectId = findProject(connection, project) ?? 0
      const row = connection.first<PredictionRow>(
        `${selectPrediction} WHERE prediction.id = ? AND prediction.project_id = ?`,
        id,
        projectId,
      )
      if (row === undefined) return false
      const prediction = toPrediction(row)
      const history = readHistory(connection.database, id)
      const { forecasts, reopenings, resolution } = decide({ ...history, resolution: prediction.resolution })
      connection.run('DELETE FROM forecast WHERE prediction_id = ?', id)
      connection.run('DELETE FROM reopening WHERE prediction_id = ?', id)
      for (const forecast of forecasts) insertForecast(connection, id, forecast)
      for (const reopening of reopenings) insertReopening(connection, id, reopening)
      updateRow(connection, 'prediction', { id, ...fromSettled(prediction, { forecasts, resolution }) })
      connection.run('DELETE FROM prediction_term WHERE prediction_id = ?', id)
      insertTerms(connection, { id, projectId, prediction: { ...prediction, resolution } })
      return true
    }),

  succeed: (project, beliefId, successorId) =>
    connection.write(() => {
      if (successorId <= beliefId) return false
      const projectId = findProject(connection, project) ?? 0
      const own = 'SELECT 1 FROM belief WHERE id = ? AND project_id = ?'
      if (connection.first(own, successorId, projectId) === undefined) return false
      return (
        connection.run(
          'UPDATE belief SET superseded_by = ? WHERE id = ? AND project_id = ? AND superseded_by IS NULL',
          successorId,
          beliefId,
          projectId,
        ).changes > 0
      )
    }),
})
