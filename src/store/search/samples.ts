/**
 * A few ordinary memories of a project, spread over its history: what unrelated memories look like. Drawn for each
 * question from what is stored, so that every process gives it the same scores.
 */

/** The first and the last id of a project's ordinary memories; null where it has none. */
export interface Ends {
  readonly low: number | null
  readonly high: number | null
}

/**
 * Leading binary digits of the number of ids that count: the sample changes once while a project grows by a sixteenth to
 * an eighth.
 */
const digits = 4

/** The ids from which on the next memory is drawn: `size` of them, evenly apart. */
export function startsOf({ low, high }: Ends, size: number): number[] {
  if (low === null || high === null) return []
  const ids = high - low + 1
  const step = 2 ** Math.max(0, Math.floor(Math.log2(ids)) + 1 - digits)
  const spread = ids - (ids % step)
  return Array.from({ length: size }, (_, at) => low + Math.floor((at * spread) / size))
}
