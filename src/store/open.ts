/**
 * Opens the store of a brain, whatever kind it is: by the scheme of its address. The one place that knows that there is more
 * than one kind; what a brain in a database needs is loaded for it alone.
 */
import { fileURLToPath } from 'node:url'
import { openSqliteStore, type SqliteStoreOptions } from './sqlite/store.ts'
import type { Store } from './store.ts'

export interface StoreOptions extends SqliteStoreOptions {
  /** Of a database's user; absent where the driver is to find it. */
  readonly password?: string | undefined
}

/** Whether an address is that of a database, and not of a file. */
export const isDatabase = (address: string): boolean => /^postgres(ql)?:/i.test(address)

const fileOf = (address: string): string => (/^file:/i.test(address) ? fileURLToPath(address) : address)

/**
 * @param address A path or `file:` URL of a file, or `postgres://user@host/database`.
 * @throws BrainError `no-brain`, `storage` or `busy`, naming the remedy.
 */
export async function openStore(address: string, options: StoreOptions): Promise<Store> {
  const { password, ...sqlite } = options
  if (!isDatabase(address)) return openSqliteStore(fileOf(address), sqlite)
  const { openPostgresStore } = await import('./postgres/store.ts')
  const { label, mode, warn } = options
  return openPostgresStore(address, { password, label, warn, ...(mode && { mode }) })
}
