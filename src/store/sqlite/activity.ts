/**
 * The tally of calls per minute in SQLite, shared by all processes. A one-shot command leaves its counts in a file,
 * since a commit, which waits for the disk, is too expensive for a command that only reads.
 */
import type { ProcessMode } from '../../core/process-mode.ts'
import { type ActivityKeeper, createActivityKeeper, keepFor, type Tallies } from '../tallies.ts'
import type { Connection } from './connection.ts'
import { findProject } from './projects.ts'
import { leave, read, take } from './tally-file.ts'

function writeMinutes(connection: Connection, batch: Tallies): Tallies {
  const strangers: Tallies = new Map()
  for (const [project, minutes] of batch) {
    const projectId = findProject(connection, project)
    if (projectId === undefined) {
      strangers.set(project, minutes)
      continue
    }
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
  return strangers
}

/** `file` is where a process other than a `service` leaves its counts and where every process looks for them. */
export const createActivityStore = (
  connection: Connection,
  { file, mode }: { file: string | undefined; mode: ProcessMode },
): ActivityKeeper =>
  createActivityKeeper(
    {
      write: async (batch) => {
        const left = file === undefined ? undefined : take(file, batch)
        const strangers = await connection.write(() => writeMinutes(connection, batch))
        left?.discard()
        return strangers
      },

      read: (project, since, until) =>
        connection.read(() => {
          const projectId = findProject(connection, project) ?? 0
          const minutes = connection.all<{ minute: number; calls: number }>(
            'SELECT minute, calls FROM activity WHERE project_id = ? AND minute BETWEEN ? AND ? ORDER BY minute',
            projectId,
            since,
            until,
          )
          const last = connection.first<{ at: number | null }>(
            'SELECT max(last_at) AS at FROM activity WHERE project_id = ? AND last_at <= ?',
            projectId,
            until,
          )
          return { minutes, lastActive: last?.at ?? null }
        }),

      ...(file !== undefined && {
        left: () => read(file),
        leave: (tallies: Tallies) => leave(file, tallies),
      }),
    },
    mode,
  )
