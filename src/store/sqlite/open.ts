/**
 * Opens a brain's file or says in one sentence why not. Knows pragmas, schema versions and what to do after an
 * unclean stop; leaves a file that is not ours byte for byte as it was.
 */

import { dirname, join } from 'node:path'
import type BetterSqlite3 from 'better-sqlite3'
import { pause } from '../../clock.ts'
import { BrainError } from '../../core/errors.ts'
import type { ProcessMode } from '../../core/process-mode.ts'
import { keepOutOfGit, makeDirectories } from '../../make-directories.ts'
import { loadDatabase, requireSqlite, sqliteVersion } from './binding.ts'
import { requireFewEntries, requireModest, requireModestFile, requireShortRows } from './bounds.ts'
import { Connection } from './connection.ts'
import { copyInto, openImage } from './copy.ts'
import { DirectoryCheck, type Provenance, requireDirectory } from './directory-check.ts'
import { createDraft, discard, dropDrafts, publish } from './drafts.ts'
import { damage, isBusy, isUnwritable, refusalOf, toBrainError } from './faults.ts'
import { FileGuard } from './file-guard.ts'
import { applicationId, hasLog, type Inspection, inspect, resolveFile } from './inspection.ts'
import { busyError, busyTimeout, retryWhileBusy } from './locks.ts'
import { type Migrations, migrate, migrations } from './migrations.ts'
import { requireOwnSchema } from './own-schema.ts'
import { type Ending, enter, others, type Presence, WaitingSignal } from './presence.ts'
import { isRewritingDue, rewritePages } from './rewriting.ts'
import { dropStagingFile } from './staging-file.ts'

/**
 * Above this size (a check takes some 8 ms a MB) the mere death of a process, which cannot harm the file, brings no
 * check on, and power loss one that is announced.
 */
const quickCheckBytes = 64 * 2 ** 20

/** How long one process may take to bring an older brain up to date before the others give up, in milliseconds. */
const upgradeTimeout = 60_000

/** A log that a large import has blown up shrinks back to this. */
const logBytes = 64 * 2 ** 20

export interface OpenOptions {
  /** `full`: an acknowledged write survives power loss. `normal`: it survives the death of the process only. */
  readonly durability: 'full' | 'normal'
  /** Milliseconds to wait for a locked store, where nobody can wait for as long as the busy timeout. */
  readonly patience?: number | undefined
  /** Makes a new brain where there is no file. */
  readonly create: boolean
  /** `embedded` when absent. In `oneshot` nothing else in this process can have the file open. */
  readonly mode?: ProcessMode
  /** What this process is doing, for those who wait for its lock: `brain serve`. */
  readonly label: string
  /** Told of what takes long. */
  readonly warn?: (message: string) => void
  /** What this user is known to have written; without it, a log beside the brain is taken to be the caller's own. */
  readonly provenance?: Provenance
  /** Opens a brain of which only a part has arrived too, to go on with its copy. */
  readonly receives?: boolean
  /** Told once that another program wrote into the file, and that nothing can be had from this connection any more. */
  readonly onRewritten?: () => void
  /** The schema to open with, for upgrades under test. */
  readonly migrations?: Migrations
}

export interface Opened {
  readonly connection: Connection
  /** Where the brain is, links followed; undefined when it is held in memory. */
  readonly file: string | undefined
  readonly presence: Presence | undefined
}

/** Longest path that SQLite opens, in bytes, with `-journal` behind it. */
const maxPath = 512 - '-journal'.length

const schemaOf = (database: BetterSqlite3.Database): number =>
  Number(database.pragma('user_version', { simple: true }))

/** Puts a whole new brain at `path` in one step; another process may be first with the same. */
function createBrain(path: string, steps: Migrations): void {
  if (makeDirectories(dirname(path))) keepOutOfGit(dirname(path))
  dropDrafts(dirname(path))
  const draft = createDraft(path)
  let database: BetterSqlite3.Database | undefined
  try {
    database = loadDatabase(draft)
    // Nobody sees the draft before it is whole and durable, so it needs neither journal nor waiting for the disk.
    database.pragma('journal_mode = MEMORY')
    database.pragma('synchronous = OFF')
    database.exec('BEGIN')
    migrate(database, 0, steps)
    database.exec('COMMIT')
    database.pragma('journal_mode = WAL')
    database.close()
    publish(draft, path)
  } catch (error) {
    database?.close()
    discard(draft)
    throw error
  }
}

/** Setting the journal mode passes the busy handler by, so the first openers of a file must take turns. */
async function useWal(database: BetterSqlite3.Database): Promise<void> {
  const deadline = Date.now() + busyTimeout
  while ((await retryWhileBusy(() => database.pragma('journal_mode = WAL', { simple: true }))) !== 'wal') {
    if (Date.now() >= deadline)
      throw new BrainError('storage', 'the file system cannot keep a write-ahead log')
    await pause(2 + Math.random() * 8)
  }
}

/** What a file says of itself through SQLite. What is not ours, or not of a size of ours, is refused before any of it is used. */
function introduce(database: BetterSqlite3.Database, { file, steps, isUnknown }: Settings): number {
  // Of one moment: another process may bring the schema up to date between its version and itself.
  return database.transaction((): number => {
    if (database.pragma('application_id', { simple: true }) !== applicationId) throw damage()
    const version = schemaOf(database)
    if (version > steps.length) return version
    requireOwnSchema(database, { file, version, steps })
    if (isUnknown) requireModest(database, file)
    return version
  })()
}

/** Reads the whole file through a connection that cannot change it. @throws BrainError `storage`. */
async function quickCheck(settings: Settings): Promise<void> {
  const database = loadDatabase(settings.file, { readonly: true, timeout: 0 })
  try {
    await retryWhileBusy(() => introduce(database, settings))
    const verdict = await retryWhileBusy(() => database.pragma('quick_check(1)', { simple: true }))
    if (verdict !== 'ok') throw damage()
  } finally {
    database.close()
  }
}

/**
 * Reads the whole of a copy that nobody else knows of, which came as `named`. @throws BrainError `storage` for what is damaged,
 * newer, or not of our making.
 */
export function requireSound(
  copy: string,
  { named, options }: { named: string; options: OpenOptions },
): void {
  const steps = options.migrations ?? migrations
  requireFewEntries(copy)
  const database = loadDatabase(copy, { timeout: 0 })
  try {
    requireSchema(named, introduce(database, { file: named, steps, options, isUnknown: false }), steps.length)
    if (database.pragma('quick_check(1)', { simple: true }) !== 'ok') {
      throw new BrainError('storage', `${named} is damaged: restore another backup`)
    }
    requireShortRows(database, named)
  } finally {
    database.close()
  }
}

/** Whether to read the whole file before it is used. */
const needsCheck = (inspection: Inspection | undefined, ending: Ending): boolean =>
  inspection?.doubtful === true ||
  ending === 'power-lost' ||
  (ending === 'crashed' && inspection !== undefined && inspection.bytes <= quickCheckBytes)

function requireSchema(file: string, version: number, known: number): void {
  if (version <= known) return
  throw new BrainError(
    'storage',
    `${file} was written by a newer brain (schema ${version}, this one knows ${known}): upgrade brain`,
  )
}

/** Closes without the checkpoint that the last one to leave makes: the file stays as it was. */
function closeUntouched(database: BetterSqlite3.Database, file: string): void {
  const bystander = loadDatabase(file, { readonly: true, timeout: 0 })
  try {
    schemaOf(bystander)
    database.close()
  } finally {
    bystander.close()
  }
}

interface Settings {
  readonly file: string
  readonly steps: Migrations
  readonly options: OpenOptions
  /** Whether this user is not known to have had this very file open on this machine. */
  readonly isUnknown: boolean
}

/** Opens for reading and writing. @throws SQLite's errors when the place does not allow it. */
async function openWritable(settings: Settings, settle: () => void): Promise<BetterSqlite3.Database> {
  const { file, steps, options } = settings
  const database = loadDatabase(file, { timeout: 0 })
  try {
    // Any first statement reads the schema, and the last to close a brain holds the whole file for a moment.
    requireSqlite(await retryWhileBusy(() => sqliteVersion(database)))
    const version = await retryWhileBusy(() => introduce(database, settings))
    if (version > steps.length) {
      closeUntouched(database, file)
      requireSchema(file, version, steps.length)
    }
    await useWal(database)
    database.pragma(`synchronous = ${options.durability === 'normal' ? 'NORMAL' : 'FULL'}`)
    database.pragma(`journal_size_limit = ${logBytes}`)
    applyPragmas(database)
    if (version < steps.length) {
      // Killed in the middle it leaves a log, which has to be known as this user's own by then.
      settle()
      await upgrade(database, settings)
    }
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

function applyPragmas(database: BetterSqlite3.Database): void {
  database.pragma('foreign_keys = ON')
  // Deleted content is overwritten with zeros: what is forgotten leaves no byte behind.
  database.pragma('secure_delete = ON')
  // In KiB. Twice as much, as better-sqlite3 has it, made no recall quicker: the system keeps the file's pages too.
  database.pragma('cache_size = -8000')
  // No text in temporary files either.
  database.pragma('temp_store = MEMORY')
}

/** One process at a time, in one transaction, with a copy made first; killed anywhere it leaves old or new. */
async function upgrade(database: BetterSqlite3.Database, { file, steps }: Settings): Promise<void> {
  await retryWhileBusy(() => database.exec('BEGIN IMMEDIATE'), { limit: upgradeTimeout })
  try {
    const current = schemaOf(database)
    if (current < steps.length) {
      const copy = join(dirname(file), `before-schema-${steps.length}-from-${current}-${Date.now()}.db`)
      await copyInto(copy, database)
      migrate(database, current, steps)
    }
    database.exec('COMMIT')
  } catch (error) {
    if (database.inTransaction) database.exec('ROLLBACK')
    throw error
  }
  // The file itself, and not its log alone, should tell an older brain that it is too old.
  database.pragma('wal_checkpoint(TRUNCATE)')
}

/** The brain as a copy in memory, without its directory having to be written to; older schemas are upgraded there. */
function openReadOnly(settings: Settings): BetterSqlite3.Database {
  const { file, steps } = settings
  const database = openImage(file)
  try {
    requireSqlite(sqliteVersion(database))
    const version = introduce(database, settings)
    applyPragmas(database)
    requireSchema(file, version, steps.length)
    if (version < steps.length) migrate(database, version, steps)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

interface OpenedDatabase {
  readonly database: BetterSqlite3.Database
  /** Why it takes no writes. */
  readonly refusal?: BrainError
}

async function openDatabase(
  settings: Settings,
  { inspection, settle }: { inspection: Inspection | undefined; settle: () => void },
): Promise<OpenedDatabase> {
  try {
    return { database: await openWritable(settings, settle) }
  } catch (error) {
    // Nothing can be written beside the file (read-only, full): it is read where it is.
    const refusal = refusalOf(error)
    const readable = isUnwritable(error) && inspection !== undefined && !hasLog(settings.file)
    if (!readable || !(refusal instanceof BrainError)) throw error
    return { database: openReadOnly(settings), refusal }
  }
}

async function openFile(path: string, options: OpenOptions): Promise<Opened> {
  const steps = options.migrations ?? migrations
  if (Buffer.byteLength(path) > maxPath)
    throw new BrainError(
      'storage',
      `${path} is a longer path than SQLite opens: move the brain nearer to the root`,
    )
  requireDirectory(dirname(path))
  let file = resolveFile(path)
  if (file === undefined) {
    if (!options.create) throw new BrainError('no-brain', `no brain at ${path}: run \`brain init\``)
    DirectoryCheck.lookOver(path, options.provenance)
    createBrain(path, steps)
    file = resolveFile(path) ?? path
  }
  const inspection = await inspect(file, { onlyHere: options.mode === 'oneshot' })
  if (inspection !== undefined) requireSchema(file, inspection.version, steps.length)
  const directoryCheck = DirectoryCheck.lookOver(file, options.provenance)
  if (directoryCheck.setAside !== undefined) {
    options.warn?.(
      `${file} was replaced beside the log of the one before, which is kept as ${directoryCheck.setAside}: restore with \`brain restore\` the next time`,
    )
  }
  const { isUnknown } = directoryCheck
  const settings = { file, steps, options, isUnknown }
  // A file that this process has open was looked at when it was opened first.
  if (isUnknown && inspection !== undefined) requireModestFile(file)
  const directory = join(dirname(file), 'run')
  // An import that was begun elsewhere is worth nothing here, and its log could hold any schema.
  if (isUnknown && others(directory).length === 0) dropStagingFile(join(dirname(file), 'import.db'))
  const presence = enter(directory, options.label)
  try {
    if (needsCheck(inspection, presence.ending)) {
      if ((inspection?.bytes ?? 0) > quickCheckBytes) {
        options.warn?.('checking the brain, which was not closed before the machine stopped')
      }
      await quickCheck(settings).catch((error) => {
        if (!isUnwritable(error) || hasLog(file)) throw error
      })
    }
    const { database, refusal } = await openDatabase(settings, {
      inspection,
      settle: () => directoryCheck.settle(),
    })
    try {
      directoryCheck.settle()
    } catch (error) {
      database.close()
      throw error
    }
    if (directoryCheck.unnoted !== undefined && options.mode === 'service')
      options.warn?.(
        `${directoryCheck.unnoted}: until then what a killed process wrote last is taken in by \`brain trust\` alone`,
      )
    const connection = new Connection(database, {
      file: database.memory ? undefined : file,
      holders: () => others(directory),
      refusal,
      waiting: new WaitingSignal(directory),
      oneshot: options.mode === 'oneshot',
      patience: options.patience,
      guard: database.memory ? undefined : new FileGuard(file),
      onRewritten: options.onRewritten,
    })
    if (presence.ending !== 'clean') {
      // A process that died while it forgot something may have left the text in the log, or half a copy.
      await (isRewritingDue(connection) ? rewritePages(connection) : connection.scrub()).catch(() => {})
    }
    if (presence.ending !== 'clean' || directoryCheck.hasAbandoned) dropDrafts(dirname(file))
    presence.settle()
    return { connection, presence, file: database.memory ? undefined : file }
  } catch (error) {
    presence.leave()
    throw isBusy(error) ? busyError(others(directory), error) : error
  }
}

function openMemory(options: OpenOptions): Opened {
  const steps = options.migrations ?? migrations
  const database = loadDatabase(':memory:')
  requireSqlite(sqliteVersion(database))
  applyPragmas(database)
  migrate(database, 0, steps)
  const connection = new Connection(database, { file: undefined, holders: () => [] })
  return { connection, presence: undefined, file: undefined }
}

/**
 * Opens the brain at `file` (`:memory:` for one that lives with the process).
 * @throws BrainError `no-brain` when there is none and `create` is off, `storage` when it cannot be used,
 * `busy` when others hold it for longer than the busy timeout.
 */
export async function openConnection(file: string, options: OpenOptions): Promise<Opened> {
  try {
    return file === ':memory:' ? openMemory(options) : await openFile(file, options)
  } catch (error) {
    throw toBrainError(error)
  }
}
