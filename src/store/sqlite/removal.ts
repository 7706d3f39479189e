/** Records taken away from SQLite so that no byte of them is left: knows that pages are written anew afterwards. */
import { termsOf } from '../rows/memories.ts'
import type { MemoryIndexes } from '../sql/memory-life.ts'
import { forget, textsOfVersions } from '../sql/removal.ts'
import type { RemovalStore } from '../store.ts'
import type { Connection } from './connection.ts'
import { readIndexed } from './memories.ts'
import { removeMemory } from './memory-indexes.ts'
import { findProject, hasTraces, rebuildKeywords } from './projects.ts'
import { noteDue, rewriteAfterForgetting } from './rewriting.ts'
import { over } from './session.ts'
import { createSwitching } from './switching.ts'
import type { VectorTables } from './vectors.ts'

/** Keyword indexes keep pieces of words as signposts: written anew where one is of a word that is gone. */
const forgetMemory = (connection: Connection, vectors: VectorTables): MemoryIndexes['remove'] =>
  function* (session, id) {
    const indexed = readIndexed(connection, id)
    const earlier = yield* textsOfVersions(session, id)
    const terms = [indexed.terms, ...earlier.map(termsOf)].flatMap((text) => text.split(' '))
    yield* removeMemory(session, { connection, vectors }, indexed)
    if (hasTraces(connection, indexed.projectId, new Set(terms)))
      rebuildKeywords(connection, indexed.projectId)
  }

export function createRemovalStore(connection: Connection, vectors: VectorTables): RemovalStore {
  const switching = createSwitching(connection, vectors)
  return {
    forget: async (project, { kind, ids }, decide) => {
      // Of vectors whose rows a killed removal took first nothing tells any more whose they were.
      while (kind === 'memory' && connection.writable && (await switching.clearRetired()));
      await connection.write(() => {
        over(connection, findProject(connection, project) ?? 0, (session) =>
          forget(session, { kind, ids, decide, removeMemory: forgetMemory(connection, vectors) }),
        )
        noteDue(connection)
      })
      await rewriteAfterForgetting(connection, `${kind} ${ids.join(', ')}`)
    },
  }
}
