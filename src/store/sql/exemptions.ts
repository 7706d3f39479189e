/** Plans of which somebody said that a flag does not apply to them. They are deleted with the flag. */
import type { Exemption } from '../candidates.ts'
import { type ExemptionStore, maxExemptions } from '../store.ts'
import type { Session, SqlDatabase, Steps } from './session.ts'

/** The latest judgements about each of some flags of the project, latest first. Inside a read. */
export const readExemptions = (session: Session, flagIds: readonly number[]): Steps<Exemption[]> =>
  session.all<Exemption>(
    `SELECT "flagId", topic FROM (
       SELECT memory_id AS "flagId", topic, exemption.created_at AS said, exemption.id AS id,
         row_number() OVER (PARTITION BY memory_id ORDER BY exemption.created_at DESC, exemption.id DESC) AS place
       FROM exemption JOIN memory ON ${session.own('exemption')} memory.id = memory_id
       WHERE memory.project_id = @project AND memory_id ${session.dialect.amongIds}
     ) AS judged WHERE place <= ${maxExemptions} ORDER BY said DESC, id DESC`,
    flagIds,
  )

/** Holds a flag as it is; false where the project has none of this id. */
function* holdFlag(session: Session, id: number): Steps<boolean> {
  const flag = yield* session.first(
    `SELECT 1 FROM memory WHERE project_id = @project AND id = ? AND caution > 0
     ${session.dialect.hold('NO KEY UPDATE')}`,
    id,
  )
  return flag !== undefined
}

/** The rows of a flag and a plan. */
const said = (session: Session): string =>
  `FROM exemption WHERE ${session.own('exemption')} memory_id = ? AND topic = ?`

export const createExemptionStore = (database: SqlDatabase): ExemptionStore => ({
  add: (project, { flagId, topic, now }) =>
    database.write(project, function* (session) {
      if (!(yield* holdFlag(session, flagId))) return false
      if ((yield* session.first(`SELECT 1 ${said(session)}`, flagId, topic)) === undefined)
        yield* session.insert('exemption', { row: { memory_id: flagId, topic, created_at: now } })
      return true
    }),

  remove: (project, { flagId, topic }) =>
    database.write(project, function* (session) {
      if (!(yield* holdFlag(session, flagId))) return false
      yield* session.run(`DELETE ${said(session)}`, flagId, topic)
      return true
    }),

  list: (project, flagIds) => database.read(project, (session) => readExemptions(session, flagIds)),
})
