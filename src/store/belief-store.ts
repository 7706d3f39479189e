/** The storage port for beliefs, their evidence and their revisions. Part of the port in `store.ts`. */
import type { Known } from '../core/beliefs.ts'
import type { Belief, BeliefOrder, BeliefStatus, EvidenceEvent, Found } from '../core/records.ts'
import type { RatioRange } from '../core/sprt.ts'
import type { Grounds } from '../core/verdict.ts'
import type { Cited } from './citations.ts'
import type { Kept } from './store.ts'

/** The effect of evidence on a belief: the event and the belief's new numbers. */
export interface BeliefAmendment extends Kept, Cited {
  /** The identity of the run it comes from: no run counts twice. */
  readonly run?: string
  readonly event: Omit<EvidenceEvent, 'id'>
  readonly logRatio: number
  readonly confidence: number
  readonly status: BeliefStatus
}

export interface NewBelief extends Kept {
  readonly text: string
  readonly confidence: number
  readonly createdAt: number
}

export interface BeliefQuery {
  readonly limit: number
  readonly ratios?: RatioRange
  /** Only those that evidence moved at this moment or later, in milliseconds. */
  readonly movedSince?: number
  readonly order?: BeliefOrder
}

export interface BeliefStore {
  add(project: string, belief: NewBelief): Promise<Belief>
  find(project: string, id: number): Promise<Found<Belief>>
  /** Current beliefs, newest first; with the order `moved` by their last evidence, or by when they were asserted without any. */
  list(project: string, query: BeliefQuery): Promise<Belief[]>
  /**
   * Appends evidence under the lock under which the belief was read, with what its trail contains about a source and a run.
   * An event that it takes the place of is gone from what `decide` sees.
   */
  amend(
    project: string,
    asked: {
      readonly id: number
      readonly source?: { readonly name: string; readonly at: number } | undefined
      readonly run?: string | undefined
      readonly instead?: number | undefined
    },
    decide: (belief: Found<Belief>, known: Known) => BeliefAmendment,
  ): Promise<{ before: Belief; after: Belief; event: EvidenceEvent }>
  /** Replaces a belief by the one `decide` returns. */
  supersede(
    project: string,
    id: number,
    decide: (belief: Found<Belief>) => NewBelief,
  ): Promise<{ old: Belief; new: Belief }>
  /** Ids of the beliefs that any of these replaced. */
  replacedBy(project: string, ids: readonly number[]): Promise<number[]>
  /** The belief and its events, oldest first, as of one moment. */
  trail(project: string, id: number): Promise<{ belief: Found<Belief>; events: EvidenceEvent[] }>
  /** The grounds of verdicts on these beliefs, by id. */
  grounds(project: string, ids: readonly number[]): Promise<ReadonlyMap<number, Grounds>>
  /** Number of current beliefs with evidence on both sides and a log ratio in the range `ratios`. */
  countContested(project: string, ratios: RatioRange): Promise<number>
}
