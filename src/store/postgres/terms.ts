/**
 * The keyword index: which memories of a project hold a term and how often, and the terms of flags apart. Written with the
 * memory; a forgotten one's go by the database's own triggers.
 */
import { chooseTerms } from '../../core/bm25.ts'
import { addTo } from '../../core/lists.ts'
import type { KeywordMatch, TermStatistics } from '../candidates.ts'
import { isShown } from '../rows/memories.ts'
import { findNear, type KeywordQuery, maxTermsFrom, type Posting, rankNear } from '../search/matching.ts'
import type { Transaction } from './transaction.ts'

/** A memory as the index takes it; `terms` are parted by spaces, none in an empty string. */
export interface IndexedMemory {
  readonly id: number
  readonly terms: string
  readonly caution: number
}

const listTerms = (terms: string): string[] => (terms === '' ? [] : terms.split(' '))

/** Indexes memories of the project that are not indexed. Inside a write. */
export async function writeTerms(
  transaction: Transaction,
  memories: readonly IndexedMemory[],
): Promise<void> {
  const ids: number[] = []
  const lengths: number[] = []
  const counts: number[] = []
  const terms: string[] = []
  const flags: { id: number; term: string }[] = []
  for (const { id, caution, terms: text } of memories) {
    const all = listTerms(text)
    const own = new Map<string, number>()
    for (const term of all) own.set(term, (own.get(term) ?? 0) + 1)
    for (const [term, count] of own) {
      ids.push(id)
      lengths.push(all.length)
      counts.push(count)
      terms.push(term)
      if (caution > 0) flags.push({ id, term })
    }
  }
  if (terms.length > 0) {
    await transaction.run(
      `INSERT INTO posting (project_id, memory_id, count, length, term)
       SELECT $1, * FROM unnest($2::bigint[], $3::int[], $4::int[], $5::text[])`,
      [transaction.projectId, ids, counts, lengths, terms],
    )
  }
  if (flags.length > 0) {
    await transaction.run(
      'INSERT INTO flag_term (project_id, memory_id, term) SELECT $1, * FROM unnest($2::bigint[], $3::text[])',
      [transaction.projectId, flags.map(({ id }) => id), flags.map(({ term }) => term)],
    )
  }
}

/** Takes what the index has of a memory whose row stays. Inside a write. */
export async function removeTerms(
  transaction: Transaction,
  { id, terms, caution }: IndexedMemory,
): Promise<void> {
  const { projectId } = transaction
  await transaction.run(
    'DELETE FROM posting WHERE project_id = $1 AND memory_id = $2 AND term = ANY($3::text[])',
    [projectId, id, [...new Set(listTerms(terms))]],
  )
  if (caution > 0) {
    await transaction.run('DELETE FROM flag_term WHERE project_id = $1 AND memory_id = $2', [projectId, id])
  }
}

/** How common terms are in the project. Inside a read. */
export async function readTermStatistics(
  transaction: Transaction,
  terms: readonly string[],
): Promise<TermStatistics> {
  const rows = await transaction.all<{ term: string | null; memories: number; terms: number }>(
    `SELECT NULL AS term, coalesce(sum(memories), 0)::bigint AS memories, coalesce(sum(terms), 0)::bigint AS terms
     FROM tally WHERE project_id = $1
     UNION ALL SELECT term, count(*), 0 FROM posting WHERE project_id = $1 AND term = ANY($2::text[]) GROUP BY term`,
    [transaction.projectId, [...new Set(terms)]],
  )
  const frequency = new Map<string, number>()
  let documents = 0
  let length = 0
  for (const { term, memories, terms: all } of rows) {
    if (term === null) [documents, length] = [memories, all]
    else frequency.set(term, memories)
  }
  return { documents, averageLength: length / Math.max(1, documents), frequency }
}

/** Terms of the project's memories that begin with `prefix`, in order. Inside a read. */
export async function readTermsFrom(transaction: Transaction, prefix: string): Promise<string[]> {
  // From term to term by the index: to read all postings of each would take as long as there are memories.
  const rows = await transaction.all<{ term: string }>(
    `WITH RECURSIVE found AS (
       (SELECT term FROM posting WHERE project_id = $1 AND term >= $2 AND term < $3 ORDER BY term LIMIT 1)
       UNION ALL
       SELECT next.term FROM found CROSS JOIN LATERAL (
         SELECT term FROM posting WHERE project_id = $1 AND posting.term > found.term AND posting.term < $3
         ORDER BY term LIMIT 1
       ) AS next
     ) SELECT term FROM found LIMIT ${maxTermsFrom}`,
    [transaction.projectId, prefix, `${prefix}\u{10ffff}`],
  )
  return rows.map(({ term }) => term)
}

interface PostingRow {
  readonly term: string
  readonly ids: number[]
  readonly counts: number[]
  readonly lengths: number[]
}

/** Each id as often as it counts. */
function toEntries({ ids, counts }: PostingRow): number[] {
  const entries: number[] = []
  for (const [at, id] of ids.entries())
    for (let times = counts[at] ?? 0; times > 0; times -= 1) entries.push(id)
  return entries
}

/** The memories that BM25 puts first for some terms. Inside a read. */
export async function findMatching(transaction: Transaction, query: KeywordQuery): Promise<KeywordMatch[]> {
  const chosen = chooseTerms(query.terms, query.statistics)
  if (chosen.length === 0) return []
  const rows = await transaction.all<PostingRow>(
    `SELECT term, array_agg(memory_id ORDER BY memory_id) AS ids, array_agg(count ORDER BY memory_id) AS counts,
            array_agg(length ORDER BY memory_id) AS lengths
     FROM posting WHERE project_id = $1 AND term = ANY($2::text[]) GROUP BY term`,
    [transaction.projectId, chosen],
  )
  const found = new Map(rows.map((row) => [row.term, row]))
  const postings = chosen.map((term): Posting => {
    const row = found.get(term)
    return { term, entries: row === undefined ? [] : toEntries(row) }
  })
  const near = findNear(postings, query)
  return rankNear(postings, near, { ...query, lengths: lengthsOf(rows, new Set(near)) })
}

function lengthsOf(rows: readonly PostingRow[], wanted: ReadonlySet<number>): Map<number, number> {
  const lengths = new Map<number, number>()
  for (const row of rows)
    for (const [at, id] of row.ids.entries()) if (wanted.has(id)) lengths.set(id, row.lengths[at] ?? 0)
  return lengths
}

/** Of memories that have not expired by a moment. */
const unexpired = isShown('$2')

/** Which flags that have not expired by `now` hold which of some terms, each given once. Inside a read. */
export async function readFlagTerms(
  transaction: Transaction,
  { terms, now }: { terms: readonly string[]; now: number },
): Promise<Map<number, string[]>> {
  const rows = await transaction.all<{ id: number; term: string }>(
    `SELECT memory_id AS id, term FROM unnest($3::text[]) WITH ORDINALITY AS asked(wanted, place)
     JOIN flag_term ON flag_term.project_id = $1 AND term = wanted
     JOIN memory ON memory.project_id = $1 AND memory.id = memory_id
     WHERE ${unexpired} ORDER BY place, memory_id`,
    [transaction.projectId, now, terms],
  )
  const held = new Map<number, string[]>()
  for (const { id, term } of rows) addTo(held, id, term)
  return held
}

/** How many flags have not expired by `now`. Inside a read. */
export const countFlags = async (transaction: Transaction, now: number): Promise<number> =>
  (
    await transaction.first<{ flags: number }>(
      `SELECT count(*) AS flags FROM memory WHERE project_id = $1 AND caution > 0 AND ${unexpired}`,
      [transaction.projectId, now],
    )
  )?.flags ?? 0

/** Ids of the most cautious flags, best first. Inside a read. */
export const readGravestFlags = async (
  transaction: Transaction,
  { limit, now }: { limit: number; now: number },
): Promise<number[]> =>
  (
    await transaction.all<{ id: number }>(
      `SELECT id FROM memory WHERE project_id = $1 AND caution > 0 AND ${unexpired}
       ORDER BY caution DESC, id LIMIT $3`,
      [transaction.projectId, now, limit],
    )
  ).map(({ id }) => id)
