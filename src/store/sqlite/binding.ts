/**
 * Opens databases with the compiled SQLite that came with the package, or was built into it, for this platform and this Node's
 * binary interface. Knows nothing of what is in them.
 */
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { BrainError } from '../../core/errors.ts'
import { findFile } from '../../installed-files.ts'

/** Whose release's JavaScript is bundled: no other's binary is ever loaded. */
const name = `better-sqlite3-${process.platform}-${process.arch}-${process.versions.modules}.node`

/** Why a compiled SQLite cannot be loaded here: another C library, another Node. Undefined for any other error. */
function refusal(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && error.code === 'ERR_DLOPEN_FAILED'
    ? error.message.split('\n', 1)[0]
    : undefined
}

let loaded = ''

/** The compiled SQLite that this process uses, for a thread of it; empty before it opened a database. */
export const addonFile = (): string => loaded

/** @throws BrainError `storage` when no compiled SQLite loads here, with the command that builds one. */
function loadAddon(): object {
  const file = findFile(join('native', name))
  let why = ''
  if (file !== undefined) {
    const module = { exports: {} }
    try {
      // Not by `require`, which reads the manifests around it first.
      process.dlopen(module, file)
      loaded = file
      return module.exports
    } catch (error) {
      const reason = refusal(error)
      if (reason === undefined) throw error
      why = ` (${reason})`
    }
  }
  const builder = findFile(join('packaging', 'native.js')) ?? 'packaging/native.js'
  const quoted = /\s/.test(builder) ? `"${builder}"` : builder
  throw new BrainError(
    'storage',
    `no compiled SQLite for ${process.platform}-${process.arch} and Node ${process.versions.node} came with brain${why}: ` +
      `build it with \`node ${quoted}\` (docs/installing.md)`,
  )
}

let addon: object | undefined

/**
 * What every connection begins with, before it reads anything: any file may come from a stranger, so its schema calls nothing
 * that could do harm, and its pages are looked at twice. The driver adds SQLite's defensive mode by itself.
 */
export const distrust = 'PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON;'

/** As better-sqlite3's own constructor. @throws BrainError `storage` when no compiled SQLite loads here. */
export function loadDatabase(
  file: string | Buffer,
  options: BetterSqlite3.Options = {},
): BetterSqlite3.Database {
  addon ??= loadAddon()
  // Better-sqlite3 takes what was loaded as well as its path, of which alone its types know.
  return new BetterSqlite3(file, { ...options, nativeBinding: addon as unknown as string }).exec(distrust)
}

/** Older releases can corrupt a WAL when checkpoints race (sqlite.org/wal.html, "the WAL-reset bug"). */
const oldestSqlite = [3, 51, 3] as const

export const sqliteVersion = (database: BetterSqlite3.Database): string =>
  (database.prepare('SELECT sqlite_version() AS version').get() as { version: string }).version

/** @throws BrainError `storage` for a release of SQLite that can corrupt a brain. */
export function requireSqlite(version: string): void {
  const parts = version.split('.').map(Number)
  for (const [at, oldest] of oldestSqlite.entries()) {
    if ((parts[at] ?? 0) > oldest) return
    if ((parts[at] ?? 0) < oldest) {
      throw new BrainError(
        'storage',
        `SQLite ${version} can corrupt a brain; at least ${oldestSqlite.join('.')} is needed: reinstall better-sqlite3`,
      )
    }
  }
}
