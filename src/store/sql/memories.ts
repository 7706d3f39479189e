/** Memories as they are read and listed; each store writes them in its own way. */
import { isShown, type MemoryRow, memoryColumns, toMemory } from '../rows/memories.ts'
import type { MemoryStore } from '../store.ts'
import { findMemory } from './memory-life.ts'
import type { SqlDatabase } from './session.ts'

export function createMemoryReads(
  database: SqlDatabase,
): Pick<MemoryStore, 'find' | 'list' | 'newest' | 'pinned'> {
  /** Those that have not expired by a moment; `rest` follows the conditions, its values theirs. */
  const list = (project: string, rest: string, ...values: readonly [now: number, ...others: number[]]) =>
    database.read(project, function* (session) {
      const rows = yield* session.all<MemoryRow>(
        `SELECT ${memoryColumns(session.dialect.tags)} FROM memory
         WHERE project_id = @project AND ${isShown('?')} ${rest}`,
        ...values,
      )
      return rows.map(toMemory)
    })

  return {
    find: (project, id) => database.read(project, (session) => findMemory(session, id)),

    list: (project, { after, limit, flagsOnly, now = Number.MIN_SAFE_INTEGER }) => {
      const rest = `AND memory.id > ? ${flagsOnly ? 'AND caution > 0' : ''} ORDER BY memory.id LIMIT ?`
      return list(project, rest, now, after, limit)
    },

    newest: (project, { limit, now }) =>
      list(project, 'AND caution = 0 ORDER BY memory.id DESC LIMIT ?', now, limit),

    pinned: (project, { limit, now }) =>
      list(project, 'AND pinned_at IS NOT NULL ORDER BY pinned_at DESC, memory.id DESC LIMIT ?', now, limit),
  }
}
