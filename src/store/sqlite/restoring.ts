/**
 * Puts a backup in the place of a brain, in one step, and keeps the brain that was there. Knows what has to be true of the
 * backup and who must not have the brain open; a crash at any moment leaves the one or the other, and never the log
 * of the one beside the other.
 */
import { chmodSync, constants, copyFileSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { BrainError } from '../../core/errors.ts'
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

/** Keeps a copy of the brain in `file`, with what its log holds; returns where. */
async function keep(file: string, options: OpenOptions): Promise<string> {
  const kept = join(dirname(file), `before-restore-${Date.now()}.db`)
  try {
    const { connection, presence } = await openConnection(file, options)
    try {
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
  return kept
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
      replace(draft, path, () => {
        // Of the brain that is going: should it be left by a crash now, it is known to be of another file.
        if (hasLog(path)) renameSync(`${path}-wal`, remainsOf(path))
        for (const suffix of ['-wal', '-shm']) rmSync(path + suffix, { force: true })
      })
      settleAs(realpathSync(path), options.provenance)
      return kept
    } finally {
      discard(draft)
    }
  } catch (error) {
    throw toBrainError(error)
  }
}
