/** Predictions many at a time: open, due, overdue, resolved, and what figures need of the past. Reads, and writes nothing. */
import type { PredictionStore } from '../prediction-store.ts'
import {
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

type Lists = Pick<
  PredictionStore,
  'listOpen' | 'list' | 'listDueChecks' | 'listOutcomes' | 'listOverdue' | 'knownOrigins'
>

const tables = `prediction LEFT JOIN provenance ON provenance.project_id = prediction.project_id
  AND provenance.kind = 'prediction' AND provenance.record_id = prediction.id`

export const selectPrediction = `SELECT prediction.*, provenance.agent FROM ${tables}`

/** The selected predictions; `rest` follows the conditions, its values theirs. */
const listed = async (
  transaction: Transaction,
  { where, values }: Selection,
  rest: string,
  ...others: number[]
) =>
  (
    await transaction.all<PredictionRow>(numbered(`${selectPrediction} WHERE ${where} ${rest}`), [
      ...values,
      ...others,
    ])
  ).map(toPrediction)

/** How many there are in these tables. */
const counted = async (transaction: Transaction, { where, values }: Selection, from: string) =>
  (
    await transaction.first<{ n: number }>(
      numbered(`SELECT count(*) AS n FROM ${from} WHERE ${where}`),
      values,
    )
  )?.n ?? 0

export const createPredictionLists = (database: Database): Lists => ({
  listOpen: (project, limit) =>
    database.read(project, (transaction) =>
      listed(
        transaction,
        selectOpen(transaction.projectId),
        'ORDER BY prediction.created_at, prediction.id LIMIT ?',
        limit,
      ),
    ),

  list: (project, query) =>
    database.read(project, async (transaction) => {
      const { order, ...meant } = selectMatching(transaction.projectId, query)
      const total = await counted(transaction, meant, tables)
      const rest = `ORDER BY ${order} LIMIT ? OFFSET ?`
      return { total, predictions: await listed(transaction, meant, rest, query.limit, query.skip) }
    }),

  listDueChecks: (project, now) =>
    database.read(project, (transaction) =>
      listed(transaction, selectDueChecks(transaction.projectId, now), 'ORDER BY due_at, prediction.id'),
    ),

  listOutcomes: (project, since = 0) =>
    database.read(project, async (transaction) => {
      const { where, values } = selectOutcomes(transaction.projectId, since)
      const forecasts = await transaction.all<LaterForecast>(
        numbered(`SELECT prediction_id, forecast.confidence, forecast.created_at FROM prediction
         JOIN forecast ON forecast.project_id = prediction.project_id AND prediction_id = prediction.id
         WHERE ${where} AND first_confidence IS NOT NULL ORDER BY forecast.id`),
        values,
      )
      const rows = await transaction.all<PastRow>(
        numbered(`SELECT ${pastColumns} FROM ${tables} WHERE ${where} ORDER BY resolved_at, prediction.id`),
        values,
      )
      return toPastPredictions(rows, forecasts)
    }),

  listOverdue: (project, { limit, ...rule }) =>
    database.read(project, async (transaction) => {
      const overdue = selectOverdue(transaction.projectId, rule)
      const ids = await transaction.all<{ id: number }>(
        numbered(`SELECT id FROM prediction WHERE ${overdue.where}
         ORDER BY due_at IS NULL, due_at, created_at, id LIMIT ?`),
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
