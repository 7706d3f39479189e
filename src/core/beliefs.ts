/**
 * What may happen to a belief: asserted, weighed against evidence, superseded once. Decides from the record
 * as it stands; the store hands the record over under its lock and writes what comes back.
 */
import { requireOwned } from './access.ts'
import { BrainError } from './errors.ts'
import type { Belief, EvidenceEvent, EvidenceKind, Found } from './records.ts'
import { repeats, type Weighty } from './sources.ts'
import {
  accumulate,
  type BeliefState,
  boundariesOf,
  clampConfidence,
  type ErrorRates,
  logLikelihoodOf,
} from './sprt.ts'

/** Confidence of a belief asserted without one. */
export const assertedConfidence = 0.7
/** Confidence of a belief that replaces another, unless stated. */
export const revisedConfidence = 0.8

/** One observation for or against a belief, before it is evaluated. */
export interface Observed {
  readonly kind: EvidenceKind
  /** 0.1..0.9. */
  readonly strength: number
  readonly note: string | null
  readonly createdAt: number
  readonly source?: string
}

/** What a belief's trail contains about an observation before it is evaluated. */
export interface Known {
  /** The event of the same source with any weight that is nearest in time. */
  readonly sameSource?: Weighty | undefined
  /** Id of the event that already counts the same run. */
  readonly counted?: number | undefined
}

/** The event evidence leaves in the trail, and the belief's new numbers. */
export interface Weighed extends BeliefState {
  readonly event: Omit<EvidenceEvent, 'id'>
}

/** An observation, the error rates it is judged by, and what the trail contains about it. */
export interface Weighing {
  readonly observed: Observed
  readonly rates: ErrorRates
  readonly known?: Known
  /** Whether it counts as independent although another observation of its source carried weight within a day. */
  readonly independent?: boolean
}

/** The belief, which nothing has replaced; `refusal` is what the specification says of it otherwise. */
function requireCurrent(found: Found<Belief>, id: number, refusal: string): Belief {
  const belief = requireOwned('belief', id, found)
  const { supersededBy: next } = belief
  if (next === null) return belief
  const hint = `Belief ${next} replaced it: see \`brain show belief ${next}\`.`
  throw new BrainError('refused', `belief ${id} ${refusal}`, { hint })
}

/**
 * The effect of `observed` on the belief; only its note is kept if it repeats another of its source.
 * @throws BrainError `refused` when the belief is not there, not the project's, or superseded, or the run was counted
 * already.
 */
export function weighEvidence(
  found: Found<Belief>,
  id: number,
  { observed, rates, known = {}, independent = false }: Weighing,
): Weighed {
  const belief = requireCurrent(found, id, 'is superseded')
  if (known.counted !== undefined)
    throw new BrainError('refused', `this run was counted already, as evidence ${known.counted}`)
  const repeated =
    observed.source !== undefined && !independent && repeats(known.sameSource, observed.createdAt)
  const logLikelihood = repeated ? 0 : logLikelihoodOf(observed.kind, observed.strength)
  return {
    event: { ...observed, logLikelihood },
    ...accumulate(belief, logLikelihood, boundariesOf(rates)),
  }
}

/** A belief about to be asserted; `confidence` 0.05..0.95. */
export interface Assertion {
  readonly text: string
  readonly confidence: number
  readonly createdAt: number
}

/** The belief to assert; `confidence` is clamped, 0.7 when null. */
export const assertBelief = (text: string, confidence: number | null, createdAt: number): Assertion => ({
  text,
  confidence: clampConfidence(confidence ?? assertedConfidence),
  createdAt,
})

/**
 * The belief that takes the found one's place; `confidence` is clamped, 0.8 when null.
 * @throws BrainError `refused` when the old one is not there, not the project's, or already revised.
 */
export function reviseBelief(
  found: Found<Belief>,
  id: number,
  revision: { readonly text: string; readonly confidence: number | null; readonly createdAt: number },
): Assertion {
  requireCurrent(found, id, 'was already revised')
  return assertBelief(revision.text, revision.confidence ?? revisedConfidence, revision.createdAt)
}
