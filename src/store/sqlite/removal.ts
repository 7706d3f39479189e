/**
 * Records taken away with all that belongs to them, so that no byte of them is left. Knows which tables a record of each
 * kind lives in beside its own, and that pages are written anew afterwards.
 */
import type { RecordKind } from '../../core/records.ts'
import { termsOf } from '../rows/memories.ts'
import { textOf } from '../rows/texts.ts'
import type { RemovalStore } from '../store.ts'
import type { Connection } from './connection.ts'
import { type Indexed, readIndexed, unindexMemory } from './memories.ts'
import { findOwn, hasTraces, rebuildKeywords } from './projects.ts'
import { removeBeside } from './provenance.ts'
import { noteDue, rewriteAfterForgetting } from './rewriting.ts'
import { createSwitching } from './switching.ts'
import type { VectorTables } from './vectors.ts'

/** What a memory said before. */
const textsOfVersions = (connection: Connection, id: number): string[] =>
  connection
    .all<{ text: string }>('SELECT text FROM memory_version WHERE memory_id = ?', id)
    .map(({ text }) => text)

/** A memory that may not be forgotten but moved elsewhere: its row, vectors and keyword entry. Inside a write. */
export function removeMemory(connection: Connection, vectors: VectorTables, indexed: Indexed): void {
  unindexMemory(connection, vectors, indexed)
  removeBeside(connection, 'memory', indexed.id)
  connection.run('DELETE FROM memory WHERE id = ?', indexed.id)
}

/** Keyword indexes keep pieces of words as signposts: written anew where one is of a word that is gone. */
function forgetMemory(connection: Connection, vectors: VectorTables, id: number): void {
  const indexed = readIndexed(connection, id)
  const terms = [indexed.terms, ...textsOfVersions(connection, id).map(termsOf)].flatMap((text) =>
    text.split(' '),
  )
  removeMemory(connection, vectors, indexed)
  if (hasTraces(connection, indexed.projectId, new Set(terms))) rebuildKeywords(connection, indexed.projectId)
}

/** With its trail. What it took the place of is superseded by what took its own, or stands again. */
function forgetBelief(connection: Connection, id: number): void {
  const events = connection.all<{ id: number }>('SELECT id FROM evidence WHERE belief_id = ?', id)
  for (const event of events) removeBeside(connection, 'evidence', event.id)
  connection.run('DELETE FROM evidence WHERE belief_id = ?', id)
  connection.run(
    'UPDATE belief SET superseded_by = (SELECT superseded_by FROM belief WHERE id = ?) WHERE superseded_by = ?',
    id,
    id,
  )
}

function remove(
  connection: Connection,
  vectors: VectorTables,
  { kind, id }: { kind: RecordKind; id: number },
): void {
  if (kind === 'memory') {
    forgetMemory(connection, vectors, id)
    return
  }
  if (kind === 'belief') forgetBelief(connection, id)
  if (kind === 'prediction') connection.run('DELETE FROM prediction_term WHERE prediction_id = ?', id)
  if (kind !== 'dream') removeBeside(connection, kind, id)
  connection.run(`DELETE FROM ${kind} WHERE id = ?`, id)
}

export function createRemovalStore(connection: Connection, vectors: VectorTables): RemovalStore {
  const switching = createSwitching(connection, vectors)
  return {
    forget: async (project, { kind, ids }, decide) => {
      // Of vectors whose rows a killed removal took first nothing tells any more whose they were.
      while (kind === 'memory' && connection.writable && (await switching.clearRetired()));
      await connection.write(() => {
        for (const id of ids) {
          const earlier = kind === 'memory' ? textsOfVersions(connection, id) : []
          const found = findOwn(connection, project, {
            table: kind,
            id,
            select: `SELECT ${textOf[kind]} AS text FROM ${kind}`,
            toRecord: ({ text }: { text: string }) => ({ texts: [text, ...earlier] }),
          })
          decide(id, found)
          if (typeof found === 'object') remove(connection, vectors, { kind, id })
        }
        noteDue(connection)
      })
      await rewriteAfterForgetting(connection, `${kind} ${ids.join(', ')}`)
    },
  }
}
