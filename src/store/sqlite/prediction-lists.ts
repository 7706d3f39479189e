import type { OverdueRule, PredictionQuery, PredictionStore } from '../prediction-store.ts'
import {
  type LaterForecast,
  type PastRow,
  type PredictionRow,
  toPast,
  toPrediction,
} from '../rows/predictions.ts'
import type { Connection } from './connection.ts'
import { predictionTables, selectPrediction } from './prediction-rows.ts'
import { findProject } from './projects.ts'

type Lists = Pick<
  PredictionStore,
  'listOpen' | 'list' | 'listDueChecks' | 'listOutcomes' | 'listOverdue' | 'knownOrigins'
>

/** With the rule's two moments as values, in their order. */
const isOverdue = `(resolved_at IS NULL AND (due_at < ? OR (due_at IS NULL AND prediction.created_at < ?)))`

const momentsOf = ({ now, madeBefore }: OverdueRule): number[] => [now, madeBefore]

/** Conditions of a query, and their values in order. */
function conditionsOf(projectId: number, query: PredictionQuery) {
  const { standing, dueUpTo, domain, agent, overdue } = query
  const parts: [sql: string, ...values: (number | string)[]][] = [['prediction.project_id = ?', projectId]]
  if (standing === 'open') parts.push(['resolved_at IS NULL'])
  if (standing === 'resolved') parts.push(["resolved_at IS NOT NULL AND outcome <> 'annulled'"])
  if (standing === 'annulled') parts.push(["outcome = 'annulled'"])
  if (standing === 'overdue') parts.push([isOverdue, ...momentsOf(overdue)])
  if (dueUpTo !== undefined) parts.push(['resolved_at IS NULL AND due_at <= ?', dueUpTo])
  if (domain !== undefined) parts.push(['domain = ?', domain])
  if (agent !== undefined) parts.push(['provenance.agent = ?', agent])
  return {
    where: parts.map(([sql]) => sql).join(' AND '),
    values: parts.flatMap(([, ...values]) => values),
  }
}

export function createPredictionLists(connection: Connection): Lists {
  const projectOf = (name: string): number => findProject(connection, name) ?? 0
  return {
    listOpen: (project, limit) =>
      connection.read(() =>
        connection
          .all<PredictionRow>(
            `${selectPrediction} WHERE prediction.project_id = ? AND resolved_at IS NULL
             ORDER BY prediction.created_at, prediction.id LIMIT ?`,
            projectOf(project),
            limit,
          )
          .map(toPrediction),
      ),

    list: (project, query) =>
      connection.read(() => {
        const { where, values } = conditionsOf(projectOf(project), query)
        const dated = query.dueUpTo !== undefined || query.standing === 'overdue'
        const total = connection.first<{ n: number }>(
          `SELECT count(*) AS n FROM ${predictionTables} WHERE ${where}`,
          ...values,
        )
        const rows = connection.all<PredictionRow>(
          `${selectPrediction} WHERE ${where}
           ORDER BY ${dated ? 'due_at IS NULL, due_at, ' : ''}prediction.created_at, prediction.id LIMIT ? OFFSET ?`,
          ...values,
          query.limit,
          query.skip,
        )
        return { total: total?.n ?? 0, predictions: rows.map(toPrediction) }
      }),

    listDueChecks: (project, now) =>
      connection.read(() =>
        connection
          .all<PredictionRow>(
            `${selectPrediction} WHERE prediction.project_id = ? AND resolved_at IS NULL AND due_at <= ?
               AND check_command IS NOT NULL ORDER BY due_at, prediction.id`,
            projectOf(project),
            now,
          )
          .map(toPrediction),
      ),

    listOutcomes: (project, since = 0) =>
      connection.read(() => {
        const past = `prediction.project_id = ? AND resolved_at >= ? AND outcome <> 'annulled'`
        const values = [projectOf(project), since]
        const later = new Map<number, LaterForecast[]>()
        const forecasts = connection.all<LaterForecast & Record<string, number>>(
          `SELECT prediction_id, forecast.confidence, forecast.created_at FROM prediction
           JOIN forecast ON forecast.prediction_id = prediction.id
           WHERE ${past} AND first_confidence IS NOT NULL ORDER BY forecast.id`,
          ...values,
        )
        for (const forecast of forecasts) {
          const known = later.get(forecast.prediction_id)
          if (known === undefined) later.set(forecast.prediction_id, [forecast])
          else known.push(forecast)
        }
        return connection
          .all<PastRow & Record<string, never>>(
            `SELECT prediction.id, domain, provenance.agent, confidence, first_confidence, prediction.created_at, due_at,
               outcome, surprise, resolved_at FROM ${predictionTables} WHERE ${past} ORDER BY resolved_at, prediction.id`,
            ...values,
          )
          .map((row) => toPast(row, later.get(row.id) ?? []))
      }),

    listOverdue: (project, { limit, ...rule }) =>
      connection.read(() => {
        const values = [projectOf(project), ...momentsOf(rule)]
        const where = `prediction.project_id = ? AND ${isOverdue}`
        const total = connection.first<{ n: number }>(
          `SELECT count(*) AS n FROM prediction WHERE ${where}`,
          ...values,
        )
        const ids = connection.all<{ id: number }>(
          `SELECT id FROM prediction WHERE ${where} ORDER BY due_at IS NULL, due_at, created_at, id LIMIT ?`,
          ...values,
          limit,
        )
        return { total: total?.n ?? 0, ids: ids.map(({ id }) => id) }
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
