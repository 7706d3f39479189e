/** Orders candidates by one weighted sum of features; the weights are in `weights.ts`. */

import { turnsAround } from '../core/conversation.ts'
import { msPerDay } from '../core/durations.ts'
import type { Featured, Features } from './features.ts'
import {
  type BlendWeights,
  type ConversationWeights,
  conversationWeights,
  presentWeights,
} from './weights.ts'

export interface Ordered extends Featured {
  /** The value that results are ordered by; not a probability. */
  readonly blend: number
}

/** Pieces of a passage of typical length: its blend is not changed by its length. */
const usualLength = Math.log(40)

/** The weighted sum of the features. */
function blendOf(features: Features, weights: BlendWeights & Partial<ConversationWeights>): number {
  const { cosine, maxSim, coverage, held, codes, names, phrases, time, length } = features
  return (
    weights.cosine * (cosine ?? 0) +
    weights.maxSim * (maxSim ?? cosine ?? 0) +
    weights.coverage * coverage +
    (weights.held ?? 0) * held +
    weights.codes * (codes ?? 0) +
    weights.names * (names ?? 0) +
    weights.phrases * (phrases ?? 0) +
    weights.time * (time ?? 0) -
    (cosine === null ? 0 : weights.length * Math.max(0, length - usualLength))
  )
}

/** Adds what the memories written around each lend to it: a share of what they stand above the weaker candidates. */
function withContext(ordered: readonly Ordered[], { around, floor }: ConversationWeights): Ordered[] {
  const blends = new Map(ordered.map(({ id, blend }) => [id, blend]))
  const sorted = [...blends.values()].sort((a, b) => a - b)
  const weak = sorted[Math.floor(floor * sorted.length)] ?? 0
  const lentTo = (id: number): number =>
    turnsAround.reduce(
      (sum, apart, at) => sum + (around[at] ?? 0) * Math.max(0, (blends.get(id + apart) ?? weak) - weak),
      0,
    )
  return ordered.map((one) => ({ ...one, blend: one.blend + lentTo(one.id) }))
}

const dayWritten = ({ features }: Ordered): number => Math.floor((features.written ?? 0) / msPerDay)

/** Raises, of those that come near the best, what tells of a change and what was written later than the others. */
function withPresent(ordered: readonly Ordered[]): readonly Ordered[] {
  const { near, changed, newest } = presentWeights
  const least = near * Math.max(...ordered.map(({ blend }) => blend))
  const nearest = ordered.filter(({ blend, features }) => features.changed !== null && blend >= least)
  if (nearest.length === 0) return ordered
  const days = [...new Set(nearest.map(dayWritten))].sort((a, b) => a - b)
  const step = newest / Math.max(1, days.length - 1)
  const raised = new Set(nearest)
  return ordered.map((one) =>
    raised.has(one)
      ? {
          ...one,
          blend:
            one.blend +
            changed * Number(one.features.changed?.() ?? false) +
            step * days.indexOf(dayWritten(one)),
        }
      : one,
  )
}

/** Behind every place. */
const last = Number.MAX_SAFE_INTEGER

/**
 * Best first, after those that have a place; ties by coverage, then the older first. Turns of a conversation are read
 * with those around them.
 */
export function order(
  candidates: readonly Featured[],
  weights: BlendWeights,
  { conversation }: { readonly conversation: boolean } = { conversation: false },
): Ordered[] {
  const own = conversation ? { ...weights, ...conversationWeights } : weights
  const blended = candidates.map((candidate) => ({ ...candidate, blend: blendOf(candidate.features, own) }))
  return (conversation ? withContext(blended, conversationWeights) : withPresent(blended)).toSorted(
    (a, b) =>
      (a.place ?? last) - (b.place ?? last) ||
      b.blend - a.blend ||
      b.features.coverage - a.features.coverage ||
      a.id - b.id,
  )
}
