/**
 * The PostgreSQL adapter of the store: opens a database and hands out one adapter a record kind. This folder alone knows
 * the driver.
 */
import type { ProcessMode } from '../../core/process-mode.ts'
import type { Store } from '../store.ts'
import { Database, type DatabaseOptions } from './connection.ts'
import { requireReady } from './requirements.ts'

export interface PostgresStoreOptions extends DatabaseOptions {
  readonly mode?: ProcessMode
  /** Told of what is not as it should be and does not keep anything from working. */
  readonly warn: (message: string) => void
}

/**
 * Opens the brain of a database (`postgres://user@host:port/database`), which `brain store init` made ready.
 * @throws BrainError `storage` or `busy`, naming the remedy.
 */
export async function openPostgresStore(
  url: string,
  options: PostgresStoreOptions,
): Promise<Pick<Store, 'close'>> {
  const database = new Database(url, options)
  try {
    database.useExtension(await database.readAnywhere(requireReady))
  } catch (error) {
    await database.close()
    throw error
  }
  return { close: () => database.close() }
}
