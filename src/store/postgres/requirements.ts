/**
 * What a database has to be for a brain to be opened in it: new enough, and such that the role it is opened as sees one
 * project at a time and can change nothing about that. Knows the server's own catalogue.
 */
import { BrainError } from '../../core/errors.ts'
import { copyingSetting, isPart } from '../staging-rules.ts'
import { openTables } from './isolation.ts'
import { type FoundSchema, requireSchema } from './migrations.ts'
import type { Transaction } from './transaction.ts'

/** Major version of PostgreSQL. */
const minPostgres = 14

/** Older ones can corrupt an index and write beyond a buffer. */
export const minPgvector = '0.8.4'

export interface Versions {
  /** As the server numbers it: 180004 is 18.4. */
  readonly server: number
  /** pgvector as installed in this database; null where it is not. */
  readonly vectors: string | null
  /** As it would be installed; null where the server has none. */
  readonly vectorsToInstall: string | null
  /** The schema that its types are in. */
  readonly extension: string
}

interface Asking {
  query<T>(sql: string): Promise<{ rows: T[] }>
}

const versionsQuery = `SELECT current_setting('server_version_num')::int AS server,
  (SELECT extversion FROM pg_extension WHERE extname = 'vector') AS vectors,
  (SELECT default_version FROM pg_available_extensions WHERE name = 'vector') AS "vectorsToInstall",
  coalesce((SELECT nspname FROM pg_extension JOIN pg_namespace ON pg_namespace.oid = extnamespace
            WHERE extname = 'vector'), 'public') AS extension`

export async function readVersions(client: Asking): Promise<Versions> {
  const [versions] = (await client.query<Versions>(versionsQuery)).rows
  if (versions === undefined) throw new Error('a query without a table gave no row')
  return versions
}

const isOlder = (version: string, least: string): boolean => {
  const [own, wanted] = [version, least].map((text) => text.split('.').map(Number))
  for (const [at, part] of (wanted ?? []).entries()) {
    const mine = own?.[at] ?? 0
    if (mine !== part) return mine < part
  }
  return false
}

/** @throws BrainError `storage` naming what is too old or missing. */
export function requireVersions({ server, vectors }: Pick<Versions, 'server' | 'vectors'>): void {
  if (server < minPostgres * 10_000) {
    throw new BrainError(
      'storage',
      `PostgreSQL ${Math.floor(server / 10_000)} is too old for a brain: use ${minPostgres} or newer`,
    )
  }
  if (vectors === null) {
    throw new BrainError(
      'storage',
      `the server has no pgvector: install ${minPgvector} or newer, then run \`brain store init\` as its administrator`,
    )
  }
  if (isOlder(vectors, minPgvector)) {
    throw new BrainError(
      'storage',
      `pgvector ${vectors} can corrupt its indexes: install ${minPgvector} or newer on the server, then run ` +
        '`ALTER EXTENSION vector UPDATE` in this database',
    )
  }
}

/**
 * @throws BrainError `storage` where the schema is not one that this version can use, or of what it holds only a part has
 * arrived; which does not concern a connection that `receives` the rest.
 */
export async function requireUsable(client: Asking, receives: boolean): Promise<void> {
  const [schema] = (
    await client.query<FoundSchema & { readonly copying: boolean }>(
      `SELECT version, oldest_reader AS "oldestReader",
         EXISTS (SELECT 1 FROM brain.setting WHERE key = '${copyingSetting}') AS copying
       FROM brain.schema ORDER BY version DESC LIMIT 1`,
    )
  ).rows
  requireSchema(schema ?? { version: 0, oldestReader: 0 })
  if (schema?.copying === true && !receives) throw isPart()
}

interface RoleRow {
  readonly name: string
  readonly superuser: boolean
  readonly bypasses: boolean
  readonly owns: boolean
  /** A table that the database does not hold to one project; null where there is none. */
  readonly unguarded: string | null
  readonly initialised: boolean
}

const roleQuery = `SELECT current_user::text AS name, rolsuper AS superuser, rolbypassrls AS bypasses,
  coalesce(pg_has_role(current_user, (SELECT nspowner FROM pg_namespace WHERE nspname = 'brain'), 'MEMBER'), false)
    OR EXISTS (SELECT 1 FROM pg_class WHERE relnamespace = to_regnamespace('brain')
               AND pg_has_role(current_user, relowner, 'MEMBER')) AS owns,
  (SELECT relname::text FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attname = 'project_id'
   WHERE relnamespace = to_regnamespace('brain') AND relkind IN ('r', 'p') AND relname <> ALL($1::text[])
     AND NOT (relrowsecurity AND relforcerowsecurity
              AND EXISTS (SELECT 1 FROM pg_policy WHERE polrelid = pg_class.oid AND polname = 'of_project'))
   ORDER BY 1 LIMIT 1) AS unguarded,
  to_regclass('brain.schema') IS NOT NULL AS initialised
  FROM pg_roles WHERE rolname = current_user`

/**
 * Of the database and of the role it is opened as. Returns the schema that pgvector's types are in.
 * @throws BrainError `storage` naming the remedy.
 */
export async function requireReady(transaction: Transaction, receives = false): Promise<string> {
  const role = await transaction.first<RoleRow>(roleQuery, [[...openTables]])
  if (role === undefined) throw new Error('the role that is connected is not among the roles')
  const { name, superuser, bypasses, owns, unguarded } = role
  const reason =
    (superuser && 'is a superuser') ||
    (bypasses && 'bypasses row-level security') ||
    (owns && 'owns the brain')
  if (reason) {
    throw new BrainError(
      'storage',
      `${name} ${reason}, and so could read every project: open the brain as the role that \`brain store init\` made`,
    )
  }
  if (!role.initialised) {
    throw new BrainError(
      'storage',
      'the database holds no brain: run `brain store init` as its administrator',
    )
  }
  const versions = await readVersions({ query: async (sql) => ({ rows: await transaction.all(sql) }) })
  requireVersions(versions)
  await requireUsable({ query: async (sql) => ({ rows: await transaction.all(sql) }) }, receives)
  if (unguarded !== null) {
    throw new BrainError(
      'storage',
      `the table ${unguarded} of the brain is not held to one project: run \`brain store init\` as the database's administrator`,
    )
  }
  return versions.extension
}
