/**
 * The SQLite adapter of the store: opens one file and hands out one adapter a record kind. This folder alone
 * knows better-sqlite3.
 */
import { dirname, join } from 'node:path'
import type BetterSqlite3 from 'better-sqlite3'
import { createMemoryLife } from '../sql/memory-life.ts'
import { createSharedStores } from '../sql/store.ts'
import type { RemovalStore, Store } from '../store.ts'
import { createActivityStore } from './activity.ts'
import { Connection } from './connection.ts'
import { forgettingBeside } from './kept-copies.ts'
import { createKeyStore } from './keys.ts'
import { LiveIndex } from './live-index.ts'
import { createMaintenanceStore } from './maintenance.ts'
import { createMemoryStore } from './memories.ts'
import { createMemoryIndexes } from './memory-indexes.ts'
import { nights } from './nights.ts'
import { type OpenOptions, openConnection } from './open.ts'
import { createProjectStore } from './project-store.ts'
import { requireWhole } from './receiving.ts'
import { createRecordStore } from './record-store.ts'
import { createRemovalStore } from './removal.ts'
import { openAgain } from './reopening.ts'
import { createIndexStore } from './search.ts'
import { createSqlDatabase } from './session.ts'
import { createTransferStore } from './transfer.ts'
import { loadVectors, VectorTables } from './vectors.ts'

export interface SqliteStoreOptions extends OpenOptions {
  /** Told once when sqlite-vec cannot be loaded here and recall is by keyword only. */
  readonly warn: (message: string) => void
  /** Called where no vectors can be kept or compared, so that nothing need be embedded. */
  readonly onKeywordOnly?: () => void
}

/**
 * Opens the brain in `file`; `:memory:` gives one that ends with the process.
 * @throws BrainError `no-brain`, `storage` or `busy`, naming the remedy.
 */
export function openSqliteStore(file: string, options: SqliteStoreOptions): Promise<Store> {
  if (options.mode !== 'service') return openOnce(file, options)
  return openAgain((onLost) => openOnce(file, { ...options, onRewritten: onLost }))
}

/** What takes records out of a copy, so that they are forgotten there by the same rules. */
async function openRemoval(database: BetterSqlite3.Database): Promise<RemovalStore> {
  const connection = new Connection(database, { file: undefined, holders: () => [] })
  const missing = await loadVectors(database)
  return createRemovalStore(connection, new VectorTables(connection, missing === undefined))
}

async function openOnce(file: string, options: SqliteStoreOptions): Promise<Store> {
  const { connection, presence, file: found } = await openConnection(file, options)
  try {
    if (options.receives !== true) requireWhole(connection)
  } catch (error) {
    await connection.close()
    presence?.leave()
    throw error
  }
  const missing = await loadVectors(connection.database)
  if (missing !== undefined) {
    options.onKeywordOnly?.()
    options.warn(`sqlite-vec cannot be loaded on this platform, so recall is by keyword only (${missing})`)
  }
  const vectors = new VectorTables(connection, missing === undefined)
  const activity = createActivityStore(connection, {
    file: found === undefined ? undefined : join(dirname(found), 'tally'),
    mode: options.mode ?? 'embedded',
  })
  const own = createRemovalStore(connection, vectors)
  const removal =
    found === undefined
      ? own
      : forgettingBeside(own, { connection, file: found, openRemoval, warn: options.warn })
  const live = options.mode === 'service' ? new LiveIndex(connection, vectors) : undefined
  const sql = createSqlDatabase(connection)
  // In KiB. A process that lives fills what it is given, and no recall over 100,000 memories was slower for a quarter of it.
  if (live !== undefined) connection.database.pragma('cache_size = -2000')
  return {
    ...createSharedStores(sql, nights),
    projects: createProjectStore(connection),
    records: createRecordStore(connection),
    memories: {
      ...createMemoryStore(connection, vectors),
      ...createMemoryLife(sql, createMemoryIndexes(connection, vectors)),
    },
    removal,
    index: createIndexStore(connection, vectors, { live }),
    keys: createKeyStore(connection),
    activity,
    maintenance: createMaintenanceStore(connection, vectors, found),
    transfer: createTransferStore(connection, vectors),
    close: async () => {
      // Counts that cannot be written must not keep the file open.
      await activity.end().catch(() => {})
      await connection.close()
      presence?.leave()
    },
  }
}
