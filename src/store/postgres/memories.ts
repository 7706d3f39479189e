/**
 * Memories in PostgreSQL as they are read and listed; `keeping.ts` writes them. What goes with a row the
 * database takes along by itself.
 */
import type { Found, Memory } from '../../core/records.ts'
import type { MemoryLife } from '../memory-life.ts'
import { type MemoryRow, termsOf, toMemory } from '../rows/memories.ts'
import { requireVectors } from '../search/usable-vectors.ts'
import type { AddedMemory, MemoryStore, NewMemory } from '../store.ts'
import type { Database } from './connection.ts'
import { createGathering } from './gathering.ts'
import { readMemories, selectedColumns } from './memory-columns.ts'
import { findOwn } from './own.ts'
import type { Transaction } from './transaction.ts'

/** Reads one memory; for the other adapters of this folder. */
export const findMemory = (transaction: Transaction, id: number): Promise<Found<Memory>> =>
  findOwn(transaction, {
    table: 'memory',
    id,
    select: `SELECT ${selectedColumns} FROM memory`,
    toRecord: toMemory,
  })

/** Of memories that have not expired by the moment that is the second value. */
const unexpired = '(expires_at IS NULL OR expires_at > $2)'

export function createMemoryStore(database: Database): Omit<MemoryStore, keyof MemoryLife> {
  const gather = createGathering(database)
  const addMany = async (project: string, memories: readonly NewMemory[]): Promise<AddedMemory[]> => {
    for (const { embedding } of memories) requireVectors(embedding)
    // Before a connection is taken, so that nobody waits for it meanwhile.
    const insertions = memories.map((memory) => ({ memory, terms: termsOf(memory.text) }))
    return gather(project, insertions)
  }

  const list = (
    project: string,
    rest: string,
    values: readonly [now: number, ...others: number[]],
  ): Promise<Memory[]> =>
    database.read(project, async (transaction) => {
      const rows = await transaction.all<MemoryRow>(
        `SELECT ${selectedColumns} FROM memory WHERE project_id = $1 AND ${unexpired} ${rest}`,
        [transaction.projectId, ...values],
      )
      return rows.map(toMemory)
    })

  return {
    addMany,

    add: async (project, memory) => {
      const [added] = await addMany(project, [memory])
      if (added === undefined) throw new Error('a memory that was kept is not told of')
      return added
    },

    find: (project, id) => database.read(project, (transaction) => findMemory(transaction, id)),

    findMany: (project, ids) => database.read(project, (transaction) => readMemories(transaction, ids)),

    list: (project, { after, limit, flagsOnly, now = Number.MIN_SAFE_INTEGER }) =>
      list(project, `AND id > $3 ${flagsOnly ? 'AND caution > 0' : ''} ORDER BY id LIMIT $4`, [
        now,
        after,
        limit,
      ]),

    newest: (project, { limit, now }) => list(project, 'ORDER BY id DESC LIMIT $3', [now, limit]),

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
