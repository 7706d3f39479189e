/** How a memory is read from SQLite: the columns of its row, and its tags. */
import { memoryColumns } from '../rows/memories.ts'

/** The tags of a memory as a column of its row. */
export const tagsColumn =
  '(SELECT group_concat(name) FROM (SELECT name FROM tag WHERE memory_id = memory.id ORDER BY name)) AS tags'

/** What `toMemory` takes. */
export const selectedColumns = memoryColumns(tagsColumn)
