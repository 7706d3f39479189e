/**
 * How far an outcome was from what was expected. Knows single outcomes and confidences; many predictions together are
 * in `calibration.ts`.
 */
import type { Outcome } from './records.ts'

/** The numeric value of an outcome: 1 correct, 0.5 partial, 0 incorrect. */
export const outcomeValue: Readonly<Record<Outcome, number>> = { correct: 1, partial: 0.5, incorrect: 0 }

/** Distance of the outcome from the stated confidence (0..1), 0..1. */
export const deriveSurprise = (confidence: number, outcome: Outcome): number =>
  Math.abs(outcomeValue[outcome] - confidence)
