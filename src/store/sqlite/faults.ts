/**
 * SQLite's failures in the words of a caller. Knows result codes; decides nothing about what happens next.
 */
import { BrainError } from '../../core/errors.ts'

interface SqliteFault extends Error {
  readonly code: string
}

const isSqliteFault = (error: unknown): error is SqliteFault =>
  error instanceof Error &&
  'code' in error &&
  typeof error.code === 'string' &&
  error.code.startsWith('SQLITE_')

export const isBusy = (error: unknown): boolean =>
  isSqliteFault(error) && /^SQLITE_(BUSY|LOCKED|PROTOCOL)/.test(error.code)

const sentences: readonly (readonly [RegExp, string])[] = [
  [/^SQLITE_FULL/, 'the disk is full: nothing was written; free some space and try again'],
  [
    /^SQLITE_READONLY/,
    'the brain is read-only here: nothing was written; check the permissions of its directory and files',
  ],
  [/^SQLITE_(CORRUPT|NOTADB)/, 'the brain file is damaged: run `brain doctor`, or restore a backup'],
  [
    /^SQLITE_CANTOPEN/,
    'the brain file cannot be opened: check that it exists and that you may read and write it',
  ],
  [/^SQLITE_IOERR/, 'the disk reported an error: nothing was written; check the disk, then try again'],
  [/^SQLITE_NOMEM/, 'there is not enough memory for this'],
  [/^SQLITE_TOOBIG/, 'this is larger than the store can hold'],
]

/** The error to hand on: ours as it is, SQLite's as a sentence, anything else (a bug) unchanged. */
export function toBrainError(error: unknown): unknown {
  if (!isSqliteFault(error)) return error
  if (isBusy(error)) return new BrainError('busy', 'store is busy, try again', { cause: error })
  const sentence = sentences.find(([codes]) => codes.test(error.code))?.[1]
  return sentence === undefined ? error : new BrainError('storage', sentence, { cause: error })
}
