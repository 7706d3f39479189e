/** A clock for measuring how long things take, and for waiting. Knows no date. */

/** Milliseconds that only grow. Not `performance.now`, which a command would have to load first. */
export const milliseconds = (): number => Number(process.hrtime.bigint()) / 1e6

/** Resolves after so many milliseconds. Not `node:timers/promises`, which every command would have to load first. */
export const pause = (duration: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, duration))

/** Resolves after a turn of the event loop: others who wait for it come first. */
export const yieldToEventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
