/** How far a removal may go by itself. Pure. */
import { BrainError } from '../../core/errors.ts'

/** So many records may be forgotten at once, whatever share of all they are. */
const few = 10

/**
 * @throws BrainError `refused` where more than a few records, and more than half of all, would go: then a brain was
 * restored, or a folder emptied, more likely than each of them forgotten.
 */
export function requireFew(going: number, all: number, sentence: (counts: string) => string): void {
  if (going <= few || going * 2 <= all) return
  throw new BrainError('refused', sentence(`${going} of ${all} shared records`))
}
