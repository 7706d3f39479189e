/**
 * Counts of calls that one-shot processes leave beside a brain, a line each, until a process that writes anyway
 * takes them in. Knows one small file; a count lost with a crash is lost, and nothing else is.
 */
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { direct } from '../../direct-files.ts'
import { type Tallies, tally } from '../tallies.ts'

/** A file this long is due to be taken in, in bytes: some three hundred calls. */
const longest = 16_384

const appending = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | direct

/** The lines of the file. @throws the system's error where it cannot be read, or is no file. */
function readLines(file: string): string {
  if (!lstatSync(file).isFile()) throw new Error(`${file} is no file`)
  return readFileSync(file, 'utf8')
}

/** Appends the tallies; false when that is not possible, or the file is long enough to be taken in. */
export function leave(file: string, tallies: Tallies): boolean {
  const lines = [...tallies].flatMap(([project, minutes]) =>
    [...minutes].map(([minute, { calls, lastAt }]) => `${minute} ${calls} ${lastAt} ${project}\n`),
  )
  try {
    const descriptor = openSync(file, appending, 0o600)
    try {
      const found = fstatSync(descriptor)
      if (!found.isFile() || found.size > longest) return false
      writeSync(descriptor, lines.join(''))
      return true
    } finally {
      closeSync(descriptor)
    }
  } catch {
    return false
  }
}

function addLines(tallies: Tallies, text: string): void {
  for (const line of text.split('\n')) {
    const [, minute, calls, lastAt, project] = /^(\d+) (\d+) (\d+) (.+)$/.exec(line) ?? []
    if (project !== undefined)
      tally(tallies, { project, minute: Number(minute), calls: Number(calls), lastAt: Number(lastAt) })
  }
}

/** What the file holds; nothing when there is none. */
export function read(file: string): Tallies {
  const tallies: Tallies = new Map()
  try {
    addLines(tallies, readLines(file))
  } catch {
    // Nobody left anything.
  }
  return tallies
}

/** Moves what the file holds into `tallies`; two processes never take the same lines. */
export function take(file: string, tallies: Tallies): void {
  const taken = `${file}.${process.pid}`
  try {
    renameSync(file, taken)
  } catch {
    return
  }
  try {
    addLines(tallies, readLines(taken))
  } catch {
    // No file of ours.
  }
  rmSync(taken, { force: true })
}
