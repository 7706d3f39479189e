/**
 * What we ask of storage for the life of a memory after it was kept: new versions, tags, pins, an end, and which memories
 * a search may find. Part of the port in `store.ts`.
 */
import type { Found, Memory, MemoryVersion } from '../core/records.ts'
import type { AddedMemory, Embedding } from './store.ts'

/** Which memories a search may find. */
export interface MemoryFilter {
  /** Milliseconds; what has expired by then is left out. */
  readonly now: number
  /** Kept in this time, milliseconds, both ends included. */
  readonly since?: number
  readonly until?: number
  /** With any of these. */
  readonly tags?: readonly string[]
  readonly agent?: string
  readonly kind?: 'memory' | 'flag'
}

/** What a memory says from now on. */
export interface MemoryEdit extends Pick<Memory, 'text' | 'caution' | 'agent'> {
  readonly now: number
  /** Of the new text; absent when no embedder answered. */
  readonly embedding?: Embedding
}

/** What is said of a memory without changing what it says; what is left out stays as it is. */
export interface MemoryMarks {
  readonly tags?: readonly string[]
  /** Null takes it back. */
  readonly pinnedAt?: number | null
  readonly expiresAt?: number | null
}

/** How memories become one. */
export interface Merging {
  readonly now: number
  readonly caution: number
  readonly tags: readonly string[]
  readonly pinnedAt: number | null
}

export interface MemoryLife {
  /** Puts a new text in the place of a memory's; the one before becomes its last version. `decide` may refuse. */
  amend(project: string, id: number, decide: (memory: Found<Memory>) => MemoryEdit): Promise<AddedMemory>
  /** Returns the memory as it is marked then. `decide` may refuse. */
  mark(project: string, id: number, decide: (memory: Found<Memory>) => MemoryMarks): Promise<Memory>
  /** Earlier texts, oldest first. */
  versions(project: string, id: number): Promise<MemoryVersion[]>
  /** Id of the project's memory that one of this former id was merged into. */
  mergedInto(project: string, formerId: number): Promise<number | undefined>
  /**
   * Makes memories versions of another one, which takes over what was said of them. `decide` judges them all as they are
   * then; where it gives nothing, or one of them is not the project's any more, nothing is done. Returns whether they were
   * merged.
   */
  merge(
    project: string,
    ids: { readonly kept: number; readonly older: readonly number[] },
    decide: (kept: Memory, older: readonly Memory[]) => Merging | undefined,
  ): Promise<boolean>
  /** Pinned ones that have not expired by `now`, the last pinned first. */
  pinned(project: string, query: { limit: number; now: number }): Promise<Memory[]>
}
