/**
 * Check-ups and repairs of a brain on PostgreSQL: the server's own reports, and project by project what must agree
 * with what. Knows the order of the checks; a repair rebuilds what is derived, and touches no text.
 */

import { aheadBy, msPerMinute } from '../../core/durations.ts'
import { BrainError } from '../../core/errors.ts'
import { finding as tell, toFinding } from '../findings.ts'
import type { Finding, MaintenanceStore } from '../store.ts'
import type { Database } from './connection.ts'
import { type Examined, examineProject } from './examination.ts'
import { readServedModel } from './models.ts'
import { readVersions, requireReady } from './requirements.ts'
import type { Transaction } from './transaction.ts'

const finding = (check: string, complaint: string | undefined, sound: string): Finding =>
  tell(check, complaint === undefined, complaint ?? sound)

/** Removed rows of a table that are worth a word: they are on the disk until they are vacuumed. */
const manyRemoved = 10_000

async function examineIsolation(transaction: Transaction): Promise<Finding> {
  const complaint = await requireReady(transaction).then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof BrainError) return error.message
      throw error
    },
  )
  return finding('isolation', complaint, 'the database holds every transaction to one project')
}

/** Whose vectors are there, and which recall compares. */
async function examineModels(transaction: Transaction): Promise<Finding[]> {
  const served = await readServedModel(transaction)
  const models = await transaction.all<{ id: number; name: string; retired: boolean }>(
    'SELECT id, name, retired FROM model ORDER BY retired, id',
  )
  return models.map(({ id, name, retired }) =>
    retired
      ? finding('vectors of an earlier model', undefined, 'wait to be removed')
      : finding(`vectors of ${name}`, undefined, id === served ? 'are compared' : 'are being made'),
  )
}

async function examineServer(transaction: Transaction): Promise<Finding[]> {
  const { server, vectors } = await readVersions({
    query: async (sql) => ({ rows: await transaction.all(sql) }),
  })
  const invalid = await transaction.all<{ name: string }>(
    `SELECT relname::text AS name FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
     WHERE relnamespace = 'brain'::regnamespace AND NOT (indisvalid AND indisready)`,
  )
  const bloated = await transaction.all<{ name: string; removed: number }>(
    `SELECT relname::text AS name, n_dead_tup AS removed FROM pg_stat_all_tables
     WHERE schemaname = 'brain' AND n_dead_tup > ${manyRemoved} AND n_dead_tup > n_live_tup`,
  )
  const clock = await transaction.first<{ now: number }>(
    'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now',
  )
  const apart = Math.abs((clock?.now ?? 0) - Date.now())
  const named = (names: readonly string[]): string => names.join(', ')
  return [
    finding(
      'server',
      undefined,
      `PostgreSQL ${Math.floor(server / 10_000)}.${server % 10_000}, pgvector ${vectors}`,
    ),
    await examineIsolation(transaction),
    finding(
      'indexes',
      invalid.length === 0
        ? undefined
        : `${named(invalid.map(({ name }) => name))} cannot be used: REINDEX them as the owner of the brain`,
      'all can be used',
    ),
    finding(
      'removed rows',
      bloated.length === 0
        ? undefined
        : `${named(bloated.map(({ name, removed }) => `${removed} in ${name}`))}: let autovacuum run, or VACUUM as the owner of the brain`,
      'few wait to be vacuumed',
    ),
    finding(
      'clock',
      apart <= aheadBy
        ? undefined
        : `the server's is ${Math.round(apart / msPerMinute)} minutes off this machine's: set both by NTP`,
      "the server's and this machine's agree",
    ),
    ...(await examineModels(transaction)),
  ]
}

export function createMaintenanceStore(database: Database): MaintenanceStore {
  const projects = (): Promise<string[]> =>
    database.readAnywhere(async (transaction) =>
      (await transaction.all<{ name: string }>('SELECT name FROM project ORDER BY id')).map(
        ({ name }) => name,
      ),
    )

  const examine = (project: string): Promise<Examined[]> =>
    database.read(project, (transaction) => examineProject(transaction, project))

  const check = async (): Promise<Finding[]> => {
    const findings = await database.readAnywhere(examineServer)
    for (const project of await projects()) findings.push(...(await examine(project)).map(toFinding))
    return findings
  }

  return {
    check,

    repair: async () => {
      for (const project of await projects()) {
        for (const { ok, mend } of await examine(project))
          if (!ok && mend !== undefined) await database.write(project, mend)
      }
      return check()
    },

    size: () =>
      database.readAnywhere(async (transaction) => {
        const found = await transaction.first<{ bytes: number }>(
          `SELECT coalesce(sum(pg_total_relation_size(oid)), 0)::bigint AS bytes FROM pg_class
           WHERE relnamespace = 'brain'::regnamespace AND relkind = 'r'`,
        )
        return found?.bytes ?? 0
      }),

    backup: () =>
      Promise.reject(
        new BrainError(
          'refused',
          'a brain on PostgreSQL is backed up with its server: use pg_dump or pg_basebackup, or `brain export` for a file of its records',
        ),
      ),

    projects,
  }
}
