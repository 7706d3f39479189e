/**
 * Processes that are killed in the n-th system call which changes something below a directory, or whose call fails. Knows the
 * small library in C that does it, which is compiled with the system's own compiler; where there is none nothing of this runs.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { compilePreload } from './preload.ts'

/** Killed before the call, after it, or in the middle of a write; or the call fails, once or from then on. */
type Manner = 'before' | 'after' | 'torn' | 'EIO' | 'ENOSPC' | 'EIO-on' | 'ENOSPC-on'

/** Whether the process dies of it. */
export const isDeadly = (manner: Manner): boolean => !manner.startsWith('E')

/** A call and what is to become of it. */
export interface Point {
  /** From 1. */
  readonly n: number
  readonly manner: Manner
}

/** What a call does that a full disk would fail, and what one does that can be torn. */
const taking =
  /^(open|write|copy|clone|fallocate|ftruncate|truncate|fsync|fdatasync|mkdir|rename|link|symlink)/
const tearing = /^(write|copy)/

/**
 * Whether a call is the first or the last of some that do the same to the same file: there one state of the disk
 * becomes another.
 */
export const isEdge = (calls: readonly string[], { n }: Point): boolean =>
  calls[n - 1] !== calls[n - 2] || calls[n - 1] !== calls[n]

/**
 * Every way in which a process that makes these calls can be interrupted. One that is killed after a call leaves what one leaves
 * that is killed before the next, so that only the last is met so; and half of what is no write is all of it.
 */
export const pointsOf = (calls: readonly string[]): Point[] =>
  calls.flatMap((name, at): Point[] => [
    { n: at + 1, manner: 'before' as const },
    ...(tearing.test(name) ? [{ n: at + 1, manner: 'torn' as const }] : []),
    ...(['EIO', 'EIO-on'] as const).map((manner) => ({ n: at + 1, manner })),
    ...(taking.test(name) ? (['ENOSPC', 'ENOSPC-on'] as const) : []).map((manner) => ({ n: at + 1, manner })),
    ...(at + 1 === calls.length ? [{ n: at + 1, manner: 'after' as const }] : []),
  ])

/** The compiled library; undefined where there is no compiler, or no such loading of libraries. */
export const compileNthCall = (): string | undefined => compilePreload('nth-call')

export interface Interruption {
  readonly library: string
  /** Calls below it count. */
  readonly root: string
  /** Without it calls are listed, and nothing happens. */
  readonly point?: Point
  /** Where the call that was met is noted, or all of them; outside of the root. */
  readonly log: string
}

/** The environment of a process that is to be met by it. */
export const environmentOf = ({ library, root, point, log }: Interruption): Record<string, string> => {
  rmSync(log, { force: true })
  return {
    LD_PRELOAD: library,
    NTH_CALL_ROOT: root,
    NTH_CALL_AT: String(point?.n ?? 0),
    NTH_CALL_HOW: point?.manner ?? 'list',
    NTH_CALL_LOG: log,
  }
}

/** The calls that were met, each as its name and its file, in their order. */
export function readMet(log: string): string[] {
  const lines = existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []
  // A process of its own counts for itself.
  const met = new Map(lines.map((line) => [Number.parseInt(line, 10), line.slice(line.indexOf(' ') + 1)]))
  return [...met].sort(([one], [other]) => one - other).map(([, call]) => call)
}
