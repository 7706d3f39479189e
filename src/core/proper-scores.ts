/** The loss of a single confidence once the outcome is known, by two proper scoring rules: 0 is perfect for both. */
import { within } from './logistic.ts'
import type { Outcome } from './records.ts'
import { outcomeValue } from './surprise.ts'

/** Squared error of a confidence (Brier 1950), 0..1. Some tools add both sides of a binary question, which doubles it. */
export const brierOf = (confidence: number, outcome: Outcome): number =>
  (confidence - outcomeValue[outcome]) ** 2

/** Cross-entropy in nats; the confidence is clipped to [1e-6, 1 - 1e-6]. */
export function logLossOf(confidence: number, outcome: Outcome): number {
  const stated = within(confidence)
  const value = outcomeValue[outcome]
  return -(value * Math.log(stated) + (1 - value) * Math.log(1 - stated))
}
