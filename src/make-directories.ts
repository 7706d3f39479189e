/**
 * Makes a directory and what is missing above it. Knows only that: Node's own recursive `mkdir` never comes back
 * where a file system has the parent and says that it is not there, as procfs and automounted homes do.
 */
import { lstatSync, mkdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { codeOf } from './core/errors.ts'
import { replaceFile } from './replace-file.ts'

/** Makes one; true when it was not there. @throws the system's error. */
function makeOne(directory: string): boolean {
  try {
    mkdirSync(directory, { mode: 0o700 })
    return true
  } catch (error) {
    // Whatever is there, a link to a directory or somebody who was faster, need not be made.
    if (statSync(directory, { throwIfNoEntry: false })?.isDirectory()) return false
    throw error
  }
}

/** Makes `directory`, its owner's alone; true when it was not there. @throws the system's error. */
export function makeDirectories(directory: string): boolean {
  try {
    return makeOne(directory)
  } catch (error) {
    const parent = dirname(directory)
    if (codeOf(error) !== 'ENOENT' || parent === directory) throw error
    makeDirectories(parent)
    return makeOne(directory)
  }
}

/**
 * Has git ignore all of a directory. A file that was cut short, by a disk that was full, ignores nothing. @throws the
 * system's error.
 */
export function keepOutOfGit(directory: string): void {
  const file = join(directory, '.gitignore')
  const found = lstatSync(file, { throwIfNoEntry: false })
  if (found === undefined || (found.isFile() && found.size === 0)) replaceFile(file, '*\n')
}
