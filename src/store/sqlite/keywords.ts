/**
 * Memories by keyword: how common terms are in a project, and which memories hold them. Reads FTS5's entries and
 * weighs them here: FTS5's own `bm25` looks up each entry's length, which takes ten times as long as everything else.
 */
import { chooseTerms, inverseDocumentFrequency, lengthShape, termScore } from '../../core/bm25.ts'
import { TopRows } from '../../core/top-rows.ts'
import type { KeywordMatch, TermStatistics } from '../candidates.ts'
import type { Connection } from './connection.ts'
import { findProject } from './projects.ts'

/** Memories, as a multiple of those wanted, whose length is looked at: with 4 times one in 50 of the best is missed. */
const examined = 8

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

/** Terms looked at under one beginning: a bound, whatever the brain holds. */
const maxTermsFrom = 4_000

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

/** Memories in ascending order of their ids, each with a score. */
interface Scored {
  readonly ids: Float64Array
  readonly scores: Float64Array
}

/** The same with another term's entries; by merging sorted arrays, as a map takes four times as long. */
function addEntries(known: Scored, entries: readonly number[], idf: number): Scored {
  const ids = new Float64Array(known.ids.length + entries.length)
  const scores = new Float64Array(ids.length)
  let size = 0
  let mine = 0
  let at = 0
  while (mine < known.ids.length || at < entries.length) {
    const own = known.ids[mine] ?? Number.POSITIVE_INFINITY
    const other = entries[at] ?? Number.POSITIVE_INFINITY
    ids[size] = Math.min(own, other)
    let score = 0
    if (own <= other) {
      score = known.scores[mine] ?? 0
      mine += 1
    }
    if (other <= own) {
      const first = at
      while (entries[at] === other) at += 1
      score += idf * termScore(at - first, 1)
    }
    scores[size] = score
    size += 1
  }
  return { ids: ids.subarray(0, size), scores: scores.subarray(0, size) }
}

/** The ids of the `limit` best of those selected, newest first; of equals the newest. */
function bestOf(
  { ids, scores }: Scored,
  limit: number,
  accepts: ((id: number) => boolean) | undefined,
): number[] {
  const top = new TopRows(limit)
  for (let at = ids.length - 1; at >= 0; at -= 1) {
    const id = ids[at] ?? 0
    if (accepts === undefined || accepts(id)) top.offer(id, scores[at] ?? 0)
  }
  return top.rows()
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

/** How often each of `ids`, which descend, stands among ascending entries: both are walked through once. */
function countEach(entries: readonly number[], ids: readonly number[]): Uint32Array {
  const counts = new Uint32Array(ids.length)
  let at = entries.length - 1
  for (let place = 0; place < ids.length; place += 1) {
    const id = ids[place] ?? 0
    while ((entries[at] ?? 0) > id) at -= 1
    const last = at
    while (entries[at] === id) at -= 1
    counts[place] = last - at
  }
  return counts
}

interface KeywordQuery {
  /** Those asked for; looked up are those that tell most. */
  readonly terms: readonly string[]
  /** Of these terms. */
  readonly statistics: TermStatistics
  readonly limit: number
  /** All of the project where it is absent. */
  readonly accepts: ((id: number) => boolean) | undefined
}

/**
 * The memories that BM25 puts first for some terms: of the entries of the index as if all memories were equally long,
 * then, of some times as many as are wanted, by their true length. Inside a read.
 */
export function findMatching(
  connection: Connection,
  projectId: number,
  { terms: asked, statistics, limit, accepts }: KeywordQuery,
): KeywordMatch[] {
  const chosen = chooseTerms(asked, statistics)
  if (chosen.length === 0) return []
  // A view of FTS5's entries that each connection makes for itself, in memory.
  connection.run(
    `CREATE VIRTUAL TABLE IF NOT EXISTS temp.occurrence_${projectId}
     USING fts5vocab(main, keyword_${projectId}, instance)`,
  )
  const terms = chosen.map((term) => ({
    term,
    entries: readEntries(connection, projectId, term),
    idf: inverseDocumentFrequency(statistics.documents, statistics.frequency.get(term) ?? 0),
  }))
  let scored: Scored = { ids: new Float64Array(), scores: new Float64Array() }
  for (const { entries, idf } of terms) scored = addEntries(scored, entries, idf)
  const near = bestOf(scored, examined * limit, accepts)
  const lengths = readLengths(connection, projectId, near)
  const counted = terms.map(({ term, entries, idf }) => ({ term, idf, counts: countEach(entries, near) }))
  const top = new TopRows(limit)
  for (const [place, id] of near.entries()) {
    const shape = lengthShape(lengths.get(id) ?? 0, statistics.averageLength)
    let score = 0
    for (const { counts, idf } of counted) {
      const count = counts[place] ?? 0
      if (count > 0) score += idf * termScore(count, shape)
    }
    top.offer(place, score)
  }
  return top.best().map(({ row: place }) => {
    const id = near[place] ?? 0
    const own = counted.flatMap(({ term, counts }) => {
      const count = counts[place] ?? 0
      return count > 0 ? [[term, count] as const] : []
    })
    return { id, counts: new Map(own), length: lengths.get(id) ?? 0 }
  })
}
