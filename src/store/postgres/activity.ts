/** The tally of calls a minute in PostgreSQL, which every daemon adds to. */
import type { ProcessMode } from '../../core/process-mode.ts'
import { type ActivityKeeper, createActivityKeeper, keepFor, type Tallies, type Tally } from '../tallies.ts'
import type { Database } from './connection.ts'

/** Adds minutes to those of a project; false where there is no such project. */
const writeMinutes = (
  database: Database,
  project: string,
  minutes: ReadonlyMap<number, Tally>,
): Promise<boolean> =>
  database.write(project, async (transaction) => {
    const { projectId } = transaction
    if (projectId === 0) return false
    // In one order, so that two daemons never wait for each other.
    const starts = [...minutes.keys()].sort((a, b) => a - b)
    const each = (member: keyof Tally): number[] => starts.map((start) => minutes.get(start)?.[member] ?? 0)
    await transaction.run(
      `INSERT INTO activity AS kept (project_id, minute, calls, last_at)
       SELECT $1, * FROM unnest($2::bigint[], $3::bigint[], $4::bigint[])
       ON CONFLICT (project_id, minute) DO UPDATE
       SET calls = kept.calls + excluded.calls, last_at = greatest(kept.last_at, excluded.last_at)`,
      [projectId, starts, each('calls'), each('lastAt')],
    )
    await transaction.run(
      `DELETE FROM activity WHERE project_id = $1 AND minute < $2
       AND minute < (SELECT max(minute) FROM activity WHERE project_id = $1)`,
      [projectId, Math.max(...starts) - keepFor],
    )
    return true
  })

export const createActivityStore = (database: Database, mode: ProcessMode): ActivityKeeper =>
  createActivityKeeper(
    {
      write: async (batch) => {
        const strangers: Tallies = new Map()
        for (const [project, minutes] of batch)
          if (!(await writeMinutes(database, project, minutes))) strangers.set(project, minutes)
        return strangers
      },

      read: (project, since, until) =>
        database.read(project, async (transaction) => {
          const minutes = await transaction.all<{ minute: number; calls: number }>(
            'SELECT minute, calls FROM activity WHERE project_id = $1 AND minute BETWEEN $2 AND $3 ORDER BY minute',
            [transaction.projectId, since, until],
          )
          const last = await transaction.first<{ at: number | null }>(
            'SELECT max(last_at) AS at FROM activity WHERE project_id = $1 AND last_at <= $2',
            [transaction.projectId, until],
          )
          return { minutes, lastActive: last?.at ?? null }
        }),
    },
    mode,
  )
