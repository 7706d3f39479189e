/**
 * The passages of a project nearest to a question: of all its vectors in memory, or, in a project that has very many, of those
 * that pgvector's index comes up with. Both are compared by the code that compares SQLite's, so that cosines are the same.
 */
import { TopRows } from '../../core/top-rows.ts'
import { writeQuery } from '../../simd/kernels.ts'
import type { PassageMatch } from '../candidates.ts'
import { cosineOf } from '../search/int8-vector.ts'
import { RowWindows } from '../search/row-window.ts'
import type { Selection } from '../search/selection.ts'
import type { KnownModel } from './models.ts'
import { toLiteral } from './passages.ts'
import type { Found, PassageRow } from './project-vectors.ts'
import type { Transaction } from './transaction.ts'
import { readPassages } from './vector-cache.ts'

/** To measure vectors with. */
export const windows = new RowWindows()

/** Compares passages with a unit vector, in their order. */
export function comparePassages(rows: readonly PassageRow[], vector: Float32Array): PassageMatch[] {
  const asked = new Int16Array(vector.length)
  const scale = writeQuery(vector, asked)
  return rows.map(({ memoryId, vector: row, tokens }) => {
    const { factor } = windows.of(row.length).measure(row)
    return { memoryId, tokens, similarity: cosineOf(asked, scale, { row, factor }) }
  })
}

/** So many memories at most are looked at one by one: the index would come up with many others first. */
const maxSingly = 20_000

/** Passages that the index is asked for, as a multiple of those wanted: it goes by rounded vectors. */
const asked = 2

/** Candidates that the index looks at before it is done with a step, at most as many as pgvector allows. */
const breadth = (limit: number): number => Math.min(1_000, Math.max(200, 4 * limit))

/** Entries of the index that are gone through for those of one project, others' included. */
const maxScanned = 200_000

/** Of a project whose vectors stand in the index. Inside a read. */
export async function readNearestIndexed(
  transaction: Transaction,
  model: KnownModel,
  { vector, limit, kind, selection }: Omit<Found, 'accepts'> & { selection: Selection },
): Promise<PassageMatch[]> {
  if (limit < 1) return []
  const rows =
    selection.wanted !== undefined && selection.wanted.size <= maxSingly
      ? await readPassages(transaction, 'model_id = $2 AND memory_id = ANY($3::bigint[])', [
          model.id,
          [...selection.wanted],
        ])
      : await askIndex(transaction, model, { vector, limit, kind, selection })
  const accepted = rows.filter(
    ({ memoryId, flag }) =>
      (kind === undefined || flag === (kind === 'flag')) && (selection.accepts?.(memoryId) ?? true),
  )
  const top = new TopRows(limit)
  const matches = comparePassages(accepted, vector)
  for (const [place, { similarity }] of matches.entries()) top.offer(place, similarity)
  return top
    .best()
    .flatMap(({ row }) => matches[row] ?? [])
    .sort((a, b) => b.similarity - a.similarity || a.memoryId - b.memoryId)
}

/** Otherwise the planner, which does not know how costly a comparison is, sorts all of a project. */
const plans = ['enable_seqscan', 'enable_bitmapscan', 'enable_sort']

const setPlans = (transaction: Transaction, value: 'on' | 'off') =>
  transaction.first(`SELECT ${plans.map((plan) => `set_config('${plan}', $1, true)`).join(', ')}`, [value])

async function askIndex(
  transaction: Transaction,
  model: KnownModel,
  { vector, limit, kind, selection }: Omit<Found, 'accepts'> & { selection: Selection },
): Promise<PassageRow[]> {
  const size = Math.floor(model.dimension)
  const flags = kind === undefined ? '' : `AND ${kind === 'flag' ? '' : 'NOT '}flag`
  const { wanted, expired } = selection
  const ids = wanted ?? expired
  const among =
    ids.size === 0 ? '' : `AND memory_id ${wanted === undefined ? '<> ALL' : '= ANY'}($4::bigint[])`
  // One after the other, without waiting in between.
  const [, , rows] = await Promise.all([
    transaction.first(
      `SELECT set_config('hnsw.ef_search', $1, true), set_config('hnsw.iterative_scan', 'relaxed_order', true),
         set_config('hnsw.max_scan_tuples', $2, true)`,
      [String(breadth(limit)), String(maxScanned)],
    ),
    setPlans(transaction, 'off'),
    readPassages(
      transaction,
      // In the statement itself: an index of one model's vectors is found by no other way.
      `model_id = ${Math.floor(model.id)} AND embedding IS NOT NULL ${flags} ${among}
       ORDER BY embedding::halfvec(${size}) <=> $2::text::halfvec(${size}) LIMIT $3`,
      [toLiteral(vector), asked * limit, ...(ids.size === 0 ? [] : [[...ids]])],
    ),
    setPlans(transaction, 'on'),
  ])
  return rows
}
