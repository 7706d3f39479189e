/**
 * Every store that the port is proven of, and a fresh one of each kind for each test. PostgreSQL is a PGlite in this process,
 * or the server that BRAIN_TEST_POSTGRES names; one for a test file, started by the first test that asks.
 */
import { afterAll, onTestFinished } from 'vitest'
import { openPostgresStore } from '../../src/store/postgres/store.ts'
import type { Store } from '../../src/store/store.ts'
import { startPostgres, type TestServer } from './postgres.ts'
import { openInFile, openInMemory } from './temporary-store.ts'

let server: Promise<TestServer> | undefined

afterAll(async () => (await server)?.close())

/** The server of this test file, which has no records yet. */
export async function emptyServer(): Promise<TestServer> {
  server ??= startPostgres()
  const started = await server
  await started.clear()
  return started
}

/** A machine under load answers late, but answers. */
export const timeouts = { connection: 60_000, lock: 60_000 } as const

async function openOnServer(): Promise<Store> {
  const { url, connections } = await emptyServer()
  const store = await openPostgresStore(url, { label: 'test', connections, timeouts, warn: () => {} })
  onTestFinished(() => store.close())
  return store
}

/** Every way to open a store; each is closed when its test ends. A test opens one of a kind. */
export const adapters: readonly (readonly [string, () => Promise<Store>])[] = [
  ['SQLite in memory', openInMemory],
  ['SQLite in a file', openInFile],
  ['PostgreSQL', openOnServer],
]
