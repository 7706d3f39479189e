/** The directory that cited paths are relative to: the brain's, or that of the current worktree. */
import { dirname, resolve } from 'node:path'
import { pathInside } from '../inside.ts'
import { type Checkout, readCheckout } from './checkout.ts'
import { brainDirectoryIn } from './locate.ts'
import { findMainWorktree, findRoot } from './worktree.ts'

/** The directory that cited paths are below, for somebody working in `workingDirectory` with the brain in `directory`. */
export function findCitedDirectory(directory: string, workingDirectory: string): string {
  // A brain in a database may have no place of its own among files.
  if (directory !== brainDirectoryIn(dirname(directory)))
    return findRoot(workingDirectory) ?? workingDirectory
  const main = findMainWorktree(workingDirectory)
  const linked = main !== undefined && brainDirectoryIn(main) === directory
  return (linked ? findRoot(workingDirectory) : undefined) ?? dirname(directory)
}

/**
 * What is checked out in the working directory of somebody using the brain in `directory`. A working directory
 * unrelated to that brain, as with --dir from elsewhere, says nothing about its records: then the brain's own
 * directory is used.
 */
export function checkoutFor(directory: string, workingDirectory: string): Checkout {
  const root = findCitedDirectory(directory, workingDirectory)
  const within = pathInside(root, resolve(workingDirectory)) !== undefined
  return readCheckout(within ? workingDirectory : root)
}
