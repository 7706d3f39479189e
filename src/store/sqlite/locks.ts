/** Waiting for a lock that another process holds on a brain's file. */
import { pause } from '../../clock.ts'
import { BrainError } from '../../core/errors.ts'
import { isBusy } from './faults.ts'
import type { WaitingSignal } from './presence.ts'

/** Milliseconds to wait for a locked store before reporting it. */
export const busyTimeout = 5_000

/** A locked store, with those who may hold it. */
export function busyError(holders: readonly string[], cause: unknown): BrainError {
  const who = holders.length > 0 ? `; it may be held by ${holders.join(', ')}` : ''
  return new BrainError('busy', `store is busy, try again${who}`, { cause })
}

export interface RetryOptions {
  /** Milliseconds until the lock's error is the answer. */
  readonly limit?: number
  readonly waiting?: WaitingSignal | undefined
}

/** Repeats `attempt` while another process holds a lock, without blocking this one's event loop. */
export async function retryWhileBusy<T>(
  attempt: () => T,
  { limit = busyTimeout, waiting }: RetryOptions = {},
): Promise<T> {
  const deadline = Date.now() + limit
  for (let tries = 0; ; tries += 1) {
    try {
      return attempt()
    } catch (error) {
      if (!isBusy(error) || Date.now() >= deadline) throw error
      // A lock held for the length of one commit is no reason to say so.
      if (tries > 8) waiting?.raise()
      await pause(1 + Math.random() * 3)
    }
  }
}
