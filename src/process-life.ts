/**
 * Tells processes apart, also where the system gave a number that was another's to a new one: by when a process started,
 * in which run of the machine. Knows the system's own account of that; nothing of what the processes do.
 */
import { readFileSync } from 'node:fs'
import { uptime } from 'node:os'

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

/** When the machine started, in milliseconds since the epoch, by a clock that may have been set since. */
export const startOfMachine = (): number => Date.now() - uptime() * 1000

/** Clocks are read one after another, and Linux counts starts in hundredths of a second. */
const slack = 2_000

/** When a process started, in ticks since the machine did (Linux: proc(5), fields 3 and 22 of `stat`). */
function ticksOf(pid: number): number | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ')
    const ticks = Number(fields?.[19])
    // One that ended and that nobody has asked about has a number still, and no life.
    return Number.isFinite(ticks) && fields?.[0] !== 'Z' ? ticks : undefined
  } catch {
    return undefined
  }
}

/** Names this run of the machine, whatever its clock says, where the system tells runs apart (Linux). */
export function runOfMachine(): string | undefined {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()
  } catch {
    return undefined
  }
}

/** The run of the machine and the start of a process in it; empty where neither can be known. */
export function lifeOf(pid: number): string {
  const [run, ticks] = [runOfMachine(), ticksOf(pid)]
  return run === undefined || ticks === undefined ? '' : `${run} ${ticks}`
}

/**
 * Whether the process of that number, known to run, is the one of which `life` was noted; where nothing was, whether it
 * had started when the note was written, in milliseconds since the epoch.
 */
export function isOfLife(pid: number, life: string, written: number): boolean {
  if (life !== '') return life === lifeOf(pid)
  return written > startOfMachine() + (ticksOf(pid) ?? 0) * 10 - slack
}
