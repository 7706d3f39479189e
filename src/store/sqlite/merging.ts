/** Merging memories in SQLite: the others become versions of one, and references to them point to it. */
import type { Memory } from '../../core/records.ts'
import type { MemoryLife, Merging } from '../memory-life.ts'
import { toReplaced } from '../rows/memories.ts'
import type { Connection } from './connection.ts'
import { updateRow } from './insert.ts'
import { findMemory, readIndexed, writeTags } from './memories.ts'
import { insertVersion } from './memory-life.ts'
import { removeMemory } from './removal.ts'
import type { VectorTables } from './vectors.ts'

/** Transfers what belongs to one memory to another. Inside a write. */
function handOver(connection: Connection, from: number, to: number): void {
  connection.run('UPDATE memory_version SET memory_id = ? WHERE memory_id = ?', to, from)
  // A dream of both is one of the other alone.
  connection.run(
    `DELETE FROM dream_source WHERE memory_id = ? AND dream_id IN
       (SELECT dream_id FROM dream_source WHERE memory_id = ?)`,
    from,
    to,
  )
  for (const table of ['dream_source', 'exemption', 'recall_verdict'])
    connection.run(`UPDATE ${table} SET memory_id = ? WHERE memory_id = ?`, to, from)
  connection.run("UPDATE citation SET record_id = ? WHERE kind = 'memory' AND record_id = ?", to, from)
}

interface Parts {
  readonly kept: Memory
  readonly older: readonly Memory[]
}

function merge(
  connection: Connection,
  vectors: VectorTables,
  { kept, older, ...merging }: Parts & Merging,
): void {
  const { now, caution, tags, pinnedAt } = merging
  for (const memory of older) {
    handOver(connection, memory.id, kept.id)
    insertVersion(connection, {
      memoryId: kept.id,
      version: { ...toReplaced(memory, now), formerId: memory.id },
    })
    removeMemory(connection, vectors, readIndexed(connection, memory.id))
  }
  updateRow(connection, 'memory', { id: kept.id, caution, pinned_at: pinnedAt })
  writeTags(connection, { id: kept.id, projectId: readIndexed(connection, kept.id).projectId, tags })
}

export const createMerging = (connection: Connection, vectors: VectorTables): Pick<MemoryLife, 'merge'> => ({
  merge: (project, ids, decide) =>
    connection.write(() => {
      const [kept, ...older] = [ids.kept, ...ids.older]
        .map((id) => findMemory(connection, project, id))
        .filter((memory) => typeof memory === 'object')
      if (kept === undefined || older.length < ids.older.length) return false
      const merging = decide(kept, older)
      if (merging === undefined) return false
      merge(connection, vectors, { kept, older, ...merging })
      return true
    }),
})
