/**
 * What a transaction sees, as PostgreSQL writes it: the transactions that had ended when it began. Knows numbers of
 * transactions and nothing of what they wrote.
 */

/** Transactions below `xmin` had ended, those from `xmax` on had not begun, and of those between `running` had not ended. */
export interface Snapshot {
  readonly xmin: bigint
  readonly xmax: bigint
  readonly running: ReadonlySet<bigint>
}

/** From the text of `pg_current_snapshot()`. */
export function toSnapshot(text: string): Snapshot {
  const [xmin = '0', xmax = '0', running = ''] = text.split(':')
  return {
    xmin: BigInt(xmin),
    xmax: BigInt(xmax),
    running: new Set(running === '' ? [] : running.split(',').map(BigInt)),
  }
}

/** Whether a snapshot has what a transaction that was committed at some time wrote. */
export const hasSeen = ({ xmin, xmax, running }: Snapshot, transaction: bigint): boolean =>
  transaction < xmin || (transaction < xmax && !running.has(transaction))

/** Whether a snapshot has seen all that another one has. */
export const isAsRecent = (one: Snapshot, other: Snapshot): boolean =>
  one.xmax >= other.xmax && [...one.running].every((transaction) => !hasSeen(other, transaction))
