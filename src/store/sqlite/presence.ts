/**
 * Who has a brain open: one small file a process beside the database. Knows process ids; a file whose
 * process is gone tells of an unclean stop.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { uptime } from 'node:os'
import { join } from 'node:path'
import { threadId } from 'node:worker_threads'

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

const processOf = (name: string): number => Number.parseInt(name, 10)

/** Run files of processes that are gone. */
export function findOrphans(directory: string): string[] {
  try {
    return readdirSync(directory)
      .filter((name) => !isAlive(processOf(name)))
      .map((name) => join(directory, name))
  } catch {
    return []
  }
}

function endingOf(gone: readonly string[]): Ending {
  if (gone.length === 0) return 'clean'
  const started = Date.now() - uptime() * 1000
  // A file older than the machine's start is of a process that power loss or a crash of the system ended.
  return gone.some((file) => (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) < started)
    ? 'power-lost'
    : 'crashed'
}

let opened = 0

/** Registers this process in `directory`. A directory that cannot be written to leaves it unregistered. */
export function enter(directory: string, label: string): Presence {
  opened += 1
  const own = join(directory, `${process.pid}-${threadId}-${opened}`)
  const gone = findOrphans(directory)
  // A leftover of an earlier process that had our number tells of an unclean stop, too.
  if (statSync(own, { throwIfNoEntry: false }) !== undefined) gone.push(own)
  const ending = endingOf(gone)
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    writeFileSync(own, label, { mode: 0o600 })
  } catch {
    // A brain on a read-only or full disk can still be read.
  }
  const remove = (file: string): void => {
    try {
      rmSync(file, { force: true })
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
    return readdirSync(directory)
      .filter((name) => processOf(name) !== process.pid && isAlive(processOf(name)))
      .map((name) => `${readFileSync(join(directory, name), 'utf8')} (process ${processOf(name)})`)
  } catch {
    return []
  }
}
