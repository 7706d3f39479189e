/**
 * What may happen to a prediction: it is resolved, once. Decides from the record as it stands; the store
 * hands it over under its lock and writes what comes back.
 */
import { requireOwned } from './access.ts'
import { BrainError } from './errors.ts'
import type { Outcome, Owned, Prediction, Resolution } from './records.ts'
import { deriveSurprise } from './surprise.ts'

/** Confidence of a prediction made without one. */
export const predictedConfidence = 0.5

/** What became of a prediction, as its caller tells it. */
export interface Closing {
  readonly outcome: Outcome
  readonly actual: string
  /** 0..1; null to have it derived. */
  readonly surprise: number | null
  readonly resolvedAt: number
}

/**
 * The resolution to store.
 * @throws BrainError `refused` when the prediction is not there, not the project's, or already resolved.
 */
export function resolvePrediction(
  found: Owned<Prediction> | undefined,
  claim: { readonly id: number; readonly project: string },
  closing: Closing,
): Resolution {
  const prediction = requireOwned('prediction', claim.id, found, claim.project)
  if (prediction.resolution !== null) {
    throw new BrainError('refused', `prediction ${claim.id} is already resolved`)
  }
  return { ...closing, surprise: closing.surprise ?? deriveSurprise(prediction.confidence, closing.outcome) }
}
