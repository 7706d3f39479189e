/** People's verdicts on results of recall. A verdict is deleted with its memory. */
import type { RecallVerdictStore } from '../store.ts'
import type { Session, SqlDatabase } from './session.ts'

const ofProject = (session: Session): string =>
  `recall_verdict JOIN memory ON ${session.own('recall_verdict')} memory.id = memory_id
   WHERE memory.project_id = @project`

export const createRecallVerdictStore = (database: SqlDatabase): RecallVerdictStore => ({
  add: (project, { memoryId, score, right, createdAt }) =>
    database.write(project, function* (session) {
      const memory = yield* session.first(
        `SELECT 1 FROM memory WHERE project_id = @project AND id = ? ${session.dialect.hold('KEY SHARE')}`,
        memoryId,
      )
      const row = { memory_id: memoryId, score, right, created_at: createdAt }
      if (memory !== undefined) yield* session.insertEach('recall_verdict', [row])
      return yield* session.count(`SELECT count(*) AS n FROM ${ofProject(session)}`)
    }),

  list: (project) =>
    database.read(project, function* (session) {
      const rows = yield* session.all<{ score: number; right: number | boolean }>(
        `SELECT score, "right" FROM ${ofProject(session)} ORDER BY recall_verdict.created_at, recall_verdict.id`,
      )
      return rows.map(({ score, right }) => ({ score, right: Boolean(right) }))
    }),
})
