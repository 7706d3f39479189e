/** Finds the brain a command means: the directory that holds `.brain/`. */
import { chmodSync, lstatSync, type Stats, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { BrainError, codeOf } from '../core/errors.ts'
import { keepOutOfGit, makeDirectories } from '../make-directories.ts'
import { cannotMake } from './file-faults.ts'
import { foreignOwner, nameOfOwner, trustsOwner, type User } from './ownership.ts'
import { dataDirectory, type Environment } from './user-directories.ts'
import { findMainWorktree } from './worktree.ts'

export const brainDirectoryName = '.brain'

/** The `.brain` directory inside `directory`, whether it exists or not. */
export const brainDirectoryIn = (directory: string): string => join(resolve(directory), brainDirectoryName)

/** Whether something is at `path`, even a dangling link. @throws BrainError `storage` if that cannot be determined. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch (error) {
    const code = codeOf(error)
    // Below a file there is nothing.
    if (code === 'ENOTDIR') return false
    throw new BrainError(
      'storage',
      `${path} cannot be looked at (${code}): check the permissions of its directory`,
      { cause: error },
    )
  }
}

/** The target of `path`; undefined for nothing, or for dangling links. @throws BrainError as `isThere`. */
function follow(path: string): Stats | undefined {
  if (!isThere(path)) return undefined
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

/** @throws BrainError `storage` when a link, or what is no directory, stands in the place of a `.brain`. */
export function checkBrainDirectory(directory: string): void {
  if (isThere(directory) && lstatSync(directory).isSymbolicLink()) {
    throw new BrainError(
      'storage',
      `${directory} is a symbolic link, which no brain makes: name the directory that holds the real one with --dir, or remove the link`,
    )
  }
  if (follow(directory)?.isDirectory() !== false) return
  throw new BrainError('storage', `${directory} is not a directory: move it away`)
}

/** The nearest `.brain` with a database, from `start` upwards. One that belongs to another user and is not readable counts. */
function findUpwards(start: string, user: User): string | undefined {
  const here = join(start, brainDirectoryName)
  // A link to nothing is a brain that is lost, not a reason to write into the next one upwards.
  if (holdsBrain(here, user)) return here
  const parent = dirname(start)
  return parent === start ? undefined : findUpwards(parent, user)
}

function holdsBrain(directory: string, user: User): boolean {
  try {
    return isThere(join(directory, 'brain.db'))
  } catch (error) {
    if (foreignOwner(directory, user) !== undefined) return true
    throw error
  }
}

/** All worktrees of a repository share the brain of its main one. */
function findInMainWorktree(start: string, user: User): string | undefined {
  const main = findMainWorktree(start)
  if (main === undefined) return undefined
  const directory = join(main, brainDirectoryName)
  return holdsBrain(directory, user) ? directory : undefined
}

/** The nearest `.brain` upwards that is the user's own, whatever its content. */
function findSettings(start: string, user: User): string | undefined {
  const here = join(start, brainDirectoryName)
  const own = isThere(here) && lstatSync(here).isDirectory() && foreignOwner(here, user) === undefined
  if (own) return here
  const parent = dirname(start)
  return parent === start ? undefined : findSettings(parent, user)
}

/** Where a brain in a database keeps its local files, without a project directory. */
const storeDirectory = (environment: Environment): string => join(dataDirectory(environment), 'store')

/**
 * The directory for the settings of a brain in a database: the one named, else the nearest `.brain` upwards, else one
 * of the user's. Created if missing.
 * @throws BrainError `storage`.
 */
export function locateSettings({ workingDirectory, named, user }: Search): string {
  const found = named === undefined ? findSettings(resolve(workingDirectory), user) : brainDirectoryIn(named)
  const directory = found ?? storeDirectory(user.environment)
  checkBrainDirectory(directory)
  if (!isThere(directory)) makeBrainDirectory(directory)
  return directory
}

/** The `.brain` of the personal brain, which goes with a person from project to project, whether it exists or not. */
export const personalBrainDirectory = (environment: Environment): string =>
  brainDirectoryIn(dataDirectory(environment))

/** The same if it exists. @throws BrainError as `isThere`. */
export function findPersonalBrain(environment: Environment): string | undefined {
  const directory = personalBrainDirectory(environment)
  return isThere(join(directory, 'brain.db')) ? directory : undefined
}

/** Where a command looks for its brain. */
export interface Search {
  readonly workingDirectory: string
  /** The directory that the user named: it is used whoever owns it. */
  readonly named: string | undefined
  readonly user: User
}

/** The `.brain` that `Search` leads to, whoever owns it. @throws BrainError `no-brain` with the way to make one. */
export function findBrain({ workingDirectory, named, user }: Search): string {
  if (named !== undefined) {
    const directory = brainDirectoryIn(named)
    checkBrainDirectory(directory)
    // What is wrong with an odd database file is left to the store to say.
    if (follow(directory)) return directory
    throw new BrainError('no-brain', `no brain in ${resolve(named)}: run \`brain init --dir ${named}\``)
  }
  const found = findUpwards(resolve(workingDirectory), user) ?? findInMainWorktree(workingDirectory, user)
  if (found !== undefined) {
    checkBrainDirectory(found)
    return found
  }
  throw new BrainError(
    'no-brain',
    `no brain here or above ${resolve(workingDirectory)}: run \`brain init\` to make one`,
  )
}

/**
 * The `.brain` directory to use: the one named, else the nearest upwards that is the user's own or trusted.
 * @throws BrainError `no-brain` with the way to make one, `storage` if the nearest is another user's.
 */
export function locateBrain(search: Search): string {
  const directory = findBrain(search)
  if (search.named !== undefined) return directory
  const owner = foreignOwner(directory, search.user)
  if (owner === undefined || trustsOwner(directory, owner, search.user)) return directory
  const place = dirname(directory)
  throw new BrainError(
    'storage',
    `${directory} belongs to ${nameOfOwner(owner)}, not to you: name it with --dir ${place} to use it all the same, or run \`brain trust ${place}\``,
  )
}

/**
 * Creates a `.brain` directory: accessible only to its owner, and ignored by git. An existing one only gets stricter
 * permissions.
 * @throws BrainError `storage` naming the remedy.
 */
export function makeBrainDirectory(directory: string): void {
  try {
    // A cloned repository may bring a link that leads anywhere.
    if (lstatSync(directory, { throwIfNoEntry: false })?.isSymbolicLink()) {
      throw new BrainError(
        'storage',
        `${directory} is a symbolic link: remove it, or name the directory it leads to`,
      )
    }
    makeDirectories(directory)
    // The mode above is cut by the umask, never widened; an older directory may be open to others.
    chmodSync(directory, 0o700)
    keepOutOfGit(directory)
  } catch (error) {
    if (error instanceof BrainError) throw error
    throw cannotMake(directory, error)
  }
}
