/** Similarity of two texts, by vector and word by word. Knows only numbers; where they come from is not its concern. */

/** The probability from which a result likely is what was asked for: below it most are not. */
export const likelyFrom = 0.3
/** That from which one may rely on it. */
export const sureFrom = 0.9

/** The similarity of one passage to a query. */
export interface Likeness {
  /** Cosine, -1..1. */
  readonly cosine: number
  /** Late interaction over word pieces (MaxSim), 0..1; undefined when pieces are unknown. */
  readonly maxSim: number | undefined
}

/** Cosine below which two word pieces are unrelated. */
const pieceFloor = 0.1

/**
 * Late interaction (MaxSim): how much of the query's weight finds a like piece in a passage, 0..1. `best` holds, for each
 * piece of the query, its highest cosine with any piece of the passage.
 */
export function lateInteraction(weights: Float32Array, best: Float32Array): number {
  let found = 0
  let whole = 0
  // By index: an iterator would make a cold recall some ten thousand objects.
  for (let at = 0; at < weights.length; at += 1) {
    const weight = weights[at] ?? 0
    found += weight * Math.max(0, ((best[at] ?? 0) - pieceFloor) / (1 - pieceFloor))
    whole += weight
  }
  return whole > 0 ? Math.min(1, Math.max(0, found / whole)) : 0
}

/** Maximum idf of a word piece: beyond it, rarity carries no more information. */
export const maxPieceIdf = 6

/**
 * Inner product of two vectors of one length: the cosine of unit vectors. In a plain loop, as `reduce` costs a cold command
 * a quarter of a microsecond for each component.
 */
export function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let at = 0; at < a.length; at += 1) sum += (a[at] ?? 0) * (b[at] ?? 0)
  return sum
}
