/**
 * State shared by a session's hooks: what the model was shown, what failed, where the session began. One small file
 * per session in the brain's directory; deleting it only causes repetition.
 */
import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { msPerDay } from '../core/durations.ts'
import { BrainError } from '../core/errors.ts'
import { isObject } from '../core/json.ts'
import { readPlain } from '../direct-files.ts'
import { processOfDraft } from '../draft-name.ts'
import { isAlive } from '../process-life.ts'
import { replaceFile } from '../replace-file.ts'
import type { Attempts } from './capture.ts'

export interface SessionState extends Attempts {
  /** Ids of the memories that the model has seen. */
  readonly shown: readonly number[]
  /** The same for the personal brain. */
  readonly shownOwn: readonly number[]
  /** Flags that the model was told are near what it does, without a danger. */
  readonly warned: readonly number[]
  /** Memories made of this session's own summaries, which the model has before it. */
  readonly summarised: readonly number[]
  /** The commit up to which commits are kept; null where there was none. */
  readonly head: string | null
  /** Whether the context was lost and has to be given again with the next prompt. */
  readonly compacted: boolean
}

const newSession: SessionState = {
  shown: [],
  shownOwn: [],
  failures: [],
  edited: [],
  ran: [],
  warned: [],
  summarised: [],
  head: null,
  compacted: false,
}

const maxShown = 500
const maxBytes = 128 * 1024
/** Time without activity after which a session is over. */
const lifetime = 7 * msPerDay

/** Where what is known of sessions is kept in a brain's directory. */
export const directoryIn = (brain: string): string => join(brain, 'sessions')

/** Whether it is a directory and no link: what goes through one is somebody else's, and would be changed or removed. */
export const isOurs = (directory: string): boolean =>
  lstatSync(directory, { throwIfNoEntry: false })?.isDirectory() === true

/** The same, made where it is missing. @throws BrainError `storage` where something else is there. */
export function makeDirectoryIn(brain: string): void {
  const directory = directoryIn(brain)
  if (isOurs(directory)) return
  if (lstatSync(directory, { throwIfNoEntry: false }) !== undefined)
    throw new BrainError('storage', `${directory} is no directory, which a brain makes of it: remove it`)
  mkdirSync(directory, { mode: 0o700 })
}

/** Removes what is known of sessions; a link is removed, not what it leads to. */
export const dropSessions = (brain: string): void =>
  rmSync(directoryIn(brain), { recursive: true, force: true })

/** A session's state, and what earlier versions left of one that was being written. */
const ownName = /^[0-9a-f]{32}\.json(?:\.(?:brain-)?\d+)?$/
/** Notes that wait, and behind that the process that keeps them just now. */
const waitingName = /^[0-9a-f]{32}\.waiting(?:-(\d+))?$/

/** Whether a file of that directory holds notes that wait, which no living process keeps just now. */
export function isWaiting(name: string): boolean {
  const [found, pid] = waitingName.exec(name) ?? []
  return found !== undefined && (pid === undefined || !isAlive(Number(pid)))
}

/** What stands there of ours. */
const isOwn = (name: string): boolean =>
  ownName.test(name) || waitingName.test(name) || processOfDraft(name) !== undefined

/** Hashed: what an agent calls a session is not ours to use as a file's name. */
const fileOf = (brain: string, session: string): string =>
  join(directoryIn(brain), `${createHash('sha256').update(session).digest('hex').slice(0, 32)}.json`)

const ids = (value: unknown): number[] =>
  Array.isArray(value) ? value.filter((id) => Number.isSafeInteger(id)) : []

const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : []

/** The session's state; a new one if there is none, or it cannot be read. */
export function readSession(brain: string, session: string): SessionState {
  try {
    if (!isOurs(directoryIn(brain))) return newSession
    const kept: unknown = JSON.parse(readPlain(fileOf(brain, session), maxBytes)?.bytes.toString() ?? 'null')
    if (!isObject(kept)) return newSession
    const failures = Array.isArray(kept.failures) ? kept.failures.filter(isObject) : []
    return {
      shown: ids(kept.shown),
      shownOwn: ids(kept.shownOwn),
      failures: failures.flatMap(({ command, error }) =>
        typeof command === 'string' && typeof error === 'string' ? [{ command, error }] : [],
      ),
      edited: texts(kept.edited),
      ran: texts(kept.ran),
      warned: ids(kept.warned),
      summarised: ids(kept.summarised),
      head: typeof kept.head === 'string' ? kept.head : null,
      compacted: kept.compacted === true,
    }
  } catch {
    return newSession
  }
}

/**
 * Keeps the state, the newest of each list of ids. Two hooks at once may lose one's additions, never the file. @throws where
 * no directory of ours is.
 */
export function writeSession(brain: string, session: string, state: SessionState): void {
  makeDirectoryIn(brain)
  const bounded: SessionState = {
    ...state,
    shown: state.shown.slice(-maxShown),
    shownOwn: state.shownOwn.slice(-maxShown),
    warned: state.warned.slice(-maxShown),
    summarised: state.summarised.slice(-maxShown),
  }
  replaceFile(fileOf(brain, session), JSON.stringify(bounded))
}

/** Removes the state of old sessions, and notes that nobody could keep since. */
export function clearOldSessions(brain: string, now: number): void {
  try {
    if (!isOurs(directoryIn(brain))) return
    for (const name of readdirSync(directoryIn(brain)).filter(isOwn)) {
      const file = join(directoryIn(brain), name)
      const found = lstatSync(file, { throwIfNoEntry: false })
      if (found?.isFile() && now - found.mtimeMs > lifetime) rmSync(file, { force: true })
    }
  } catch {
    // No session was ever kept, or another hook clears as well.
  }
}
