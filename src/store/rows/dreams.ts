/** A dream as a row, the identity of a dream, and when the next night is due. */

import { aheadBy } from '../../core/durations.ts'
import type { Dream, DreamKind } from '../../core/records.ts'
import type { DreamStore, NewDream } from '../dream-store.ts'
import type { DreamWithOrigin } from '../transfer.ts'

export interface DreamRow {
  id: number
  kind: DreamKind
  thought: string
  novelty: number
  created_at: number
  read_at: number | null
}

/** A dream; `sourceMemoryIds` are read beside the row. */
export const toDream = (row: DreamRow, sourceMemoryIds: readonly number[]): Dream => ({
  id: row.id,
  kind: row.kind,
  thought: row.thought,
  sourceMemoryIds,
  novelty: row.novelty,
  createdAt: row.created_at,
  readAt: row.read_at,
})

/** A dream's row without its id, its project and its sources. */
export const fromDream = (dream: Omit<DreamWithOrigin, 'id'>): Omit<DreamRow, 'id'> & { origin: string } => ({
  kind: dream.kind,
  thought: dream.thought,
  novelty: dream.novelty,
  origin: dream.origin,
  created_at: dream.createdAt,
  read_at: dream.readAt,
})

/** Kind and sources as first dreamt: what makes a dream the same one. */
export const originOf = ({ kind, sourceMemoryIds }: Pick<NewDream, 'kind' | 'sourceMemoryIds'>): string =>
  `${kind}:${[...sourceMemoryIds].sort((a, b) => a - b).join(',')}`

/** The last night of a project. */
export interface NightRecord {
  readonly claimedAt: number
  /** null while it is being dreamt, or after a crash. */
  readonly endedAt: number | null
}

/** Whether a night may be claimed after the last one. */
export function isNightDue(
  last: NightRecord | undefined,
  { since, now, holdFor }: Parameters<DreamStore['claimNight']>[1],
): boolean {
  // A night of a clock that ran ahead is none: it would hold up every night until then.
  if (last === undefined || last.claimedAt > now + aheadBy) return true
  return last.endedAt === null ? now - last.claimedAt >= holdFor : last.claimedAt < since
}
