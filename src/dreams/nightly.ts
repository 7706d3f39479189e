/** The nights of a daemon: connects the schedule with a process for each night. */
import type { Config } from '../config/config.ts'
import { msPerDay } from '../core/durations.ts'
import type { Store } from '../store/store.ts'
import { runNightInChild } from './process.ts'
import { type Schedule, startNights } from './schedule.ts'

export interface NightlyOptions {
  readonly directory: string
  /** The settings as they are when the night begins. */
  readonly settings: () => Promise<Config>
  readonly store: Store
  /** Local time, `HH:MM`. */
  readonly at: string
  readonly warn: (message: string) => void
}

/** The same day and brain dream the same; another day words it another way. */
export const seedOf = (now: number): number => Math.floor(now / msPerDay)

export function hostTimeZone(): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  try {
    // An empty TZ gives a name that no formatter takes.
    return Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone
  } catch {
    return 'UTC'
  }
}

/** Dreams every night, and immediately if the last one was missed. */
export function startNightly({ directory, settings, store, at, warn }: NightlyOptions): Schedule {
  return startNights({
    store,
    at,
    warn,
    dream: async (project, signal) => {
      const now = Date.now()
      const config = await settings()
      const order = { directory, config, project, now, seed: seedOf(now), timeZone: hostTimeZone() }
      await runNightInChild(order, { signal, warn })
    },
  })
}
