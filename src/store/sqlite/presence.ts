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
  readFileSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { makeDirectories } from '../../make-directories.ts'

/** How the processes ended that did not close the brain: `crashed` alone, or with the whole machine. */
export type Ending = 'clean' | 'crashed' | 'power-lost'

export interface Presence {
  readonly ending: Ending
  /** Forgets the processes that went away, once the brain has been looked over. */
  settle(): void
  leave(): void
}

/** Whether a process of this number runs. */
export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: it lives, under another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** The process of a run file; undefined for what else stands in the directory. */
function processOf(name: string): number | undefined {
  const pid = /^(\d+)(?:-\d+)+$/.exec(name)?.[1]
  return pid === undefined ? undefined : Number(pid)
}

/** When the machine started, in milliseconds since the epoch. */
const startOfMachine = (): number => Date.now() - process.getBuiltinModule('node:os').uptime() * 1000

/** Clocks are read one after another, and Linux counts starts in hundredths of a second. */
const slack = 2_000

/** When a process started, where that can be known (Linux: proc(5), field 22 of `stat`). */
function startOf(pid: number): number | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')
    const ticks = Number(fields?.[19])
    return Number.isFinite(ticks) ? startOfMachine() + ticks * 10 : undefined
  } catch {
    return undefined
  }
}

/** Whether the process that wrote a run file still runs: its number may be another's by now. */
function isRunning(pid: number, file: string): boolean {
  if (!isAlive(pid)) return false
  const written = statSync(file, { throwIfNoEntry: false })?.mtimeMs
  if (written === undefined || pid === process.pid) return written !== undefined
  return written > startOfMachine() - slack && written > (startOf(pid) ?? 0) - slack
}

/** Run files of processes that are gone. */
export function findOrphans(directory: string): string[] {
  try {
    return readdirSync(directory).flatMap((name) => {
      const pid = processOf(name)
      const file = join(directory, name)
      return pid !== undefined && !isRunning(pid, file) ? [file] : []
    })
  } catch {
    return []
  }
}

function endingOf(gone: readonly string[]): Ending {
  if (gone.length === 0) return 'clean'
  const started = startOfMachine()
  // A file older than the machine's start is of a process that power loss or a crash of the system ended.
  return gone.some((file) => (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) < started)
    ? 'power-lost'
    : 'crashed'
}

/** Tells the threads of a process apart, each of which loads this module for itself. */
const thisThread = Math.floor(Math.random() * 2 ** 32)

let opened = 0

/** Registers this process in `directory`. A directory that cannot be written to leaves it unregistered. */
export function enter(directory: string, label: string): Presence {
  opened += 1
  const own = join(directory, `${process.pid}-${thisThread}-${opened}`)
  const gone = findOrphans(directory)
  // A leftover of an earlier process that had our number tells of an unclean stop, too.
  if (existsSync(own)) gone.push(own)
  const ending = endingOf(gone)
  try {
    makeDirectories(directory)
    writeFileSync(own, label, { mode: 0o600 })
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
      for (const file of gone) if (file !== own) remove(file)
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
      return [`${readFileSync(file, 'utf8')} (process ${pid})`]
    })
  } catch {
    return []
  }
}

/** How long a ring is heard, in milliseconds. */
const echo = 250

/** Never through a link, and never waiting for who reads a pipe. */
const direct = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
const ringing = constants.O_WRONLY | constants.O_CREAT | direct

/**
 * A bell beside the database: who waits for the write lock rings it, and who would take the lock again at once
 * hears it and steps back. SQLite's own locks know no queue: a busy writer would keep the others out for seconds.
 */
export class Bell {
  readonly #file: string
  #rung = 0

  constructor(directory: string) {
    this.#file = join(directory, 'waiting')
  }

  /** Rings, unless it was this process that did so just now. */
  ring(): void {
    const now = Date.now()
    if (now - this.#rung < echo / 2) return
    this.#rung = now
    try {
      // Nothing is written or cut off, whatever it may be that stands there.
      const descriptor = openSync(this.#file, ringing, 0o600)
      futimesSync(descriptor, now / 1000, now / 1000)
      closeSync(descriptor)
    } catch {
      // Where nothing can be written nobody waits for a lock.
    }
  }

  heard(): boolean {
    const rung = statSync(this.#file, { throwIfNoEntry: false })?.mtimeMs ?? 0
    return Math.abs(Date.now() - rung) < echo
  }
}
