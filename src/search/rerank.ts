/** Orders candidates by one weighted sum of features; the weights are in `weights.ts`. */
import type { Featured, Features } from './features.ts'
import type { BlendWeights } from './weights.ts'

export interface Ordered extends Featured {
  /** The value that results are ordered by; not a probability. */
  readonly blend: number
}

/** Pieces of a passage of typical length: its blend is not changed by its length. */
const usualLength = Math.log(40)

/** The weighted sum of the features. */
function blendOf(features: Features, weights: BlendWeights): number {
  const { cosine, maxSim, coverage, codes, names, phrases, time, length } = features
  return (
    weights.cosine * (cosine ?? 0) +
    weights.maxSim * (maxSim ?? cosine ?? 0) +
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
