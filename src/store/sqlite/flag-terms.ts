/**
 * Flags apart from all memories: their words, and which are gravest. What the gut-check compares costs what the
 * flags cost, however many memories there are.
 */
import { isShown } from '../rows/memories.ts'
import type { Connection } from './connection.ts'

/** Of memories that have not expired by a moment. */
const unexpired = isShown('?')

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

/**
 * Which flags that have not expired by `now` hold which of some terms, each given once; of a damaged list what the flags
 * themselves do not say is left out. Inside a read.
 */
export function readFlagTerms(
  connection: Connection,
  projectId: number,
  { terms, now }: { terms: readonly string[]; now: number },
): Map<number, string[]> {
  const held = new Map<number, string[]>()
  for (const term of terms) {
    const rows = connection.all<{ memory_id: number }>(
      `SELECT memory_id FROM flag_term JOIN memory ON id = memory_id
       WHERE flag_term.project_id = ? AND term = ? AND ${unexpired} AND instr(terms, term) > 0`,
      projectId,
      term,
      now,
    )
    for (const { memory_id } of rows) {
      const own = held.get(memory_id)
      if (own) own.push(term)
      else held.set(memory_id, [term])
    }
  }
  return held
}

/** How many flags have not expired by `now`. Inside a read. */
export const countFlags = (connection: Connection, projectId: number, now: number): number =>
  connection.first<{ flags: number }>(
    `SELECT count(*) AS flags FROM memory WHERE project_id = ? AND caution > 0 AND ${unexpired}`,
    projectId,
    now,
  )?.flags ?? 0

/** Ids of the most cautious flags, best first. Inside a read. */
export const readGravestFlags = (
  connection: Connection,
  projectId: number,
  { limit, now }: { limit: number; now: number },
): number[] =>
  connection
    .all<{ id: number }>(
      `SELECT id FROM memory WHERE project_id = ? AND caution > 0 AND ${unexpired}
       ORDER BY caution DESC, id LIMIT ?`,
      projectId,
      now,
      limit,
    )
    .map(({ id }) => id)
