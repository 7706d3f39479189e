/** Where PostgreSQL keeps the last night of a project: in a table. */
import type { NightRecord } from '../rows/dreams.ts'
import type { Nights } from '../sql/dreams.ts'

export const nights: Nights = {
  *read(session) {
    // Others go on writing in the project.
    yield* session.all('SELECT 1 FROM project WHERE id = @project FOR NO KEY UPDATE')
    return yield* session.first<NightRecord>(
      'SELECT claimed_at AS "claimedAt", ended_at AS "endedAt" FROM night WHERE project_id = @project',
    )
  },

  write: (session, { claimedAt, endedAt }) =>
    session.run(
      `INSERT INTO night (project_id, claimed_at, ended_at) VALUES (@project, ?, ?)
       ON CONFLICT (project_id) DO UPDATE SET claimed_at = excluded.claimed_at, ended_at = excluded.ended_at`,
      claimedAt,
      endedAt,
    ),
}
