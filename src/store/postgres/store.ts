/**
 * The PostgreSQL adapter of the store: opens a database and provides one adapter per record kind. This folder alone knows
 * the driver.
 */
import type { ProcessMode } from '../../core/process-mode.ts'
import { createMemoryLife } from '../sql/memory-life.ts'
import { createRecordStore } from '../sql/records.ts'
import { createSharedStores } from '../sql/store.ts'
import type { Store } from '../store.ts'
import { createActivityStore } from './activity.ts'
import { Database, type DatabaseOptions } from './connection.ts'
import { createKeyStore } from './keys.ts'
import { createMaintenanceStore } from './maintenance.ts'
import { createMemoryStore } from './memories.ts'
import { memoryIndexes } from './memory-indexes.ts'
import { nights } from './nights.ts'
import { createProjectStore } from './projects.ts'
import { createRemovalStore } from './removal.ts'
import { requireReady, requireUsable } from './requirements.ts'
import { createIndexStore } from './search.ts'
import { createSqlDatabase } from './session.ts'
import { createTransferStore } from './transfer.ts'

export interface PostgresStoreOptions extends DatabaseOptions {
  readonly mode?: ProcessMode
  /** Opens a brain of which only a part has arrived too, to go on with its copy. */
  readonly receives?: boolean
  /** Told of what is not as it should be and does not keep anything from working. */
  readonly warn: (message: string) => void
}

/**
 * Opens the brain of a database (`postgres://user@host:port/database`), which `brain store init` made ready.
 * @throws BrainError `storage` or `busy`, naming the remedy.
 */
export async function openPostgresStore(url: string, options: PostgresStoreOptions): Promise<Store> {
  const database = new Database(url, options)
  try {
    const { receives = false } = options
    database.useExtension(await database.readAnywhere((transaction) => requireReady(transaction, receives)))
    // Another version's `brain store init` may take the schema further while this process runs, or somebody copy into it.
    database.admit((client) => requireUsable(client, receives))
  } catch (error) {
    await database.close()
    throw error
  }
  return createPostgresStore(database, options.mode ?? 'embedded')
}

/** The adapters over a database that was found to be ready, which closes with them. */
export function createPostgresStore(database: Database, mode: ProcessMode): Store {
  const sql = createSqlDatabase(database)
  const activity = createActivityStore(sql, mode)
  return {
    ...createSharedStores(sql, nights),
    projects: createProjectStore(database),
    records: createRecordStore(sql),
    memories: { ...createMemoryStore(database), ...createMemoryLife(sql, memoryIndexes) },
    removal: createRemovalStore(sql),
    index: createIndexStore(database),
    keys: createKeyStore(database),
    activity,
    maintenance: createMaintenanceStore(database),
    transfer: createTransferStore(database),
    close: async () => {
      // Counts that cannot be written must not keep the connections open.
      await activity.end().catch(() => {})
      await database.close()
    },
  }
}
