/**
 * Dreams: kept once for each kind and set of sources, handed out once, and the right to dream a night. Knows nothing of how a
 * thought is made.
 */
import type { KindFeedback } from '../../core/dream-feedback.ts'
import { addTo } from '../../core/lists.ts'
import type { Dream, FeedbackVerdict, Found, Quoted } from '../../core/records.ts'
import type { DreamStore, NewDream } from '../dream-store.ts'
import { type DreamRow, fromDream, isNightDue, type NightRecord, originOf, toDream } from '../rows/dreams.ts'
import type { DreamWithOrigin } from '../transfer.ts'
import type { Session, SqlDatabase, Steps } from './session.ts'

/** Where a store keeps the last night of a project. */
export interface Nights {
  /** The last one, which nobody else claims until the transaction ends. */
  readonly read: (session: Session) => Steps<NightRecord | undefined>
  readonly write: (session: Session, night: NightRecord) => Steps<unknown>
}

/** The memories that dreams came from, in their order. */
export function* readSources(
  session: Session,
  ids: readonly number[],
): Steps<ReadonlyMap<number, readonly number[]>> {
  const rows = yield* session.all<{ dream_id: number; memory_id: number }>(
    `SELECT dream_id, memory_id FROM dream_source
     WHERE ${session.own('dream_source')} dream_id ${session.dialect.amongIds} ORDER BY dream_id, position`,
    ids,
  )
  const sources = new Map<number, number[]>()
  for (const { dream_id, memory_id } of rows) addTo(sources, dream_id, memory_id)
  return sources
}

/**
 * A dream unless one of its origin is there, inside a write. Returns the id: the one given, or the next; undefined
 * where there is one.
 */
export function* insertDream(
  session: Session,
  { id: given, ...dream }: Omit<DreamWithOrigin, 'id'> & { readonly id?: number },
): Steps<number | undefined> {
  const unless = 'ON CONFLICT (project_id, origin) DO NOTHING'
  const id = yield* session.insert('dream', { id: given, row: fromDream(dream), unless })
  if (id === 0) return undefined
  yield* session.insertEach(
    'dream_source',
    dream.sourceMemoryIds.map((memory_id, position) => ({ dream_id: id, position, memory_id })),
  )
  return id
}

/** Why a dream was dreamed, in this order. Inside a write. */
export const insertReasons = (session: Session, dreamId: number, reasons: readonly string[]): Steps<void> =>
  session.insertEach(
    'dream_reason',
    reasons.map((reason, position) => ({ dream_id: dreamId, position, reason })),
  )

/** Whether all of some records are there, and stay until the write ends. */
function* areThere(
  session: Session,
  table: 'memory' | Quoted['kind'],
  ids: readonly number[],
): Steps<boolean> {
  if (ids.length === 0) return true
  const { amongIds, hold } = session.dialect
  const known = yield* session.all(
    `SELECT id FROM ${table} WHERE project_id = @project AND id ${amongIds} ORDER BY id ${hold('KEY SHARE')}`,
    ids,
  )
  return known.length === new Set(ids).size
}

function* insert(session: Session, dream: NewDream): Steps<Dream | undefined> {
  const { reasons = [], quoted = [], ...kept } = dream
  // Forgotten while the night was at work: what the thought quotes is to be gone, so the thought is, too.
  if (dream.sourceMemoryIds.length === 0) return undefined
  if (!(yield* areThere(session, 'memory', dream.sourceMemoryIds))) return undefined
  for (const kind of ['belief', 'prediction'] as const) {
    const ids = quoted.flatMap((one) => (one.kind === kind ? [one.id] : []))
    if (!(yield* areThere(session, kind, ids))) return undefined
  }
  const made = { ...kept, readAt: null }
  const id = yield* insertDream(session, { ...made, origin: originOf(dream) })
  if (id === undefined) return undefined
  yield* insertReasons(session, id, reasons)
  return { ...made, id }
}

function* toDreams(session: Session, rows: readonly DreamRow[]): Steps<Dream[]> {
  const sources = yield* readSources(
    session,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => toDream(row, sources.get(row.id) ?? []))
}

/** Reads one dream; for the other adapters too. */
export function* findDream(session: Session, id: number): Steps<Found<Dream>> {
  const select = 'SELECT * FROM dream'
  const row = yield* session.find({ table: 'dream', id, select, toRecord: (found: DreamRow) => found })
  if (typeof row !== 'object') return row
  const [dream] = yield* toDreams(session, [row])
  return dream
}

/** One that is the project's. */
function* findOwn(session: Session, id: number): Steps<Dream | undefined> {
  const found = yield* findDream(session, id)
  return found === 'elsewhere' ? undefined : found
}

export const createDreamStore = (database: SqlDatabase, nights: Nights): DreamStore => ({
  addMany: (project, dreams) =>
    database.write(
      project,
      function* (session) {
        const kept: Dream[] = []
        for (const dream of dreams) {
          const made = yield* insert(session, dream)
          if (made !== undefined) kept.push(made)
        }
        return kept
      },
      { makes: true },
    ),

  take: (project, limit, now) =>
    database.write(project, function* (session) {
      const { amongIds, hold } = session.dialect
      const rows = yield* session.all<DreamRow>(
        // What another is about to take is left to that one.
        `SELECT * FROM dream WHERE project_id = @project AND read_at IS NULL ORDER BY id LIMIT ?
         ${hold('UPDATE SKIP LOCKED')}`,
        limit,
      )
      yield* session.run(
        `UPDATE dream SET read_at = ? WHERE project_id = @project AND id ${amongIds}`,
        now,
        rows.map(({ id }) => id),
      )
      const dreams = yield* toDreams(session, rows)
      return dreams.map((dream) => ({ ...dream, readAt: now }))
    }),

  list: (project, { limit, read }) =>
    database.read(project, function* (session) {
      const rows = yield* session.all<DreamRow>(
        `SELECT * FROM dream
         WHERE project_id = @project ${read === undefined ? '' : `AND read_at IS ${read ? 'NOT ' : ''}NULL`}
         ORDER BY ${read === false ? 'id' : 'created_at DESC, id DESC'} LIMIT ?`,
        limit,
      )
      return yield* toDreams(session, rows)
    }),

  countUnread: (project) =>
    database.read(project, (session) =>
      // The words of the partial index dream_unread, so that it is used.
      session.count('SELECT count(*) AS n FROM dream WHERE project_id = @project AND read_at IS NULL'),
    ),

  explain: (project, ids) =>
    database.read(project, function* (session) {
      const { amongIds } = session.dialect
      const rows = yield* session.all<{ id: number; verdict: FeedbackVerdict | null }>(
        `SELECT dream.id, verdict FROM dream
         LEFT JOIN dream_feedback ON ${session.own('dream_feedback')} dream_feedback.dream_id = dream.id
         WHERE dream.project_id = @project AND dream.id ${amongIds}`,
        ids,
      )
      const said = yield* session.all<{ dream_id: number; reason: string }>(
        `SELECT dream_id, reason FROM dream_reason
         WHERE ${session.own('dream_reason')} dream_id ${amongIds} ORDER BY dream_id, position`,
        ids,
      )
      const verdicts = new Map(rows.map(({ id, verdict }) => [id, verdict]))
      return ids.flatMap((dreamId) => {
        const feedback = verdicts.get(dreamId)
        const reasons = said.flatMap(({ dream_id, reason }) => (dream_id === dreamId ? [reason] : []))
        return feedback === undefined ? [] : [{ dreamId, reasons, feedback }]
      })
    }),

  rate: (project, { id, verdict, now }) =>
    database.write(project, function* (session) {
      yield* session.lock('dream', [id])
      const dream = yield* findOwn(session, id)
      if (dream === undefined) return undefined
      yield* session.removeOf('dream_id', id, ['dream_feedback'])
      if (verdict !== null)
        yield* session.insertEach('dream_feedback', [{ dream_id: id, verdict, created_at: now }])
      return dream
    }),

  markRead: (project, id, now) =>
    database.write(project, function* (session) {
      yield* session.run(
        'UPDATE dream SET read_at = ? WHERE project_id = @project AND id = ? AND read_at IS NULL',
        now,
        id,
      )
      return yield* findOwn(session, id)
    }),

  feedback: (project) =>
    database.read(project, (session) =>
      session.all<KindFeedback>(
        `SELECT kind, count(*) FILTER (WHERE verdict = 'keep') AS kept,
           count(*) FILTER (WHERE verdict = 'dismiss') AS dismissed
         FROM dream_feedback JOIN dream ON ${session.own('dream_feedback')} dream.id = dream_id
         WHERE dream.project_id = @project GROUP BY kind ORDER BY kind`,
      ),
    ),

  claimNight: (project, night) =>
    database.write(project, function* (session) {
      if (session.projectId === 0) return false
      if (!isNightDue(yield* nights.read(session), night)) return false
      yield* nights.write(session, { claimedAt: night.now, endedAt: null })
      return true
    }),

  endNight: (project, now) =>
    database.write(project, function* (session) {
      const last = session.projectId === 0 ? undefined : yield* nights.read(session)
      if (last !== undefined) yield* nights.write(session, { ...last, endedAt: now })
    }),
})
