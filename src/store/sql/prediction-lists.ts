/** Predictions many at a time: open, due, overdue, resolved, and what figures need of the past. Reads, and writes nothing. */
import type { Prediction } from '../../core/records.ts'
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
import type { Session, SqlDatabase, Steps } from './session.ts'

const tables = `prediction LEFT JOIN provenance ON provenance.project_id = prediction.project_id
  AND provenance.kind = 'prediction' AND provenance.record_id = prediction.id`

export const selectPrediction = `SELECT prediction.*, provenance.agent FROM ${tables}`

/** The selected predictions; `rest` follows their order, its values theirs. */
function* listed(
  session: Session,
  { where, values, order }: Selection,
  rest = '',
  ...others: number[]
): Steps<Prediction[]> {
  const sql = `${selectPrediction} WHERE ${where} ORDER BY ${order} ${rest}`
  return (yield* session.all<PredictionRow>(sql, ...values, ...others)).map(toPrediction)
}

/** How many there are in these tables. */
const counted = (session: Session, { where, values }: Selection, from: string): Steps<number> =>
  session.count(`SELECT count(*) AS n FROM ${from} WHERE ${where}`, ...values)

export const createPredictionLists = (database: SqlDatabase): PredictionLists => ({
  listOpen: (project, limit) =>
    database.read(project, (session) => listed(session, selectOpen(session.projectId), 'LIMIT ?', limit)),

  list: (project, query) =>
    database.read(project, function* (session) {
      const meant = selectMatching(session.projectId, query)
      const total = yield* counted(session, meant, tables)
      const predictions = yield* listed(session, meant, 'LIMIT ? OFFSET ?', query.limit, query.skip)
      return { total, predictions }
    }),

  listDueChecks: (project, now) =>
    database.read(project, (session) => listed(session, selectDueChecks(session.projectId, now))),

  listOutcomes: (project, since = 0) =>
    database.read(project, function* (session) {
      const { where, values, order } = selectOutcomes(session.projectId, since)
      const forecasts = yield* session.all<LaterForecast>(
        `SELECT prediction_id, forecast.confidence, forecast.created_at FROM prediction
         JOIN forecast ON ${session.own('forecast')} prediction_id = prediction.id
         WHERE ${where} AND first_confidence IS NOT NULL ORDER BY forecast.id`,
        ...values,
      )
      const rows = yield* session.all<PastRow>(
        `SELECT ${pastColumns} FROM ${tables} WHERE ${where} ORDER BY ${order}`,
        ...values,
      )
      return toPastPredictions(rows, forecasts)
    }),

  listOverdue: (project, { limit, ...rule }) =>
    database.read(project, function* (session) {
      const overdue = selectOverdue(session.projectId, rule)
      const rows = yield* session.all<{ id: number }>(
        `SELECT id FROM prediction WHERE ${overdue.where} ORDER BY ${overdue.order} LIMIT ?`,
        ...overdue.values,
        limit,
      )
      return { total: yield* counted(session, overdue, 'prediction'), ids: rows.map(({ id }) => id) }
    }),

  knownOrigins: (project, origins) =>
    database.read(project, function* (session) {
      const rows = yield* session.all<{ origin: string }>(
        `SELECT origin FROM provenance
         WHERE project_id = @project AND kind = 'prediction' AND origin ${session.dialect.amongTexts}`,
        origins,
      )
      return new Set(rows.map(({ origin }) => origin))
    }),
})
