/**
 * Attributes of a memory that can be set when it is added: tags, its expiry, and what it cites. The same members for every
 * operation that adds one.
 */
import { comingForms } from '../core/moments.ts'
import type { Cited } from '../store/citations.ts'
import { cites, stampCites } from './citations.ts'
import { momentToCome } from './moment-to-come.ts'
import type { Context, InputOf } from './operation.ts'
import { about, comingMoment, optional, tags } from './schemas.ts'

export const labelMembers = {
  tags: about('Tags to list and recall it by', optional(tags())),
  expires: about(`When it ends: ${comingForms}`, optional(comingMoment())),
  cites: cites(),
}

/** For the command line, one option per tag and place; in the list of tools, left out. */
export const labelShape = {
  names: { tags: 'tag', cites: 'cite' },
  unlisted: ['tags', 'expires', 'cites'],
} as const

/** The members as they are stored. @throws BrainError `invalid` for what cannot be cited, or an end that has passed. */
export async function labelsOf(
  context: Context,
  { tags: names, expires, cites }: InputOf<typeof labelMembers>,
): Promise<Cited & { tags?: string[]; expiresAt?: number }> {
  const cited = await stampCites(context, cites)
  const expiresAt = momentToCome('expires', expires, context.now())
  return {
    ...cited,
    ...(names != null && { tags: [...new Set(names.map((name) => name.trim()))] }),
    ...(expiresAt !== undefined && { expiresAt }),
  }
}
