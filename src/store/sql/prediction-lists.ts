/**
 * Predictions many at a time: open, due, overdue, resolved, and what figures need of the past. Knows which of them a list holds
 * and in which order. Reads, and writes nothing.
 */
import { spellingsOf } from '../../core/agent-names.ts'
import { addTo } from '../../core/lists.ts'
import type { OverdueRule } from '../../core/predictions.ts'
import type { Prediction } from '../../core/records.ts'
import type { PredictionQuery, PredictionStore } from '../prediction-store.ts'
import {
  type LaterForecast,
  type PastRow,
  type PredictionRow,
  toPast,
  toPrediction,
} from '../rows/predictions.ts'
import { namedAgent } from './provenance.ts'
import type { Session, SqlDatabase, Steps } from './session.ts'

type PredictionLists = Pick<
  PredictionStore,
  'listOpen' | 'list' | 'listDueChecks' | 'listOutcomes' | 'listOverdue' | 'knownOrigins'
>

const tables = `prediction LEFT JOIN provenance ON provenance.project_id = prediction.project_id
  AND provenance.kind = 'prediction' AND provenance.record_id = prediction.id`

export const selectPrediction = `SELECT prediction.*, provenance.agent FROM ${tables}`

type Condition = readonly [sql: string, ...values: (string | number)[]]

/** Conditions as SQL, their values in order, and what the predictions are ordered by. */
interface Selection {
  readonly where: string
  readonly values: readonly (string | number)[]
  readonly order: string
}

const select = (order: string, ...conditions: readonly Condition[]): Selection => ({
  where: ['prediction.project_id = @project', ...conditions.map(([sql]) => sql)].join(' AND '),
  values: conditions.flatMap(([, ...values]) => values),
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

function selectMatching(query: PredictionQuery): Selection {
  const { standing, dueUpTo, domain, agent, overdue } = query
  const conditions: Condition[] = []
  if (standing !== undefined)
    conditions.push(standing === 'overdue' ? overdueBy(overdue) : ofStanding[standing])
  if (dueUpTo !== undefined) conditions.push(['resolved_at IS NULL AND due_at <= ?', dueUpTo])
  if (domain !== undefined) conditions.push(['domain = ?', domain])
  if (agent !== undefined)
    conditions.push([`${namedAgent('provenance.agent')} IN (?, ?)`, ...spellingsOf(agent)])
  const dated = dueUpTo !== undefined || standing === 'overdue'
  return select(dated ? byDueDate : byAge, ...conditions)
}

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
    database.read(project, (session) => listed(session, select(byAge, ofStanding.open), 'LIMIT ?', limit)),

  list: (project, query) =>
    database.read(project, function* (session) {
      const meant = selectMatching(query)
      const total = yield* counted(session, meant, tables)
      const predictions = yield* listed(session, meant, 'LIMIT ? OFFSET ?', query.limit, query.skip)
      return { total, predictions }
    }),

  listDueChecks: (project, now) =>
    database.read(project, (session) => {
      const due = 'resolved_at IS NULL AND due_at <= ? AND check_command IS NOT NULL'
      return listed(session, select('due_at, prediction.id', [due, now]))
    }),

  listOutcomes: (project, since = 0) =>
    database.read(project, function* (session) {
      const where = "prediction.project_id = @project AND resolved_at >= ? AND outcome <> 'annulled'"
      const forecasts = yield* session.all<LaterForecast>(
        `SELECT prediction_id, forecast.confidence, forecast.created_at FROM prediction
         JOIN forecast ON ${session.own('forecast')} prediction_id = prediction.id
         WHERE ${where} AND first_confidence IS NOT NULL ORDER BY forecast.id`,
        since,
      )
      const rows = yield* session.all<PastRow>(
        `SELECT prediction.id, domain, provenance.agent, confidence, first_confidence, prediction.created_at, due_at,
           outcome, surprise, resolved_at
         FROM ${tables} WHERE ${where} ORDER BY resolved_at, prediction.id`,
        since,
      )
      const later = new Map<number, LaterForecast[]>()
      for (const forecast of forecasts) addTo(later, forecast.prediction_id, forecast)
      return rows.map((row) => toPast(row, later.get(row.id) ?? []))
    }),

  listOverdue: (project, { limit, ...rule }) =>
    database.read(project, function* (session) {
      const overdue = select(byDueDate, overdueBy(rule))
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
