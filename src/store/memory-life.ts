/**
 * The storage port for changes to a memory: new versions, tags, pins, expiry, and which memories a search may find.
 * Part of the port in `store.ts`.
 */
import type { Found, Memory, MemoryVersion } from '../core/records.ts'
import type { AddedMemory, Embedding } from './store.ts'

/** Which memories a search may find. */
export interface MemoryFilter {
  /** Milliseconds; what has expired by then is left out. */
  readonly now: number
  /** Creation time, milliseconds, both ends included. */
  readonly since?: number
  readonly until?: number
  /** With any of these tags. */
  readonly tags?: readonly string[]
  readonly agent?: string
  readonly kind?: 'memory' | 'flag'
}

/** A memory's new text. */
export interface MemoryEdit extends Pick<Memory, 'text' | 'caution' | 'agent'> {
  readonly now: number
  /** The new text's vectors; absent if no embedder answered. The same text keeps those that it has. */
  readonly embedding?: Embedding
}

export interface AmendedMemory extends AddedMemory {
  /** Number of its earlier texts. */
  readonly versions: number
}

/** Attributes of a memory besides its text; those left out stay as they are. */
export interface MemoryMarks {
  readonly tags?: readonly string[]
  /** Null removes it. */
  readonly pinnedAt?: number | null
  readonly expiresAt?: number | null
}

/** How memories are merged. */
export interface Merging {
  readonly now: number
  readonly caution: number
  readonly tags: readonly string[]
  readonly pinnedAt: number | null
  readonly expiresAt: number | null
}

export interface MemoryLife {
  /** Replaces a memory's text; the previous one becomes its latest version. `decide` may refuse. */
  amend(project: string, id: number, decide: (memory: Found<Memory>) => MemoryEdit): Promise<AmendedMemory>
  /** Returns the memory with its new attributes. `decide` may refuse. */
  mark(project: string, id: number, decide: (memory: Found<Memory>) => MemoryMarks): Promise<Memory>
  /** Earlier texts, oldest first. */
  versions(project: string, id: number): Promise<MemoryVersion[]>
  /** Id of the project's memory that the one with this former id was merged into. */
  mergedInto(project: string, formerId: number): Promise<number | undefined>
  /**
   * Turns memories into versions of another one, which takes over their attributes. `decide` judges them all as they
   * are at that moment; if it returns nothing, or one of them no longer exists in the project, nothing is done.
   * Returns whether they were merged.
   */
  merge(
    project: string,
    ids: { readonly kept: number; readonly older: readonly number[] },
    decide: (kept: Memory, older: readonly Memory[]) => Merging | undefined,
  ): Promise<boolean>
}
