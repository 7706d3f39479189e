/**
 * Dreams in SQLite: kept once for each kind and set of sources, handed out once, and the right to dream a night.
 * Knows nothing of how a thought is made.
 */
import type { KindFeedback } from '../../core/dream-feedback.ts'
import type { Dream, FeedbackVerdict } from '../../core/records.ts'
import type { DreamStore, NewDream } from '../dream-store.ts'
import { type DreamRow, fromDream, isNightDue, type NightRecord, originOf, toDream } from '../rows/dreams.ts'
import type { DreamWithOrigin } from '../transfer.ts'
import type { Connection } from './connection.ts'
import { insertRow } from './insert.ts'
import { ensureProject, findProject } from './projects.ts'
import { readSetting, writeSetting } from './settings.ts'

/** The memories a dream came from, in their order. */
export const selectSources = 'SELECT memory_id FROM dream_source WHERE dream_id = ? ORDER BY position'

/** A dream unless one of its origin is there, inside a write. Returns the id: the one given, or the next; undefined where there is one. */
export function insertDream(
  connection: Connection,
  { id: given, projectId, dream }: { id?: number; projectId: number; dream: Omit<DreamWithOrigin, 'id'> },
): number | undefined {
  const row = { id: given ?? null, project_id: projectId, ...fromDream(dream) }
  const known = 'ON CONFLICT (project_id, origin) DO NOTHING'
  const { changes, id } = insertRow(connection, 'dream', row, known)
  if (changes === 0) return undefined
  for (const [position, memory_id] of dream.sourceMemoryIds.entries())
    insertRow(connection, 'dream_source', { dream_id: id, position, memory_id })
  return id
}

/** Why a dream was dreamed, in this order. Inside a write. */
export function insertReasons(connection: Connection, dreamId: number, reasons: readonly string[]): void {
  for (const [position, reason] of reasons.entries())
    insertRow(connection, 'dream_reason', { dream_id: dreamId, position, reason })
}

const nightSetting = (projectId: number): string => `night_${projectId}`

export function createDreamStore(connection: Connection): DreamStore {
  const readDream = (row: DreamRow): Dream =>
    toDream(
      row,
      connection.all<{ memory_id: number }>(selectSources, row.id).map(({ memory_id }) => memory_id),
    )

  const columns = 'id, kind, thought, novelty, created_at, read_at'

  function insert(projectId: number, dream: NewDream): Dream | undefined {
    // Forgotten while the night was at work: what the thought quotes is to be gone, so the thought is, too.
    const known = dream.sourceMemoryIds.every(
      (id) =>
        connection.first('SELECT 1 FROM memory WHERE id = ? AND project_id = ?', id, projectId) !== undefined,
    )
    if (!known || dream.sourceMemoryIds.length === 0) return undefined
    const { reasons = [], ...kept } = dream
    const made = { ...kept, readAt: null }
    const id = insertDream(connection, { projectId, dream: { ...made, origin: originOf(dream) } })
    if (id === undefined) return undefined
    insertReasons(connection, id, reasons)
    return { ...made, id }
  }

  const readNight = (projectId: number): NightRecord | undefined => {
    const written = readSetting(connection, nightSetting(projectId))
    // Written by the function below and by nobody else.
    return written === undefined ? undefined : (JSON.parse(written) as NightRecord)
  }

  const writeNight = (projectId: number, night: NightRecord): void =>
    writeSetting(connection, nightSetting(projectId), JSON.stringify(night))

  return {
    addMany: (project, dreams) =>
      connection.write(() => {
        const projectId = ensureProject(connection, project)
        return dreams.flatMap((dream) => insert(projectId, dream) ?? [])
      }),

    take: (project, limit, now) =>
      connection.write(() => {
        const rows = connection.all<DreamRow>(
          `SELECT ${columns} FROM dream WHERE project_id = ? AND read_at IS NULL ORDER BY id LIMIT ?`,
          findProject(connection, project) ?? 0,
          limit,
        )
        for (const { id } of rows) connection.run('UPDATE dream SET read_at = ? WHERE id = ?', now, id)
        return rows.map((row) => readDream({ ...row, read_at: now }))
      }),

    list: (project, { limit, read }) =>
      connection.read(() =>
        connection
          .all<DreamRow>(
            `SELECT ${columns} FROM dream WHERE project_id = ? ${read === undefined ? '' : `AND read_at IS ${read ? 'NOT ' : ''}NULL`}
             ORDER BY ${read === false ? 'id' : 'created_at DESC, id DESC'} LIMIT ?`,
            findProject(connection, project) ?? 0,
            limit,
          )
          .map(readDream),
      ),

    countUnread: (project) =>
      connection.read(
        () =>
          // The words of the partial index dream_unread, so that it is used.
          connection.first<{ unread: number }>(
            'SELECT count(*) AS unread FROM dream WHERE project_id = ? AND read_at IS NULL',
            findProject(connection, project) ?? 0,
          )?.unread ?? 0,
      ),

    explain: (project, ids) =>
      connection.read(() => {
        const projectId = findProject(connection, project) ?? 0
        return ids.flatMap((id) => {
          if (
            connection.first('SELECT 1 FROM dream WHERE id = ? AND project_id = ?', id, projectId) ===
            undefined
          )
            return []
          const reasons = connection
            .all<{ reason: string }>(
              'SELECT reason FROM dream_reason WHERE dream_id = ? ORDER BY position',
              id,
            )
            .map(({ reason }) => reason)
          const said = connection.first<{ verdict: FeedbackVerdict }>(
            'SELECT verdict FROM dream_feedback WHERE dream_id = ?',
            id,
          )
          return [{ dreamId: id, reasons, feedback: said?.verdict ?? null }]
        })
      }),

    rate: (project, { id, verdict, now }) =>
      connection.write(() => {
        const row = connection.first<DreamRow>(
          `SELECT ${columns} FROM dream WHERE id = ? AND project_id = ?`,
          id,
          findProject(connection, project) ?? 0,
        )
        if (row === undefined) return undefined
        if (verdict === null) {
          connection.run('DELETE FROM dream_feedback WHERE dream_id = ?', id)
          return readDream(row)
        }
        connection.run(
          `INSERT INTO dream_feedback (dream_id, verdict, created_at) VALUES (?, ?, ?)
           ON CONFLICT (dream_id) DO UPDATE SET verdict = excluded.verdict, created_at = excluded.created_at`,
          id,
          verdict,
          now,
        )
        return readDream(row)
      }),

    markRead: (project, id, now) =>
      connection.write(() => {
        const projectId = findProject(connection, project) ?? 0
        connection.run(
          'UPDATE dream SET read_at = coalesce(read_at, ?) WHERE id = ? AND project_id = ?',
          now,
          id,
          projectId,
        )
        const row = connection.first<DreamRow>(
          `SELECT ${columns} FROM dream WHERE id = ? AND project_id = ?`,
          id,
          projectId,
        )
        return row && readDream(row)
      }),

    feedback: (project) =>
      connection.read(() =>
        connection.all<KindFeedback>(
          `SELECT kind, sum(verdict = 'keep') AS kept, sum(verdict = 'dismiss') AS dismissed
           FROM dream_feedback JOIN dream ON dream.id = dream_id WHERE project_id = ? GROUP BY kind ORDER BY kind`,
          findProject(connection, project) ?? 0,
        ),
      ),

    claimNight: (project, night) =>
      connection.write(() => {
        const projectId = findProject(connection, project)
        if (projectId === undefined) return false
        if (!isNightDue(readNight(projectId), night)) return false
        writeNight(projectId, { claimedAt: night.now, endedAt: null })
        return true
      }),

    endNight: (project, now) =>
      connection.write(() => {
        const projectId = findProject(connection, project)
        const last = projectId === undefined ? undefined : readNight(projectId)
        if (projectId !== undefined && last !== undefined) writeNight(projectId, { ...last, endedAt: now })
      }),
  }
}
