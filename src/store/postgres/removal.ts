/** Records taken away from PostgreSQL; docs/teams.md describes what a server keeps of removed rows. */
import { forget } from '../sql/removal.ts'
import type { SqlDatabase } from '../sql/session.ts'
import type { RemovalStore } from '../store.ts'
import { memoryIndexes } from './memory-indexes.ts'

export const createRemovalStore = (database: SqlDatabase): RemovalStore => ({
  forget: (project, asked, decide) =>
    database.write(project, (session) =>
      forget(session, { ...asked, decide, removeMemory: memoryIndexes.remove }),
    ),
})
