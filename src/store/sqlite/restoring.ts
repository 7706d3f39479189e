/**
 * Puts a backup in the place of a brain, in one step, and keeps the brain that was there. Knows what has to be true of the
 * backup and who must not have the brain open; a crash at any moment leaves the one or the other, and never the log
 * of the one beside the other.
 */
import { chmodSync, constants, copyFileSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { BrainError } from '../../core/errors.ts'
import { loadDatabase } from './binding.ts'
import type { Connection } from './connection.ts'
import { copyInto } from './copy.ts'
import { requireDirectory, requireKinds, settleAs } from './directory-check.ts'
import { createDraft, discard, dropDrafts, replace } from './drafts.ts'
import { toBrainError } from './faults.ts'
import { hasLog, inspect, resolveFile } from './inspection.ts'
import { retryWhileBusy } from './locks.ts'
import { type OpenOptions, openConnection, requireSound } from './open.ts'
import { remainsOf } from './orphaned-wal.ts'
import { others } from './presence.ts'

/** @throws BrainError `invalid` for what is no backup, naming it. */
async function requireBackup(named: string): Promise<string> {
  const found = statSync(named, { throwIfNoEntry: false })
  if (found === undefined) throw new BrainError('invalid', `there is no file ${named}: check its name`)
  if (!found.isFile())
    throw new BrainError('invalid', `${named} is not a file: name a copy that \`brain backup\` made`)
  const backup = realpathSync(named)
  for (const suffix of ['-wal', '-journal']) {
    if ((statSync(backup + suffix, { throwIfNoEntry: false })?.size ?? 0) === 0) continue
    throw new BrainError(
      'invalid',
      `${backup}${suffix} stands beside it, so it is no backup but a brain in use, or a stranger's: make a copy with \`brain backup\``,
    )
  }
  await inspect(backup)
  return backup
}

/** When a key stops to open, by its end or because it was revoked. */
interface EndOfKey {
  readonly id: string
  readonly expiresAt: number | null
  readonly revokedAt: number | null
}

const endsOfKeys = `SELECT id, expires_at AS expiresAt, revoked_at AS revokedAt FROM key
  WHERE expires_at IS NOT NULL OR revoked_at IS NOT NULL`

/** A brain that is about to be replaced. */
interface Kept {
  readonly endsOfKeys: readonly EndOfKey[]
  /** Whether its copy has what its log holds. */
  readonly hasAll: boolean
}

/** Lets nobody write into a brain until the connection ends; what was written before is in its file as far as it can be. */
async function lock({ database }: Connection): Promise<void> {
  database.pragma('wal_checkpoint(TRUNCATE)')
  await retryWhileBusy(() => database.exec('BEGIN IMMEDIATE'))
}

/**
 * Keeps a copy of the brain in `file`, with what its log holds, and puts another in its place before anybody writes into it
 * again: that would be in neither.
 */
async function keepAnd(file: string, options: OpenOptions, replaceIt: (kept: Kept) => void): Promise<string> {
  const copy = join(dirname(file), `before-restore-${Date.now()}.db`)
  let close = async (): Promise<void> => {}
  try {
    let ends: EndOfKey[] = []
    try {
      const { connection, presence } = await openConnection(file, options)
      close = async () => {
        if (connection.database.inTransaction) connection.database.exec('ROLLBACK')
        await connection.close()
        presence?.leave()
      }
      await lock(connection)
      ends = connection.all<EndOfKey>(endsOfKeys)
      await copyInto(copy, connection.database)
    } catch (error) {
      if (!(error instanceof BrainError) || error.kind === 'busy') throw error
      await close()
      close = async () => {}
      // What cannot be opened is kept as it is.
      copyFileSync(file, copy, constants.COPYFILE_EXCL)
      chmodSync(copy, 0o600)
      replaceIt({ endsOfKeys: [], hasAll: false })
      return copy
    }
    replaceIt({ endsOfKeys: ends, hasAll: true })
    return copy
  } finally {
    await close()
  }
}

/** Ends the keys of a draft that were ended since: who lost one does not get in with last month's backup. */
function endKeys(draft: string, ends: readonly EndOfKey[]): void {
  if (ends.length === 0) return
  const database = loadDatabase(draft, { timeout: 0 })
  try {
    if (database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'key'").get() === undefined) return
    const end = database.prepare(
      `UPDATE key SET revoked_at = coalesce(revoked_at, $revokedAt), expires_at = min(coalesce(expires_at, $expiresAt), coalesce($expiresAt, expires_at))
       WHERE id = $id`,
    )
    database.transaction(() => {
      for (const one of ends) end.run(one)
    })()
  } finally {
    database.close()
  }
}

/**
 * Puts a copy of `backup` in the place of the brain in `path`, or where none was. Returns where that one was kept.
 * @throws BrainError `invalid` or `storage` for what is no sound backup, `busy` while others have the brain open; nothing is
 * changed then.
 */
export async function restore(
  path: string,
  backup: string,
  options: OpenOptions,
): Promise<string | undefined> {
  try {
    const directory = dirname(path)
    requireDirectory(directory)
    const source = await requireBackup(backup)
    requireKinds(path)
    const living = others(join(directory, 'run'))
    if (living.length > 0) {
      throw new BrainError(
        'busy',
        `the brain is open in ${living.join(', ')}: stop that first, and try again`,
      )
    }
    dropDrafts(directory)
    const draft = createDraft(path)
    try {
      copyFileSync(source, draft, constants.COPYFILE_FICLONE)
      chmodSync(draft, 0o600)
      requireSound(draft, { named: source, options })
      const file = resolveFile(path)
      const replaceIt = (kept: Kept): void => {
        endKeys(draft, kept.endsOfKeys)
        const remains = remainsOf(path)
        replace(draft, path, () => {
          // Of the brain that is going: should it be left by a crash now, it is known to be of another file.
          if (hasLog(path)) renameSync(`${path}-wal`, remains)
          for (const suffix of ['-wal', '-shm']) rmSync(path + suffix, { force: true })
        })
        if (kept.hasAll) rmSync(remains, { force: true })
        settleAs(realpathSync(path), options.provenance)
      }
      if (file !== undefined) return await keepAnd(file, options, replaceIt)
      replaceIt({ endsOfKeys: [], hasAll: false })
      return undefined
    } finally {
      discard(draft)
    }
  } catch (error) {
    throw toBrainError(error)
  }
}
