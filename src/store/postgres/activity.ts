/** The tally of calls a minute in PostgreSQL. */
import type { ProcessMode } from '../../core/process-mode.ts'
import { addMinutes, readMinutes } from '../sql/activity.ts'
import type { SqlDatabase } from '../sql/session.ts'
import { type ActivityKeeper, createActivityKeeper, type Tallies } from '../tallies.ts'

export const createActivityStore = (database: SqlDatabase, mode: ProcessMode): ActivityKeeper =>
  createActivityKeeper(
    {
      write: async (batch) => {
        const strangers: Tallies = new Map()
        for (const [project, minutes] of batch) {
          if (!(await database.write(project, (session) => addMinutes(session, minutes))))
            strangers.set(project, minutes)
          batch.delete(project)
        }
        return strangers
      },
      read: (project, since, until) =>
        database.read(project, (session) => readMinutes(session, since, until)),
    },
    mode,
  )
