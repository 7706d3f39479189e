/**
 * Recognises a brain's file by its kind and its first hundred bytes. Changes nothing, and never opens a file that this
 * process already has open: closing that descriptor would drop SQLite's locks on it.
 */
import {
  type BigIntStats,
  closeSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  statSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { pause } from '../../clock.ts'
import { BrainError } from '../../core/errors.ts'
import { dropDrafts } from './drafts.ts'
import { damage } from './faults.ts'

/** `application_id` of a brain: the bytes "brai". */
export const applicationId = 0x62726169

/** Bytes of SQLite's database header (sqlite.org/fileformat.html, section 1.3). */
const headerBytes = 100

export interface Inspection {
  /** Schema version in the file itself; a write-ahead log may contain a later one. */
  readonly version: number
  /** Whether the file is shorter than it should be and only its write-ahead log can tell why. */
  readonly doubtful: boolean
  readonly bytes: number
}

/** Names one file, whatever path leads to it. */
const identityOf = (stats: BigIntStats): string => `${stats.dev}:${stats.ino}`

/** The identity of the file at a path; undefined when there is none. */
export function identify(file: string): string | undefined {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false })
  return stats && identityOf(stats)
}

/** The coarsest times that a file system keeps (FAT: two seconds), and some more, in milliseconds. */
const coarsest = 2_500

/**
 * What stays the same for as long as no file in a directory is made, renamed or removed; undefined where the last such
 * change is so recent that the next might bear the same time.
 */
export function entriesOf(directory: string): string | undefined {
  const stats = statSync(directory, { bigint: true, throwIfNoEntry: false })
  if (stats === undefined || Math.abs(Date.now() - Number(stats.ctimeMs)) < coarsest) return undefined
  return `${identityOf(stats)}:${stats.ctimeNs}:${stats.mtimeNs}`
}

/**
 * The file that a path leads to; undefined when there is nothing yet.
 * @throws BrainError `storage` for a link, what is no regular file, and a file with several names.
 */
export function resolveFile(path: string): string | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats === undefined) return undefined
  if (stats.isSymbolicLink()) {
    const leads = statSync(path, { throwIfNoEntry: false }) !== undefined
    throw new BrainError(
      'storage',
      leads
        ? `${path} is a symbolic link, which no brain makes: name the directory that holds the real one with --dir, or remove the link`
        : `${path} is a symbolic link to nothing: remove it, or restore what it points to`,
    )
  }
  if (!stats.isFile()) throw new BrainError('storage', `${path} is not a regular file: move it away`)
  // SQLite names a write-ahead log after the path it was given: two names would be two logs for one file.
  const file = realpathSync(path)
  if (stats.nlink > 1) {
    dropDrafts(dirname(file), { sharing: file })
    const names = statSync(file).nlink
    if (names > 1) {
      throw new BrainError(
        'storage',
        `${path} has ${names} names (hard links), and using two of them would destroy it: ` +
          'copy it to a new file, and move that into its place',
      )
    }
  }
  return file
}

/** Whether some descriptor of this process, in any of its threads, is open on the file. */
function isOpenHere(file: string): boolean {
  if (process.platform === 'win32') return false
  const wanted = identify(file)
  const list = process.platform === 'linux' ? '/proc/self/fd' : '/dev/fd'
  try {
    return readdirSync(list).some((name) => {
      try {
        return identityOf(fstatSync(Number(name), { bigint: true })) === wanted
      } catch {
        // The descriptor that listed the directory is closed by now.
        return false
      }
    })
  } catch {
    return true
  }
}

function readHeader(file: string): Buffer {
  const header = Buffer.alloc(headerBytes)
  const descriptor = openSync(file, 'r')
  try {
    return header.subarray(0, readSync(descriptor, header, 0, headerBytes, 0))
  } finally {
    closeSync(descriptor)
  }
}

const bytesOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0

/** How often a file that looks truncated is checked again, and the milliseconds between: a checkpoint may be running. */
const looks = 10
const betweenLooks = 20

interface Look {
  readonly version: number
  readonly bytes: number
  readonly short: boolean
}

/** @throws BrainError `storage` for what is empty, garbled or another program's. */
function look(file: string): Look {
  if (bytesOf(file) === 0) {
    throw new BrainError(
      'storage',
      `${file} is empty: restore a backup, or remove it and run \`brain init\` to start over`,
    )
  }
  const header = readHeader(file)
  if (header.length < headerBytes || header.toString('latin1', 0, 16) !== 'SQLite format 3\0') {
    throw new BrainError(
      'storage',
      `${file} is not a brain, or its beginning is damaged: restore a backup, or move it away`,
    )
  }
  if (header.readUInt32BE(68) !== applicationId) {
    throw new BrainError('storage', `${file} is a database of another program, not a brain: move it away`)
  }
  const declared = header.readUInt16BE(16)
  const pageSize = declared === 1 ? 65_536 : declared
  const version = header.readUInt32BE(60)
  if (pageSize < 512 || (pageSize & (pageSize - 1)) !== 0 || version === 0) throw damage()
  const bytes = bytesOf(file)
  return { version, bytes, short: bytes < header.readUInt32BE(28) * pageSize }
}

/**
 * What the file says of itself; undefined when this process has it open already and so knows it. Where it is open `onlyHere`
 * one knows that it has not: to look at each of its descriptors takes a cold command a quarter of a millisecond.
 * @throws BrainError `storage` for what is empty, cut short, garbled or another program's.
 */
export async function inspect(file: string, { onlyHere = false } = {}): Promise<Inspection | undefined> {
  if (!onlyHere && isOpenHere(file)) return undefined
  let { version, bytes, short } = look(file)
  // A checkpoint under way writes the first page, which tells the length, before the last.
  for (let again = 1; short && again < looks; again += 1) {
    await pause(betweenLooks)
    if (!onlyHere && isOpenHere(file)) return undefined
    ;({ version, bytes, short } = look(file))
  }
  if (short && bytesOf(`${file}-wal`) === 0) {
    throw new BrainError('storage', `${file} is cut short: run \`brain doctor\`, or restore a backup`)
  }
  return { version, doubtful: short, bytes }
}

/** Whether the file's write-ahead log holds anything. */
export const hasLog = (file: string): boolean => bytesOf(`${file}-wal`) > 0
