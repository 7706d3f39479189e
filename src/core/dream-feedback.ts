/** Weights of the kinds of thoughts, from the feedback of a brain's readers. Knows only counts. */
import type { DreamKind } from './records.ts'

/** Feedback on one kind of dream. */
export interface KindFeedback {
  readonly kind: DreamKind
  readonly kept: number
  readonly dismissed: number
}

/** Prior verdicts assumed for every kind, half of them favourable: a single dismissal is no policy. */
const taken = 8

/** Lowest and highest weight: a kind can fall silent, and comes back when one of its dreams is kept. */
const [lowest, highest] = [0.25, 1.4]

/** 0.25..1.4: 1 for a kind without feedback; otherwise twice the share of kept ones, with eight more evenly split. */
export function weightOf({ kept, dismissed }: Pick<KindFeedback, 'kept' | 'dismissed'>): number {
  const weight = (2 * (kept + taken / 2)) / (kept + dismissed + taken)
  return Math.min(highest, Math.max(lowest, weight))
}

/** The weight of every kind. */
export function weightsOf(feedback: readonly KindFeedback[]): (kind: DreamKind) => number {
  const weights = new Map(feedback.map((one) => [one.kind, weightOf(one)]))
  return (kind) => weights.get(kind) ?? 1
}
