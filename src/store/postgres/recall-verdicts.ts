/** People's verdicts on results of recall, in PostgreSQL. A verdict is deleted with its memory. */
import type { RecallVerdict, RecallVerdictStore } from '../store.ts'
import type { Database } from './connection.ts'

export const createRecallVerdictStore = (database: Database): RecallVerdictStore => ({
  add: (project, { memoryId, score, right, createdAt }) =>
    database.write(project, async (transaction) => {
      await transaction.run(
        `INSERT INTO recall_verdict (project_id, memory_id, score, "right", created_at)
         SELECT project_id, id, $1, $2, $3 FROM memory WHERE project_id = $4 AND id = $5 FOR KEY SHARE`,
        [score, right, createdAt, transaction.projectId, memoryId],
      )
      const counted = await transaction.first<{ n: number }>(
        'SELECT count(*) AS n FROM recall_verdict WHERE project_id = $1',
        [transaction.projectId],
      )
      return counted?.n ?? 0
    }),

  list: (project) =>
    database.read(project, (transaction) =>
      transaction.all<RecallVerdict>(
        'SELECT score, "right" FROM recall_verdict WHERE project_id = $1 ORDER BY id',
        [transaction.projectId],
      ),
    ),
})
