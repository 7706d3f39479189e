/**
 * Which memories a search may find, told one by one while it looks: filtered afterwards, the best of many thousands would
 * not be among the few it came up with. Knows ids; what a filter means is read by each store.
 */

/** Whether an id is among those meant. */
export type Accepts = (id: number) => boolean

export interface Selection {
  /** Absent where all are meant. */
  readonly accepts: Accepts | undefined
  /** Those that the filter asks for; absent where it asks for nothing but what has not expired. */
  readonly wanted: ReadonlySet<number> | undefined
  readonly expired: ReadonlySet<number>
}

export function toSelection(
  wanted: ReadonlySet<number> | undefined,
  expired: ReadonlySet<number>,
): Selection {
  const all = wanted === undefined && expired.size === 0
  return {
    accepts: all ? undefined : (id) => (wanted?.has(id) ?? true) && !expired.has(id),
    wanted,
    expired,
  }
}
