/**
 * Who has a brain open: one small file a process beside the database. Knows process ids; a file whose
 * process is gone tells of an unclean stop.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Presence {
  /** Whether a process that had the brain open went away without closing it. */
  readonly unclean: boolean
  /** Forgets the processes that went away, once the brain has been looked over. */
  settle(): void
  leave(): void
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: it lives, under another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

let opened = 0

/** Registers this process in `directory`. A directory that cannot be written to leaves it unregistered. */
export function enter(directory: string, label: string): Presence {
  const gone: string[] = []
  opened += 1
  const own = join(directory, `${process.pid}-${opened}`)
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    for (const name of readdirSync(directory)) {
      // A leftover of an earlier process that had our number tells of an unclean stop, too.
      const pid = Number.parseInt(name, 10)
      if (!isAlive(pid) || join(directory, name) === own) gone.push(join(directory, name))
    }
    writeFileSync(own, label, { mode: 0o600 })
  } catch {
    // A read-only brain can still be read.
  }
  return {
    unclean: gone.length > 0,
    settle: () => {
      for (const file of gone) if (file !== own) rmSync(file, { force: true })
    },
    leave: () => rmSync(own, { force: true }),
  }
}

/** The labels of the live processes registered in `directory`, this one left out. */
export function others(directory: string): string[] {
  try {
    return readdirSync(directory)
      .filter((name) => Number.parseInt(name, 10) !== process.pid && isAlive(Number.parseInt(name, 10)))
      .map((name) => `${readFileSync(join(directory, name), 'utf8')} (process ${Number.parseInt(name, 10)})`)
  } catch {
    return []
  }
}
