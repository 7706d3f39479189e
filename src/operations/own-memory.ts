/** A memory that somebody means by its id, for the operations that show or change one. Knows the refusals. */
import { requireOwned } from '../core/access.ts'
import { BrainError } from '../core/errors.ts'
import type { Memory } from '../core/records.ts'
import type { Context } from './operation.ts'

/** What such an operation refuses, for its definition. */
export const memoryRefusals = [
  'memory X not found',
  'memory X belongs to another project',
  'memory X was merged into memory Y',
] as const

/** The project's memory of this id. @throws BrainError `refused` where there is none, and naming the memory it was merged into. */
export async function requireMemory(
  { store, project }: Pick<Context, 'store' | 'project'>,
  id: number,
): Promise<Memory> {
  const found = await store.memories.find(project, id)
  const merged = found === undefined ? await store.memories.mergedInto(project, id) : undefined
  if (merged !== undefined) throw new BrainError('refused', `memory ${id} was merged into memory ${merged}`)
  return requireOwned('memory', id, found)
}
