/**
 * Memories by keyword: how common terms are in a project, and which memories hold them. Reads FTS5's entries, to be
 * weighed in `store/search/matching.ts`: FTS5's own `bm25` looks up each entry's length, which takes ten times as long as
 * everything else.
 */
import { chooseTerms } from '../../core/bm25.ts'
import type { KeywordMatch, TermStatistics } from '../candidates.ts'
import { findNear, type KeywordQuery, maxTermsFrom, rankNear } from '../search/matching.ts'
import type { Connection } from './connection.ts'
import { findProject } from './projects.ts'

/** How common terms are in a project. Inside a read. */
export function readTermStatistics(
  connection: Connection,
  project: string,
  terms: readonly string[],
): TermStatistics {
  const frequency = new Map<string, number>()
  const totals = connection.first<{ id: number; memories: number; terms: number }>(
    'SELECT id, memories, terms FROM project WHERE name = ?',
    project,
  )
  if (totals === undefined) return { documents: 0, averageLength: 0, frequency }
  // At once: FTS5 compiles a statement of its own for each of ours.
  const found = connection.all<{ term: string; doc: number }>(
    `SELECT term, doc FROM json_each(?) AS wanted CROSS JOIN term_${totals.id} ON term = wanted.value`,
    JSON.stringify(terms),
  )
  for (const { term, doc } of found) frequency.set(term, doc)
  return { documents: totals.memories, averageLength: totals.terms / Math.max(1, totals.memories), frequency }
}

/** Terms of a project's memories that begin with `prefix`, in order. Inside a read. */
export function readTermsFrom(connection: Connection, project: string, prefix: string): string[] {
  const projectId = findProject(connection, project)
  if (projectId === undefined) return []
  return connection
    .all<{ term: string }>(
      `SELECT term FROM term_${projectId} WHERE term >= ? AND term < ? LIMIT ${maxTermsFrom}`,
      prefix,
      `${prefix}\u{10ffff}`,
    )
    .map(({ term }) => term)
}

/** The ids of memories that hold the term, ascending, each once for every time it stands there. */
function readEntries(connection: Connection, projectId: number, term: string): number[] {
  // In one row: a row for each would take four times as long.
  const found = connection.first<{ ids: string }>(
    `SELECT json_group_array(doc) AS ids FROM temp.occurrence_${projectId} WHERE term = ?`,
    term,
  )
  return JSON.parse(found?.ids ?? '[]') as number[]
}

/** The terms of memories, as many as FTS5 counted. */
function readLengths(connection: Connection, projectId: number, ids: readonly number[]): Map<number, number> {
  const found = connection.first<{ ids: string; sizes: string }>(
    `SELECT json_group_array(size.id) AS ids, json_group_array(hex(sz)) AS sizes
     FROM json_each(?) AS wanted CROSS JOIN keyword_${projectId}_docsize AS size ON size.id = wanted.value`,
    JSON.stringify(ids),
  )
  // Written by the statement above.
  const sizes = JSON.parse(found?.sizes ?? '[]') as string[]
  return new Map((JSON.parse(found?.ids ?? '[]') as number[]).map((id, at) => [id, toSize(sizes[at] ?? '')]))
}

/** A number as SQLite packs it: seven bits a byte, the highest first. */
function toSize(packed: string): number {
  let size = 0
  for (let at = 0; at < packed.length; at += 2) {
    size = size * 128 + (Number.parseInt(packed.slice(at, at + 2), 16) & 127)
  }
  return size
}

/** A memory of more terms is looked at for whether it holds a term, not for how often, and only so far from the first match. */
const longTerms = 600
const farFromFirst = 10

/** The terms of some memories as they stand in them, each list in one string. */
function readTerms(connection: Connection, projectId: number, ids: readonly number[]): Map<number, string> {
  // In one row: a row for each would take twice as long.
  const found = connection.first<{ ids: string; terms: string }>(
    `SELECT json_group_array(memory.id) AS ids, ifnull(group_concat(terms, char(10)), '') AS terms
     FROM json_each(?) AS wanted CROSS JOIN memory ON memory.id = wanted.value WHERE project_id = ?`,
    JSON.stringify(ids),
    projectId,
  )
  const lists = found?.terms.split('\n') ?? []
  // Written by the statement above.
  return new Map((JSON.parse(found?.ids ?? '[]') as number[]).map((id, at) => [id, lists[at] ?? '']))
}

/** What of a match is so by the memory's own account; undefined where it holds none of the terms. */
function confirm(match: KeywordMatch, terms: string): KeywordMatch | undefined {
  const long = match.length > longTerms
  const within = ` ${terms} `
  const own = long ? [] : terms.split(' ')
  const counts = new Map(
    [...match.counts].flatMap(([term, told]) => {
      const count = long
        ? within.includes(` ${term} `)
          ? told
          : 0
        : own.filter((one) => one === term).length
      return count > 0 ? [[term, count] as const] : []
    }),
  )
  return counts.size === 0 ? undefined : { id: match.id, counts, length: long ? match.length : own.length }
}

/** The memories that BM25 puts first for some terms. Inside a read. */
export function findMatching(connection: Connection, projectId: number, query: KeywordQuery): KeywordMatch[] {
  const chosen = chooseTerms(query.terms, query.statistics)
  if (chosen.length === 0) return []
  // A view of FTS5's entries that each connection makes for itself, in memory.
  connection.run(
    `CREATE VIRTUAL TABLE IF NOT EXISTS temp.occurrence_${projectId}
     USING fts5vocab(main, keyword_${projectId}, instance)`,
  )
  const postings = chosen.map((term) => ({ term, entries: readEntries(connection, projectId, term) }))
  const near = findNear(postings, query)
  const matches = rankNear(postings, near, { ...query, lengths: readLengths(connection, projectId, near) })
  // FTS5 does not notice another number in its pages: what it says is told as far as the memories say so, too.
  const ids = matches.filter(({ length }, at) => at < farFromFirst || length <= longTerms).map(({ id }) => id)
  const held = readTerms(connection, projectId, ids)
  const asked = new Set(ids)
  return matches.flatMap((match) =>
    asked.has(match.id) ? (confirm(match, held.get(match.id) ?? '') ?? []) : match,
  )
}
