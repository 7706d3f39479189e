/**
 * The tally of calls a minute, shared by all processes. Counts in memory and writes in batches, so that a
 * call never waits for its own tally.
 */
import type { ActivityStore } from '../store.ts'
import type { Connection } from './connection.ts'
import { ensureProject, findProject } from './projects.ts'

const minute = 60_000

/** How long a count may stay in memory, in milliseconds. */
const flushAfter = 2_000

/** Minutes older than this are no longer asked for by anyone. */
const keepFor = 24 * 60 * minute

interface Tally {
  calls: number
  lastAt: number
}

export interface ActivityKeeper extends ActivityStore {
  /** Writes what is still in memory. */
  flush(): Promise<void>
}

export function createActivityStore(connection: Connection): ActivityKeeper {
  let waiting = new Map<string, Map<number, Tally>>()
  let timer: NodeJS.Timeout | undefined

  async function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    if (waiting.size === 0) return
    const batch = waiting
    waiting = new Map()
    await connection.write(() => {
      for (const [project, minutes] of batch) {
        const projectId = ensureProject(connection, project)
        for (const [start, { calls, lastAt }] of minutes) {
          connection.run(
            `INSERT INTO activity (project_id, minute, calls, last_at) VALUES (?, ?, ?, ?)
             ON CONFLICT (project_id, minute) DO UPDATE
             SET calls = calls + excluded.calls, last_at = max(last_at, excluded.last_at)`,
            projectId,
            start,
            calls,
            lastAt,
          )
          connection.run(
            `DELETE FROM activity WHERE project_id = ? AND minute < ?
             AND minute < (SELECT max(minute) FROM activity WHERE project_id = ?)`,
            projectId,
            start - keepFor,
            projectId,
          )
        }
      }
    })
  }

  return {
    flush,

    count: (project, at) => {
      const start = Math.floor(at / minute) * minute
      const minutes = waiting.get(project) ?? new Map<number, Tally>()
      const tally = minutes.get(start) ?? { calls: 0, lastAt: at }
      minutes.set(start, { calls: tally.calls + 1, lastAt: Math.max(tally.lastAt, at) })
      waiting.set(project, minutes)
      // A tally that cannot be written now (disk full, store busy) is no reason to fail anybody's call.
      timer ??= setTimeout(() => flush().catch(() => {}), flushAfter).unref()
    },

    window: (project, since) =>
      connection.read(() => {
        const projectId = findProject(connection, project) ?? 0
        const written = connection.all<{ minute: number; calls: number }>(
          'SELECT minute, calls FROM activity WHERE project_id = ? AND minute >= ? ORDER BY minute',
          projectId,
          since,
        )
        const last = connection.first<{ at: number | null }>(
          'SELECT max(last_at) AS at FROM activity WHERE project_id = ?',
          projectId,
        )
        const calls = new Map(written.map((row) => [row.minute, row.calls]))
        let lastActive = last?.at ?? null
        for (const [start, tally] of waiting.get(project) ?? []) {
          lastActive = Math.max(lastActive ?? 0, tally.lastAt)
          if (start >= since) calls.set(start, (calls.get(start) ?? 0) + tally.calls)
        }
        const minutes = [...calls].map(([start, total]) => ({ minute: start, calls: total }))
        return { minutes: minutes.sort((a, b) => a.minute - b.minute), lastActive }
      }),
  }
}
