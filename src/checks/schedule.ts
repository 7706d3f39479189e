/** The checks of a daemon, where the user's own settings ask for them: every project's, again and again. Knows time. */

import { msPerMinute } from '../core/durations.ts'
import { reasonOf } from '../core/errors.ts'
import { type Checked, type SettleOptions, settleDue } from './settle.ts'

const interval = 10 * msPerMinute

export interface ScheduledChecks {
  /** Whether they may run now: the user may take it back while the daemon lives. */
  readonly wanted: () => Promise<boolean>
  readonly projects: () => Promise<string[]>
  readonly settling: (project: string) => SettleOptions
  readonly told: (message: string) => void
}

const tell = ({ prediction_id: id, status, why }: Checked): string =>
  `check of prediction ${id}: ${status}${why === null ? '' : `, ${why}`}`

/** Starts at once; `stop` ends a command that runs. */
export function scheduleChecks({ wanted, projects, settling, told }: ScheduledChecks): {
  stop: () => Promise<void>
} {
  const stopping = new AbortController()
  let running: Promise<void> | undefined
  // What is refused or undecided stays so for a while: it is said once.
  const said = new Set<string>()

  const tellFault = (error: unknown): void => {
    if (!stopping.signal.aborted) told(reasonOf(error))
  }

  async function settleProject(project: string): Promise<void> {
    for (const checked of await settleDue({ ...settling(project), signal: stopping.signal })) {
      const line = tell(checked)
      if (!said.has(`${project} ${line}`)) told(line)
      said.add(`${project} ${line}`)
    }
  }

  async function settleAll(): Promise<void> {
    if (!(await wanted())) return
    for (const project of await projects()) {
      if (stopping.signal.aborted) return
      // What is wrong in one project is no reason to leave out those behind it.
      await settleProject(project).catch(tellFault)
    }
  }

  const start = (): void => {
    running ??= settleAll()
      .catch(tellFault)
      .finally(() => {
        running = undefined
      })
  }
  const timer = setInterval(start, interval)
  timer.unref()
  start()
  return {
    stop: async () => {
      clearInterval(timer)
      stopping.abort()
      await running
    },
  }
}
