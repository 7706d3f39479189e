/** Predictions many at a time: open, due, overdue, resolved, and what figures need of the past. Reads, and writes nothing. */
import type { OverdueRule, PredictionQuery, PredictionStore } from '../prediction-store.ts'
import {
  type LaterForecast,
  type PastRow,
  type PredictionRow,
  toPast,
  toPrediction,
} from '../rows/predictions.ts'
import { type Condition, joined } from './conditions.ts'
import type { Database } from './connection.ts'
import type { Transaction, Value } from './transaction.ts'

type Lists = Pick<
  PredictionStore,
  'listOpen' | 'list' | 'listDueChecks' | 'listOutcomes' | 'listOverdue' | 'knownOrigins'
>

const tables = `prediction LEFT JOIN provenance ON provenance.project_id = prediction.project_id
  AND provenance.kind = 'prediction' AND provenance.record_id = prediction.id`

export const selectPrediction = `SELECT prediction.*, provenance.agent FROM ${tables}`

const overdueBy = ({ now, madeBefore }: OverdueRule): Condition => [
  '(resolved_at IS NULL AND (due_at < ? OR (due_at IS NULL AND prediction.created_at < ?)))',
  now,
  madeBefore,
]

function conditionsOf(projectId: number, query: PredictionQuery): Condition[] {
  const { standing, dueUpTo, domain, agent, overdue } = query
  const conditions: Condition[] = [['prediction.project_id = ?', projectId]]
  if (standing === 'open') conditions.push(['resolved_at IS NULL'])
  if (standing === 'resolved') conditions.push(["resolved_at IS NOT NULL AND outcome <> 'annulled'"])
  if (standing === 'annulled') conditions.push(["outcome = 'annulled'"])
  if (standing === 'overdue') conditions.push(overdueBy(overdue))
  if (dueUpTo !== undefined) conditions.push(['resolved_at IS NULL AND due_at <= ?', dueUpTo])
  if (domain !== undefined) conditions.push(['domain = ?', domain])
  if (agent !== undefined) conditions.push(['provenance.agent = ?', agent])
  return conditions
}

const listed = async (transaction: Transaction, rest: string, values: readonly Value[]) =>
  (await transaction.all<PredictionRow>(`${selectPrediction} ${rest}`, values)).map(toPrediction)

export const createPredictionLists = (database: Database): Lists => ({
  listOpen: (project, limit) =>
    database.read(project, (transaction) =>
      listed(
        transaction,
        `WHERE prediction.project_id = $1 AND resolved_at IS NULL
         ORDER BY prediction.created_at, prediction.id LIMIT $2`,
        [transaction.projectId, limit],
      ),
    ),

  list: (project, query) =>
    database.read(project, async (transaction) => {
      const { where, values } = joined(conditionsOf(transaction.projectId, query))
      const dated = query.dueUpTo !== undefined || query.standing === 'overdue'
      const total = await transaction.first<{ n: number }>(
        `SELECT count(*) AS n FROM ${tables} WHERE ${where}`,
        values,
      )
      const order = `${dated ? 'due_at IS NULL, due_at, ' : ''}prediction.created_at, prediction.id`
      const page = `LIMIT $${values.length + 1} OFFSET $${values.length + 2}`
      const predictions = await listed(transaction, `WHERE ${where} ORDER BY ${order} ${page}`, [
        ...values,
        query.limit,
        query.skip,
      ])
      return { total: total?.n ?? 0, predictions }
    }),

  listDueChecks: (project, now) =>
    database.read(project, (transaction) =>
      listed(
        transaction,
        `WHERE prediction.project_id = $1 AND resolved_at IS NULL AND due_at <= $2 AND check_command IS NOT NULL
         ORDER BY due_at, prediction.id`,
        [transaction.projectId, now],
      ),
    ),

  listOutcomes: (project, since = 0) =>
    database.read(project, async (transaction) => {
      const past = "prediction.project_id = $1 AND resolved_at >= $2 AND outcome <> 'annulled'"
      const values = [transaction.projectId, since]
      const later = new Map<number, LaterForecast[]>()
      const forecasts = await transaction.all<LaterForecast>(
        `SELECT prediction_id, forecast.confidence, forecast.created_at FROM prediction
         JOIN forecast ON forecast.project_id = prediction.project_id AND prediction_id = prediction.id
         WHERE ${past} AND first_confidence IS NOT NULL ORDER BY forecast.id`,
        values,
      )
      for (const forecast of forecasts)
        later.set(forecast.prediction_id, [...(later.get(forecast.prediction_id) ?? []), forecast])
      const rows = await transaction.all<PastRow>(
        `SELECT prediction.id, domain, provenance.agent, confidence, first_confidence, prediction.created_at, due_at,
           outcome, surprise, resolved_at FROM ${tables} WHERE ${past} ORDER BY resolved_at, prediction.id`,
        values,
      )
      return rows.map((row) => toPast(row, later.get(row.id) ?? []))
    }),

  listOverdue: (project, { limit, ...rule }) =>
    database.read(project, async (transaction) => {
      const { where, values } = joined([
        ['prediction.project_id = ?', transaction.projectId],
        overdueBy(rule),
      ])
      const total = await transaction.first<{ n: number }>(
        `SELECT count(*) AS n FROM prediction WHERE ${where}`,
        values,
      )
      const ids = await transaction.all<{ id: number }>(
        `SELECT id FROM prediction WHERE ${where} ORDER BY due_at IS NULL, due_at, created_at, id LIMIT $${values.length + 1}`,
        [...values, limit],
      )
      return { total: total?.n ?? 0, ids: ids.map(({ id }) => id) }
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
