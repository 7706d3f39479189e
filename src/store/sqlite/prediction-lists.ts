/** Predictions many at a time: open, due, overdue, resolved, and what figures need of the past. Reads, and writes nothing. */
import {
  type PredictionLists,
  pastColumns,
  type Selection,
  selectDueChecks,
  selectMatching,
  selectOpen,
  selectOutcomes,
  selectOverdue,
  toPastPredictions,
} from '../rows/prediction-lists.ts'
import { type LaterForecast, type PastRow, type PredictionRow, toPrediction } from '../rows/predictions.ts'
import type { Connection } from './connection.ts'
import { predictionTables, selectPrediction } from './prediction-rows.ts'
import { findProject } from './projects.ts'

export function createPredictionLists(connection: Connection): PredictionLists {
  const projectOf = (name: string): number => findProject(connection, name) ?? 0

  /** The selected predictions; `rest` follows their order, its values theirs. */
  const listed = ({ where, values, order }: Selection, rest = '', ...others: number[]) =>
    connection
      .all<PredictionRow>(
        `${selectPrediction} WHERE ${where} ORDER BY ${order} ${rest}`,
        ...values,
        ...others,
      )
      .map(toPrediction)

  /** How many there are in these tables. */
  const counted = ({ where, values }: Selection, from: string): number =>
    connection.first<{ n: number }>(`SELECT count(*) AS n FROM ${from} WHERE ${where}`, ...values)?.n ?? 0

  return {
    listOpen: (project, limit) =>
      connection.read(() => listed(selectOpen(projectOf(project)), 'LIMIT ?', limit)),

    list: (project, query) =>
      connection.read(() => {
        const meant = selectMatching(projectOf(project), query)
        const total = counted(meant, predictionTables)
        return { total, predictions: listed(meant, 'LIMIT ? OFFSET ?', query.limit, query.skip) }
      }),

    listDueChecks: (project, now) => connection.read(() => listed(selectDueChecks(projectOf(project), now))),

    listOutcomes: (project, since = 0) =>
      connection.read(() => {
        const { where, values, order } = selectOutcomes(projectOf(project), since)
        const forecasts = connection.all<LaterForecast & Record<string, number>>(
          `SELECT prediction_id, forecast.confidence, forecast.created_at FROM prediction
           JOIN forecast ON forecast.prediction_id = prediction.id
           WHERE ${where} AND first_confidence IS NOT NULL ORDER BY forecast.id`,
          ...values,
        )
        const rows = connection.all<PastRow & Record<string, never>>(
          `SELECT ${pastColumns} FROM ${predictionTables} WHERE ${where} ORDER BY ${order}`,
          ...values,
        )
        return toPastPredictions(rows, forecasts)
      }),

    listOverdue: (project, { limit, ...rule }) =>
      connection.read(() => {
        const overdue = selectOverdue(projectOf(project), rule)
        const ids = connection.all<{ id: number }>(
          `SELECT id FROM prediction WHERE ${overdue.where} ORDER BY ${overdue.order} LIMIT ?`,
          ...overdue.values,
          limit,
        )
        return { total: counted(overdue, 'prediction'), ids: ids.map(({ id }) => id) }
      }),

    knownOrigins: (project, origins) =>
      connection.read(
        () =>
          new Set(
            connection
              .all<{ origin: string }>(
                `SELECT origin FROM provenance WHERE project_id = ? AND kind = 'prediction'
                 AND origin IN (SELECT value FROM json_each(?))`,
                projectOf(project),
                JSON.stringify(origins),
              )
              .map(({ origin }) => origin),
          ),
      ),
  }
}
