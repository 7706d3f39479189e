/**
 * Flags apart from all memories: their words, and which are gravest. What the gut-check compares costs what the
 * flags cost, however many memories there are.
 */
import type { FlagTerms } from '../store.ts'
import type { Connection } from './connection.ts'

/** Inside the write that adds the flag. */
export function addFlagTerms(
  connection: Connection,
  flag: { readonly id: number; readonly projectId: number; readonly terms: Iterable<string> },
): void {
  for (const term of new Set(flag.terms)) {
    connection.run(
      'INSERT INTO flag_term (project_id, term, memory_id) VALUES (?, ?, ?)',
      flag.projectId,
      term,
      flag.id,
    )
  }
}

export function readFlagTerms(
  connection: Connection,
  projectId: number,
  terms: readonly string[],
): FlagTerms {
  const held = new Map<number, string[]>()
  for (const term of new Set(terms)) {
    const rows = connection.all<{ memory_id: number }>(
      'SELECT memory_id FROM flag_term WHERE project_id = ? AND term = ?',
      projectId,
      term,
    )
    for (const { memory_id } of rows) {
      const own = held.get(memory_id)
      if (own) own.push(term)
      else held.set(memory_id, [term])
    }
  }
  const counted = connection.first<{ flags: number }>(
    'SELECT count(*) AS flags FROM memory WHERE project_id = ? AND caution > 0',
    projectId,
  )
  return { flags: counted?.flags ?? 0, held }
}

export const readGravestFlags = (connection: Connection, projectId: number, limit: number): number[] =>
  connection
    .all<{ id: number }>(
      'SELECT id FROM memory WHERE project_id = ? AND caution > 0 ORDER BY caution DESC, id LIMIT ?',
      projectId,
      limit,
    )
    .map(({ id }) => id)
