/** From features to an order: one weighted sum, a table of which stands in `weights.ts`. */
import type { Featured, Features } from './features.ts'
import type { BlendWeights } from './weights.ts'

export interface Ordered extends Featured {
  /** What the order is by; no probability. */
  readonly blend: number
}

/** Pieces of a passage of usual length: the blend of such a one is not moved by its length. */
const usualLength = Math.log(40)

/** The weighted sum of the features. */
function blendOf(features: Features, weights: BlendWeights): number {
  const { cosine, soft, coverage, codes, names, phrases, time, length } = features
  return (
    weights.cosine * (cosine ?? 0) +
    weights.soft * (soft ?? cosine ?? 0) +
    weights.coverage * coverage +
    weights.codes * (codes ?? 0) +
    weights.names * (names ?? 0) +
    weights.phrases * (phrases ?? 0) +
    weights.time * (time ?? 0) -
    (cosine === null ? 0 : weights.length * Math.max(0, length - usualLength))
  )
}

/** Best first; ties by coverage, then the older first. */
export function order(candidates: readonly Featured[], weights: BlendWeights): Ordered[] {
  return candidates
    .map((candidate) => ({ ...candidate, blend: blendOf(candidate.features, weights) }))
    .sort((a, b) => b.blend - a.blend || b.features.coverage - a.features.coverage || a.id - b.id)
}
