/** The storage port for places in files that records are based on. Part of the port in `store.ts`. */
import type { Citation } from '../core/citations.ts'
import type { Found } from '../core/records.ts'

/** Kinds of records that cite. */
export type CitingKind = 'memory' | 'evidence'

/** The citations of a record to add; absent if there are none. */
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
  /** By record, in the order in which they were given; records without citations are left out. */
  find(
    project: string,
    kind: CitingKind,
    ids: readonly number[],
  ): Promise<ReadonlyMap<number, readonly Citation[]>>
  /** Replaces the citations of a record of the project. */
  replace(
    project: string,
    record: { readonly kind: CitingKind; readonly id: number },
    citations: readonly Citation[],
  ): Promise<void>
  /** The project's records with citations, in no particular order. */
  list(project: string): Promise<CitingRecord[]>
  /** Id of the belief in whose trail an event is. */
  beliefOf(project: string, evidenceId: number): Promise<Found<number>>
}
