/**
 * What may happen to a prediction: its confidence is revised, it is resolved, and that is undone. Decides from the
 * record as it stands; the store hands it over under its lock and writes what comes back.
 */
import { requireOwned } from './access.ts'
import { attentionPeriod } from './activity.ts'
import { BrainError } from './errors.ts'
import type {
  Ending,
  Forecast,
  Found,
  Prediction,
  Reopening,
  Resolution,
  ScoredResolution,
} from './records.ts'
import { deriveSurprise } from './surprise.ts'

/** Confidence of a prediction made without one. */
export const predictedConfidence = 0.5

/** The outcome of a prediction as the caller states it. */
export interface Closing {
  readonly outcome: Ending
  readonly actual: string
  /** 0..1; null to have it derived. */
  readonly surprise: number | null
  readonly resolvedAt: number
}

function requireOpen(found: Found<Prediction>, id: number): Prediction {
  const prediction = requireOwned('prediction', id, found)
  if (prediction.resolution === null) return prediction
  const hint = `Its outcome is ${prediction.resolution.outcome}; \`brain reopen prediction ${id}\` undoes that.`
  throw new BrainError('refused', `prediction ${id} is already resolved`, { hint })
}

/**
 * The resolution to store. Surprise is measured from the confidence stated last.
 * @throws BrainError `refused` when the prediction is not there, not the project's, or already resolved.
 */
export function resolvePrediction(
  found: Found<Prediction>,
  id: number,
  { outcome, actual, surprise, resolvedAt }: Closing,
): Resolution {
  const { confidence } = requireOpen(found, id)
  if (outcome === 'annulled') return { outcome, actual, surprise: null, resolvedAt }
  return { outcome, actual, surprise: surprise ?? deriveSurprise(confidence, outcome), resolvedAt }
}

/** Maximum number of forecasts, so that a prediction can be exported and imported as one line. */
export const maxForecasts = 300

/**
 * The forecast to store, after so many earlier ones.
 * @throws BrainError `refused` as `resolvePrediction` does, or when there are too many.
 */
export function reviseForecast(
  found: Found<Prediction>,
  id: number,
  { stated, earlier }: { readonly stated: Forecast; readonly earlier: number },
): Forecast {
  requireOpen(found, id)
  if (earlier < maxForecasts) return stated
  throw new BrainError(
    'refused',
    `prediction ${id} has ${maxForecasts} forecasts already: resolve it, or make another`,
  )
}

/**
 * The record of the resolution that is undone.
 * @throws BrainError `refused` when the prediction is not there, not the project's, or not resolved.
 */
export function reopenPrediction(
  found: Found<Prediction>,
  id: number,
  { note, createdAt }: { readonly note: string | null; readonly createdAt: number },
): Reopening {
  const { resolution } = requireOwned('prediction', id, found)
  if (resolution === null) throw new BrainError('refused', `prediction ${id} is not resolved`)
  return { ...resolution, note, createdAt }
}

/** When an open prediction is overdue: past its due date, or without one created before this time. */
export interface OverdueRule {
  readonly now: number
  readonly madeBefore: number
}

export const overdueAt = (now: number): OverdueRule => ({ now, madeBefore: now - attentionPeriod })

/** As the store's lists have it. */
export const isOverdue = (
  { resolution, dueAt, createdAt }: Pick<Prediction, 'resolution' | 'dueAt' | 'createdAt'>,
  { now, madeBefore }: OverdueRule,
): boolean => resolution === null && (dueAt === null ? createdAt < madeBefore : dueAt < now)

/** Whether a resolution counts in figures. */
export const isScored = (resolution: Resolution): resolution is ScoredResolution =>
  resolution.outcome !== 'annulled'
