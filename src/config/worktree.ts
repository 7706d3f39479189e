/**
 * Finds the main worktree of a repository from a linked one, using git's own files: no process is started. A `.git`
 * file is believed only if the repository it names confirms it, since it may come from anywhere.
 */
import { lstatSync, readFileSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'

/** Longer files are none of git's. */
const maxBytes = 4_096

/** The single line of a small regular file; undefined otherwise. */
export function readLine(path: string): string | undefined {
  try {
    const found = lstatSync(path)
    return found.isFile() && found.size <= maxBytes ? readFileSync(path, 'utf8').trim() : undefined
  } catch {
    return undefined
  }
}

/** The nearest directory upwards that holds a `.git`, file or directory. */
export function findRoot(start: string): string | undefined {
  if (lstatSync(join(start, '.git'), { throwIfNoEntry: false }) !== undefined) return start
  const parent = dirname(start)
  return parent === start ? undefined : findRoot(parent)
}

/** Whether two paths lead to one file. */
function isSame(a: string, b: string): boolean {
  try {
    return realpathSync(a) === realpathSync(b)
  } catch {
    return false
  }
}

/** The main worktree of the repository in whose linked worktree `start` is; undefined if it is in none. */
export function findMainWorktree(start: string): string | undefined {
  const root = findRoot(resolve(start))
  if (root === undefined) return undefined
  const named = /^gitdir: (.+)$/.exec(readLine(join(root, '.git')) ?? '')?.[1]
  if (named === undefined) return undefined
  const own = resolve(root, named)
  const [back, common] = [readLine(join(own, 'gitdir')), readLine(join(own, 'commondir'))]
  // A submodule has neither; a forged file names a repository that does not know it.
  if (back === undefined || common === undefined || !isSame(resolve(own, back), join(root, '.git')))
    return undefined
  const repository = resolve(own, common)
  // An archive may bring all of that, and name any repository of the user's: what a repository knows stands in it.
  if (!isSame(dirname(own), join(repository, 'worktrees'))) return undefined
  // Of a bare repository there is no main worktree.
  return basename(repository) === '.git' ? dirname(repository) : undefined
}
