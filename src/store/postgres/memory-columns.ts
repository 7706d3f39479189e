/** How a memory is read from PostgreSQL: the columns of its row, and its tags. */
import type { Memory } from '../../core/records.ts'
import { type MemoryRow, memoryColumns, toMemory } from '../rows/memories.ts'
import type { Transaction } from './transaction.ts'

/** The tags of a memory as a column of its row. */
export const tagsColumn = `(SELECT string_agg(tag.name, ',' ORDER BY tag.name) FROM tag
  WHERE tag.project_id = memory.project_id AND tag.memory_id = memory.id) AS tags`

/** What `toMemory` takes. */
export const selectedColumns = memoryColumns(tagsColumn)

/** The project's memories of these ids, in no order. Inside a read. */
export const readMemories = async (transaction: Transaction, ids: readonly number[]): Promise<Memory[]> =>
  ids.length === 0
    ? []
    : (
        await transaction.all<MemoryRow>(
          `SELECT ${selectedColumns} FROM memory WHERE project_id = $1 AND id = ANY($2::bigint[])`,
          [transaction.projectId, ids],
        )
      ).map(toMemory)
