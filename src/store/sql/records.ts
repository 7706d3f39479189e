/** Records of all kinds: listed by time, and the references to one. Each kind's own file keeps it. */
import { type ObservationRow, toObservation } from '../rows/observations.ts'
import type { ListedRecord, RecordQuery, RecordStore } from '../store.ts'
import { findDream } from './dreams.ts'
import {
  columnsOf,
  conditionsOf,
  countedAgents,
  type ListedRow,
  meansAllNotes,
  sourcesOf,
  toListed,
} from './listing.ts'
import { readProvenance } from './provenance.ts'
import type { Session, SqlDatabase, Steps } from './session.ts'

/** Where a record is kept: the place of its source among those that are asked. */
interface Place {
  readonly source: number
  readonly id: number
}

/** How many notes have not expired by a moment, where the store keeps their number. */
type CountNotes = (session: Session, now: number) => Steps<number>

/** How many records are meant, and those on the page. */
function* list(
  session: Session,
  query: RecordQuery,
  countNotes?: CountNotes,
): Steps<{ total: number; records: ListedRecord[] }> {
  const { dialect } = session
  const meant = []
  for (const source of sourcesOf(query.kinds)) {
    const conditions = conditionsOf(source, query, dialect)
    if (conditions === undefined) continue
    const from = `FROM ${source.table} WHERE ${conditions.map(([sql]) => sql).join(' AND ')}`
    const values = conditions.flatMap(([, ...given]) => given)
    const kept = meansAllNotes(source, query) ? countNotes?.(session, query.now) : undefined
    const n = yield* kept ?? session.count(`SELECT count(*) AS n ${from}`, ...values)
    if (n > 0) meant.push({ source, from, values, n })
  }
  const total = meant.reduce((sum, { n }) => sum + n, 0)
  if (query.skip >= total) return { total, records: [] }
  const rows = meant.map(({ from }, at) => `SELECT ${at} AS source, id, created_at ${from}`)
  // Of one source an index gives the order as it is.
  const order = meant.length > 1 ? 'created_at DESC, source, id DESC' : 'created_at DESC, id DESC'
  const places = yield* session.all<Place>(
    `${rows.join(' UNION ALL ')} ORDER BY ${order} LIMIT ? OFFSET ?`,
    ...meant.flatMap(({ values }) => values),
    query.limit,
    query.skip,
  )
  const found = new Map<string, ListedRow>()
  for (const [at, { source }] of meant.entries()) {
    const ids = places.flatMap((place) => (place.source === at ? [place.id] : []))
    if (ids.length === 0) continue
    // Ids that were just found to be the project's.
    const sql = `SELECT ${columnsOf(source, dialect)} FROM ${source.table} WHERE ${source.table}.id ${dialect.amongIds}`
    for (const row of yield* session.all<ListedRow>(sql, ids)) found.set(`${at} ${row.id}`, row)
  }
  const rowsInOrder = places.flatMap(({ source, id }) => found.get(`${source} ${id}`) ?? [])
  return { total, records: rowsInOrder.map(toListed) }
}

export const createRecordStore = (database: SqlDatabase, countNotes?: CountNotes): RecordStore => ({
  list: (project, query) => database.read(project, (session) => list(session, query, countNotes)),

  findDream: (project, id) => database.read(project, (session) => findDream(session, id)),

  findObservation: (project, id) =>
    database.read(project, (session) => {
      const select = 'SELECT * FROM observation'
      const toRecord = (row: ObservationRow) => toObservation(row)
      return session.find({ table: 'observation', id, select, toRecord })
    }),

  dreamsOf: (project, memoryId) =>
    database.read(project, function* (session) {
      const rows = yield* session.all<{ dream_id: number }>(
        `SELECT dream_id FROM dream_source JOIN dream ON dream.id = dream_id
         WHERE ${session.own('dream_source')} memory_id = ? AND dream.project_id = @project ORDER BY dream_id`,
        memoryId,
      )
      return rows.map(({ dream_id }) => dream_id)
    }),

  agents: (project) =>
    database.read(project, (session) => session.all<{ name: string; records: number }>(countedAgents)),

  provenance: (project, kind, ids) => database.read(project, (session) => readProvenance(session, kind, ids)),

  revisedFrom: (project, beliefId) =>
    database.read(project, function* (session) {
      const row = yield* session.first<{ id: number }>(
        'SELECT id FROM belief WHERE project_id = @project AND superseded_by = ? LIMIT 1',
        beliefId,
      )
      return row?.id ?? null
    }),
})
