/**
 * Calls per minute, counted in memory and written in batches, so that a call never waits for its own tally. Knows when
 * they are written and how they are reported; where they are kept is the store's concern.
 */

import { minuteOf } from '../core/activity.ts'
import { msPerDay } from '../core/durations.ts'
import type { ProcessMode } from '../core/process-mode.ts'
import type { ActivityStore } from './store.ts'

/** Calls of one minute and the time of the last, milliseconds. */
export interface Tally {
  calls: number
  lastAt: number
}

/** By project, then by the start of the minute. */
export type Tallies = Map<string, Map<number, Tally>>

/** How long a count may stay in memory, in milliseconds. */
const flushAfter = 2_000

/** Age in milliseconds after which nobody asks for a minute any more. */
export const keepFor = msPerDay

/** Adds calls to the tallies. */
export function tally(
  tallies: Tallies,
  { project, minute, calls, lastAt }: Tally & { project: string; minute: number },
): void {
  const minutes = tallies.get(project) ?? new Map<number, Tally>()
  const known = minutes.get(minute)
  minutes.set(minute, {
    calls: (known?.calls ?? 0) + calls,
    lastAt: Math.max(known?.lastAt ?? 0, lastAt),
  })
  tallies.set(project, minutes)
}

/** Where tallies are kept. */
export interface TallyBook {
  /**
   * Writes a batch, to which it may add what others left; returns the part that belongs to missing projects. When it
   * fails, the batch holds what is not written.
   */
  write(batch: Tallies): Promise<Tallies>
  /** As `ActivityStore.window`, of what is written. */
  read(project: string, since: number, until: number): ReturnType<ActivityStore['window']>
  /** Counts of other processes that are not written yet. */
  left?(): Tallies
  /** Hands over unwritten counts at the end of a process; false if they have to be written. */
  leave?(tallies: Tallies): boolean
}

export interface ActivityKeeper extends ActivityStore {
  /** Writes what is still in memory. */
  flush(): Promise<void>
  /** The same at the end of a process: left to others, where that is possible and writing is not wanted or fails. */
  end(): Promise<void>
}

/** A `oneshot` process need not write any before it ends. */
export function createActivityKeeper(book: TallyBook, mode: ProcessMode): ActivityKeeper {
  let waiting: Tallies = new Map()
  const underWay = new Set<Tallies>()
  let timer: NodeJS.Timeout | undefined

  /** Has calls that were not written wait. */
  function putBack(batch: Tallies): void {
    for (const [project, minutes] of batch) {
      const newest = Math.max(...minutes.keys())
      for (const [start, one] of minutes)
        if (start >= newest - keepFor) tally(waiting, { project, minute: start, ...one })
    }
  }

  async function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    if (waiting.size === 0) return
    const batch = waiting
    waiting = new Map()
    underWay.add(batch)
    try {
      // A name that was asked for, perhaps mistyped, makes no project: its calls wait until something is kept in it.
      putBack(await book.write(batch))
    } catch (error) {
      putBack(batch)
      throw error
    } finally {
      underWay.delete(batch)
    }
  }

  return {
    flush,

    end: async () => {
      if (waiting.size > 0 && mode !== 'service' && book.leave?.(waiting) === true) return
      try {
        await flush()
      } catch (error) {
        if (book.leave?.(waiting) !== true) throw error
      }
    },

    count: (project, at) => {
      tally(waiting, { project, minute: minuteOf(at), calls: 1, lastAt: at })
      if (mode === 'oneshot') return
      // A tally that cannot be written now (disk full, store busy) is no reason to fail anybody's call.
      timer ??= setTimeout(() => flush().catch(() => {}), flushAfter).unref()
    },

    window: async (project, since, until = Number.MAX_SAFE_INTEGER) => {
      const written = await book.read(project, since, until)
      const calls = new Map(written.minutes.map((row) => [row.minute, row.calls]))
      let { lastActive } = written
      for (const tallies of [waiting, ...underWay, ...(book.left === undefined ? [] : [book.left()])]) {
        for (const [start, one] of tallies.get(project) ?? []) {
          if (one.lastAt > until) continue
          lastActive = Math.max(lastActive ?? 0, one.lastAt)
          if (start >= since) calls.set(start, (calls.get(start) ?? 0) + one.calls)
        }
      }
      const minutes = [...calls].map(([start, total]) => ({ minute: start, calls: total }))
      return { minutes: minutes.sort((a, b) => a.minute - b.minute), lastActive }
    },
  }
}
