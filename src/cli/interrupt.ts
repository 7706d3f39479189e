/**
 * Stopping on request: Ctrl-C asks running work to stop and undo what it has not finished; a second one ends the
 * process at once, as it would without us.
 */
import type { Terminal } from './terminal.ts'

/** The user asked to stop, and the work did. */
export class Interrupted extends Error {
  constructor() {
    super('interrupted')
    this.name = 'Interrupted'
  }
}

/** What shells report for a process ended by Ctrl-C. */
export const interruptedExitCode = 130

/**
 * Runs work that wants to end tidily: its signal aborts on Ctrl-C.
 * @throws Interrupted when the work failed after that; work that finished all the same is done.
 */
export async function interruptible<T>(
  terminal: Terminal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  const ignore = terminal.onInterrupt?.(() => controller.abort(new Interrupted()))
  try {
    return await work(controller.signal)
  } catch (error) {
    if (controller.signal.aborted) throw new Interrupted()
    throw error
  } finally {
    ignore?.()
  }
}
