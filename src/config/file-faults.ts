/**
 * Errors about a file named by the user, with messages that name it and the remedy. Knows the system's error codes;
 * nothing about the purpose of the file.
 */
import { dirname } from 'node:path'
import { BrainError, codeOf, reasonOf } from '../core/errors.ts'

const reasons: Readonly<Record<string, string>> = {
  EEXIST: 'it exists already: choose another name',
  EISDIR: 'it is a directory: name a file',
  ENOTDIR: 'part of its path is a file, not a directory: check the path',
  EACCES: 'permission is denied: check who may use it and its directory',
  EPERM: 'permission is denied: check who may use it and its directory',
  EROFS: 'the file system is read-only: choose another place',
  ENOSPC: 'the disk is full: free some space and try again',
  EDQUOT: 'your share of the disk is full: free some space and try again',
  EFBIG: 'it would be larger than a file may be here: choose another place',
  ELOOP: 'its links lead round in a circle: name the file itself',
  ENAMETOOLONG: 'its name is too long: choose a shorter one',
  EMFILE: 'too many files are open: close some programs and try again',
  ENFILE: 'too many files are open: close some programs and try again',
  EBUSY: 'it is in use: try again later',
  ETXTBSY: 'it is in use: try again later',
  EIO: 'the disk reported an error: check the disk, then try again',
}

function faultOf(error: unknown, absent: string): string {
  const code = codeOf(error) ?? ''
  if (code === 'ENOENT') return absent
  return (Object.hasOwn(reasons, code) && reasons[code]) || reasonOf(error)
}

/** Whether it is an error of the system rather than a bug. */
export const isFileFault = (error: unknown): error is Error & { readonly code: string } =>
  error instanceof Error && 'syscall' in error && codeOf(error) !== undefined

/**
 * What the system refused, and the remedy, of an error that nobody worded where it arose; undefined where it may be a bug.
 */
export function describeFault(error: unknown): string | undefined {
  const reason = isFileFault(error) ? reasons[error.code] : undefined
  if (reason === undefined) return undefined
  const { path } = error as NodeJS.ErrnoException
  return path === undefined ? reason : `cannot use ${path}: ${reason}`
}

const noDirectory = (path: string): string =>
  `there is no directory ${dirname(path)}: make it, or choose another place`

/** The reason `file` could not be written, as an error of kind `failed`. */
export const cannotWrite = (file: string, error: unknown): BrainError =>
  new BrainError('failed', `cannot write ${file}: ${faultOf(error, noDirectory(file))}`, { cause: error })

/**
 * The reason a file that goes with a brain could not be written, as an error of kind `storage`. `readOnly` is the remedy on a
 * file system that is: there is no other place for such a file.
 */
export const cannotKeep = (
  file: string,
  error: unknown,
  readOnly = 'a brain there can be read, and keeps nothing',
): BrainError => {
  const reason =
    codeOf(error) === 'EROFS'
      ? `the file system is read-only: ${readOnly}`
      : faultOf(error, noDirectory(file))
  return new BrainError('storage', `cannot write ${file}: ${reason}`, { cause: error })
}

/** The reason a directory could not be created, as an error of kind `storage`. */
export const cannotMake = (directory: string, error: unknown): BrainError =>
  new BrainError('storage', `cannot make ${directory}: ${faultOf(error, noDirectory(directory))}`, {
    cause: error,
  })

/** The reason `file` could not be read, as an error of kind `invalid`. */
export const cannotRead = (file: string, error: unknown): BrainError =>
  new BrainError(
    'invalid',
    `cannot read ${file}: ${faultOf(error, 'there is no such file: check its name')}`,
    {
      cause: error,
    },
  )
