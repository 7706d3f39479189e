/** The tally of calls a minute, which every process adds to. */
import type { ActivityStore } from '../store.ts'
import { keepFor, type Tally } from '../tallies.ts'
import type { Session, Steps } from './session.ts'

type Window = Awaited<ReturnType<ActivityStore['window']>>

/** Adds minutes to those of the session's project; false where there is no such project. */
export function* addMinutes(session: Session, minutes: ReadonlyMap<number, Tally>): Steps<boolean> {
  if (session.projectId === 0) return false
  // In one order, so that two processes never wait for each other.
  for (const [start, { calls, lastAt }] of [...minutes].sort(([a], [b]) => a - b)) {
    yield* session.run(
      `INSERT INTO activity (project_id, minute, calls, last_at) VALUES (@project, ?, ?, ?)
       ON CONFLICT (project_id, minute) DO UPDATE SET calls = activity.calls + excluded.calls,
         last_at = CASE WHEN excluded.last_at > activity.last_at THEN excluded.last_at ELSE activity.last_at END`,
      start,
      calls,
      lastAt,
    )
    yield* session.run(
      `DELETE FROM activity WHERE project_id = @project AND minute < ?
       AND minute < (SELECT max(minute) FROM activity WHERE project_id = @project)`,
      start - keepFor,
    )
  }
  return true
}

/** Calls by minute from one moment to another, both included, and the last call up to the second. */
export function* readMinutes(session: Session, since: number, until: number): Steps<Window> {
  const minutes = yield* session.all<{ minute: number; calls: number }>(
    'SELECT minute, calls FROM activity WHERE project_id = @project AND minute BETWEEN ? AND ? ORDER BY minute',
    since,
    until,
  )
  const last = yield* session.first<{ at: number | null }>(
    'SELECT max(last_at) AS at FROM activity WHERE project_id = @project AND last_at <= ?',
    until,
  )
  return { minutes, lastActive: last?.at ?? null }
}
