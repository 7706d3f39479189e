/** A prediction and what became of it as rows, and the records they stand for. */
import { isScored } from '../../core/predictions.ts'
import type {
  Ending,
  Forecast,
  Outcome,
  Prediction,
  PredictionHistory,
  Reopening,
  Resolution,
} from '../../core/records.ts'
import type { Past } from '../../core/track-record.ts'
import { isStopTerm, toTerms } from '../../core/words.ts'
import type { NewPrediction, ResolutionSummary, ResolvedPrediction } from '../prediction-store.ts'

/** A resolution's columns; null where there is none. */
export interface ResolutionColumns {
  outcome: Ending | null
  actual: string | null
  surprise: number | null
  resolved_at: number | null
}

function toResolution({
  outcome,
  actual,
  surprise,
  resolved_at: resolvedAt,
}: ResolutionColumns): Resolution | null {
  if (outcome === null || actual === null || resolvedAt === null) return null
  if (outcome === 'annulled') return { outcome, actual, surprise: null, resolvedAt }
  return surprise === null ? null : { outcome, actual, surprise, resolvedAt }
}

export interface PredictionRow extends ResolutionColumns {
  id: number
  prediction: string
  domain: string
  confidence: number
  first_confidence: number | null
  basis: string | null
  agent: string | null
  created_at: number
  due_at: number | null
  check_command: string | null
  check_proof: string | null
}

export function toPrediction(row: PredictionRow): Prediction {
  return {
    id: row.id,
    prediction: row.prediction,
    domain: row.domain,
    confidence: row.confidence,
    firstConfidence: row.first_confidence ?? row.confidence,
    basis: row.basis,
    agent: row.agent,
    createdAt: row.created_at,
    dueAt: row.due_at,
    check: row.check_command === null ? null : { command: row.check_command, proof: row.check_proof },
    resolution: toResolution(row),
  }
}

export const fromResolution = (resolution: Resolution | null): ResolutionColumns => ({
  outcome: resolution?.outcome ?? null,
  actual: resolution?.actual ?? null,
  surprise: resolution?.surprise ?? null,
  resolved_at: resolution?.resolvedAt ?? null,
})

/** A prediction's row without its id and its project; its agent is kept with its circumstances. */
export const fromPrediction = (
  prediction: Omit<Prediction, 'id'>,
  history: PredictionHistory | undefined,
): Omit<PredictionRow, 'id' | 'agent'> => ({
  prediction: prediction.prediction,
  domain: prediction.domain,
  confidence: prediction.confidence,
  first_confidence: (history?.forecasts.length ?? 0) > 0 ? prediction.firstConfidence : null,
  basis: prediction.basis,
  created_at: prediction.createdAt,
  due_at: prediction.dueAt,
  check_command: prediction.check?.command ?? null,
  check_proof: prediction.check?.proof ?? null,
  ...fromResolution(prediction.resolution),
})

/** What changes of a prediction's row with its history. */
export const fromSettled = (
  { firstConfidence }: Prediction,
  { forecasts, resolution }: Pick<PredictionHistory, 'forecasts'> & Pick<Prediction, 'resolution'>,
): Pick<PredictionRow, 'confidence' | 'first_confidence'> & ResolutionColumns => ({
  confidence: forecasts.at(-1)?.confidence ?? firstConfidence,
  first_confidence: forecasts.length > 0 ? firstConfidence : null,
  ...fromResolution(resolution),
})

/** A prediction as it is made: open, and of a check without proof. */
export const toMade = ({
  circumstances = {},
  dueAt = null,
  check = null,
  ...stated
}: NewPrediction): Omit<Prediction, 'id'> => ({
  ...stated,
  firstConfidence: stated.confidence,
  agent: circumstances.agent ?? null,
  dueAt,
  check: check && { command: check.command, proof: null },
  resolution: null,
})

/** The history as it is told: with the confidence that the prediction was made with. */
export const toHistory = (
  { firstConfidence: confidence, createdAt }: Prediction,
  { forecasts, reopenings }: PredictionHistory,
): PredictionHistory => ({ forecasts: [{ confidence, note: null, createdAt }, ...forecasts], reopenings })

/** Those of the rows that were resolved and count. */
export const toResolved = (rows: readonly PredictionRow[]): ResolvedPrediction[] =>
  rows.flatMap((row) => {
    const { resolution, ...prediction } = toPrediction(row)
    return resolution !== null && isScored(resolution) ? [{ ...prediction, resolution }] : []
  })

/** Where nothing is resolved. */
export const noSummary: ResolutionSummary = {
  resolved: 0,
  meanConfidence: null,
  accuracy: null,
  meanSurprise: null,
}

/** What a prediction is found by, each once: stemmed words of three of its members. */
export const predictionTerms = ({
  prediction,
  domain,
  basis,
}: Pick<Prediction, 'prediction' | 'domain' | 'basis'>) =>
  new Set(toTerms([prediction, domain, basis ?? ''].join('\n')).filter((term) => !isStopTerm(term)))

export interface PastRow {
  id: number
  domain: string
  agent: string | null
  confidence: number
  first_confidence: number | null
  created_at: number
  due_at: number | null
  outcome: Outcome
  surprise: number
  resolved_at: number
}

export interface LaterForecast {
  prediction_id: number
  confidence: number
  created_at: number
}

export function toPast(row: PastRow, later: readonly LaterForecast[]): Past {
  return {
    domain: row.domain,
    agent: row.agent,
    createdAt: row.created_at,
    dueAt: row.due_at,
    forecasts: [
      { confidence: row.first_confidence ?? row.confidence, createdAt: row.created_at },
      ...later.map(({ confidence, created_at: createdAt }) => ({ confidence, createdAt })),
    ],
    outcome: row.outcome,
    surprise: row.surprise,
    resolvedAt: row.resolved_at,
  }
}

export interface ForecastRow {
  confidence: number
  note: string | null
  created_at: number
}

export interface ReopeningRow extends ResolutionColumns {
  note: string | null
  created_at: number
}

export const toForecast = ({ confidence, note, created_at: createdAt }: ForecastRow): Forecast => ({
  confidence,
  note,
  createdAt,
})

export const fromForecast = ({ confidence, note, createdAt }: Forecast): ForecastRow => ({
  confidence,
  note,
  created_at: createdAt,
})

export const fromReopening = ({ note, createdAt, ...resolution }: Reopening): ReopeningRow => ({
  ...fromResolution(resolution),
  note,
  created_at: createdAt,
})

export function toReopening({ note, created_at: createdAt, ...row }: ReopeningRow): Reopening {
  const resolution = toResolution(row)
  // Its columns are never null where the schema is ours.
  if (resolution === null) throw new Error('a reopening without what it undid')
  return { ...resolution, note, createdAt }
}
