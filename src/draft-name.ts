/**
 * What a file is called while a process fills it: by that process, so that what one left that was killed is told from what
 * another is writing. Knows only that.
 */
import { basename, dirname, join } from 'node:path'
import process from 'node:process'

/** Behind it, what SQLite puts beside a file of its own. */
const draftName = /^\..+\.(\d+)-\d+\.draft(?:-journal|-wal|-shm)?$/

/** The draft of `file` with that number, of this process. */
export const draftOf = (file: string, number: number): string =>
  join(dirname(file), `.${basename(file)}.${process.pid}-${number}.draft`)

/** The process whose draft has this name; undefined where it is none. */
export function processOfDraft(name: string): number | undefined {
  const pid = draftName.exec(name)?.[1]
  return pid === undefined ? undefined : Number(pid)
}
