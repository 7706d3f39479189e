/** What finds a memory in SQLite, where its text changes and where it goes: keywords, words of flags and vectors. */
import { termsOf } from '../rows/memories.ts'
import type { MemoryIndexes } from '../sql/memory-life.ts'
import { removeBeside } from '../sql/provenance.ts'
import type { Session, Steps } from '../sql/session.ts'
import type { Connection } from './connection.ts'
import { type Indexed, indexMemory, listUnembedded, readIndexed, unindexMemory } from './memories.ts'
import { readEmbeddings } from './outgoing-vectors.ts'
import { isRetired } from './served-model.ts'
import type { VectorTables } from './vectors.ts'

/** A memory's row, vectors, keyword entry and what stands beside it, away. Inside a write. */
export function* removeMemory(
  session: Session,
  { connection, vectors }: { readonly connection: Connection; readonly vectors: VectorTables },
  indexed: Indexed,
): Steps<void> {
  unindexMemory(connection, vectors, indexed)
  yield* removeBeside(session, { kind: 'memory', id: indexed.id })
  yield* session.run('DELETE FROM memory WHERE id = ?', indexed.id)
}

export const createMemoryIndexes = (connection: Connection, vectors: VectorTables): MemoryIndexes => ({
  *amend(session, before, { text, caution, agent, now, embedding: given }) {
    const { id } = before
    const { projectId } = session
    const terms = termsOf(text)
    const kept =
      text === before.text ? readEmbeddings(connection, vectors, { projectId, memoryIds: [id] }) : undefined
    const embedding = given ?? kept?.get(id)
    unindexMemory(connection, vectors, readIndexed(connection, id))
    yield* session.removeOf('memory_id', id, ['passage', 'flag_term', 'unembedded'])
    yield* session.update('memory', { id, text, terms, caution, agent, edited_at: now })
    const semantic = indexMemory(connection, vectors, { id, projectId, caution, embedding, terms })
    // On the way to another model, which may have been through with this memory: it takes what is listed, too.
    if (connection.first(`SELECT 1 FROM model WHERE NOT ${isRetired} LIMIT 1 OFFSET 1`) !== undefined)
      listUnembedded(connection, { id, projectId })
    return semantic
  },

  remove: (session, id) => removeMemory(session, { connection, vectors }, readIndexed(connection, id)),
})
