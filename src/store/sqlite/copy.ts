/**
 * Copies of a brain: a consistent one on disk while others write, and one in memory of a brain that lies where
 * nothing can be written. Knows SQLite's backup interface; nothing of records.
 */
import { readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type BetterSqlite3 from 'better-sqlite3'
import { BrainError } from '../../core/errors.ts'
import { loadDatabase } from './binding.ts'
import { createDraft, discard, dropDrafts, publish } from './drafts.ts'
import { damage } from './faults.ts'

/** Pages copied between two turns of the event loop: 4 MB. */
const pagesAtATime = 1_000

export type CopyProgress = (done: number, total: number) => void

/**
 * Copies `source` as it is at this moment into `file`, which appears when it is whole, durable and checked.
 * @throws BrainError `invalid` when the file exists, `storage` when the copy is damaged.
 */
export async function copyInto(
  file: string,
  source: BetterSqlite3.Database,
  progress?: CopyProgress,
): Promise<void> {
  const refusal = new BrainError('invalid', `${file} exists already: choose another name`)
  if (statSync(file, { throwIfNoEntry: false }) !== undefined) throw refusal
  dropDrafts(dirname(file))
  const draft = createDraft(file)
  // In a file, a snapshot held throughout: else every commit of another process would start the copy anew.
  const reader = source.memory ? source : loadDatabase(source.name, { timeout: 0 })
  try {
    if (reader !== source) {
      reader.exec('BEGIN')
      reader.prepare('SELECT count(*) FROM sqlite_schema').get()
    }
    const { totalPages } = await reader.backup(draft, {
      progress: ({ totalPages: total, remainingPages }) => {
        progress?.(total - remainingPages, total)
        return pagesAtATime
      },
    })
    progress?.(totalPages, totalPages)
    const copy = loadDatabase(draft)
    try {
      if (copy.pragma('quick_check(1)', { simple: true }) !== 'ok') throw damage()
    } finally {
      copy.close()
    }
    if (!publish(draft, file)) throw refusal
  } catch (error) {
    discard(draft)
    throw error
  } finally {
    if (reader !== source) reader.close()
  }
}

/** Maximum size in bytes of a brain read into memory: what a process can be expected to hold twice. */
const maxImageBytes = 2 ** 30

/**
 * Reads the brain in `file`, which this process must not have open, into memory as a read-only one.
 * @throws BrainError `storage` if it is too large for that.
 */
export function openImage(file: string): BetterSqlite3.Database {
  const before = statSync(file, { bigint: true })
  if (before.size > maxImageBytes) {
    throw new BrainError(
      'storage',
      'the brain lies where nothing can be written and is too large to read in memory: copy it elsewhere',
    )
  }
  const bytes = readFileSync(file)
  if (statSync(file, { bigint: true }).mtimeNs !== before.mtimeNs) {
    throw new BrainError('busy', 'store is busy, try again')
  }
  // Journal versions of the header: a database in memory has no write-ahead log.
  bytes[18] = 1
  bytes[19] = 1
  return loadDatabase(bytes, { timeout: 0 })
}
