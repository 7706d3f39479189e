/**
 * The tally of calls per minute in SQLite, shared by all processes. A one-shot command leaves its counts in a file,
 * since a commit, which waits for the disk, is too expensive for a command that only reads.
 */
import type { ProcessMode } from '../../core/process-mode.ts'
import { addMinutes, readMinutes } from '../sql/activity.ts'
import { type ActivityKeeper, createActivityKeeper, type Tallies } from '../tallies.ts'
import type { Connection } from './connection.ts'
import { findProject } from './projects.ts'
import { over } from './session.ts'
import { leave, read, take } from './tally-file.ts'

function writeMinutes(connection: Connection, batch: Tallies): Tallies {
  const strangers: Tallies = new Map()
  for (const [project, minutes] of batch) {
    const projectId = findProject(connection, project) ?? 0
    if (!over(connection, projectId, (session) => addMinutes(session, minutes)))
      strangers.set(project, minutes)
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
        if (file !== undefined) take(file, batch)
        return connection.write(() => writeMinutes(connection, batch))
      },

      read: (project, since, until) =>
        connection.read(() =>
          over(connection, findProject(connection, project) ?? 0, (session) =>
            readMinutes(session, since, until),
          ),
        ),

      ...(file !== undefined && {
        left: () => read(file),
        leave: (tallies: Tallies) => leave(file, tallies),
      }),
    },
    mode,
  )
