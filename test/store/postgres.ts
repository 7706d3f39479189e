/**
 * A PostgreSQL for a test file: PGlite in the process, spoken to through a socket by the same driver, or a database of its
 * own on the server that BRAIN_TEST_POSTGRES names. Each test finds it empty.
 */
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { vector } from '@electric-sql/pglite-pgvector'
import { PGLiteSocketServer } from '@electric-sql/pglite-socket'
import pg from 'pg'
import { guards } from '../../src/store/postgres/isolation.ts'
import { stepsFrom } from '../../src/store/postgres/migrations.ts'
import { prepareDatabase } from '../../src/store/postgres/roles.ts'

/** A server that a test file has to itself. */
export interface TestServer {
  /** What a daemon opens. */
  readonly url: string
  /** Connections that a store may have: PGlite has a single session, which several share. */
  readonly connections: number
  /** Runs SQL as the administrator. */
  administer(sql: string): Promise<unknown[]>
  /** Empties every table; the next ids are 1 again. */
  clear(): Promise<void>
  close(): Promise<void>
}

/** Rows are few: to remove them takes a fraction of what it takes to make every table anew. */
const emptying = `DO $$ DECLARE
  name text;
BEGIN
  -- What goes with a row goes by itself here.
  SET LOCAL session_replication_role = replica;
  FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'brain' AND tablename <> 'schema' LOOP
    EXECUTE format('DELETE FROM brain.%I', name);
  END LOOP;
  FOR name IN SELECT sequencename FROM pg_sequences WHERE schemaname = 'brain' AND last_value IS NOT NULL LOOP
    EXECUTE format('ALTER SEQUENCE brain.%I RESTART', name);
  END LOOP;
END $$`

async function prepare(url: string, roles: { role: string; owner: string }): Promise<void> {
  const preparation = await prepareDatabase(url, roles)
  try {
    await preparation.run()
  } finally {
    await preparation.close()
  }
}

/** What a prepared PGlite depends on: made anew when the schema changes. */
function cacheFile(): string {
  const surroundings = { owner: 'brain_owner', extension: 'public' }
  const sql = [...stepsFrom(0, surroundings).map((step) => step.sql), guards(surroundings)]
  const { version } = JSON.parse(readFileSync('node_modules/@electric-sql/pglite/package.json', 'utf8'))
  const hash = createHash('sha256')
    .update([version, ...sql].join('\0'))
    .digest('hex')
  return join('.cache', `pglite-${hash.slice(0, 16)}.tar`)
}

const extensions = { vector }

/** PGlite with a brain in it. To make its first database takes it ten seconds and more, so that one is kept for other runs. */
async function openInProcess(): Promise<PGlite> {
  const file = cacheFile()
  if (existsSync(file)) return PGlite.create({ extensions, loadDataDir: new Blob([readFileSync(file)]) })
  const database = await PGlite.create({ extensions })
  const server = await listen(database)
  await prepare(urlOf(server), { role: 'brain', owner: 'brain_owner' })
  await server.stop()
  const dump = await database.dumpDataDir('none')
  mkdirSync('.cache', { recursive: true })
  const whole = `${file}.${process.pid}`
  writeFileSync(whole, new Uint8Array(await dump.arrayBuffer()))
  renameSync(whole, file)
  return database
}

async function listen(database: PGlite): Promise<PGLiteSocketServer> {
  const server = new PGLiteSocketServer({ db: database, port: 0, maxConnections: 16 })
  await server.start()
  return server
}

const urlOf = (server: PGLiteSocketServer): string => `postgres://brain@${server.getServerConn()}/postgres`

/** The same through a socket; its one session is the daemon's role, as each connection's would be. */
async function startInProcess(): Promise<TestServer> {
  const database = await openInProcess()
  const server = await listen(database)
  const url = urlOf(server)
  // Its default stays the superuser's, who may become one again.
  const asDaemon = 'SET SESSION AUTHORIZATION brain'
  await database.exec(asDaemon)
  const administer = async (sql: string): Promise<unknown[]> => {
    // The end of a read is not waited for, and there is one session.
    await database.exec('ROLLBACK; SET SESSION AUTHORIZATION postgres')
    try {
      return (await database.exec(sql)).at(-1)?.rows ?? []
    } finally {
      await database.exec(asDaemon)
    }
  }
  return {
    url,
    connections: 2,
    administer,
    clear: async () => void (await administer(emptying)),
    close: async () => {
      await server.stop()
      await database.close()
    },
  }
}

/** A database of its own on a server, with roles of its own, which both go when the file ends. */
async function startOn(administrator: string): Promise<TestServer> {
  const name = `brain_test_${randomBytes(6).toString('hex')}`
  const roles = { role: name, owner: `${name}_owner` }
  const elsewhere = new pg.Client({ connectionString: administrator })
  await elsewhere.connect()
  await elsewhere.query(`CREATE DATABASE ${name}`)
  const at = (user?: string): string => {
    const url = new URL(administrator)
    url.pathname = `/${name}`
    if (user !== undefined) {
      url.username = user
      url.password = 'test'
    }
    return url.href
  }
  await prepare(at(), roles)
  await elsewhere.query(`ALTER ROLE ${roles.role} PASSWORD 'test'`)
  const client = new pg.Client({ connectionString: at() })
  await client.connect()
  const administer = async (sql: string): Promise<unknown[]> => {
    const answers: unknown = await client.query(sql)
    // One for each statement, where there are several.
    const last = Array.isArray(answers) ? answers.at(-1) : answers
    return (last as pg.QueryResult).rows
  }
  return {
    url: at(roles.role),
    connections: 8,
    administer,
    clear: async () => void (await administer(emptying)),
    close: async () => {
      await client.end()
      await elsewhere.query(`DROP DATABASE ${name} WITH (FORCE)`)
      await elsewhere.query(`DROP ROLE ${roles.role}; DROP ROLE ${roles.owner}`)
      await elsewhere.end()
    },
  }
}

/** Starts one; whoever does closes it. */
export const startPostgres = (
  administrator: string | undefined = process.env.BRAIN_TEST_POSTGRES,
): Promise<TestServer> => (administrator === undefined ? startInProcess() : startOn(administrator))
