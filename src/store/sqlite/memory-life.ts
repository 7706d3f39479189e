/**
 * Changes to a memory in SQLite: its versions, tags, pin and expiry. Knows their columns; the text's indexes are in
 * `memories.ts`.
 */
import type { Memory, MemoryVersion } from '../../core/records.ts'
import type { MemoryEdit, MemoryLife, MemoryMarks } from '../memory-life.ts'
import {
  fromVersion,
  type MemoryRow,
  termsOf,
  toMemory,
  toReplaced,
  toVersion,
  type VersionRow,
} from '../rows/memories.ts'
import { requireVectors } from '../search/usable-vectors.ts'
import type { AddedMemory } from '../store.ts'
import type { Connection } from './connection.ts'
import { insertRow, updateRow } from './insert.ts'
import {
  findMemory,
  indexMemory,
  listUnembedded,
  readIndexed,
  selectedColumns,
  unindexMemory,
  writeTags,
} from './memories.ts'
import { findProject } from './projects.ts'
import { isRetired } from './served-model.ts'
import type { VectorTables } from './vectors.ts'

/** An earlier text of a memory, inside a write. Returns its id: the one given, or the next. */
export function insertVersion(
  connection: Connection,
  { id: given, memoryId, version }: { id?: number; memoryId: number; version: MemoryVersion },
): number {
  const row = { id: given ?? null, memory_id: memoryId, ...fromVersion(version) }
  const { id } = insertRow(connection, 'memory_version', row)
  // Nobody else is ever to have the id that it had.
  if (version.formerId !== undefined) {
    connection.run("UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = 'memory'", version.formerId)
  }
  return id
}

/** A memory that was judged to be there. */
function getMemory(connection: Connection, project: string, id: number): Memory {
  const found = findMemory(connection, project, id)
  if (found === undefined || found === 'elsewhere') throw new Error(`memory ${id} is gone`)
  return found
}

interface Amendment {
  readonly project: string
  readonly before: Memory
  readonly edit: MemoryEdit
}

function amend(connection: Connection, vectors: VectorTables, { project, before, edit }: Amendment) {
  const { id } = before
  const { text, caution, agent, now, embedding } = edit
  const indexed = readIndexed(connection, id)
  const terms = termsOf(text)
  insertVersion(connection, { memoryId: id, version: toReplaced(before, now) })
  unindexMemory(connection, vectors, indexed)
  connection.run('DELETE FROM passage WHERE memory_id = ?', id)
  connection.run('DELETE FROM flag_term WHERE memory_id = ?', id)
  connection.run('DELETE FROM unembedded WHERE memory_id = ?', id)
  updateRow(connection, 'memory', { id, text, terms, caution, agent, edited_at: now })
  const { projectId } = indexed
  const semantic = indexMemory(connection, vectors, { id, projectId, caution, embedding, terms })
  // On the way to another model, which may have been through with this memory: it takes what is listed, too.
  if (connection.first(`SELECT 1 FROM model WHERE NOT ${isRetired} LIMIT 1 OFFSET 1`) !== undefined)
    listUnembedded(connection, { id, projectId })
  return { ...getMemory(connection, project, id), semantic }
}

function mark(connection: Connection, id: number, { tags, pinnedAt, expiresAt }: MemoryMarks): void {
  if (tags !== undefined)
    writeTags(connection, { id, projectId: readIndexed(connection, id).projectId, tags })
  if (pinnedAt !== undefined) updateRow(connection, 'memory', { id, pinned_at: pinnedAt })
  if (expiresAt !== undefined) updateRow(connection, 'memory', { id, expires_at: expiresAt })
}

export const createMemoryLife = (
  connection: Connection,
  vectors: VectorTables,
): Omit<MemoryLife, 'merge'> => ({
  amend: (project, id, decide) =>
    connection.write((): AddedMemory => {
      const edit = decide(findMemory(connection, project, id))
      requireVectors(edit.embedding)
      return amend(connection, vectors, { project, before: getMemory(connection, project, id), edit })
    }),

  mark: (project, id, decide) =>
    connection.write(() => {
      const marks = decide(findMemory(connection, project, id))
      getMemory(connection, project, id)
      mark(connection, id, marks)
      return getMemory(connection, project, id)
    }),

  versions: (project, id) =>
    connection.read(() =>
      connection
        .all<VersionRow>(
          `SELECT version.* FROM memory_version AS version JOIN memory ON memory.id = memory_id
           WHERE memory_id = ? AND project_id = ? ORDER BY version.created_at, version.id`,
          id,
          findProject(connection, project) ?? 0,
        )
        .map(toVersion),
    ),

  mergedInto: (project, formerId) =>
    connection.read(
      () =>
        connection.first<{ id: number }>(
          `SELECT memory.id FROM memory_version JOIN memory ON memory.id = memory_id
           WHERE former_id = ? AND project_id = ?`,
          formerId,
          findProject(connection, project) ?? 0,
        )?.id,
    ),

  pinned: (project, { limit, now }) =>
    connection.read(() =>
      connection
        .all<MemoryRow>(
          `SELECT ${selectedColumns} FROM memory
           WHERE project_id = ? AND pinned_at IS NOT NULL AND (expires_at IS NULL OR expires_at > ?)
           ORDER BY pinned_at DESC, memory.id DESC LIMIT ?`,
          findProject(connection, project) ?? 0,
          now,
          limit,
        )
        .map(toMemory),
    ),
})
