/** Errors of SQLite and of the file system in a caller's terms. Knows result codes; decides nothing about what happens next. */
import { BrainError, codeOf } from '../../core/errors.ts'

export const isBusy = (error: unknown): boolean => /^SQLITE_(BUSY|LOCKED|PROTOCOL)/.test(codeOf(error) ?? '')

/** Whether SQLite encountered damage, or contradictory records. */
export const isDamage = (error: unknown): boolean =>
  /^SQLITE_(CORRUPT|NOTADB|CONSTRAINT|MISMATCH|FORMAT)/.test(codeOf(error) ?? '')

const fullCodes = /^(SQLITE_FULL|SQLITE_IOERR_SHMSIZE|ENOSPC$|EDQUOT$)/

/** Whether there was no room, as told by our own error. */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof BrainError && fullCodes.test(codeOf(error.cause) ?? '')

/** Whether SQLite could not write beside or into a file that may well be readable. */
export const isUnwritable = (error: unknown): boolean =>
  /^SQLITE_(READONLY|CANTOPEN|FULL|IOERR)/.test(codeOf(error) ?? '')

/** Whether the disk, rights, memory or other processes are what failed, also where our own error tells of it: later it may go. */
export const isPassing = (error: unknown): boolean =>
  /^(SQLITE_(READONLY|CANTOPEN|FULL|IOERR|NOMEM|BUSY|LOCKED|PROTOCOL)|E[A-Z]+$)/.test(
    codeOf(error instanceof BrainError ? error.cause : error) ?? '',
  )

const full = 'the disk is full: nothing was written; free some space and try again'
const readOnly =
  'the brain is read-only here: nothing was written; check the permissions of its directory and files'
const contradicting =
  'the records of the brain contradict each other: nothing was written; run `brain doctor`, or restore a backup'
/** What a virtual table keeps is not there any more, or the schema is no SQL. */
const missing = /^(vtable constructor failed|malformed )/

const damaged =
  'the brain file is damaged: restore a backup (`brain restore`); `brain doctor` tells what is lost, if it can still be opened'
const unopenable =
  'the brain file cannot be opened: check that it exists and that you may read and write it and its directory'
const failing = 'the disk reported an error: nothing was written; check the disk, then try again'

/** What was to be made durable stands in the log, and the next to open the brain may find it there. */
const unsure =
  'the disk reported an error: whether this was written is not known; check the disk, look, and try again if it is not there'

const sentences: readonly (readonly [RegExp, string])[] = [
  // There is no room for the few pages that processes share about the log.
  [fullCodes, full],
  [/^(SQLITE_READONLY|EROFS$)/, readOnly],
  [/^SQLITE_(CORRUPT|NOTADB|FORMAT|MISMATCH)/, damaged],
  // What is written fits what was there, unless that is not what it was.
  [/^SQLITE_CONSTRAINT/, contradicting],
  [/^(SQLITE_CANTOPEN|EACCES$|EPERM$|ENOTDIR$|ELOOP$|ENAMETOOLONG$)/, unopenable],
  [/^SQLITE_IOERR_(DIR_)?FSYNC/, unsure],
  [/^(SQLITE_IOERR|EIO$|EFBIG$)/, failing],
  [/^SQLITE_NOMEM/, 'there is not enough memory for this'],
  [/^SQLITE_TOOBIG/, 'this is larger than the store can hold'],
  [/^(EMFILE|ENFILE)$/, 'too many files are open: close some programs and try again'],
]

/** What derived tables that are damaged make SQLite say, in a code that tells nothing. */
const derivedDamage =
  /^(no such (fts5 )?table: (main\.)?(vector|keyword|term)_\d|vtable constructor failed|fts5:|invalid fts5 file format|Internal sqlite-vec)/

/** The error to pass on: ours unchanged, SQLite's and the file system's as a sentence, anything else (a bug) unchanged. */
export function toBrainError(error: unknown): unknown {
  const code = codeOf(error)
  if (!(error instanceof Error) || code === undefined) return error
  if (code === 'SQLITE_ERROR' && missing.test(error.message)) return damage(error)
  if (isBusy(error)) return new BrainError('busy', 'store is busy, try again', { cause: error })
  const derived = code === 'SQLITE_ERROR' && derivedDamage.test(error.message)
  const sentence = derived ? damaged : sentences.find(([codes]) => codes.test(code))?.[1]
  return sentence === undefined ? error : new BrainError('storage', sentence, { cause: error })
}

/** Why a brain that could be read takes no writes: SQLite says of a read-only disk that a file could not be opened. */
export function refusalOf(error: unknown): unknown {
  const unwritable = codeOf(error)?.startsWith('SQLITE_CANTOPEN') === true
  return unwritable ? new BrainError('storage', readOnly, { cause: error }) : toBrainError(error)
}

/** The error for a file that fails its integrity check. */
export const damage = (cause?: unknown): BrainError => new BrainError('storage', damaged, { cause })
