/**
 * Dreams in PostgreSQL: kept once for each kind and set of sources, handed out once, and the right to dream a night. Knows
 * nothing of how a thought is made.
 */
import type { KindFeedback } from '../../core/dream-feedback.ts'
import type { Dream } from '../../core/records.ts'
import type { DreamExplanation, DreamStore, NewDream } from '../dream-store.ts'
import { type DreamRow, fromDream, isNightDue, type NightRecord, originOf, toDream } from '../rows/dreams.ts'
import type { DreamWithOrigin } from '../transfer.ts'
import type { Database } from './connection.ts'
import { insertOwn } from './own.ts'
import type { Transaction } from './transaction.ts'

/** A dream with the memories it came from, in their order. */
export const dreamColumns = `dream.id, dream.kind, thought, novelty, dream.created_at, read_at,
  ARRAY(SELECT memory_id FROM dream_source
        WHERE dream_source.project_id = dream.project_id AND dream_id = dream.id ORDER BY position) AS sources`

export type SourcedRow = DreamRow & { readonly sources: readonly number[] }

export const toSourced = (row: SourcedRow): Dream => toDream(row, row.sources)

/** A dream unless one of its origin is there, inside a write. Returns the id: the one given, or the next; undefined where there is one. */
export async function insertDream(
  transaction: Transaction,
  { id: given, ...dream }: Omit<DreamWithOrigin, 'id'> & { readonly id?: number },
): Promise<number | undefined> {
  const { projectId } = transaction
  const known = 'ON CONFLICT (project_id, origin) DO NOTHING'
  const id = await insertOwn(transaction, 'dream', { id: given, row: fromDream(dream), unless: known })
  if (id === 0) return undefined
  await transaction.run(
    `INSERT INTO dream_source (project_id, dream_id, position, memory_id)
     SELECT $1, $2, at - 1, memory_id FROM unnest($3::bigint[]) WITH ORDINALITY AS source (memory_id, at)`,
    [projectId, id, dream.sourceMemoryIds],
  )
  return id
}

/** Why a dream was dreamed, in this order. Inside a write. */
export const insertReasons = (
  transaction: Transaction,
  dreamId: number,
  reasons: readonly string[],
): Promise<number> =>
  transaction.run(
    `INSERT INTO dream_reason (project_id, dream_id, position, reason)
     SELECT $1, $2, at - 1, reason FROM unnest($3::text[]) WITH ORDINALITY AS said (reason, at)`,
    [transaction.projectId, dreamId, reasons],
  )

async function insert(transaction: Transaction, dream: NewDream): Promise<Dream | undefined> {
  const { projectId } = transaction
  // Forgotten while the night was at work: what the thought quotes is to be gone, so the thought is, too.
  const known = await transaction.all(
    'SELECT id FROM memory WHERE project_id = $1 AND id = ANY($2::bigint[]) ORDER BY id FOR KEY SHARE',
    [projectId, dream.sourceMemoryIds],
  )
  const sources = new Set(dream.sourceMemoryIds).size
  if (sources === 0 || known.length < sources) return undefined
  const { reasons = [], ...kept } = dream
  const made = { ...kept, readAt: null }
  const id = await insertDream(transaction, { ...made, origin: originOf(dream) })
  if (id === undefined) return undefined
  await insertReasons(transaction, id, reasons)
  return { ...made, id }
}

const find = async (transaction: Transaction, id: number): Promise<Dream | undefined> => {
  const row = await transaction.first<SourcedRow>(
    `SELECT ${dreamColumns} FROM dream WHERE project_id = $1 AND id = $2`,
    [transaction.projectId, id],
  )
  return row && toSourced(row)
}

/** Lets nobody else claim a night of the project until the transaction ends; others go on writing in it. */
const lockNights = (transaction: Transaction): Promise<number> =>
  transaction.run('SELECT 1 FROM project WHERE id = $1 FOR NO KEY UPDATE', [transaction.projectId])

export const createDreamStore = (database: Database): DreamStore => ({
  addMany: (project, dreams) =>
    database.write(
      project,
      async (transaction) => {
        const kept: Dream[] = []
        for (const dream of dreams) {
          const made = await insert(transaction, dream)
          if (made !== undefined) kept.push(made)
        }
        return kept
      },
      { makes: true },
    ),

  take: (project, limit, now) =>
    database.write(project, async (transaction) => {
      const rows = await transaction.all<SourcedRow>(
        // What another is about to take is left to that one.
        `WITH unread AS (SELECT id FROM dream WHERE project_id = $1 AND read_at IS NULL
                         ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED)
         UPDATE dream SET read_at = $3 FROM unread WHERE dream.project_id = $1 AND dream.id = unread.id
         RETURNING ${dreamColumns}`,
        [transaction.projectId, limit, now],
      )
      return rows.map(toSourced).sort((a, b) => a.id - b.id)
    }),

  list: (project, { limit, read }) =>
    database.read(project, async (transaction) => {
      const rows = await transaction.all<SourcedRow>(
        `SELECT ${dreamColumns} FROM dream
         WHERE project_id = $1 ${read === undefined ? '' : `AND read_at IS ${read ? 'NOT ' : ''}NULL`}
         ORDER BY ${read === false ? 'id' : 'created_at DESC, id DESC'} LIMIT $2`,
        [transaction.projectId, limit],
      )
      return rows.map(toSourced)
    }),

  countUnread: (project) =>
    database.read(project, async (transaction) => {
      const counted = await transaction.first<{ unread: number }>(
        'SELECT count(*) AS unread FROM dream WHERE project_id = $1 AND read_at IS NULL',
        [transaction.projectId],
      )
      return counted?.unread ?? 0
    }),

  explain: (project, ids) =>
    database.read(project, async (transaction) => {
      const rows = await transaction.all<DreamExplanation>(
        `SELECT dream.id AS "dreamId", verdict AS feedback,
           ARRAY(SELECT reason FROM dream_reason
                 WHERE dream_reason.project_id = $1 AND dream_id = dream.id ORDER BY position) AS reasons
         FROM dream LEFT JOIN dream_feedback
           ON dream_feedback.project_id = dream.project_id AND dream_feedback.dream_id = dream.id
         WHERE dream.project_id = $1 AND dream.id = ANY($2::bigint[])`,
        [transaction.projectId, ids],
      )
      return ids.flatMap((id) => rows.find(({ dreamId }) => dreamId === id) ?? [])
    }),

  rate: (project, { id, verdict, now }) =>
    database.write(project, async (transaction) => {
      const { projectId } = transaction
      const dream = await find(transaction, id)
      if (dream === undefined) return undefined
      if (verdict === null) {
        await transaction.run('DELETE FROM dream_feedback WHERE project_id = $1 AND dream_id = $2', [
          projectId,
          id,
        ])
      } else {
        await transaction.run(
          `INSERT INTO dream_feedback (project_id, dream_id, verdict, created_at) VALUES ($1, $2, $3, $4)
           ON CONFLICT (project_id, dream_id)
             DO UPDATE SET verdict = excluded.verdict, created_at = excluded.created_at`,
          [projectId, id, verdict, now],
        )
      }
      return dream
    }),

  markRead: (project, id, now) =>
    database.write(project, async (transaction) => {
      await transaction.run(
        'UPDATE dream SET read_at = $1 WHERE project_id = $2 AND id = $3 AND read_at IS NULL',
        [now, transaction.projectId, id],
      )
      return find(transaction, id)
    }),

  feedback: (project) =>
    database.read(project, (transaction) =>
      transaction.all<KindFeedback>(
        `SELECT kind, count(*) FILTER (WHERE verdict = 'keep') AS kept,
           count(*) FILTER (WHERE verdict = 'dismiss') AS dismissed
         FROM dream_feedback JOIN dream ON dream.project_id = dream_feedback.project_id AND dream.id = dream_id
         WHERE dream.project_id = $1 GROUP BY kind ORDER BY kind`,
        [transaction.projectId],
      ),
    ),

  claimNight: (project, night) =>
    database.write(project, async (transaction) => {
      const { projectId } = transaction
      if (projectId === 0) return false
      await lockNights(transaction)
      const last = await transaction.first<NightRecord>(
        'SELECT claimed_at AS "claimedAt", ended_at AS "endedAt" FROM night WHERE project_id = $1',
        [projectId],
      )
      if (!isNightDue(last, night)) return false
      await transaction.run(
        `INSERT INTO night (project_id, claimed_at) VALUES ($1, $2)
         ON CONFLICT (project_id) DO UPDATE SET claimed_at = excluded.claimed_at, ended_at = NULL`,
        [projectId, night.now],
      )
      return true
    }),

  endNight: async (project, now) => {
    await database.write(project, (transaction) =>
      transaction.run('UPDATE night SET ended_at = $1 WHERE project_id = $2', [now, transaction.projectId]),
    )
  },
})
