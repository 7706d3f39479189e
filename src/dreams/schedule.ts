/**
 * When a daemon dreams: nightly at a local time, and soon after it starts or wakes if a night was missed. Knows
 * calendars and claims; the night itself is handed to it.
 */
import { Cron } from 'croner'
import { msPerMinute } from '../core/durations.ts'
import { reasonOf } from '../core/errors.ts'
import type { Store } from '../store/store.ts'

export interface ScheduleOptions {
  readonly store: Store
  /** Local time, `HH:MM`. */
  readonly at: string
  /** Dreams one project's night; the signal asks it to end early. */
  readonly dream: (project: string, signal: AbortSignal) => Promise<void>
  readonly warn: (message: string) => void
  /** IANA name; the machine's own when absent. */
  readonly timeZone?: string
  readonly now?: () => number
}

/** A night that takes longer than this is ended, and taken for dead by other daemons. */
export const longestNight = 30 * msPerMinute
/** A laptop that slept through the hour is noticed within this time. */
const wakeCheck = msPerMinute

export interface Schedule {
  /** Dreams what is due now; resolves when it is done. A second call waits for the first. */
  catchUp(): Promise<void>
  stop(): Promise<void>
}

/** The last moment, at or before `now`, when the clock showed `at`. */
export function lastNight(at: string, now: number, timeZone?: string): number {
  const cron = nightly(at, timeZone)
  const previous = cron.previousRuns(1, new Date(now + 1_000)).at(0)
  return previous === undefined ? Number.NEGATIVE_INFINITY : previous.getTime()
}

function nightly(at: string, timeZone: string | undefined, run?: () => void): Cron {
  const [hours = '3', minutes = '0'] = at.split(':')
  const pattern = `${Number(minutes)} ${Number(hours)} * * *`
  return new Cron(
    pattern,
    { paused: run === undefined, unref: true, ...(timeZone && { timezone: timeZone }) },
    run,
  )
}

/** Starts dreaming nightly; a missed night runs at once. */
export function startNights(options: ScheduleOptions): Schedule {
  const { store, at, dream, warn, timeZone } = options
  const now = options.now ?? Date.now
  const stop = new AbortController()
  let running: Promise<void> | undefined
  /** The last night of which nothing is left to do, and the last of which something may be, with when to look. */
  let done = Number.NEGATIVE_INFINITY
  let open = { night: Number.NEGATIVE_INFINITY, lookAt: Number.NEGATIVE_INFINITY }

  const tell = (error: unknown): void => {
    if (stop.signal.aborted) return
    warn(`the night was cut short: ${reasonOf(error)}`)
  }

  /** Whether the project has nothing more to dream for this night. */
  async function dreamProject(project: string, since: number): Promise<boolean> {
    const [oldest] = await store.memories.list(project, { after: 0, limit: 1 })
    // A project that was born after the hour missed no night.
    if (oldest === undefined || oldest.createdAt > since) return true
    // Dreamt already, or by another daemon that may yet die of it.
    if (!(await store.dreams.claimNight(project, { since, now: now(), holdFor: longestNight }))) return false
    const overlong = new AbortController()
    const timer = setTimeout(() => overlong.abort(), longestNight)
    try {
      await dream(project, AbortSignal.any([stop.signal, overlong.signal]))
    } finally {
      clearTimeout(timer)
    }
    await store.dreams.endNight(project, now())
    return true
  }

  async function dreamDue(since: number): Promise<void> {
    let left = false
    for (const project of await store.maintenance.projects()) {
      if (stop.signal.aborted) return
      const finished = await dreamProject(project, since).catch(tell)
      if (finished !== true) left = true
    }
    if (left) open = { night: since, lookAt: now() + longestNight }
    else done = since
  }

  const catchUp = (): Promise<void> => {
    if (running !== undefined) return running
    // A night that is yet to come was dreamt by a clock that ran ahead.
    if (done > now()) done = Number.NEGATIVE_INFINITY
    const since = lastNight(at, now(), timeZone)
    const wait = since === open.night ? open.lookAt - now() : 0
    const waiting = wait > 0 && wait <= longestNight
    if (stop.signal.aborted || since <= done || waiting) return Promise.resolve()
    running = dreamDue(since)
      .catch(tell)
      .finally(() => {
        running = undefined
      })
    return running
  }

  const cron = nightly(at, timeZone, () => void catchUp())
  const check = setInterval(() => void catchUp(), wakeCheck)
  check.unref()
  void catchUp()
  return {
    catchUp,
    stop: async () => {
      stop.abort()
      cron.stop()
      clearInterval(check)
      await running
    },
  }
}
