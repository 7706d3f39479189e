/**
 * The log of a database whose file another program wrote to: SQLite would copy it into the new content when the last
 * connection closes. Prevents that.
 */
import { copyFileSync, rmSync, statSync, truncateSync } from 'node:fs'

/** Where a log is kept whose database is not there any more. */
export const remainsOf = (file: string): string => `${file}.replaced-${Date.now()}-wal`

/**
 * Keeps a copy of the log beside it and empties the log itself, so that whoever has it open, this process included, finds
 * nothing to copy. Returns where the copy is; undefined where there was no log.
 */
export function disarmLog(file: string): string | undefined {
  const log = `${file}-wal`
  if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) === 0) return undefined
  const remains = remainsOf(file)
  copyFileSync(log, remains)
  truncateSync(log)
  return remains
}

/** Removes what is left of a log that was emptied so, once nobody of this process has it open. */
export function dropRemains(file: string): void {
  if (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size !== 0) return
  for (const suffix of ['-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true })
}
