/** Places in files that records are based on, for verifying them. Whoever removes a record removes its citations. */
import type { Citation } from '../../core/citations.ts'
import { addTo } from '../../core/lists.ts'
import type { CitationStore, CitingKind, CitingRecord } from '../citations.ts'
import { insertCitations, removeCitations } from './provenance.ts'
import type { Session, SqlDatabase, Steps } from './session.ts'

interface CitingRow {
  readonly kind: CitingKind
  readonly id: number
  readonly shownKind: CitingRecord['shown']['kind']
  readonly shownId: number
}

/** Joins the records that cite and whose they are; conditions follow. */
const citing = (session: Session, kind: CitingKind): string =>
  kind === 'memory'
    ? `citation JOIN memory ON memory.id = record_id
       WHERE ${session.own('citation')} citation.kind = 'memory' AND memory.project_id = @project`
    : `citation JOIN evidence ON ${session.own('evidence')} evidence.id = record_id
       JOIN belief ON belief.project_id = @project AND belief.id = belief_id
       WHERE ${session.own('citation')} citation.kind = 'evidence'`

/** By record, in the order in which they were given. */
export function* readCitations(
  session: Session,
  kind: CitingKind,
  ids: readonly number[],
): Steps<ReadonlyMap<number, readonly Citation[]>> {
  const rows = yield* session.all<Citation & { recordId: number }>(
    `SELECT record_id AS "recordId", path, first_line AS "firstLine", last_line AS "lastLine", hash,
       stamped_at AS "stampedAt"
     FROM ${citing(session, kind)} AND record_id ${session.dialect.amongIds} ORDER BY citation.id`,
    ids,
  )
  const found = new Map<number, Citation[]>()
  for (const { recordId, ...citation } of rows) addTo(found, recordId, citation)
  return found
}

/** The belief in whose trail an event of the project is. */
const findTrail = (session: Session, evidenceId: number) =>
  session.first<{ beliefId: number }>(
    `SELECT belief_id AS "beliefId" FROM evidence
     JOIN belief ON belief.project_id = @project AND belief.id = belief_id
     WHERE ${session.own('evidence')} evidence.id = ?`,
    evidenceId,
  )

export const createCitationStore = (database: SqlDatabase): CitationStore => ({
  find: (project, kind, ids) => database.read(project, (session) => readCitations(session, kind, ids)),

  replace: (project, record, citations) =>
    database.write(project, function* (session) {
      const { kind, id } = record
      // Evidence is held with its belief, as whoever adds to the trail holds it.
      const trail = kind === 'evidence' ? yield* findTrail(session, id) : undefined
      yield* session.lock(trail ? 'belief' : 'memory', [trail?.beliefId ?? id])
      const own = 'SELECT 1 FROM memory WHERE project_id = @project AND id = ?'
      const found = kind === 'memory' ? yield* session.first(own, id) : yield* findTrail(session, id)
      if (found === undefined) throw new Error(`${kind} ${id} is gone`)
      yield* removeCitations(session, record)
      yield* insertCitations(session, record, citations)
    }),

  list: (project) =>
    database.read(project, function* (session) {
      const rows = yield* session.all<CitingRow>(
        `SELECT DISTINCT 'memory' AS kind, memory.id AS id,
           CASE WHEN caution > 0 THEN 'flag' ELSE 'memory' END AS "shownKind", memory.id AS "shownId"
         FROM ${citing(session, 'memory')}
         UNION ALL
         SELECT DISTINCT 'evidence', evidence.id, 'belief', belief_id FROM ${citing(session, 'evidence')}`,
      )
      return rows.map(({ kind, id, shownKind, shownId }) => ({
        kind,
        id,
        shown: { kind: shownKind, id: shownId },
      }))
    }),

  beliefOf: (project, evidenceId) =>
    database.read(project, function* (session) {
      const trail = yield* findTrail(session, evidenceId)
      return trail?.beliefId ?? (yield* session.findElsewhere('evidence', evidenceId))
    }),
})
