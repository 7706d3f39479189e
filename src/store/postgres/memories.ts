/**
 * Memories in PostgreSQL as they are read and listed; `keeping.ts` writes them. What goes with a row the
 * database takes along by itself.
 */
import type { MemoryLife } from '../memory-life.ts'
import { termsOf } from '../rows/memories.ts'
import { requireVectors } from '../search/usable-vectors.ts'
import { createMemoryReads } from '../sql/memories.ts'
import type { AddedMemory, MemoryStore, NewMemory } from '../store.ts'
import type { Database } from './connection.ts'
import { createGathering } from './gathering.ts'
import { readMemories } from './memory-columns.ts'
import { createSqlDatabase } from './session.ts'

export function createMemoryStore(database: Database): Omit<MemoryStore, keyof MemoryLife> {
  const gather = createGathering(database)
  const addMany = async (project: string, memories: readonly NewMemory[]): Promise<AddedMemory[]> => {
    for (const { embedding } of memories) requireVectors(embedding)
    // Before a connection is taken, so that nobody waits for it meanwhile.
    const insertions = memories.map((memory) => ({ memory, terms: termsOf(memory.text) }))
    return gather(project, insertions)
  }

  return {
    ...createMemoryReads(createSqlDatabase(database)),
    addMany,

    add: async (project, memory) => {
      const [added] = await addMany(project, [memory])
      if (added === undefined) throw new Error('a memory that was kept is not told of')
      return added
    },

    findMany: (project, ids) => database.read(project, (transaction) => readMemories(transaction, ids)),

    count: (project) =>
      database.read(project, async (transaction) => {
        const counted = await transaction.first<{ memories: number }>(
          'SELECT coalesce(sum(memories), 0)::bigint AS memories FROM tally WHERE project_id = $1',
          [transaction.projectId],
        )
        return counted?.memories ?? 0
      }),
  }
}
