/** A clock for measuring how long things take, and for waiting. Knows no date. */

/** Milliseconds that only grow. Not `performance.now`, which a command would have to load first. */
export const milliseconds = (): number => Number(process.hrtime.bigint()) / 1e6

/**
 * Resolves after so many milliseconds; rejects with a signal's reason once that is aborted. Not `node:timers/promises`, which
 * every command would have to load first.
 */
export const pause = (duration: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(signal.reason)
      return
    }
    const end = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      if (signal?.aborted === true) reject(signal.reason)
      else resolve()
    }
    const timer = setTimeout(end, duration)
    signal?.addEventListener('abort', end)
  })

/** Resolves after a turn of the event loop: others who wait for it come first. */
export const yieldToEventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Milliseconds of work between two turns of the event loop. */
const stretch = 20

/** To be awaited between steps of a long work: gives others a turn of the event loop whenever it has held it for long. */
export type Turns = () => Promise<void> | undefined

/** Of a process that is `alone`, for whose event loop nobody waits, there are none: each costs a command two milliseconds. */
export function createTurns({ alone = false }: { readonly alone?: boolean | undefined } = {}): Turns {
  if (alone) return () => undefined
  let until = milliseconds() + stretch
  return () => {
    if (milliseconds() < until) return undefined
    return yieldToEventLoop().then(() => {
      until = milliseconds() + stretch
    })
  }
}
