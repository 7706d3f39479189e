/** How new a thought is compared with earlier ones. Knows only similarity. */
import { dot } from '../core/ranking.ts'
import { contentTerms } from './reading/material.ts'

/** A thought that is at most this new is not kept. */
export const minNovelty = 0.15

/** A dream's words and, where an embedder answered, its L2-normalised vector. */
export interface Dreamt {
  readonly thought: string
  readonly vector?: Float32Array | undefined
}

/** 0..1: cosine where both have vectors of one dimension (below 0 counts as 0), else the shared part of their terms (Jaccard). */
export function similarityOf(a: Dreamt, b: Dreamt): number {
  if (a.vector !== undefined && b.vector !== undefined && a.vector.length === b.vector.length) {
    return Math.min(1, Math.max(0, dot(a.vector, b.vector)))
  }
  const [ours, theirs] = [new Set(contentTerms(a.thought)), new Set(contentTerms(b.thought))]
  const shared = [...ours].filter((term) => theirs.has(term)).length
  const all = ours.size + theirs.size - shared
  return all > 0 ? shared / all : a.thought === b.thought ? 1 : 0
}

/** 0..1: 1 minus the highest similarity to the earlier dreams; 1 for the first. */
export function noveltyOf(dream: Dreamt, earlier: Iterable<Dreamt>): number {
  let highest = 0
  for (const other of earlier) highest = Math.max(highest, similarityOf(dream, other))
  return 1 - highest
}
