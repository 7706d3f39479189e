/**
 * Notes that a hook could not keep, as in a brain that another process holds locked, put aside until a later hook keeps
 * them. Knows their files, beside the sessions'; how a note is kept is `keep.ts`'s.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { mayBeTracked } from '../config/checkout.ts'
import { BrainError, codeOf } from '../core/errors.ts'
import { readPlain } from '../direct-files.ts'
import type { CapturedNote } from './capture.ts'
import { directoryIn, isOurs, isWaiting, makeDirectoryIn } from './session-state.ts'

interface WaitingNotes {
  readonly file: string
  /** When they were said, milliseconds. */
  readonly at: number
  readonly notes: readonly CapturedNote[]
}

/** Files that may wait: where nothing can be kept for long, what is said later is lost. */
const maxWaiting = 100
const maxBytes = 256 * 1024

const namesIn = (brain: string): string[] =>
  isOurs(directoryIn(brain)) ? readdirSync(directoryIn(brain)).filter(isWaiting) : []

/** Whether notes may wait in a brain's directory: quicker asked than read. */
export function haveWaiting(brain: string): boolean {
  try {
    return namesIn(brain).length > 0
  } catch {
    return false
  }
}

/** Puts notes aside. @throws BrainError `busy` where too many wait, or the system's error, as where nothing can be written. */
export function putAside(brain: string, notes: readonly CapturedNote[], at: number): void {
  makeDirectoryIn(brain)
  if (notes.length === 0) return
  if (namesIn(brain).length >= maxWaiting)
    throw new BrainError(
      'busy',
      `nothing was kept for long, and ${maxWaiting} notes wait: run \`brain doctor\``,
    )
  const file = join(directoryIn(brain), `${randomBytes(16).toString('hex')}.waiting`)
  writeFileSync(file, JSON.stringify({ at, notes }), { mode: 0o600, flag: 'wx' })
}

/** The name of a file before a process took it to keep it. */
const untaken = (file: string): string => file.replace(/-\d+$/, '')

/** Takes a file, under a name that says so; undefined where another hook was faster. @throws the system's error. */
function take(file: string): string | undefined {
  const taken = `${untaken(file)}-${process.pid}`
  try {
    renameSync(file, taken)
    return taken
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

/**
 * Takes what waits, the oldest first: nobody else keeps it until it is given back, or this process is gone. What was cut
 * short, is no note by the rules of `remember` and `flag`, or came with a repository is gone with its file.
 */
export async function takeWaiting(brain: string, now: number): Promise<WaitingNotes[]> {
  const names = namesIn(brain)
  if (names.length === 0) return []
  // What others load for `haveWaiting` alone stays small.
  const { parseWaiting } = await import('./waiting-rules.ts')
  return names
    .map((name) => join(directoryIn(brain), name))
    .flatMap((found): WaitingNotes[] => {
      // Not taken: under another name nothing would tell where it came from.
      const tracked = mayBeTracked(found) || mayBeTracked(untaken(found))
      if (tracked) rmSync(found, { force: true })
      const file = tracked ? undefined : take(found)
      if (file === undefined) return []
      try {
        const content = readPlain(file, maxBytes)?.bytes.toString()
        const waiting = content === undefined ? undefined : parseWaiting(content, now)
        if (waiting !== undefined) return [{ file, ...waiting }]
      } catch {
        // It was cut short.
      }
      return [{ file, at: 0, notes: [] }]
    })
    .toSorted((a, b) => a.at - b.at)
}

/** Once they are kept. */
export const removeWaiting = ({ file }: WaitingNotes): void => rmSync(file, { force: true })

/** Where they could not be kept: the next hook takes them. @throws the system's error. */
export function giveBack({ file }: WaitingNotes): void {
  if (existsSync(file)) renameSync(file, untaken(file))
}
