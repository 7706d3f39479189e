/**
 * `.brain/daemon.json`: where the daemon of a brain listens, for the commands that look for it. Knows the file and the
 * process that wrote it; a note whose process is gone is ignored, and so is one that a repository brought.
 */

import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { statSync, unlinkSync } from 'node:fs'
import { hostname, networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { toInstant } from '../core/instant.ts'
import { isObject } from '../core/json.ts'
import { readPlain } from '../direct-files.ts'
import { whileLocked } from '../file-lock.ts'
import { isAlive, isOfLife, lifeOf, runOfMachine } from '../process-life.ts'
import { replaceFile } from '../replace-file.ts'

/** A running daemon of a brain. */
export interface ServingDaemon {
  /** Where it listens: `http://127.0.0.1:4747`. */
  readonly url: string
  readonly pid: number
  /** The version of brain that it runs. */
  readonly version: string
  /** When it started to listen, in milliseconds since the epoch. */
  readonly startedAt: number
}

/** A brain as its notes know it. */
export interface BrainPlace {
  /** Its `.brain` directory, or that of the settings of a brain in a database. */
  readonly directory: string
  /** As `nameOfStore` names it; absent where the brain is in the directory. */
  readonly database?: string | undefined
}

/** One directory may hold the settings of several databases, and a brain of its own. */
function noteOf({ directory, database }: BrainPlace): string {
  if (database === undefined) return join(directory, 'daemon.json')
  return join(directory, `daemon-${createHash('sha256').update(database).digest('hex').slice(0, 12)}.json`)
}

/** The log file of a daemon without a terminal, for the brain in a `.brain` directory. */
export const daemonLogIn = (directory: string): string => join(directory, 'daemon.log')

/** Maximum size: longer files are not ours. */
const maxBytes = 4_096

/** The start time of a process from the system, where there is no /proc; empty if unknown. */
function askStart(pid: number): string {
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 1_000,
    }).trim()
  } catch {
    return ''
  }
}

/** Whether the system can distinguish successive processes with the same id. */
const tellsLives = (): boolean => runOfMachine() !== undefined

const lifeOfDaemon = (pid: number): string => (tellsLives() ? lifeOf(pid) : askStart(pid))

/** The text of the note and when it was written; undefined where there is none. */
function readNote(place: BrainPlace): { text: string; written: number } | undefined {
  try {
    const note = readPlain(noteOf(place), maxBytes)
    return note && { text: note.bytes.toString(), written: note.written }
  } catch {
    return undefined
  }
}

/** What tells a directory from a copy of it, wherever it was moved. */
const identityOf = (directory: string): string => String(statSync(directory, { bigint: true }).ino)

function parse(text: string): (ServingDaemon & { life: string; place: unknown }) | undefined {
  try {
    const noted: unknown = JSON.parse(text)
    if (!isObject(noted)) return undefined
    const { url, pid, version, started_at, life, place } = noted
    if (typeof url !== 'string' || !/^https?:\/\/[^\s/]+$/.test(url) || !URL.canParse(url)) return undefined
    if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid < 2) return undefined
    if (typeof version !== 'string' || typeof started_at !== 'string' || typeof life !== 'string')
      return undefined
    return { url, pid, version, startedAt: Date.parse(started_at), life, place }
  } catch {
    return undefined
  }
}

/** Whether the address of a daemon is one of this machine's: what a repository brought may name any, to be sent a key. */
export function isHere({ url }: ServingDaemon): boolean {
  const address = new URL(url).hostname.replace(/^\[|\]$/g, '')
  if (/^(localhost|127(\.\d{1,3}){3}|::1?|0\.0\.0\.0)$/.test(address)) return true
  const own = Object.values(networkInterfaces()).flatMap((known) => known ?? [])
  return address === hostname().toLowerCase() || own.some((known) => known.address === address)
}

/** The daemon that serves a brain; undefined if there is none. */
export function findDaemon(brain: BrainPlace): ServingDaemon | undefined {
  const note = readNote(brain)
  const noted = note && parse(note.text)
  if (note === undefined || noted === undefined || !isAlive(noted.pid)) return undefined
  const { life, place, ...daemon } = noted
  // Copied with its directory, whose own daemon it does not tell of, or brought by a repository, to be sent a key.
  if (place !== identityOf(brain.directory)) return undefined
  const known = lifeOfDaemon(daemon.pid)
  // Only where the system tells of no starts is a note believed for being younger than the machine's.
  const same = known === '' ? !tellsLives() && isOfLife(daemon.pid, '', note.written) : life === known
  return same ? daemon : undefined
}

/**
 * Records the daemon of a brain, replacing one that is gone. Returns a function that removes the note; undefined if
 * another daemon serves it, which remains the one that is found.
 * @throws the system's error if it cannot be written.
 */
export function noteDaemon(brain: BrainPlace, daemon: ServingDaemon): (() => void) | undefined {
  const { url, pid, version, startedAt } = daemon
  const started_at = toInstant(startedAt).toISOString()
  const text = `${JSON.stringify({ url, pid, version, started_at, life: lifeOfDaemon(pid), place: identityOf(brain.directory) })}\n`
  // Of two that start at once the second finds the first.
  const isNoted = whileLocked(noteOf(brain), () => {
    if (findDaemon(brain) !== undefined) return false
    replaceFile(noteOf(brain), text)
    return true
  })
  if (!isNoted) return undefined
  return () => {
    try {
      // Only its own: another may have been noted since.
      if (readNote(brain)?.text === text) unlinkSync(noteOf(brain))
    } catch {
      // A note of a process that is gone counts for nothing.
    }
  }
}
