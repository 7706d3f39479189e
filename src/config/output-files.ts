/** Where a command may write what a person names: into no brain. Knows places, not what is written there. */
import { realpathSync } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'
import { BrainError, codeOf } from '../core/errors.ts'
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
