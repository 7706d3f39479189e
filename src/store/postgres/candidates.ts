/**
 * What search asks of PostgreSQL, in one transaction that sees one moment. Knows where vectors are compared, in memory or by
 * pgvector; in which order is asked stands in `store/search/candidates.ts`.
 */
import type { CandidateStore, VectorQuery } from '../candidates.ts'
import {
  type CandidateReads,
  createCandidateStore as createStore,
  type VectorReads,
} from '../search/candidates.ts'
import { readExemptions } from '../sql/exemptions.ts'
import { runInTurn } from '../sql/session.ts'
import type { Database } from './connection.ts'
import { readMemories } from './memory-columns.ts'
import { readServedIdentity } from './models.ts'
import { comparePassages, readNearestIndexed } from './nearest.ts'
import type { PassageRow } from './project-vectors.ts'
import { drawSample, readEnds } from './samples.ts'
import { readFlags, readSelection } from './selection.ts'
import { over } from './session.ts'
import { toSnapshot } from './snapshot.ts'
import {
  countFlags,
  findMatching,
  readFlagTerms,
  readGravestFlags,
  readTermStatistics,
  readTermsFrom,
} from './terms.ts'
import type { Transaction } from './transaction.ts'
import { readPassages, VectorCache } from './vector-cache.ts'

/** Another transaction saw more than this one: what it is asked is to be asked again. */
const outdated = Symbol('outdated')

async function readTexts(transaction: Transaction, ids: readonly number[]) {
  const rows = await transaction.all<{ id: number; text: string; created_at: number }>(
    'SELECT id, text, created_at FROM memory WHERE project_id = $1 AND id = ANY($2::bigint[])',
    [transaction.projectId, ids],
  )
  return new Map(rows.map(({ id, text, created_at }) => [id, { text, createdAt: created_at }]))
}

/** Passages in the order of their memories. */
function inOrder(rows: readonly PassageRow[], memoryIds: readonly number[]): PassageRow[] {
  const places = new Map(memoryIds.map((id, place) => [id, place]))
  const placeOf = ({ memoryId }: PassageRow): number => places.get(memoryId) ?? 0
  return rows
    .filter(({ memoryId }) => places.has(memoryId))
    .sort((a, b) => placeOf(a) - placeOf(b) || a.id - b.id)
}

/** Vectors are looked for in memory, unless pgvector's index has them all. */
async function findVectors(
  transaction: Transaction,
  cache: VectorCache,
  { model: { name, hash, dimension }, vector, limit }: VectorQuery,
): Promise<VectorReads | undefined> {
  const found = await transaction.first<{ id: number; snapshot: string; indexed: boolean }>(
    `SELECT model.id, pg_current_snapshot()::text AS snapshot, coalesce(ready, false) AS indexed
     FROM model LEFT JOIN indexed ON project_id = $1 AND model_id = model.id
     WHERE name = $2 AND hash = $3 AND dimension = $4 AND NOT retired`,
    [transaction.projectId, name, hash, dimension],
  )
  if (found === undefined) return undefined
  const { id, indexed } = found
  const [model, snapshot] = [{ id, dimension }, toSnapshot(found.snapshot)]
  return {
    nearest: async ({ selection, kind }) => {
      if (indexed) return readNearestIndexed(transaction, model, { vector, limit, kind, selection })
      const vectors = await cache.get(transaction, model, snapshot)
      if (vectors === undefined) throw outdated
      return vectors.nearest(snapshot, { vector, limit, kind, accepts: selection.accepts })
    },
    draw: (starts) => drawSample(transaction, id, starts),
    compare: async (memoryIds, drawn) => {
      const rows = await readPassages(
        transaction,
        'model_id = $2 AND (memory_id = ANY($3::bigint[]) OR id = ANY($4::bigint[])) ORDER BY id',
        [id, memoryIds, drawn],
      )
      const asDrawn = new Set(drawn)
      const sample = rows.filter((row) => asDrawn.has(row.id))
      return {
        passages: comparePassages(inOrder(rows, memoryIds), vector),
        sample: comparePassages(sample, vector),
      }
    },
  }
}

const readsOf = (transaction: Transaction, cache: VectorCache): CandidateReads => ({
  vectors: (query) => findVectors(transaction, cache, query),
  served: () => readServedIdentity(transaction),
  statistics: (terms) => readTermStatistics(transaction, terms),
  termsFrom: (prefix) => readTermsFrom(transaction, prefix),
  selection: (filter) => readSelection(transaction, filter),
  matches: (query) => findMatching(transaction, query),
  ends: () => readEnds(transaction),
  texts: (ids) => readTexts(transaction, ids),
  flags: () => readFlags(transaction),
  countFlags: (now) => countFlags(transaction, now),
  flagTerms: (asked) => readFlagTerms(transaction, asked),
  gravestFlags: (asked) => readGravestFlags(transaction, asked),
  memories: (ids) => readMemories(transaction, ids),
  exemptions: (flagIds) => over(transaction, (session) => readExemptions(session, flagIds)),
})

export function createCandidateStore(database: Database): CandidateStore {
  const cache = new VectorCache(database)
  return createStore(async (project, _, work) => {
    // Until the vectors in memory are as old as what the transaction sees, or as it sees them.
    for (;;) {
      const made = await database.read(project, async (transaction) => {
        try {
          return { value: await runInTurn(work(readsOf(transaction, cache))) }
        } catch (error) {
          if (error === outdated) return undefined
          throw error
        }
      })
      if (made !== undefined) return made.value
    }
  })
}
