/**
 * Attributes of a memory that can be set when it is added: tags, and its expiry. The same members for every operation
 * that adds one.
 */
import { comingForms } from '../core/moments.ts'
import { momentToCome } from './moment-to-come.ts'
import { about, comingMoment, optional, tags } from './schemas.ts'

export const labelMembers = {
  tags: about('Tags to list and recall it by', optional(tags())),
  expires: about(`When it ends: ${comingForms}`, optional(comingMoment())),
}

/** For the command line, one option per tag; in the list of tools, left out. */
export const labelShape = { names: { tags: 'tag' }, unlisted: ['tags', 'expires'] } as const

interface Given {
  readonly tags?: readonly string[] | null | undefined
  readonly expires?: string | null | undefined
}

/** The members as they are stored. @throws BrainError `invalid` for an end that has passed. */
export function labelsOf(
  { tags: names, expires }: Given,
  now: number,
): { tags?: string[]; expiresAt?: number } {
  const expiresAt = momentToCome('expires', expires, now)
  return {
    ...(names != null && { tags: [...new Set(names.map((name) => name.trim()))] }),
    ...(expiresAt !== undefined && { expiresAt }),
  }
}
