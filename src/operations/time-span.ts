/** The span of time that a question is limited to: the same two members wherever there is one. */
import { BrainError } from '../core/errors.ts'
import { momentForms, momentOf } from '../core/moments.ts'
import type { InputOf } from './operation.ts'
import { about, optional, pastMoment } from './schemas.ts'

export const timeSpanMembers = {
  since: about(`Not before this: ${momentForms}`, optional(pastMoment())),
  until: about('Not after this, in the same forms; days are those of UTC', optional(pastMoment())),
}

/**
 * The first and last millisecond of the span, each absent where it is open.
 * @throws BrainError `invalid` when it ends before it begins: nothing could lie in it.
 */
export function timeSpanOf(
  { since, until }: InputOf<typeof timeSpanMembers>,
  now: number,
): { since?: number; until?: number } {
  const first = since == null ? undefined : momentOf(since, now)?.first
  const last = until == null ? undefined : momentOf(until, now)?.last
  if (first !== undefined && last !== undefined && first > last)
    throw new BrainError('invalid', `since (${since}) must not be later than until (${until})`)
  return { ...(first !== undefined && { since: first }), ...(last !== undefined && { until: last }) }
}
