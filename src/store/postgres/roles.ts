/**
 * Makes a database ready for a brain, as its administrator: a role that owns the schema and that nobody is, one that
 * daemons are and that owns nothing, the schema itself, and what daemons may do. Says beforehand what it will do; what
 * is there already stays.
 */
import pg from 'pg'
import { BrainError } from '../../core/errors.ts'
import { addressesOf } from '../../core/store-address.ts'
import { toBrainError } from './faults.ts'
import { guards } from './isolation.ts'
import { steps as newestSteps, type Step, stepsFrom } from './migrations.ts'
import { minPgvector, readVersions, requireVersions, type Versions } from './requirements.ts'
import { Client, toDriver } from './servers.ts'

export interface InitOptions {
  readonly password?: string | undefined
  /** What daemons sign in as. */
  readonly role?: string
  /** Who owns the schema. */
  readonly owner?: string
  /** Of the schema, where they are not this version's. */
  readonly steps?: readonly Step[]
}

/** What is to be done, a sentence each, and doing it. */
export interface Preparation {
  readonly plan: readonly string[]
  /** Does it all or nothing. */
  run(): Promise<void>
  close(): Promise<void>
}

/** Held while roles and schema are made; the number is of no meaning beyond being brain's. */
const lock = 'SELECT pg_advisory_xact_lock(7_221_950_411)'

interface Found {
  readonly versions: Versions
  /** Of the schema; 0 where there is none. */
  readonly schema: number
  readonly owner: string | null
  readonly ownerExists: boolean
  readonly roleExists: boolean
  readonly superuser: boolean
}

async function read(client: pg.Client, roles: Pick<Roles, 'owner' | 'role'>): Promise<Found> {
  const { rows } = await client.query<Omit<Found, 'versions' | 'schema'> & { version: boolean }>(
    `SELECT (SELECT rolname FROM pg_namespace JOIN pg_roles ON pg_roles.oid = nspowner WHERE nspname = 'brain') AS owner,
       EXISTS (SELECT 1 FROM pg_roles WHERE rolname = $1) AS "ownerExists",
       EXISTS (SELECT 1 FROM pg_roles WHERE rolname = $2) AS "roleExists",
       (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) AS superuser,
       to_regclass('brain.schema') IS NOT NULL AS version`,
    [roles.owner, roles.role],
  )
  const found = rows[0]
  if (found === undefined) throw new Error('a query without a table gave no row')
  // Read as its owner, whom a repeated run may be without being a superuser.
  const schema = found.version
    ? (await client.query<{ version: number }>('SELECT max(version)::int AS version FROM brain.schema'))
        .rows[0]
    : undefined
  return { ...found, versions: await readVersions(client), schema: schema?.version ?? 0 }
}

interface Roles {
  readonly owner: string
  readonly role: string
  readonly steps: readonly Step[]
}

function describe({ owner, role, steps }: Roles, found: Found): string[] {
  const plan: string[] = []
  if (found.versions.vectors === null)
    plan.push(`install pgvector (${minPgvector} or newer) in this database`)
  if (!found.ownerExists) plan.push(`create the role ${owner}, which owns the brain and cannot sign in`)
  if (!found.roleExists)
    plan.push(`create the role ${role}, which daemons sign in as: give it a password with \\password ${role}`)
  if (found.owner === null) plan.push(`create the schema brain, owned by ${owner}`)
  for (let version = found.schema + 1; version <= steps.length; version += 1)
    plan.push(`bring the schema to version ${version}`)
  plan.push(`let ${role} read and write the brain's tables, and nothing else`)
  return plan
}

/** Several may make the same role, of which the databases of a server have one. */
async function createRole(client: pg.Client, role: string, rights: string): Promise<void> {
  await client.query(
    `DO $$ BEGIN CREATE ROLE ${pg.escapeIdentifier(role)} ${rights};
     EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$`,
  )
}

/** Returns whether daemons were left behind that cannot go on. */
async function perform(client: pg.Client, { owner, role, steps }: Roles): Promise<boolean> {
  const found = await read(client, { owner, role })
  if (found.versions.vectors === null) await client.query('CREATE EXTENSION vector')
  const versions = await readVersions(client)
  requireVersions(versions)
  const plainRights = 'NOSUPERUSER NOCREATEDB NOCREATEROLE NOINHERIT NOREPLICATION'
  if (!found.ownerExists) await createRole(client, owner, `NOLOGIN ${plainRights}`)
  if (!found.roleExists) await createRole(client, role, `LOGIN ${plainRights}`)
  const [asOwner, asRole] = [pg.escapeIdentifier(owner), pg.escapeIdentifier(role)]
  // Who is no superuser has to be a member of the role that things are to be made as.
  if (!found.superuser) await client.query(`GRANT ${asOwner} TO CURRENT_USER`)
  await client.query(`CREATE SCHEMA IF NOT EXISTS brain AUTHORIZATION ${asOwner}`)
  const extension = pg.escapeIdentifier(versions.extension)
  await client.query(`GRANT USAGE ON SCHEMA ${extension} TO ${asOwner}, ${asRole}`)
  await client.query(`SET LOCAL ROLE ${asOwner}`)
  await client.query(`SET LOCAL search_path = brain, ${extension}`)
  await client.query(
    `CREATE TABLE IF NOT EXISTS brain.schema (
       version integer PRIMARY KEY, oldest_reader integer NOT NULL, taken_at timestamptz NOT NULL DEFAULT now())`,
  )
  const surroundings = { owner, extension: versions.extension }
  const taken = stepsFrom(found.schema, surroundings, steps)
  for (const step of taken) {
    await client.query(step.sql)
    await client.query('INSERT INTO brain.schema (version, oldest_reader) VALUES ($1, $2)', [
      step.version,
      step.oldestReader,
    ])
  }
  await client.query(guards(surroundings))
  await client.query(`
    GRANT USAGE ON SCHEMA brain TO ${asRole};
    GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA brain TO ${asRole};
    REVOKE INSERT, UPDATE, DELETE ON brain.schema FROM ${asRole};
    GRANT USAGE, SELECT, UPDATE ON ALL SEQUENCES IN SCHEMA brain TO ${asRole};
    GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA brain TO ${asRole};
  `)
  await client.query('RESET ROLE')
  return found.schema > 0 && taken.some(({ oldestReader }) => oldestReader > found.schema)
}

/**
 * Inspects a database as its administrator and lists what there is to do, without doing it.
 * @throws BrainError `storage` where it cannot be reached, is too old, or has another owner.
 */
export async function prepareDatabase(
  url: string,
  { password, role = 'brain', owner = 'brain_owner', steps = newestSteps }: InitOptions = {},
): Promise<Preparation> {
  if (addressesOf(url).length > 1)
    throw new BrainError('invalid', 'name one server to make ready, the primary: its standbys follow')
  const client = new Client({
    connectionString: toDriver(url, password),
    application_name: 'brain store init',
    connectionTimeoutMillis: 10_000,
  })
  // What is asked next hears of it.
  client.on('error', () => {})
  const roles = { owner, role, steps }
  try {
    await client.connect()
    const found = await read(client, roles)
    requireVersions({ ...found.versions, vectors: found.versions.vectors ?? found.versions.vectorsToInstall })
    if (found.owner !== null && found.owner !== owner) {
      throw new BrainError(
        'storage',
        `the schema brain belongs to ${found.owner}, not to ${owner}: name the owner, or use another database`,
      )
    }
    return { plan: describe(roles, found), run: () => runAlone(client, roles), close: () => client.end() }
  } catch (error) {
    await client.end().catch(() => {})
    throw toBrainError(error)
  }
}

/** Of daemons and commands; an administrator who may not leaves them to be ended by hand. */
const endConnections = (client: pg.Client, role: string): Promise<unknown> =>
  client
    .query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND usename = $1`,
      [role],
    )
    .catch(() => {})

async function runAlone(client: pg.Client, roles: Roles): Promise<void> {
  try {
    await client.query('BEGIN')
    await client.query(lock)
    const leaves = await perform(client, roles)
    await client.query('COMMIT')
    // Those look at the schema when they connect.
    if (leaves) await endConnections(client, roles.role)
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {})
    throw refused(error) ?? toBrainError(error)
  }
}

/** Reports what the administrator may not do in the server's own words, which name what is missing. */
function refused(error: unknown): BrainError | undefined {
  if (!(error instanceof pg.DatabaseError) || error.code !== '42501') return undefined
  const remedy = error.message.includes('extension')
    ? 'let a superuser run `CREATE EXTENSION vector` in this database, then run it again'
    : 'run it as an administrator'
  return new BrainError('storage', `the database refuses this to you (${error.message}): ${remedy}`, {
    cause: error,
  })
}
