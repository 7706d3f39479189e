/**
 * Opens a brain's file or says in one sentence why not. Knows file kinds, pragmas, schema versions and
 * permissions; leaves a file that is not ours byte for byte as it was.
 */
import { chmodSync, closeSync, lstatSync, openSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import BetterSqlite3 from 'better-sqlite3'
import { BrainError } from '../../core/errors.ts'
import { busyTimeout, Connection } from './connection.ts'
import { isBusy, toBrainError } from './faults.ts'
import { applicationId, migrate, schemaVersion } from './migrations.ts'
import { enter, others, type Presence } from './presence.ts'

/** Older releases can corrupt a WAL when checkpoints race (sqlite.org/wal.html, "the WAL-reset bug"). */
const oldestSqlite = [3, 51, 3] as const

export interface OpenOptions {
  /** `full`: an acknowledged write survives power loss. `normal`: it survives the death of the process only. */
  readonly durability: 'full' | 'normal'
  /** Makes a new brain where there is no file. */
  readonly create: boolean
  /** What this process is doing, for those who wait for its lock: `brain serve`. */
  readonly label: string
}

export interface Opened {
  readonly connection: Connection
  readonly presence: Presence | undefined
}

const sqliteVersion = (database: BetterSqlite3.Database): string =>
  (database.prepare('SELECT sqlite_version() AS version').get() as { version: string }).version

function requireSqlite(version: string): void {
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

/** Refuses what is no regular file; true when there is none yet. */
function isAbsent(file: string): boolean {
  const link = lstatSync(file, { throwIfNoEntry: false })
  if (link === undefined) return true
  const target = statSync(file, { throwIfNoEntry: false })
  if (target === undefined) {
    throw new BrainError(
      'storage',
      `${file} is a symbolic link to nothing: remove it, or restore what it points to`,
    )
  }
  if (!target.isFile()) throw new BrainError('storage', `${file} is not a regular file: move it away`)
  return false
}

/** Looks at a file that exists without changing it. Returns its schema version; 0 for an empty file. */
function probe(file: string): number {
  if (statSync(file).size === 0) return 0
  let database: BetterSqlite3.Database | undefined
  try {
    database = new BetterSqlite3(file, { readonly: true, timeout: busyTimeout })
    const found = database.pragma('application_id', { simple: true })
    const version = Number(database.pragma('user_version', { simple: true }))
    if (found !== applicationId) {
      throw new BrainError('storage', `${file} is a database of another program, not a brain: move it away`)
    }
    if (version > schemaVersion) {
      throw new BrainError(
        'storage',
        `${file} was written by a newer brain (schema ${version}, this one knows ${schemaVersion}): upgrade brain`,
      )
    }
    return version
  } finally {
    database?.close()
  }
}

/** Owner only, whatever the umask; SQLite gives its sidecars the permissions of the database. */
function createFile(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600))
    chmodSync(file, 0o600)
  } catch (error) {
    // Another process was first; its file will do.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/** Setting the journal mode passes the busy handler by, so the first openers of a file must take turns. */
async function useWal(database: BetterSqlite3.Database): Promise<void> {
  const deadline = Date.now() + busyTimeout
  for (;;) {
    try {
      if (database.pragma('journal_mode = WAL', { simple: true }) === 'wal') return
    } catch (error) {
      if (!isBusy(error) || Date.now() >= deadline) throw error
    }
    if (Date.now() >= deadline)
      throw new BrainError('storage', 'the file system cannot keep a write-ahead log')
    await sleep(2 + Math.random() * 8)
  }
}

function quickCheck(database: BetterSqlite3.Database): void {
  const verdict = database.pragma('quick_check(1)', { simple: true })
  if (verdict === 'ok') return
  throw new BrainError('storage', 'the brain file is damaged: run `brain doctor`, or restore a backup')
}

/** A copy beside the brain before its schema changes; kept until the user removes it. */
function backUp(database: BetterSqlite3.Database, file: string, version: number): void {
  const copy = join(dirname(file), `before-schema-${schemaVersion}-from-${version}-${Date.now()}.db`)
  database.prepare('VACUUM INTO ?').run(copy)
  chmodSync(copy, 0o600)
}

async function upgrade(connection: Connection, file: string, version: number): Promise<void> {
  if (version > 0) backUp(connection.database, file, version)
  await connection.write(() => {
    const current = Number(connection.database.pragma('user_version', { simple: true }))
    if (current < schemaVersion) migrate(connection.database, current)
  })
}

/**
 * Opens the brain at `file` (`:memory:` for one that lives with the process).
 * @throws BrainError `no-brain` when there is none and `create` is off, `storage` when it cannot be used.
 */
export async function openConnection(file: string, options: OpenOptions): Promise<Opened> {
  const inMemory = file === ':memory:'
  let presence: Presence | undefined
  let database: BetterSqlite3.Database | undefined
  try {
    let version = 0
    if (!inMemory) {
      if (isAbsent(file)) {
        if (!options.create) throw new BrainError('no-brain', `no brain at ${file}: run \`brain init\``)
        createFile(file)
      }
      version = probe(file)
      presence = enter(join(dirname(file), 'run'), options.label)
    }
    database = new BetterSqlite3(file, { timeout: 0 })
    requireSqlite(sqliteVersion(database))
    if (!inMemory) await useWal(database)
    database.pragma(`synchronous = ${options.durability === 'normal' ? 'NORMAL' : 'FULL'}`)
    database.pragma('foreign_keys = ON')
    // Deleted content is overwritten with zeros: what is forgotten leaves no byte behind.
    database.pragma('secure_delete = ON')
    database.pragma('trusted_schema = OFF')
    if (presence?.unclean) quickCheck(database)
    presence?.settle()
    const connection = new Connection(database, file)
    if (version < schemaVersion) await upgrade(connection, file, version)
    return { connection, presence }
  } catch (error) {
    database?.close()
    presence?.leave()
    const known = toBrainError(error)
    if (known instanceof BrainError && known.kind === 'busy') {
      const holders = others(join(dirname(file), 'run'))
      const who = holders.length > 0 ? `; it is held by ${holders.join(', ')}` : ''
      throw new BrainError('busy', `store is busy, try again${who}`, { cause: error })
    }
    throw known
  }
}
