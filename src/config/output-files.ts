/**
 * Where a command may write what a person names: into no brain, and over no file but its own earlier one. Knows places, not
 * what is written there.
 */
import { closeSync, openSync, readSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'
import { BrainError, codeOf } from '../core/errors.ts'
import { cannotWrite } from './file-faults.ts'
import { brainDirectoryName } from './locate.ts'

/** Where a path leads, with all its links followed; the part that is not there yet stays as it is. */
function followed(path: string): string {
  try {
    return realpathSync.native(path)
  } catch (error) {
    const parent = dirname(path)
    if (codeOf(error) !== 'ENOENT' || parent === path) return path
    return join(followed(parent), basename(path))
  }
}

/** Some file systems tell no capitals from small letters. */
const isInBrain = (path: string): boolean => path.toLowerCase().split(sep).includes(brainDirectoryName)

/** @throws BrainError `refused` for a file or folder in this brain or another: to write there would destroy it. */
export function requireOutsideBrains(path: string): void {
  if (![path, followed(path)].some(isInBrain)) return
  throw new BrainError(
    'refused',
    `cannot write ${path}: it is in a brain (${brainDirectoryName}): name a place outside of it`,
  )
}

/** Enough to tell by what a file is. */
const beginningBytes = 4_096

function beginningOf(file: string): string {
  const descriptor = openSync(file, 'r')
  try {
    const bytes = Buffer.alloc(beginningBytes)
    return bytes.toString('utf8', 0, readSync(descriptor, bytes, 0, bytes.length, 0))
  } finally {
    closeSync(descriptor)
  }
}

/**
 * Refuses to write over a file that is neither empty nor of our making, which `isOwn` tells by its beginning; devices and
 * pipes are written to. Not of a brain that is open: to close its file here would drop its locks.
 * @throws BrainError `refused` with the remedy.
 */
export function requireReplaceable(file: string, isOwn: (beginning: string) => boolean, what: string): void {
  try {
    const found = statSync(file, { throwIfNoEntry: false })
    if (found?.isFile() !== true || found.size === 0 || isOwn(beginningOf(file))) return
  } catch (error) {
    throw cannotWrite(file, error)
  }
  throw new BrainError(
    'refused',
    `cannot write ${file}: it is there already and no ${what} of brain's: name another file, or remove it`,
  )
}
