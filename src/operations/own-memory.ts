/** Finds a memory by its id, for the operations that show, mark or change one, with their errors. */
import { ownedRefusals, requireOwned } from '../core/access.ts'
import { BrainError } from '../core/errors.ts'
import type { Memory } from '../core/records.ts'
import type { MemoryMarks } from '../store/memory-life.ts'
import type { Context } from './operation.ts'

/** The errors of such an operation, for its definition. */
export const memoryRefusals = [...ownedRefusals('memory'), 'memory X was merged into memory Y']

/**
 * The project's memory with this id.
 * @throws BrainError `refused` if there is none, naming the memory it was merged into, if any.
 */
export async function requireMemory(
  { store, project }: Pick<Context, 'store' | 'project'>,
  id: number,
): Promise<Memory> {
  const found = await store.memories.find(project, id)
  const merged = found === undefined ? await store.memories.mergedInto(project, id) : undefined
  if (merged !== undefined) throw new BrainError('refused', `memory ${id} was merged into memory ${merged}`)
  return requireOwned('memory', id, found)
}

/**
 * Marks the memory as `decide` says of it. Returns it as it is then. @throws BrainError as `requireMemory`, and
 * whatever `decide` throws.
 */
export async function markMemory(
  context: Pick<Context, 'store' | 'project'>,
  id: number,
  decide: (memory: Memory) => MemoryMarks,
): Promise<Memory> {
  await requireMemory(context, id)
  const { store, project } = context
  return store.memories.mark(project, id, (found) => decide(requireOwned('memory', id, found)))
}
