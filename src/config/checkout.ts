/**
 * The branch and commit of a directory, from git's own files: no process is started, so every command can ask. A
 * repository may come from anywhere: names are validated before they become paths, and large or unusual files are not
 * read.
 */
import { realpathSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { readPlain } from '../direct-files.ts'
import { findRoot, readLine } from './worktree.ts'

/** What a directory has checked out; null where unknown. */
export interface Checkout {
  readonly branch: string | null
  readonly commit: string | null
}

const nothing: Checkout = { branch: null, commit: null }

/** Maximum size of a list of packed references: the commit is unknown if it is larger. */
const maxPacked = 8 * 1024 * 1024

/** Maximum chain of symbolic references, as in git. */
const maxSteps = 5

/** A full hash of SHA-1 or SHA-256: nothing that git would take for an option. */
export const isHash = (text: string): boolean => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text)

/** A branch name that git allows and that is safe as a path. */
const isBranch = (name: string): boolean =>
  name.length <= 128 &&
  !/\.\.|\/\/|^[./]|\/\.|[\u0000-\u0020\u007f-\u009f~^:?*[\\]|[./]$|\.lock(?:\/|$)/.test(name)

function readPacked(file: string, ref: string): string | null {
  try {
    const lines = readPlain(file, maxPacked)?.bytes.toString('latin1').split('\n')
    const commit = lines?.find((one) => one.endsWith(` ${ref}`))?.slice(0, -ref.length - 1) ?? ''
    return isHash(commit) ? commit : null
  } catch {
    return null
  }
}

/** Git's own files for a directory. */
interface Files {
  /** Of this worktree. */
  readonly own: string
  /** Of the repository, whichever worktree is looked from. */
  readonly common: string
}

function locate(directory: string): Files | undefined {
  const root = findRoot(resolve(directory))
  if (root === undefined) return undefined
  const link = join(root, '.git')
  const named = /^gitdir: (.+)$/.exec(readLine(link) ?? '')?.[1]
  const own = named === undefined ? link : resolve(root, named)
  return { own, common: resolve(own, readLine(join(own, 'commondir')) ?? '.') }
}

/** What `directory` has checked out; both null outside a repository. Never throws. */
export function readCheckout(directory: string): Checkout {
  try {
    const files = locate(directory)
    if (files === undefined) return nothing
    const { own, common } = files
    const head = readLine(join(own, 'HEAD')) ?? ''
    if (isHash(head)) return { branch: null, commit: head }
    const branch = /^ref: refs\/heads\/(.+)$/.exec(head)?.[1]
    // Where references stand in a table of their own, HEAD names one that cannot be.
    if (branch === undefined || !isBranch(branch)) return nothing
    const ref = `refs/heads/${branch}`
    const commit = readLine(join(common, ...ref.split('/'))) ?? ''
    return { branch, commit: isHash(commit) ? commit : readPacked(join(common, 'packed-refs'), ref) }
  } catch {
    return nothing
  }
}

/** A reference by its full name, and the commit it leads to. */
interface Reference {
  readonly name: string
  readonly commit: string
}

/**
 * The first of these references, by full name, that exists in the repository of `directory`; undefined if none does. A
 * symbolic reference counts if its target exists. Never throws.
 */
export function findReference(directory: string, names: readonly string[]): Reference | undefined {
  try {
    const files = locate(directory)
    if (files === undefined) return undefined
    const { common } = files
    const commitOf = (name: string, steps = maxSteps): string | null => {
      const line = readLine(join(common, ...name.split('/'))) ?? ''
      const other = /^ref: refs\/(?:heads|remotes)\/(.+)$/.exec(line)?.[1]
      if (other !== undefined)
        return steps > 0 && isBranch(other) ? commitOf(line.slice('ref: '.length), steps - 1) : null
      return isHash(line) ? line : readPacked(join(common, 'packed-refs'), name)
    }
    for (const name of names) {
      const commit = commitOf(name)
      if (commit !== null) return { name, commit }
    }
    return undefined
  } catch {
    return undefined
  }
}

/** Maximum size of a list of tracked files that is looked through: of some half a million. */
const maxIndex = 64 * 1024 * 1024

/**
 * Whether git tracks a file, as what came with a repository is, or may. Where its list of tracked files shortens names
 * (version 4) or is too large, it may be where any file is called so.
 */
export function mayBeTracked(file: string): boolean {
  const directory = realpathSync(dirname(file))
  const root = findRoot(directory)
  const files = root === undefined ? undefined : locate(directory)
  if (root === undefined || files === undefined) return false
  try {
    const index = readPlain(join(files.own, 'index'), maxIndex)
    if (index === undefined) return true
    const shortened = index.bytes.readUInt32BE(4) >= 4
    const name = shortened
      ? basename(file)
      : [...relative(root, directory).split(sep), basename(file)].join('/')
    return index.bytes.includes(`${name}\0`)
  } catch {
    // Nothing is tracked yet.
    return false
  }
}
