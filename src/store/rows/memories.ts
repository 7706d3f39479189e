/** A memory and an earlier text of one as rows, and the records they stand for. */
import type { Memory, MemoryVersion } from '../../core/records.ts'
import { toTerms } from '../../core/words.ts'
import type { KeptVersion } from '../transfer.ts'

export interface MemoryRow {
  id: number
  text: string
  caution: number
  agent: string
  created_at: number
  edited_at: number | null
  pinned_at: number | null
  expires_at: number | null
  /** In one string, parted by commas; null where there are none. */
  tags: string | null
}

/** A memory's row without its id and its tags. */
type OwnColumns = Omit<MemoryRow, 'id' | 'tags'>

// A new column does not compile until it is listed.
const ownColumns = Object.keys({
  text: true,
  caution: true,
  agent: true,
  created_at: true,
  edited_at: true,
  pinned_at: true,
  expires_at: true,
} satisfies Record<keyof OwnColumns, true>)

/** What a store selects of the table `memory` for `toMemory`; `tags` is its own expression for them. */
export const memoryColumns = (tags: string): string => ['memory.id', ...ownColumns, tags].join(', ')

/**
 * Conditions of a memory that has expired by a moment, which hides it from all that reads memories, and of one that has
 * not; `moment` is the statement's parameter.
 */
export const isHidden = (moment: string): string => `(expires_at IS NOT NULL AND expires_at <= ${moment})`
export const isShown = (moment: string): string => `(expires_at IS NULL OR expires_at > ${moment})`

export const toMemory = (row: MemoryRow): Memory => ({
  id: row.id,
  text: row.text,
  caution: row.caution,
  agent: row.agent,
  createdAt: row.created_at,
  ...(row.edited_at !== null && { editedAt: row.edited_at }),
  ...(row.pinned_at !== null && { pinnedAt: row.pinned_at }),
  ...(row.expires_at !== null && { expiresAt: row.expires_at }),
  ...(row.tags !== null && { tags: row.tags.split(',') }),
})

/** A memory's row without its id, its project and its tags. */
export const fromMemory = (memory: Omit<Memory, 'id'>): OwnColumns => ({
  text: memory.text,
  caution: memory.caution,
  agent: memory.agent,
  created_at: memory.createdAt,
  edited_at: memory.editedAt ?? null,
  pinned_at: memory.pinnedAt ?? null,
  expires_at: memory.expiresAt ?? null,
})

/** The terms of a text as they are kept: none for an empty string. */
export const termsOf = (text: string): string => toTerms(text).join(' ')

export interface VersionRow {
  id: number
  memory_id: number
  text: string
  caution: number
  agent: string
  created_at: number
  replaced_at: number
  former_id: number | null
}

export const toVersion = (row: VersionRow): MemoryVersion => ({
  text: row.text,
  caution: row.caution,
  agent: row.agent,
  createdAt: row.created_at,
  replacedAt: row.replaced_at,
  ...(row.former_id !== null && { formerId: row.former_id }),
})

/** With its memory, as records leave. */
export const toKeptVersion = (row: VersionRow): KeptVersion => ({
  ...toVersion(row),
  id: row.id,
  memoryId: row.memory_id,
})

/** A version's row without its id and its memory. */
export const fromVersion = (version: MemoryVersion): Omit<VersionRow, 'id' | 'memory_id'> => ({
  text: version.text,
  caution: version.caution,
  agent: version.agent,
  created_at: version.createdAt,
  replaced_at: version.replacedAt,
  former_id: version.formerId ?? null,
})

/** A memory as the version that the next one replaces. */
export const toReplaced = (memory: Memory, now: number): MemoryVersion => ({
  text: memory.text,
  caution: memory.caution,
  agent: memory.agent,
  createdAt: memory.editedAt ?? memory.createdAt,
  replacedAt: now,
})
