/**
 * Opens the store of a brain by the scheme of its address. The schemes are those of `core/store-address.ts`; what a
 * database needs is loaded only for it.
 */
import { fileURLToPath } from 'node:url'
import { isDatabase } from '../core/store-address.ts'
import { openSqliteStore, type SqliteStoreOptions } from './sqlite/store.ts'
import type { Store } from './store.ts'

export interface StoreOptions extends SqliteStoreOptions {
  /** Password of the database user; absent if the driver is to find it. */
  readonly password?: string | undefined
}

const fileOf = (address: string): string => (/^file:/i.test(address) ? fileURLToPath(address) : address)

/**
 * @param address A path or `file:` URL of a file, or `postgres://user@host/database`.
 * @throws BrainError `no-brain`, `storage` or `busy`, naming the remedy.
 */
export async function openStore(address: string, options: StoreOptions): Promise<Store> {
  const { password, ...sqlite } = options
  if (!isDatabase(address)) return openSqliteStore(fileOf(address), sqlite)
  const { openPostgresStore } = await import('./postgres/store.ts')
  const { label, mode, warn, receives = false } = options
  const hurried = options.patience !== undefined
  return openPostgresStore(address, { password, label, warn, receives, hurried, ...(mode && { mode }) })
}
