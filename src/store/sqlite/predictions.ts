/**
 * Predictions in SQLite, with an index of their words so that the ones next to a topic are found at the same
 * cost however many there are. What is annulled has no words there, and counts nowhere.
 */
import { isDistinctive } from '../../core/gut-check.ts'
import { isScored } from '../../core/predictions.ts'
import type { Found, Prediction, PredictionHistory } from '../../core/records.ts'
import { isStopTerm } from '../../core/words.ts'
import type { PredictionStore, ResolutionSummary } from '../prediction-store.ts'
import {
  fromPrediction,
  fromResolution,
  noSummary,
  type PredictionRow,
  predictionTerms,
  toHistory,
  toMade,
  toPrediction,
  toResolved,
} from '../rows/predictions.ts'
import type { Kept } from '../store.ts'
import type { Connection } from './connection.ts'
import { insertForecast, insertReopening, readHistory } from './forecasts.ts'
import { insertRow, updateRow } from './insert.ts'
import { createPredictionLists } from './prediction-lists.ts'
import { selectPrediction } from './prediction-rows.ts'
import { ensureProject, findOwn, findProject } from './projects.ts'
import { insertProvenance } from './provenance.ts'

/** The words of a prediction, inside a write; one that is annulled has none. */
export function insertTerms(
  connection: Connection,
  { id, projectId, prediction }: { id: number; projectId: number; prediction: Omit<Prediction, 'id'> },
): void {
  if (prediction.resolution?.outcome === 'annulled') return
  for (const term of predictionTerms(prediction)) {
    connection.run(
      'INSERT INTO prediction_term (project_id, term, prediction_id) VALUES (?, ?, ?)',
      projectId,
      term,
      id,
    )
  }
}

export interface PredictionToInsert extends Kept {
  readonly id?: number
  readonly projectId: number
  readonly prediction: Omit<Prediction, 'id'>
  /** Later forecasts, and reopenings. */
  readonly history?: PredictionHistory
}

/** Row, words and history, inside a write. Returns the id: the one given, or the next. */
export function insertPrediction(connection: Connection, insertion: PredictionToInsert): number {
  const { id: given, projectId, prediction, history, circumstances } = insertion
  const row = { id: given ?? null, project_id: projectId, ...fromPrediction(prediction, history) }
  const { id } = insertRow(connection, 'prediction', row)
  insertTerms(connection, { id, projectId, prediction })
  const kept = { ...circumstances, agent: prediction.agent }
  insertProvenance(connection, { kind: 'prediction', id, projectId }, kept)
  for (const forecast of history?.forecasts ?? []) insertForecast(connection, id, forecast)
  for (const reopening of history?.reopenings ?? []) insertReopening(connection, id, reopening)
  return id
}

export function createPredictionStore(connection: Connection): PredictionStore {
  const find = (project: string, id: number): Found<Prediction> =>
    findOwn(connection, project, {
      table: 'prediction',
      id,
      select: selectPrediction,
      toRecord: toPrediction,
    })

  /** What a decision let pass must be there. */
  function findDecided<T>(project: string, id: number, decide: (found: Found<Prediction>) => T) {
    const found = find(project, id)
    const decided = decide(found)
    if (found === undefined || found === 'elsewhere') throw new Error(`prediction ${id} is gone`)
    return { found, decided }
  }

  function countOf(projectId: number): number {
    // Two counts, each answered by a partial index alone.
    return (
      connection.first<{ n: number }>(
        `SELECT (SELECT count(*) FROM prediction WHERE project_id = ? AND resolved_at IS NULL)
              + (SELECT count(*) FROM prediction
                 WHERE project_id = ? AND resolved_at IS NOT NULL AND outcome <> 'annulled') AS n`,
        projectId,
        projectId,
      )?.n ?? 0
    )
  }

  function distinctive(projectId: number, terms: readonly string[]): string[] {
    const predictions = countOf(projectId)
    return terms.filter((term) => {
      if (isStopTerm(term)) return false
      const holding =
        connection.first<{ n: number }>(
          'SELECT count(*) AS n FROM prediction_term WHERE project_id = ? AND term = ?',
          projectId,
          term,
        )?.n ?? 0
      return isDistinctive(term, holding, predictions)
    })
  }

  return {
    ...createPredictionLists(connection),

    add: (project, { circumstances = {}, check = null, ...stated }) =>
      connection.write(() => {
        const projectId = ensureProject(connection, project)
        const made = toMade({ circumstances, check, ...stated })
        const id = insertPrediction(connection, { projectId, prediction: made, circumstances })
        const proof = check?.prove(id) ?? null
        if (check === null || proof === null) return { id, ...made }
        updateRow(connection, 'prediction', { id, check_proof: proof })
        return { id, ...made, check: { command: check.command, proof } }
      }),

    find: (project, id) => connection.read(() => find(project, id)),

    trail: (project, id) =>
      connection.read(() => {
        const prediction = find(project, id)
        if (typeof prediction !== 'object') return { prediction, forecasts: [], reopenings: [] }
        return { prediction, ...toHistory(prediction, readHistory(connection.database, id)) }
      }),

    forecast: (project, id, decide) =>
      connection.write(() => {
        const later = connection.first<{ n: number }>(
          'SELECT count(*) AS n FROM forecast WHERE prediction_id = ?',
          id,
        )
        const earlier = 1 + (later?.n ?? 0)
        const { found, decided } = findDecided(project, id, (prediction) => decide(prediction, earlier))
        insertForecast(connection, id, decided)
        connection.run(
          'UPDATE prediction SET first_confidence = coalesce(first_confidence, confidence), confidence = ? WHERE id = ?',
          decided.confidence,
          id,
        )
        const after = { ...found, confidence: decided.confidence }
        return { before: found, after, forecasts: earlier + 1 }
      }),

    resolve: (project, id, decide) =>
      connection.write(() => {
        const { found, decided: resolution } = findDecided(project, id, decide)
        updateRow(connection, 'prediction', { id, ...fromResolution(resolution) })
        if (!isScored(resolution)) connection.run('DELETE FROM prediction_term WHERE prediction_id = ?', id)
        return { ...found, resolution }
      }),

    reopen: (project, id, decide) =>
      connection.write(() => {
        const { found, decided: reopening } = findDecided(project, id, decide)
        const projectId = ensureProject(connection, project)
        const prediction = { ...found, resolution: null }
        insertReopening(connection, id, reopening)
        updateRow(connection, 'prediction', { id, ...fromResolution(null) })
        if (reopening.outcome === 'annulled') insertTerms(connection, { id, projectId, prediction })
        return { prediction, reopening }
      }),

    prove: (project, id, { command, proof }) =>
      connection.write(
        () =>
          connection.run(
            'UPDATE prediction SET check_proof = ? WHERE id = ? AND project_id = ? AND check_command = ?',
            proof,
            id,
            findProject(connection, project) ?? 0,
            command,
          ).changes > 0,
      ),

    listAdjacent: (project, terms) =>
      connection.read(() => {
        const projectId = findProject(connection, project) ?? 0
        const telling = distinctive(projectId, terms)
        if (telling.length === 0) return []
        const rows = connection.all<PredictionRow>(
          `${selectPrediction} WHERE resolved_at IS NOT NULL AND prediction.id IN
             (SELECT prediction_id FROM prediction_term
              WHERE prediction_term.project_id = ? AND term IN (SELECT value FROM json_each(?)))
           ORDER BY prediction.id`,
          projectId,
          JSON.stringify(telling),
        )
        return toResolved(rows)
      }),

    summarise: (project, since = 0) =>
      connection.read(
        () =>
          connection.first<ResolutionSummary & Record<string, number | null>>(
            `SELECT count(*) AS resolved, avg(confidence) AS meanConfidence, avg(surprise) AS meanSurprise,
               avg(CASE outcome WHEN 'correct' THEN 1.0 WHEN 'partial' THEN 0.5 ELSE 0.0 END) AS accuracy
             FROM prediction WHERE project_id = ? AND resolved_at >= ? AND outcome <> 'annulled'`,
            findProject(connection, project) ?? 0,
            since,
          ) ?? noSummary,
      ),
  }
}
