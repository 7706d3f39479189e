/** The log file of a daemon without a terminal: how it is opened, and kept from growing without end. */
import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { daemonLogIn } from '../config/daemon-note.ts'
import { cannotKeep } from '../config/file-faults.ts'
import { BrainError } from '../core/errors.ts'
import { direct } from '../direct-files.ts'

/** Bytes of the log after which what it holds is moved aside, to `daemon.log.1`. */
const longLog = 1024 * 1024

/** Bytes that a character, as JavaScript counts them, has at most. */
const bytesPerCharacter = 3

/** Appends to an existing log; a long one is moved aside first. @throws BrainError `storage`. */
export function openLog(directory: string): { file: number; size: number } {
  const path = daemonLogIn(directory)
  const open = () => {
    // A link or a pipe that a repository brought in the log's place is not followed, and not waited for.
    const file = openSync(path, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | direct, 0o600)
    const found = fstatSync(file)
    if (found.isFile()) return { file, size: found.size }
    closeSync(file)
    throw new BrainError('storage', `${path} is no file, which no brain makes: remove it`)
  }
  try {
    const log = open()
    if (log.size <= longLog) return log
    closeSync(log.file)
    renameSync(path, `${path}.1`)
    return open()
  } catch (error) {
    throw error instanceof BrainError
      ? error
      : cannotKeep(path, error, '`brain serve` without --detach needs no log')
  }
}

/** How long the log is that `descriptor` writes to; undefined where it writes elsewhere. */
function sizeOfLog(path: string, descriptor: number): number | undefined {
  const [own, log] = [fstatSync(descriptor), statSync(path, { throwIfNoEntry: false })]
  return own.isFile() && own.ino === log?.ino && own.dev === log.dev ? own.size : undefined
}

/**
 * Counts the characters written to `descriptor`, standard error when absent, and where that is the daemon's log moves aside
 * what it holds once it is long. The file stays the same, since others have it open to append to.
 */
export function createTrim(directory: string, descriptor = 2): (written: number) => void {
  const path = daemonLogIn(directory)
  let size = sizeOfLog(path, descriptor)
  return (written) => {
    if (size === undefined) return
    size += bytesPerCharacter * written
    if (size <= longLog) return
    try {
      // It may be long by now: how long it is the file knows, into which others write, too.
      size = fstatSync(descriptor).size
      if (size <= longLog) return
      const held = Buffer.alloc(size)
      const read = readSync(descriptor, held, 0, held.length, 0)
      // What a repository brought in its place, a link, say, is not written through.
      rmSync(`${path}.1`, { force: true })
      writeFileSync(`${path}.1`, held.subarray(0, read), { mode: 0o600, flag: 'wx' })
      ftruncateSync(descriptor, 0)
      size = 0
    } catch {
      // A log that cannot be moved aside is written to all the same.
      size = undefined
    }
  }
}
