/**
 * Atomic creation of files: written under a draft's name, synced, then renamed in one step, so that a file of ours is
 * complete or absent. A draft's name contains its process; drafts of dead processes are removed.
 */
import {
  chmodSync,
  closeSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { BrainError } from '../../core/errors.ts'
import { draftOf, processOfDraft } from '../../draft-name.ts'
import { isAlive } from '../../process-life.ts'

let drawn = 0

/** Creates an empty draft beside `file` for this process, readable only by its owner whatever the umask. */
export function createDraft(file: string): string {
  drawn += 1
  const draft = draftOf(file, drawn)
  rmSync(draft, { force: true })
  closeSync(openSync(draft, 'wx', 0o600))
  chmodSync(draft, 0o600)
  return draft
}

function sync(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Makes the directory entry of `file` survive power loss, where the platform can. */
function syncDirectory(file: string): void {
  // Windows cannot open a directory, and flushes its entries by itself.
  if (process.platform !== 'win32') sync(dirname(file))
}

/** Renames a finished draft. False, with the draft removed, if a file of that name exists. */
export function publish(draft: string, file: string): boolean {
  sync(draft)
  try {
    linkSync(draft, file)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') {
      discard(draft)
      return false
    }
    // A file system without hard links: a rename is as whole, but could replace a file made this very moment.
    if (statSync(file, { throwIfNoEntry: false }) !== undefined) throw error
    renameSync(draft, file)
  }
  rmSync(draft, { force: true })
  syncDirectory(file)
  return true
}

/**
 * Gives a finished draft the name of a file that is there; `before` is done when the draft is on the disk.
 * @throws BrainError `storage` where that is done and may not survive power loss.
 */
export function replace(draft: string, file: string, before: () => void): void {
  sync(draft)
  before()
  renameSync(draft, file)
  try {
    syncDirectory(file)
  } catch (error) {
    throw new BrainError(
      'storage',
      `${file} was replaced, but the disk reported an error before that was sure to last: check the disk`,
      { cause: error },
    )
  }
}

/** Removes a draft and whatever SQLite put beside it. */
export function discard(draft: string): void {
  for (const suffix of ['', '-journal', '-wal', '-shm']) rmSync(`${draft}${suffix}`, { force: true })
}

/** Whether a file of this name is a draft, which has two names while it is given its own. */
export const isDraft = (name: string): boolean => processOfDraft(name) !== undefined

/** Whether a file of this name is the draft of a process that is gone. */
export const isAbandoned = (name: string): boolean => {
  const pid = processOfDraft(name)
  return pid !== undefined && !isAlive(pid)
}

/** Drafts in `directory` that nobody is filling: of processes that are gone, or second names of `sharing`. */
export function findDrafts(directory: string, { sharing }: { sharing?: string } = {}): string[] {
  const shared = sharing === undefined ? undefined : statSync(sharing, { bigint: true }).ino
  return readdirSync(directory).flatMap((name) => {
    const pid = processOfDraft(name)
    if (pid === undefined) return []
    const path = join(directory, name)
    const left = statSync(path, { bigint: true, throwIfNoEntry: false })?.ino === shared
    return !isAlive(pid) || (shared !== undefined && left) ? [path] : []
  })
}

/** Removes those; a directory that cannot be written to keeps them. */
export function dropDrafts(directory: string, options: { sharing?: string } = {}): void {
  try {
    for (const draft of findDrafts(directory, options)) rmSync(draft, { force: true })
  } catch {
    // Whoever can write here next will.
  }
}
