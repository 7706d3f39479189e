/**
 * Which predictions a list holds and in which order, as SQL that every store understands, with a question mark for each
 * value. An adapter supplies the tables, in which `prediction` is joined to its provenance.
 */

import { addTo } from '../../core/lists.ts'
import type { OverdueRule, PastPrediction, PredictionQuery, PredictionStore } from '../prediction-store.ts'
import { type LaterForecast, type PastRow, toPast } from './predictions.ts'

type Condition = readonly [sql: string, ...values: (string | number)[]]

/** What an adapter answers with the selections below. */
export type PredictionLists = Pick<
  PredictionStore,
  'listOpen' | 'list' | 'listDueChecks' | 'listOutcomes' | 'listOverdue' | 'knownOrigins'
>

/** Conditions as SQL, their values in order, and what the predictions are ordered by. */
export interface Selection {
  readonly where: string
  readonly values: readonly (string | number)[]
  readonly order: string
}

const select = (projectId: number, order: string, ...conditions: readonly Condition[]): Selection => ({
  where: ['prediction.project_id = ?', ...conditions.map(([sql]) => sql)].join(' AND '),
  values: [projectId, ...conditions.flatMap(([, ...values]) => values)],
  order,
})

const byAge = 'prediction.created_at, prediction.id'
const byDueDate = `due_at IS NULL, due_at, ${byAge}`

const overdueBy = ({ now, madeBefore }: OverdueRule): Condition => [
  '(resolved_at IS NULL AND (due_at < ? OR (due_at IS NULL AND prediction.created_at < ?)))',
  now,
  madeBefore,
]

const ofStanding = {
  open: ['resolved_at IS NULL'],
  resolved: ["resolved_at IS NOT NULL AND outcome <> 'annulled'"],
  annulled: ["outcome = 'annulled'"],
} as const

export function selectMatching(projectId: number, query: PredictionQuery): Selection {
  const { standing, dueUpTo, domain, agent, overdue } = query
  const conditions: Condition[] = []
  if (standing !== undefined)
    conditions.push(standing === 'overdue' ? overdueBy(overdue) : ofStanding[standing])
  if (dueUpTo !== undefined) conditions.push(['resolved_at IS NULL AND due_at <= ?', dueUpTo])
  if (domain !== undefined) conditions.push(['domain = ?', domain])
  if (agent !== undefined) conditions.push(['provenance.agent = ?', agent])
  const dated = dueUpTo !== undefined || standing === 'overdue'
  return select(projectId, dated ? byDueDate : byAge, ...conditions)
}

export const selectOpen = (projectId: number): Selection => select(projectId, byAge, ofStanding.open)

export const selectOverdue = (projectId: number, rule: OverdueRule): Selection =>
  select(projectId, byDueDate, overdueBy(rule))

/** Those whose check is due, the earliest first. */
export const selectDueChecks = (projectId: number, now: number): Selection =>
  select(projectId, 'due_at, prediction.id', [
    'resolved_at IS NULL AND due_at <= ? AND check_command IS NOT NULL',
    now,
  ])

/** Those that came true or not, since a moment. */
export const selectOutcomes = (projectId: number, since: number): Selection =>
  select(projectId, 'resolved_at, prediction.id', ["resolved_at >= ? AND outcome <> 'annulled'", since])

/** Columns of a `PastRow`. */
export const pastColumns = `prediction.id, domain, provenance.agent, confidence, first_confidence, prediction.created_at, due_at,
  outcome, surprise, resolved_at`

/** Past predictions, each with its later forecasts, which come in their order. */
export function toPastPredictions(
  rows: readonly PastRow[],
  forecasts: readonly LaterForecast[],
): PastPrediction[] {
  const later = new Map<number, LaterForecast[]>()
  for (const forecast of forecasts) addTo(later, forecast.prediction_id, forecast)
  return rows.map((row) => toPast(row, later.get(row.id) ?? []))
}
