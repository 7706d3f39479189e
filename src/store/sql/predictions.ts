/**
 * Predictions, with an index of their words so that the ones next to a topic are found at the same cost however many there are.
 * What is annulled has no words there, and counts nowhere.
 */
import { isDistinctive } from '../../core/gut-check.ts'
import { isScored } from '../../core/predictions.ts'
import type { Forecast, Found, Prediction, PredictionHistory, Reopening } from '../../core/records.ts'
import { isStopTerm } from '../../core/words.ts'
import type { PredictionStore, ResolutionSummary } from '../prediction-store.ts'
import {
  type ForecastRow,
  fromForecast,
  fromPrediction,
  fromReopening,
  fromResolution,
  noSummary,
  type PredictionRow,
  predictionTerms,
  type ReopeningRow,
  toForecast,
  toHistory,
  toMade,
  toPrediction,
  toReopening,
  toResolved,
} from '../rows/predictions.ts'
import type { Kept } from '../store.ts'
import { createPredictionLists, selectPrediction } from './prediction-lists.ts'
import { insertProvenance } from './provenance.ts'
import { requireFound, type Session, type SqlDatabase, type Steps } from './session.ts'

/** The words of a prediction, inside a write; one that is annulled has none. */
export function* insertTerms(session: Session, id: number, prediction: Omit<Prediction, 'id'>): Steps<void> {
  if (prediction.resolution?.outcome === 'annulled') return
  const terms = [...predictionTerms(prediction)]
  yield* session.insertEach(
    'prediction_term',
    terms.map((term) => ({ term, prediction_id: id })),
  )
}

/** Later forecasts, and reopenings, inside a write. */
export function* insertHistory(
  session: Session,
  id: number,
  { forecasts, reopenings }: Partial<PredictionHistory>,
): Steps<void> {
  for (const forecast of forecasts ?? [])
    yield* session.insert('forecast', { row: { prediction_id: id, ...fromForecast(forecast) } })
  for (const reopening of reopenings ?? [])
    yield* session.insert('reopening', { row: { prediction_id: id, ...fromReopening(reopening) } })
}

/** Later forecasts and reopenings of predictions, oldest first, of those that have any. */
export function* readHistories(
  session: Session,
  ids: readonly number[],
): Steps<ReadonlyMap<number, PredictionHistory>> {
  const { amongIds } = session.dialect
  const forecasts = yield* session.all<ForecastRow & { prediction_id: number }>(
    `SELECT prediction_id, confidence, note, created_at FROM forecast
     WHERE ${session.own('forecast')} prediction_id ${amongIds} ORDER BY id`,
    ids,
  )
  const reopenings = yield* session.all<ReopeningRow & { prediction_id: number }>(
    `SELECT prediction_id, outcome, actual, surprise, resolved_at, note, created_at FROM reopening
     WHERE ${session.own('reopening')} prediction_id ${amongIds} ORDER BY id`,
    ids,
  )
  const histories = new Map<number, { forecasts: Forecast[]; reopenings: Reopening[] }>()
  const historyOf = (id: number) => {
    const known = histories.get(id) ?? { forecasts: [], reopenings: [] }
    histories.set(id, known)
    return known
  }
  for (const { prediction_id: id, ...row } of forecasts) historyOf(id).forecasts.push(toForecast(row))
  for (const { prediction_id: id, ...row } of reopenings) historyOf(id).reopenings.push(toReopening(row))
  return histories
}

/** Of one prediction. */
export function* readHistory(session: Session, id: number): Steps<PredictionHistory> {
  return (yield* readHistories(session, [id])).get(id) ?? { forecasts: [], reopenings: [] }
}

export interface PredictionToInsert extends Kept {
  readonly id?: number
  readonly prediction: Omit<Prediction, 'id'>
  /** Later forecasts, and reopenings. */
  readonly history?: PredictionHistory
}

/** Row, words and history, inside a write. Returns the id: the one given, or the next. */
export function* insertPrediction(
  session: Session,
  { id: given, prediction, history, circumstances }: PredictionToInsert,
): Steps<number> {
  const row = fromPrediction(prediction, history)
  const id = yield* session.insert('prediction', { id: given, row })
  yield* insertTerms(session, id, prediction)
  const kept = { ...circumstances, agent: prediction.agent }
  yield* insertProvenance(session, { kind: 'prediction', id }, kept)
  yield* insertHistory(session, id, history ?? {})
  return id
}

/** Reads one prediction. */
export const findPrediction = (session: Session, id: number): Steps<Found<Prediction>> =>
  session.find({ table: 'prediction', id, select: selectPrediction, toRecord: toPrediction })

/** What was decided of a prediction under its lock, which must be there. */
function* decideOn<T>(session: Session, id: number, decide: (found: Found<Prediction>) => T) {
  const found = yield* findPrediction(session, id)
  const decided = decide(found)
  return { found: requireFound('prediction', id, found), decided }
}

/** Those of some terms that distinguish predictions of the project from one another. */
function* distinctive(session: Session, terms: readonly string[]): Steps<string[]> {
  const predictions = yield* session.count(
    // Two counts, each answered by a partial index alone.
    `SELECT (SELECT count(*) FROM prediction WHERE project_id = @project AND resolved_at IS NULL)
          + (SELECT count(*) FROM prediction
             WHERE project_id = @project AND resolved_at IS NOT NULL AND outcome <> 'annulled') AS n`,
  )
  const telling = terms.filter((term) => !isStopTerm(term))
  const rows = yield* session.all<{ term: string; holding: number }>(
    `SELECT term, count(*) AS holding FROM prediction_term
     WHERE project_id = @project AND term ${session.dialect.amongTexts} GROUP BY term`,
    telling,
  )
  const holding = new Map(rows.map((row) => [row.term, row.holding]))
  return telling.filter((term) => isDistinctive(term, holding.get(term) ?? 0, predictions))
}

export const createPredictionStore = (database: SqlDatabase): PredictionStore => ({
  ...createPredictionLists(database),

  add: (project, { circumstances = {}, check = null, ...stated }) =>
    database.write(
      project,
      function* (session) {
        const made = toMade({ circumstances, check, ...stated })
        const id = yield* insertPrediction(session, { prediction: made, circumstances })
        const proof = check?.prove(id) ?? null
        if (check === null || proof === null) return { id, ...made }
        yield* session.update('prediction', { id, check_proof: proof })
        return { id, ...made, check: { command: check.command, proof } }
      },
      { makes: true },
    ),

  find: (project, id) => database.read(project, (session) => findPrediction(session, id)),

  trail: (project, id) =>
    database.read(project, function* (session) {
      const prediction = yield* findPrediction(session, id)
      if (typeof prediction !== 'object') return { prediction, forecasts: [], reopenings: [] }
      return { prediction, ...toHistory(prediction, yield* readHistory(session, id)) }
    }),

  forecast: (project, id, decide) =>
    database.write(project, function* (session) {
      yield* session.lock('prediction', [id])
      const later = yield* session.count(
        `SELECT count(*) AS n FROM forecast WHERE ${session.own('forecast')} prediction_id = ?`,
        id,
      )
      const earlier = 1 + later
      const { found, decided } = yield* decideOn(session, id, (prediction) => decide(prediction, earlier))
      yield* insertHistory(session, id, { forecasts: [decided] })
      yield* session.run(
        `UPDATE prediction SET first_confidence = coalesce(first_confidence, confidence), confidence = ?
         WHERE project_id = @project AND id = ?`,
        decided.confidence,
        id,
      )
      return { before: found, after: { ...found, confidence: decided.confidence }, forecasts: earlier + 1 }
    }),

  resolve: (project, id, decide) =>
    database.write(project, function* (session) {
      yield* session.lock('prediction', [id])
      const { found, decided: resolution } = yield* decideOn(session, id, decide)
      yield* session.update('prediction', { id, ...fromResolution(resolution) })
      if (!isScored(resolution)) yield* session.removeOf('prediction_id', id, ['prediction_term'])
      return { ...found, resolution }
    }),

  reopen: (project, id, decide) =>
    database.write(project, function* (session) {
      yield* session.lock('prediction', [id])
      const { found, decided: reopening } = yield* decideOn(session, id, decide)
      const prediction = { ...found, resolution: null }
      yield* insertHistory(session, id, { reopenings: [reopening] })
      yield* session.update('prediction', { id, ...fromResolution(null) })
      if (reopening.outcome === 'annulled') yield* insertTerms(session, id, prediction)
      return { prediction, reopening }
    }),

  prove: (project, id, { command, proof }) =>
    database.write(project, function* (session) {
      const proven = yield* session.run(
        'UPDATE prediction SET check_proof = ? WHERE project_id = @project AND id = ? AND check_command = ?',
        proof,
        id,
        command,
      )
      return proven > 0
    }),

  listAdjacent: (project, terms) =>
    database.read(project, function* (session) {
      const telling = yield* distinctive(session, terms)
      if (telling.length === 0) return []
      const rows = yield* session.all<PredictionRow>(
        `${selectPrediction} WHERE resolved_at IS NOT NULL AND prediction.id IN
           (SELECT prediction_id FROM prediction_term
            WHERE prediction_term.project_id = @project AND term ${session.dialect.amongTexts})
         ORDER BY prediction.id`,
        telling,
      )
      return toResolved(rows)
    }),

  summarise: (project, since = 0) =>
    database.read(project, function* (session) {
      const summary = yield* session.first<ResolutionSummary>(
        `SELECT count(*) AS resolved, avg(confidence) AS "meanConfidence", avg(surprise) AS "meanSurprise",
           CAST(avg(CASE outcome WHEN 'correct' THEN 1.0 WHEN 'partial' THEN 0.5 ELSE 0.0 END) AS double precision)
             AS accuracy
         FROM prediction WHERE project_id = @project AND resolved_at >= ? AND outcome <> 'annulled'`,
        since,
      )
      return summary ?? noSummary
    }),
})
