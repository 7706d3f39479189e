/** A memory and an earlier text of one as rows, and the records they stand for. */
import type { Memory, MemoryVersion } from '../../core/records.ts'
import { toTerms } from '../../core/words.ts'

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

/** A memory as the version that the next one replaces. */
export const toReplaced = (memory: Memory, now: number): MemoryVersion => ({
  text: memory.text,
  caution: memory.caution,
  agent: memory.agent,
  createdAt: memory.editedAt ?? memory.createdAt,
  replacedAt: now,
})
