/**
 * Stopping on request: Ctrl-C asks running work to stop and undo what it has not finished; a second one ends the
 * process at once, as it would without us.
 */
import type { Terminal } from './terminal.ts'

/** What ends a process, and what shells report for one that it ended. */
export const signalExitCodes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const

export type StopSignal = keyof typeof signalExitCodes

export const stopSignals = Object.keys(signalExitCodes) as readonly StopSignal[]

/** The user asked to stop, and the work did. */
export class Interrupted extends Error {
  readonly exitCode: number
  /** What to do to go on, for people. */
  readonly hint: string | undefined

  constructor({
    signal = 'SIGINT',
    hint,
  }: { signal?: StopSignal | undefined; hint?: string | undefined } = {}) {
    super('interrupted')
    this.name = 'Interrupted'
    this.exitCode = signalExitCodes[signal]
    this.hint = hint
  }
}

/**
 * Runs work that wants to end tidily: its signal aborts when the process is asked to stop. `hint` tells how to go on.
 * @throws Interrupted when the work failed after that; work that finished all the same is done.
 */
export async function interruptible<T>(
  terminal: Terminal,
  work: (signal: AbortSignal) => Promise<T>,
  hint?: string,
): Promise<T> {
  const controller = new AbortController()
  const ignore = terminal.onInterrupt?.((signal) => controller.abort(new Interrupted({ signal, hint })))
  try {
    return await work(controller.signal)
  } catch (error) {
    if (controller.signal.aborted) throw controller.signal.reason
    throw error
  } finally {
    ignore?.()
  }
}
