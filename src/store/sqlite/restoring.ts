/**
 * Puts a backup in the place of a brain, in one step, and keeps the brain that was there. Knows what has to be true of the
 * backup and who must not have the brain open; a crash at any moment leaves the one or the other, and never the log
 * of the one beside the other.
 */
import { chmodSync, constants, copyFileSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { BrainError } from '../../core/errors.ts'
import { loadDatabase } from './binding.ts'
import { copyInto } from './copy.ts'
import { requireDirectory, requireKinds, settleAs } from './directory-check.ts'
import { createDraft, discard, dropDrafts, replace } from './drafts.ts'
import { toBrainError } from './faults.ts'
import { hasLog, inspect, resolveFile } from './inspection.ts'
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
  /** Where a copy of it is. */
  readonly copy: string
  readonly endsOfKeys: readonly EndOfKey[]
}

/** Keeps a copy of the brain in `file`, with what its log holds. */
async function keep(file: string, options: OpenOptions): Promise<Kept> {
  const kept = join(dirname(file), `before-restore-${Date.now()}.db`)
  let ends: EndOfKey[] = []
  try {
    const { connection, presence } = await openConnection(file, options)
    try {
      ends = connection.all<EndOfKey>(endsOfKeys)
      await copyInto(kept, connection.database)
    } finally {
      await connection.close()
      presence?.leave()
    }
  } catch (error) {
    if (!(error instanceof BrainError) || error.kind === 'busy') throw error
    // What cannot be opened is kept as it is.
    copyFileSync(file, kept, constants.COPYFILE_EXCL)
    chmodSync(kept, 0o600)
  }
  return { copy: kept, endsOfKeys: ends }
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
      const kept = file === undefined ? undefined : await keep(file, options)
      endKeys(draft, kept?.endsOfKeys ?? [])
      replace(draft, path, () => {
        // Of the brain that is going: should it be left by a crash now, it is known to be of another file.
        if (hasLog(path)) renameSync(`${path}-wal`, remainsOf(path))
        for (const suffix of ['-wal', '-shm']) rmSync(path + suffix, { force: true })
      })
      settleAs(realpathSync(path), options.provenance)
      return kept?.copy
    } finally {
      discard(draft)
    }
  } catch (error) {
    throw toBrainError(error)
  }
}
