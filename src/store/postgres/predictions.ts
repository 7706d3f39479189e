/**
 * Predictions in PostgreSQL, with an index of their words so that the ones next to a topic are found at the same cost
 * however many there are. What is annulled has no words there, and counts nowhere.
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
import type { Database } from './connection.ts'
import { findOwn, insertOwn, lock, requireFound, updateOwn } from './own.ts'
import { createPredictionLists, selectPrediction } from './prediction-lists.ts'
import { insertProvenance } from './provenance.ts'
import type { Transaction } from './transaction.ts'

/** The words of a prediction, inside a write; one that is annulled has none. */
export async function insertTerms(
  transaction: Transaction,
  id: number,
  prediction: Omit<Prediction, 'id'>,
): Promise<void> {
  if (prediction.resolution?.outcome === 'annulled') return
  await transaction.run(
    'INSERT INTO prediction_term (project_id, term, prediction_id) SELECT $1, term, $2 FROM unnest($3::text[]) AS term',
    [transaction.projectId, id, [...predictionTerms(prediction)]],
  )
}

/** Inside a write. */
export const insertForecast = (transaction: Transaction, id: number, forecast: Forecast): Promise<number> =>
  insertOwn(transaction, 'forecast', { row: { prediction_id: id, ...fromForecast(forecast) } })

/** Inside a write. */
export const insertReopening = (
  transaction: Transaction,
  id: number,
  reopening: Reopening,
): Promise<number> =>
  insertOwn(transaction, 'reopening', { row: { prediction_id: id, ...fromReopening(reopening) } })

/** Later forecasts and reopenings of predictions, oldest first, of those that have any. */
export async function readHistories(
  transaction: Transaction,
  ids: readonly number[],
): Promise<ReadonlyMap<number, PredictionHistory>> {
  const values = [transaction.projectId, ids]
  const forecasts = await transaction.all<ForecastRow & { prediction_id: number }>(
    `SELECT prediction_id, confidence, note, created_at FROM forecast
     WHERE project_id = $1 AND prediction_id = ANY($2::bigint[]) ORDER BY id`,
    values,
  )
  const reopenings = await transaction.all<ReopeningRow & { prediction_id: number }>(
    `SELECT prediction_id, outcome, actual, surprise, resolved_at, note, created_at FROM reopening
     WHERE project_id = $1 AND prediction_id = ANY($2::bigint[]) ORDER BY id`,
    values,
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
export const readHistory = async (transaction: Transaction, id: number): Promise<PredictionHistory> =>
  (await readHistories(transaction, [id])).get(id) ?? { forecasts: [], reopenings: [] }

export interface PredictionToInsert extends Kept {
  readonly id?: number
  readonly prediction: Omit<Prediction, 'id'>
  /** Later forecasts, and reopenings. */
  readonly history?: PredictionHistory
}

/** Row, words and history, inside a write. Returns the id: the one given, or the next. */
export async function insertPrediction(
  transaction: Transaction,
  { id: given, prediction, history, circumstances }: PredictionToInsert,
): Promise<number> {
  const row = fromPrediction(prediction, history)
  const id = await insertOwn(transaction, 'prediction', { id: given, row })
  await insertTerms(transaction, id, prediction)
  const kept = { ...circumstances, agent: prediction.agent }
  await insertProvenance(transaction, { kind: 'prediction', id }, kept)
  for (const forecast of history?.forecasts ?? []) await insertForecast(transaction, id, forecast)
  for (const reopening of history?.reopenings ?? []) await insertReopening(transaction, id, reopening)
  return id
}

/** Reads one prediction; for the other adapters of this folder. */
export const findPrediction = (transaction: Transaction, id: number): Promise<Found<Prediction>> =>
  findOwn(transaction, { table: 'prediction', id, select: selectPrediction, toRecord: toPrediction })

/** What was decided of a prediction under its lock, which must be there. */
async function decideOn<T>(transaction: Transaction, id: number, decide: (found: Found<Prediction>) => T) {
  const found = await findPrediction(transaction, id)
  const decided = decide(found)
  return { found: requireFound('prediction', id, found), decided }
}

/** Those of some terms that distinguish predictions of the project from one another. */
async function distinctive(transaction: Transaction, terms: readonly string[]): Promise<string[]> {
  const counted = await transaction.first<{ n: number }>(
    "SELECT count(*) AS n FROM prediction WHERE project_id = $1 AND (resolved_at IS NULL OR outcome <> 'annulled')",
    [transaction.projectId],
  )
  const telling = terms.filter((term) => !isStopTerm(term))
  const rows = await transaction.all<{ term: string; holding: number }>(
    `SELECT term, count(*) AS holding FROM prediction_term
     WHERE project_id = $1 AND term = ANY($2::text[]) GROUP BY term`,
    [transaction.projectId, telling],
  )
  const holding = new Map(rows.map((row) => [row.term, row.holding]))
  return telling.filter((term) => isDistinctive(term, holding.get(term) ?? 0, counted?.n ?? 0))
}

export const createPredictionStore = (database: Database): PredictionStore => ({
  ...createPredictionLists(database),

  add: (project, { circumstances = {}, check = null, ...stated }) =>
    database.write(
      project,
      async (transaction) => {
        const made = toMade({ circumstances, check, ...stated })
        const id = await insertPrediction(transaction, { prediction: made, circumstances })
        const proof = check?.prove(id) ?? null
        if (check === null || proof === null) return { id, ...made }
        await updateOwn(transaction, 'prediction', { id, check_proof: proof })
        return { id, ...made, check: { command: check.command, proof } }
      },
      { makes: true },
    ),

  find: (project, id) => database.read(project, (transaction) => findPrediction(transaction, id)),

  trail: (project, id) =>
    database.read(project, async (transaction) => {
      const prediction = await findPrediction(transaction, id)
      if (typeof prediction !== 'object') return { prediction, forecasts: [], reopenings: [] }
      return { prediction, ...toHistory(prediction, await readHistory(transaction, id)) }
    }),

  forecast: (project, id, decide) =>
    database.write(project, async (transaction) => {
      await lock(transaction, 'prediction', [id])
      const later = await transaction.first<{ n: number }>(
        'SELECT count(*) AS n FROM forecast WHERE project_id = $1 AND prediction_id = $2',
        [transaction.projectId, id],
      )
      const earlier = 1 + (later?.n ?? 0)
      const { found, decided } = await decideOn(transaction, id, (prediction) => decide(prediction, earlier))
      await insertForecast(transaction, id, decided)
      await transaction.run(
        `UPDATE prediction SET first_confidence = coalesce(first_confidence, confidence), confidence = $1
         WHERE project_id = $2 AND id = $3`,
        [decided.confidence, transaction.projectId, id],
      )
      return { before: found, after: { ...found, confidence: decided.confidence }, forecasts: earlier + 1 }
    }),

  resolve: (project, id, decide) =>
    database.write(project, async (transaction) => {
      await lock(transaction, 'prediction', [id])
      const { found, decided: resolution } = await decideOn(transaction, id, decide)
      await updateOwn(transaction, 'prediction', { id, ...fromResolution(resolution) })
      if (!isScored(resolution))
        await transaction.run('DELETE FROM prediction_term WHERE project_id = $1 AND prediction_id = $2', [
          transaction.projectId,
          id,
        ])
      return { ...found, resolution }
    }),

  reopen: (project, id, decide) =>
    database.write(project, async (transaction) => {
      await lock(transaction, 'prediction', [id])
      const { found, decided: reopening } = await decideOn(transaction, id, decide)
      const prediction = { ...found, resolution: null }
      await insertReopening(transaction, id, reopening)
      await updateOwn(transaction, 'prediction', { id, ...fromResolution(null) })
      if (reopening.outcome === 'annulled') await insertTerms(transaction, id, prediction)
      return { prediction, reopening }
    }),

  prove: (project, id, { command, proof }) =>
    database.write(
      project,
      async (transaction) =>
        (await transaction.run(
          'UPDATE prediction SET check_proof = $1 WHERE project_id = $2 AND id = $3 AND check_command = $4',
          [proof, transaction.projectId, id, command],
        )) > 0,
    ),

  listAdjacent: (project, terms) =>
    database.read(project, async (transaction) => {
      const telling = await distinctive(transaction, terms)
      if (telling.length === 0) return []
      const rows = await transaction.all<PredictionRow>(
        `${selectPrediction} WHERE prediction.project_id = $1 AND resolved_at IS NOT NULL AND prediction.id IN
           (SELECT prediction_id FROM prediction_term WHERE project_id = $1 AND term = ANY($2::text[]))
         ORDER BY prediction.id`,
        [transaction.projectId, telling],
      )
      return toResolved(rows)
    }),

  summarise: (project, since = 0) =>
    database.read(project, async (transaction) => {
      const summary = await transaction.first<ResolutionSummary>(
        `SELECT count(*) AS resolved, avg(confidence) AS "meanConfidence", avg(surprise) AS "meanSurprise",
           avg(CASE outcome WHEN 'correct' THEN 1.0 WHEN 'partial' THEN 0.5 ELSE 0.0 END)::double precision AS accuracy
         FROM prediction WHERE project_id = $1 AND resolved_at >= $2 AND outcome <> 'annulled'`,
        [transaction.projectId, since],
      )
      return summary ?? noSummary
    }),
})
