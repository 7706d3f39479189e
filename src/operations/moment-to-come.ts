/** A moment that an input names and that has to lie ahead. */
import { BrainError } from '../core/errors.ts'
import { comingMomentOf } from '../core/moments.ts'

/**
 * The end of the moment named, in milliseconds since the epoch; undefined where none is. @throws BrainError `invalid`
 * for one that has passed.
 */
export function momentToCome(
  member: string,
  told: string | null | undefined,
  now: number,
): number | undefined {
  if (told == null) return undefined
  const at = comingMomentOf(told, now)?.last ?? Number.NaN
  if (!(at > now)) throw new BrainError('invalid', `${member} must be a moment to come`)
  return at
}
