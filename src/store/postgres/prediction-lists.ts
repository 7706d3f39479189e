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
import { numbered } from './conditions.ts'
import type { Database } from './connection.ts'
import type { Transaction } from './transaction.ts'

const tables = `prediction LEFT JOIN provenance ON provenance.project_id = prediction.project_id
  AND provenance.kind = 'prediction' AND provenance.record_id = prediction.id`

export const selectPrediction = `SELECT prediction.*, provenance.agent FROM ${tables}`

/** The selected predictions; `rest` follows their order, its values theirs. */
async function listed(
  transaction: Transaction,
  { where, values, order }: Selection,
  rest = '',
  ...others: number[]
): Promise<Prediction[]> {
  const sql = `${selectPrediction} WHERE ${where} ORDER BY ${order} ${rest}`
  return (await transaction.all<PredictionRow>(numbered(sql), [...values, ...others])).map(toPrediction)
}

/** How many there are in these tables. */
const counted = async (transaction: Transaction, { where, values }: Selection, from: string) =>
  (
    await transaction.first<{ n: number }>(
      numbered(`SELECT count(*) AS n FROM ${from} WHERE ${where}`),
      values,
    )
  )?.n ?? 0

export const createPredictionLists = (database: Database): PredictionLists => ({
  listOpen: (project, limit) =>
    database.read(project, (transaction) =>
      listed(transaction, selectOpen(transaction.projectId), 'LIMIT ?', limit),
    ),

  list: (project, query) =>
    database.read(project, async (transaction) => {
      const meant = selectMatching(transaction.projectId, query)
      const total = await counted(transaction, meant, tables)
      const predictions = await listed(transaction, meant, 'LIMIT ? OFFSET ?', query.limit, query.skip)
      return { total, predictions }
    }),

  listDueChecks: (project, now) =>
    database.read(project, (transaction) => listed(transaction, selectDueChecks(transaction.projectId, now))),

  listOutcomes: (project, since = 0) =>
    database.read(project, async (transaction) => {
      const { where, values, order } = selectOutcomes(transaction.projectId, since)
      const forecasts = await transaction.all<LaterForecast>(
        numbered(`SELECT prediction_id, forecast.confidence, forecast.created_at FROM prediction
         JOIN forecast ON forecast.project_id = prediction.project_id AND prediction_id = prediction.id
         WHERE ${where} AND first_confidence IS NOT NULL ORDER BY forecast.id`),
        values,
      )
      const rows = await transaction.all<PastRow>(
        numbered(`SELECT ${pastColumns} FROM ${tables} WHERE ${where} ORDER BY ${order}`),
        values,
      )
      return toPastPredictions(rows, forecasts)
    }),

  listOverdue: (project, { limit, ...rule }) =>
    database.read(project, async (transaction) => {
      const overdue = selectOverdue(transaction.projectId, rule)
      const ids = await transaction.all<{ id: number }>(
        numbered(`SELECT id FROM prediction WHERE ${overdue.where} ORDER BY ${overdue.order} LIMIT ?`),
        [...overdue.values, limit],
      )
      return { total: await counted(transaction, overdue, 'prediction'), ids: ids.map(({ id }) => id) }
    }),

  knownOrigins: (project, origins) =>
    database.read(project, async (transaction) => {
      const rows = await transaction.all<{ origin: string }>(
        `SELECT origin FROM provenance WHERE project_id = $1 AND kind = 'prediction' AND origin = ANY($2::text[])`,
        [transaction.projectId, origins],
      )
      return new Set(rows.map(({ origin }) => origin))
    }),
})
