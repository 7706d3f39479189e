/**
 * Connects an agent: reads the files it takes, works out what has to change, and writes that. Knows files; what has to stand
 * in them is told by `agents.ts`.
 */
import { lstatSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs'
import { basename, dirname, sep } from 'node:path'
import { createTwoFilesPatch } from 'diff'
import { BrainError, reasonOf } from '../../core/errors.ts'
import { pathInside } from '../../inside.ts'
import { makeDirectories } from '../../make-directories.ts'
import { replaceFile } from '../../replace-file.ts'
import type { SetupAgent, SetupPlace } from './agents.ts'

/** A file and its planned change. */
export interface FileChange {
  readonly path: string
  readonly purpose: string
  /** Undefined where there is no file. */
  readonly before: string | undefined
  /** Undefined where the file goes. */
  readonly after: string | undefined
}

/** Maximum size of a settings file. */
const maxBytes = 4 * 1024 * 1024

/**
 * A repository can bring a directory of an agent as a link to one of the user's, whose settings would be written then.
 * @throws BrainError `refused` where one between the project and its file is a link.
 */
function requireInside(project: string, path: string): void {
  for (let place = dirname(path); place.startsWith(project + sep); place = dirname(place)) {
    if (lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink())
      throw new BrainError('refused', `${basename(place)} is a link: setup does not write through links`)
  }
}

/** @throws BrainError `refused` where something that is no regular file stands there. */
function readText(path: string): string | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined) return undefined
  if (!found.isFile())
    throw new BrainError('refused', 'it is no regular file: setup does not write through links')
  if (found.size > maxBytes) throw new BrainError('refused', `it is larger than ${maxBytes} bytes`)
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(path))
}

/** What connecting an agent changes, or disconnecting it. @throws BrainError `refused` naming the file. */
export function planSetup(agent: SetupAgent, place: SetupPlace, action: 'put' | 'take'): FileChange[] {
  return agent.files(place).map((file) => {
    try {
      // Where a home keeps its settings is its user's own choice.
      if (place.scope === 'project') requireInside(place.project, file.path)
      const before = readText(file.path)
      const after = file[action](before ?? '')
      // What was empty but for ours is gone without it.
      const gone = action === 'take' && (before === undefined || /^(?:\{\s*\})?$/.test(after.trim()))
      return {
        path: file.path,
        purpose: file.purpose,
        before,
        after: gone && before !== after ? undefined : after,
      }
    } catch (error) {
      const why = reasonOf(error)
      throw new BrainError('refused', `${file.path} is left as it is: ${why}`, { cause: error })
    }
  })
}

export const isChanged = ({ before, after }: FileChange): boolean => (before ?? '') !== (after ?? '')

/** Lines that a change may add and take: to compare files that differ in more takes minutes. */
const maxEdits = 1_000

/** The change as a unified diff, paths relative to `base`. */
export function describeChange({ path, before, after }: FileChange, base: string): string {
  const name = pathInside(base, path) ?? path
  const patch = createTwoFilesPatch(
    before === undefined ? '/dev/null' : name,
    after === undefined ? '/dev/null' : name,
    before ?? '',
    after ?? '',
    undefined,
    undefined,
    { context: 2, maxEditLength: maxEdits },
  )
  if (patch === undefined) return `${name}: more changes than can be shown`
  return patch.replace(/^=+\n/, '').replaceAll(/\t$/gm, '')
}

/** What setup makes for its files; a directory of another name is somebody's own. */
const ownDirectory = /^(?:\.(?:claude|codex|gemini|cursor)|rules)$/

/** Removes an agent's directory that holds nothing any more: it would tell that the agent is used here. */
function removeEmpty(directory: string): void {
  if (!ownDirectory.test(basename(directory)) || readdirSync(directory).length > 0) return
  rmdirSync(directory)
  removeEmpty(dirname(directory))
}

/**
 * Whether a change is still to be made. @throws BrainError `refused` where somebody else changed the file since it was read:
 * a person may have thought about the plan for long.
 */
function isPending({ path, before, after }: FileChange): boolean {
  const now = readText(path)
  if (now !== before && now !== after)
    throw new BrainError('refused', `${path} was changed meanwhile, and is left as it is: run this again`)
  return now !== after
}

/**
 * Writes the changes, each file whole or not at all. @throws BrainError `refused` where one was changed since it was planned;
 * nothing is written then.
 */
export function writeChanges(changes: readonly FileChange[]): void {
  for (const { path, after } of changes.filter(isChanged).filter(isPending)) {
    if (after === undefined) {
      rmSync(path, { force: true })
      removeEmpty(dirname(path))
      continue
    }
    makeDirectories(dirname(path))
    const mode = lstatSync(path, { throwIfNoEntry: false })?.mode
    replaceFile(path, after, { mode: mode === undefined ? 0o644 : mode & 0o777 })
  }
}
