/** Who may touch a record: judged here and nowhere else, for every operation that takes an id. */
import { BrainError } from './errors.ts'
import type { Found, RecordKind } from './records.ts'

/**
 * The record, once it is known to exist and to belong to the project that asks for it.
 * @throws BrainError `refused` otherwise, in the words of the specification.
 */
export function requireOwned<T>(kind: RecordKind | 'evidence', id: number, found: Found<T>): T {
  if (found === undefined) {
    // Flags are memories, and evidence stands in its belief's trail.
    const list = kind === 'evidence' ? 'evidence-for BELIEF' : kind === 'memory' ? 'list' : `list ${kind}`
    throw new BrainError('refused', `${kind} ${id} not found`, { hint: `\`brain ${list}\` tells the ids.` })
  }
  if (found === 'elsewhere') {
    const hint = '`brain projects` lists the projects, --project NAME selects one.'
    throw new BrainError('refused', `${kind} ${id} belongs to another project`, { hint })
  }
  return found
}

/** The errors of `requireOwned`, for the definition of an operation. */
export const ownedRefusals = (kind: RecordKind | 'evidence' | 'KIND') =>
  [`${kind} X not found`, `${kind} X belongs to another project`] as const
