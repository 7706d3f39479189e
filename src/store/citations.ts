/** What we ask of storage for places in files that records rest on. Part of the port in `store.ts`. */
import type { Citation } from '../core/citations.ts'
import type { Found } from '../core/records.ts'

/** Kinds of records that cite. */
export type CitingKind = 'memory' | 'evidence'

/** What a record to keep cites; absent where that is nothing. */
export interface Cited {
  readonly citations?: readonly Citation[]
}

/** A record that cites, and the id of the belief whose evidence it is, or of the memory itself. */
export interface CitingRecord {
  readonly kind: CitingKind
  readonly id: number
  /** What `list` shows it by. */
  readonly shown: { readonly kind: 'memory' | 'flag' | 'belief'; readonly id: number }
}

export interface CitationStore {
  /** By record, in the order in which they were given; records without any are left out. */
  find(
    project: string,
    kind: CitingKind,
    ids: readonly number[],
  ): Promise<ReadonlyMap<number, readonly Citation[]>>
  /** Takes these in the place of what a record of the project cites. */
  replace(
    project: string,
    record: { readonly kind: CitingKind; readonly id: number },
    citations: readonly Citation[],
  ): Promise<void>
  /** The project's records that cite, in no order. */
  list(project: string): Promise<CitingRecord[]>
  /** Id of the belief in whose trail an event is. */
  beliefOf(project: string, evidenceId: number): Promise<Found<number>>
}
