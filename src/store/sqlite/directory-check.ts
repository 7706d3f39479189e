/**
 * What stands in a brain's directory, looked over before SQLite sees any of it: a cloned repository can bring all of it.
 * Knows which kinds of files a brain is made of, and what SQLite would do with a journal or a log that it finds; never
 * opens one, and changes nothing but the name of a log that belongs to a database that is gone.
 */
import {
  type BigIntStats,
  type Dir,
  type Dirent,
  lstatSync,
  opendirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { count } from '../../core/counts.ts'
import { BrainError, codeOf, reasonOf } from '../../core/errors.ts'
import { isAbandoned, isDraft } from './drafts.ts'
import { remainsOf } from './orphaned-wal.ts'
import { others } from './presence.ts'

/** What this user's processes on this machine are known to have written; kept where no repository reaches. */
export interface Provenance {
  find(directory: string): Noted | undefined
  note(directory: string, written: { database: string; log: string; trusted: boolean }): void
  /** Whether a file was last changed before the machine was started. */
  precedesRun(file: string): boolean
}

interface Noted {
  readonly database: string
  readonly log: string
  /** Whether the user said that whatever stands there is theirs. */
  readonly trusted: boolean
  /** Whether it was noted before the machine was started. */
  readonly earlier: boolean
}

const refuse = (message: string): BrainError => new BrainError('storage', message)

/** A file's identity, also after the machine was started anew, when devices may have other numbers. */
const identityOf = ({ ino, birthtimeNs }: BigIntStats): string => `${ino}:${birthtimeNs}`

const look = (path: string): BigIntStats | undefined =>
  lstatSync(path, { bigint: true, throwIfNoEntry: false })

const kinds: readonly (readonly [keyof Dirent & `is${string}`, string])[] = [
  ['isSymbolicLink', 'a symbolic link'],
  ['isFIFO', 'a pipe'],
  ['isSocket', 'a socket'],
  ['isCharacterDevice', 'a device'],
  ['isBlockDevice', 'a device'],
]

const strange = (path: string, kind: string): BrainError =>
  refuse(
    kind === 'a symbolic link'
      ? `${path} is a symbolic link, which no brain makes: look where it leads, and remove it`
      : `${path} is ${kind}, which no brain makes: remove it`,
  )

/** @throws BrainError `storage` for what is neither a file nor a directory. */
function requireOrdinary(directory: string, entry: Dirent): void {
  for (const [is, kind] of kinds) if (entry[is]()) throw strange(join(directory, entry.name), kind)
}

/**
 * What a brain writes beside its file, besides what bears the name of the database. Anything else is never opened, and
 * reported as foreign by `doctor`.
 */
const ours =
  /^(run|sessions|hooks\.log|last-recall\.json|shared|import\.db.*|tally.*|vectors-.*|readings-.*|compact-.*|config\.json.*|daemon(-[0-9a-f]{12})?\.(json|log).*|before-(schema|restore)-.*|\..*\.draft.*)$/

/** Whether a brain puts a file of this name into its directory, beside those that bear the name of the database. */
export const isOurs = (name: string): boolean => ours.test(name)

/** What SQLite opens, and the directories it stands in, its own first. */
const openedPaths = (file: string): string[] => [
  dirname(file),
  ...['', '-wal', '-shm'].map((suffix) => `${file}${suffix}`),
  join(dirname(file), 'run'),
]

/** Bits of a mode that let others write. */
const othersWrite = 0o022n

/** The permissions of what SQLite opens. @throws BrainError `storage` where others could have written it. */
function requireOwn(paths: readonly string[], { trusted }: { trusted: boolean }): void {
  const own = process.geteuid?.()
  if (own === undefined) return
  const [directory] = paths
  const owners = new Set([BigInt(own), 0n])
  for (const path of paths) {
    const stats = look(path)
    if (stats === undefined) continue
    // Whose brain may be used is decided where it is looked for: all of it has to be that one's.
    if (path === directory) owners.add(stats.uid)
    if (!owners.has(stats.uid)) {
      throw refuse(
        `${path} belongs to user ${stats.uid}, who could have written anything into it: ` +
          'remove it, or make it yours with chown',
      )
    }
    if ((stats.mode & othersWrite) !== 0n && !trusted) {
      throw refuse(
        `${path} can be written by others: run \`chmod -R go-w ${directory}\`, ` +
          `or \`brain trust ${dirname(directory ?? '')}\` where the file system knows no permissions`,
      )
    }
  }
}

/** @throws BrainError `storage` for a file that has a name elsewhere, too: what is written here would be written there. */
function requireOneName(path: string): void {
  const names = look(path)?.nlink ?? 1n
  if (names <= 1n) return
  throw refuse(`${path} has ${names} names, so that writing to it would change a file elsewhere: remove it`)
}

/** More than any brain leaves in a directory: to look at a hundred times as many takes a command minutes. */
const maxFiles = 20_000

/** @throws BrainError `storage` for more than any brain makes. */
function list(directory: string): Dirent[] {
  let handle: Dir
  try {
    handle = opendirSync(directory)
  } catch (error) {
    // What is not there brings nothing.
    const code = codeOf(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return []
    throw error
  }
  try {
    const found: Dirent[] = []
    for (let entry = handle.readSync(); entry !== null; entry = handle.readSync()) {
      found.push(entry)
      if (found.length > maxFiles)
        throw refuse(
          `${directory} holds more than ${count(maxFiles)} files, which no brain makes: remove what is not yours`,
        )
    }
    return found
  } finally {
    handle.closeSync()
  }
}

/** @throws BrainError `storage` for a directory that is a link. */
export function requireDirectory(directory: string): void {
  if (!look(directory)?.isSymbolicLink()) return
  throw refuse(
    `${directory} is a symbolic link, which no brain makes: ` +
      'name the directory that holds the real one with --dir, or remove the link',
  )
}

/** Directories in a brain's: who has it open, and what hooks know of an agent's session. */
export const directories: ReadonlySet<string> = new Set(['run', 'sessions'])

/** @throws BrainError `storage` naming what is no file in a directory of ours. */
function requireFiles(directory: string): void {
  for (const entry of list(directory)) {
    if (entry.isFile()) {
      // A session's state is only ever replaced, so that another name of it keeps what it has; and there may be hundreds.
      if (basename(directory) !== 'sessions') requireOneName(join(directory, entry.name))
      continue
    }
    requireOrdinary(directory, entry)
    throw refuse(`${join(directory, entry.name)} is a directory, which no brain makes: remove it`)
  }
}

/**
 * Looks over the entries of a brain's directory; returns whether drafts of processes that are gone are among them.
 * @throws BrainError `storage` naming the first that no brain makes.
 */
export function requireKinds(file: string): boolean {
  const directory = dirname(file)
  const name = basename(file)
  const entries = list(directory)
  for (const entry of entries) {
    const path = join(directory, entry.name)
    // What is wrong with the database itself is told by who reads its first bytes.
    if (entry.name === name) continue
    if (!entry.name.startsWith(`${name}-`) && !ours.test(entry.name)) continue
    // Vectors beside the brain are never taken through a link, and made anew.
    if (/^(vectors|compact)-/.test(entry.name) && entry.isSymbolicLink()) continue
    requireOrdinary(directory, entry)
    if (entry.isFile() === directories.has(entry.name)) {
      throw refuse(`${path} is ${entry.isFile() ? 'a file' : 'a directory'}, which no brain makes: remove it`)
    }
    if (entry.name === `${name}-journal` || entry.name === 'import.db-journal') {
      throw refuse(
        `${path} is a rollback journal, which no brain makes, and by which files outside of it can be deleted: ` +
          'it was left alone; remove it',
      )
    }
    // Copies and vectors are written once, under names of their own, and may be kept by a backup of links. A draft has two
    // names between getting the second and losing the first, and by the first it is only ever removed.
    if (entry.isFile() && !/^(vectors|compact|before)-/.test(entry.name) && !isDraft(entry.name))
      requireOneName(path)
  }
  const abandoned = entries.some(({ name: entry }) => entry.startsWith('.') && isAbandoned(entry))
  for (const { name: below } of entries.filter((entry) => directories.has(entry.name) && entry.isDirectory()))
    requireFiles(join(directory, below))
  return abandoned
}

/**
 * Whether a living process has the log in use, known by the lock that SQLite keeps on the pages shared about it: then it
 * was looked over by that process, under another home perhaps. Only Linux tells.
 */
function isInUse(file: string): boolean {
  const shared = look(`${file}-shm`)
  if (shared === undefined) return false
  try {
    // The byte on which a connection's lock says that it lives (sqlite.org/walformat.html, section 2.3).
    return new RegExp(`:${shared.ino} 128 128$`, 'm').test(readFileSync('/proc/locks', 'latin1'))
  } catch {
    return false
  }
}

/** Looks at a log that is another each time before it is refused: processes that open and close the brain make new ones. */
const maxLooks = 5

/** A brain's directory as it was looked over. */
export class DirectoryCheck {
  readonly #file: string
  readonly #provenance: Provenance | undefined
  #database: string | undefined
  /** Where the log went of a database that is not there any more. */
  setAside: string | undefined
  /** Whether this user is not known to have had the brain open on this machine. */
  isUnknown = false
  /** Why the files could not be noted as this user's. */
  unnoted: string | undefined
  /** Whether drafts of processes that are gone stand there. */
  hasAbandoned = false

  private constructor(file: string, provenance: Provenance | undefined) {
    this.#file = file
    this.#provenance = provenance
  }

  /**
   * Looks over the directory of `file`, a path without links. Without a provenance whatever log stands there is taken to be
   * the caller's own. @throws BrainError `storage` for what no brain makes, for what others could have written, and for a log
   * that came from elsewhere.
   */
  static lookOver(file: string, provenance?: Provenance): DirectoryCheck {
    const found = new DirectoryCheck(file, provenance)
    found.hasAbandoned = requireKinds(file)
    const noted = provenance?.find(dirname(file))
    requireOwn(openedPaths(file), { trusted: noted?.trusted === true })
    const database = look(file)
    found.#database = database && identityOf(database)
    // A pull can put another database into the place of one that was looked at.
    found.isUnknown = provenance !== undefined && noted?.database !== found.#database
    if (provenance !== undefined) found.#requireOwnLog(noted, provenance)
    return found
  }

  /** A log says what the database's pages are: one that another wrote would make another brain of it. */
  #requireOwnLog(noted: Noted | undefined, provenance: Provenance): void {
    let strange = this.#findStrangeLog(noted, provenance)
    for (let looks = 1; strange !== undefined; looks += 1) {
      const before: string = strange
      strange = this.#findStrangeLog(provenance.find(dirname(this.#file)), provenance)
      if (strange === undefined || (strange !== before && looks < maxLooks)) continue
      const place = dirname(dirname(this.#file))
      throw refuse(
        `${this.#file}-wal holds changes of which nothing says that they were made by you on this machine; they were left alone. ` +
          `If a process of yours was killed, \`brain trust ${place}\` takes them in; without that file the brain is as it was before them`,
      )
    }
  }

  /** A log that is not known to be this user's; undefined where none is. Another process may make or remove one meanwhile. */
  #findStrangeLog(noted: Noted | undefined, provenance: Provenance): string | undefined {
    const path = `${this.#file}-wal`
    const log = look(path)
    if (log === undefined || log.size === 0n) return undefined
    const identity = identityOf(log)
    if (noted?.log === identity) {
      if (noted.database !== this.#database) this.#setAside(path)
      return undefined
    }
    // After power loss the last note may be missing; what stood there then was not brought since.
    if (noted?.earlier && noted.database === this.#database && provenance.precedesRun(path)) return undefined
    return isInUse(this.#file) ? undefined : identity
  }

  /** The database was replaced, and its log left behind: put into another, it would destroy that one. */
  #setAside(log: string): void {
    const directory = dirname(this.#file)
    const living = others(join(directory, 'run'))
    if (living.length > 0) {
      throw refuse(
        `${this.#file} was replaced while ${living.join(', ')} had it open: ` +
          'stop that process, and use `brain restore` the next time',
      )
    }
    this.setAside = remainsOf(this.#file)
    renameSync(log, this.setAside)
    rmSync(`${this.#file}-shm`, { force: true })
  }

  /**
   * Once SQLite has opened the database and its log: notes both as this user's. @throws BrainError `storage` when it is
   * another file than was looked over.
   */
  settle(): void {
    const database = look(this.#file)
    if (database === undefined || identityOf(database) !== this.#database) {
      throw refuse(`${this.#file} was replaced while it was opened: try again`)
    }
    const provenance = this.#provenance
    if (provenance === undefined) return
    const log = look(`${this.#file}-wal`)
    const written = { database: this.#database, log: log === undefined ? '' : identityOf(log) }
    const directory = dirname(this.#file)
    const noted = provenance.find(directory)
    if (noted?.database === written.database && noted.log === written.log && !noted.earlier) return
    try {
      provenance.note(directory, { ...written, trusted: noted?.trusted === true })
    } catch (error) {
      // Where no note can be kept a crash leaves a log that the user has to say is theirs.
      this.unnoted = reasonOf(error)
    }
  }
}

/** Notes `file`, put there by this user, as a database without a log. */
export function settleAs(file: string, provenance: Provenance | undefined): void {
  const database = look(file)
  if (database === undefined || provenance === undefined) return
  const trusted = provenance.find(dirname(file))?.trusted === true
  try {
    provenance.note(dirname(file), { database: identityOf(database), log: '', trusted })
  } catch {
    // It is known by what stands there.
  }
}

/** What of a brain's directory counts as the user's own only because they say so. */
export interface Taken {
  /** The log beside the database. */
  readonly log: boolean
  /** Files that others can write, for as long as they are trusted. */
  readonly loose: boolean
}

/** Takes what stands beside `file` for the user's own. @throws BrainError `storage` for what is never opened. */
export function takeIn(file: string, provenance: Provenance): Taken {
  const directory = dirname(file)
  requireDirectory(directory)
  requireKinds(file)
  requireOwn(openedPaths(file), { trusted: true })
  const [database, log] = [look(file), look(`${file}-wal`)]
  if (database === undefined) return { log: false, loose: false }
  const loose =
    process.geteuid !== undefined &&
    openedPaths(file).some((path) => ((look(path)?.mode ?? 0n) & othersWrite) !== 0n)
  const written = { database: identityOf(database), log: log === undefined ? '' : identityOf(log) }
  provenance.note(directory, { ...written, trusted: loose })
  return { log: (log?.size ?? 0n) > 0n, loose }
}

/** Takes that back. Returns whether there was something to take back. */
export function takeBack(file: string, provenance: Provenance): boolean {
  const noted = provenance.find(dirname(file))
  if (noted === undefined || (!noted.trusted && noted.log === '')) return false
  provenance.note(dirname(file), { database: noted.database, log: '', trusted: false })
  return noted.trusted
}
