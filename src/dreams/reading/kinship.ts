/**
 * How likely two notes speak of one matter: their cosine above that of unrelated notes, and the telling words that both
 * have. Knows no kind of thought; each asks for as much as it needs.
 */
import { isTelling, type Night, sharedTerms } from './material.ts'

/**
 * Log odds; of shared words three count. By these notes of one trend, in 34 brains by others, were told from others
 * with figures of the kind with an AUC of 0.92.
 */
const weights = { cosine: 9.5, shared: 1.3, constant: -2.6 } as const
const mostShared = 3

/** Log odds that two notes speak of one matter; NaN where one has no vector. */
export function kinshipOf(night: Night, a: number, b: number): number {
  const cosine = night.concordance.similarity(a, b) ?? Number.NaN
  const shared = sharedTerms(night, a, b).filter((term) => isTelling(night, term)).length
  return (
    weights.constant +
    weights.cosine * (cosine - (night.unrelatedBaseline?.unrelated ?? Number.NaN)) +
    weights.shared * Math.min(mostShared, shared)
  )
}
