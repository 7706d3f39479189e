/**
 * Who has a brain open: one small file a process beside the database. Knows process ids; a file whose
 * process is gone tells of an unclean stop.
 */
import {
  closeSync,
  constants,
  existsSync,
  futimesSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { direct } from '../../direct-files.ts'
import { makeDirectories } from '../../make-directories.ts'
import { isAlive, isOfLife, lifeOf, runOfMachine, startOfMachine } from '../../process-life.ts'

/** How the processes ended that did not close the brain: `crashed` alone, or with the whole machine. */
export type Ending = 'clean' | 'crashed' | 'power-lost'

export interface Presence {
  readonly ending: Ending
  /** Forgets the processes that went away, once the brain has been looked over. */
  settle(): void
  leave(): void
}

/** The process of a run file; undefined for what else stands in the directory. */
function processOf(name: string): number | undefined {
  const pid = /^(\d+)(?:-\d+)+$/.exec(name)?.[1]
  return pid === undefined ? undefined : Number(pid)
}

/** The first line of a file, and the second; a run file has no more, but a cloned repository may have put anything there. */
function readLines(file: string): readonly [first: string, second: string] {
  const descriptor = openSync(file, constants.O_RDONLY | direct)
  try {
    const bytes = Buffer.alloc(512)
    const [first = '', second = ''] = bytes
      .toString('utf8', 0, readSync(descriptor, bytes, 0, bytes.length, 0))
      .split('\n')
    return [first, second]
  } finally {
    closeSync(descriptor)
  }
}

/** Which life a run file tells of; empty in one that an earlier version wrote, or another system. */
function noted(file: string): string {
  try {
    return readLines(file)[1]
  } catch {
    return ''
  }
}

const writtenAt = (file: string): number => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0

/** Whether the process that wrote a run file still runs: its number may be another's by now. */
function isRunning(pid: number, file: string): boolean {
  if (!isAlive(pid)) return false
  const [written, life] = [writtenAt(file), noted(file)]
  if (written === 0) return false
  // Another thread of ours that has not noted its life yet, or a system that tells none.
  if (pid === process.pid && life === '') return true
  return isOfLife(pid, life, written)
}

/** Whether a run file was written before the machine was started; not of one that is gone by now. */
function isOfEarlierRun(file: string): boolean {
  const [run, now] = [noted(file).split(' ', 1)[0], runOfMachine()]
  if (run && now) return run !== now
  const written = writtenAt(file)
  return written !== 0 && written < startOfMachine()
}

/** Run files of processes that are gone. */
export function findOrphans(directory: string): string[] {
  try {
    return readdirSync(directory).flatMap((name) => {
      const pid = processOf(name)
      const file = join(directory, name)
      if (pid === undefined || isRunning(pid, file)) return []
      // One that closes the brain takes its file away before it ends: it may have, since the directory was read.
      return existsSync(file) ? [file] : []
    })
  } catch {
    return []
  }
}

function endingOf(gone: readonly string[]): Ending {
  if (gone.length === 0) return 'clean'
  // Those of an earlier run were ended by power loss or a crash of the system.
  return gone.some(isOfEarlierRun) ? 'power-lost' : 'crashed'
}

/** Tells the threads of a process apart, each of which loads this module for itself. */
const thisThread = Math.floor(Math.random() * 2 ** 32)

let opened = 0

/** Registers this process in `directory`. A directory that cannot be written to leaves it unregistered. */
export function enter(directory: string, label: string): Presence {
  opened += 1
  const own = join(directory, `${process.pid}-${thisThread}-${opened}`)
  const gone = findOrphans(directory)
  const ending = endingOf(gone)
  try {
    makeDirectories(directory)
    writeFileSync(own, `${label}\n${lifeOf(process.pid)}`, { mode: 0o600, flag: 'wx' })
  } catch {
    // A brain on a read-only or full disk can still be read.
  }
  const remove = (file: string): void => {
    try {
      // Not rmSync, for whose sake Node would load what deletes trees.
      unlinkSync(file)
    } catch {
      // Where nothing can be removed now, the next process will.
    }
  }
  return {
    ending,
    settle: () => {
      for (const file of gone) remove(file)
    },
    leave: () => remove(own),
  }
}

/** The labels of the live processes registered in `directory`, this one left out. */
export function others(directory: string): string[] {
  try {
    return readdirSync(directory).flatMap((name) => {
      const pid = processOf(name)
      const file = join(directory, name)
      if (pid === undefined || pid === process.pid || !isRunning(pid, file)) return []
      if (!lstatSync(file).isFile()) return []
      return [`${readLines(file)[0]} (process ${pid})`]
    })
  } catch {
    return []
  }
}

/** How long the signal stays raised, in milliseconds. */
const raisedFor = 250

const touching = constants.O_WRONLY | constants.O_CREAT | direct

/**
 * A signal beside the database: who waits for the write lock raises it, and who would take the lock again at once
 * sees it and steps back. SQLite's own locks know no queue: a busy writer would keep the others out for seconds.
 */
export class WaitingSignal {
  readonly #file: string
  #raisedAt = 0

  constructor(directory: string) {
    this.#file = join(directory, 'waiting')
  }

  /** Raises it, unless it was this process that did so just now. */
  raise(): void {
    const now = Date.now()
    if (now - this.#raisedAt < raisedFor / 2) return
    this.#raisedAt = now
    try {
      // Nothing is written or cut off, whatever it may be that stands there.
      const descriptor = openSync(this.#file, touching, 0o600)
      futimesSync(descriptor, now / 1000, now / 1000)
      closeSync(descriptor)
    } catch {
      // Where nothing can be written nobody waits for a lock.
    }
  }

  /** Whether somebody raised it in the last quarter of a second. */
  isRaised(): boolean {
    const raisedAt = statSync(this.#file, { throwIfNoEntry: false })?.mtimeMs ?? 0
    return Math.abs(Date.now() - raisedAt) < raisedFor
  }
}
