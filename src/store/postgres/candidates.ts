/**
 * What search asks of PostgreSQL: memories by vector and by keyword, with all that ranking compares of them, in one
 * transaction that sees one moment. Knows where vectors are compared, in memory or by pgvector; what any of it weighs is for search.
 */
import type { Memory } from '../../core/records.ts'
import type { ModelIdentity } from '../../models/embedder.ts'
import type { CandidateStore, Candidates, PassageMatch, VectorQuery } from '../candidates.ts'
import type { MemoryFilter } from '../memory-life.ts'
import { requireVector } from '../search/usable-vectors.ts'
import type { Database, Transaction } from './connection.ts'
import { readExemptions } from './exemptions.ts'
import { readMemories } from './memory-columns.ts'
import { type KnownModel, readServedIdentity } from './models.ts'
import { comparePassages, readNearestIndexed } from './nearest.ts'
import type { PassageRow } from './project-vectors.ts'
import { Samples } from './samples.ts'
import { acceptedBy, readSelection, type Selection } from './selection.ts'
import { type Snapshot, toSnapshot } from './snapshot.ts'
import {
  countFlags,
  findMatching,
  readFlagTerms,
  readGravestFlags,
  readTermStatistics,
  readTermsFrom,
} from './terms.ts'
import { readPassages, VectorCache } from './vector-cache.ts'

/** A model of which the transaction's project may have vectors, and where they are looked for. */
interface FoundModel {
  readonly model: KnownModel
  readonly snapshot: Snapshot
  /** Whether pgvector's index has them all. */
  readonly indexed: boolean
}

/** Another transaction saw more than this one: what it is asked is to be asked again. */
const outdated = Symbol('outdated')

/** Which memories may be found. */
interface Wanted {
  readonly selection: Selection
  readonly kind: MemoryFilter['kind']
}

async function findModel(
  transaction: Transaction,
  { name, hash, dimension }: ModelIdentity,
): Promise<FoundModel | undefined> {
  const found = await transaction.first<{ id: number; snapshot: string; indexed: boolean }>(
    `SELECT model.id, pg_current_snapshot()::text AS snapshot, coalesce(ready, false) AS indexed
     FROM model LEFT JOIN indexed ON project_id = $1 AND model_id = model.id
     WHERE name = $2 AND hash = $3 AND dimension = $4 AND NOT retired`,
    [transaction.projectId, name, hash, dimension],
  )
  return (
    found && {
      model: { id: found.id, dimension },
      snapshot: toSnapshot(found.snapshot),
      indexed: found.indexed,
    }
  )
}

async function readTexts(
  transaction: Transaction,
  ids: readonly number[],
): Promise<Map<number, Pick<Memory, 'text' | 'createdAt'>>> {
  if (ids.length === 0) return new Map()
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
  return [...rows].sort((a, b) => placeOf(a) - placeOf(b) || a.id - b.id)
}

const readWanted = async (transaction: Transaction, among: MemoryFilter | undefined): Promise<Wanted> => ({
  selection: await readSelection(transaction, among),
  kind: among?.kind,
})

export function createCandidateStore(database: Database): CandidateStore {
  const cache = new VectorCache(database)
  const samples = new Samples()

  /** Reads until the vectors in memory are as old as what the transaction sees, or as it sees them. */
  async function read<T>(project: string, work: (transaction: Transaction) => Promise<T>): Promise<T> {
    for (;;) {
      const made = await database.read(project, async (transaction) => {
        try {
          return { value: await work(transaction) }
        } catch (error) {
          if (error === outdated) return undefined
          throw error
        }
      })
      if (made !== undefined) return made.value
    }
  }

  async function readNearest(
    transaction: Transaction,
    { model, snapshot, indexed }: FoundModel,
    { vector, limit, selection, kind }: Pick<VectorQuery, 'vector' | 'limit'> & Wanted,
  ): Promise<PassageMatch[]> {
    if (limit === 0) return []
    if (indexed) return readNearestIndexed(transaction, model, { vector, limit, kind, selection })
    const vectors = await cache.get(transaction, model, snapshot)
    if (vectors === undefined) throw outdated
    return vectors.nearest(snapshot, { vector, limit, kind, accepts: selection.accepts })
  }

  /** The nearest passages, all those of some memories, and those of others drawn over the project's history. */
  async function readNeighbours(
    transaction: Transaction,
    found: FoundModel,
    asked: Pick<VectorQuery, 'vector' | 'limit'> & {
      wanted: Wanted
      also: readonly number[]
      /** Of the project's memories, so many beside. */
      sample: { readonly size: number; readonly memories: number }
    },
  ): Promise<Pick<Candidates, 'passages' | 'sample'>> {
    const { vector, limit, wanted, also, sample } = asked
    const near = await readNearest(transaction, found, { vector, limit, ...wanted })
    const seen = new Set(near.map(({ memoryId }) => memoryId))
    const others = also.filter((id) => !seen.has(id))
    const modelId = found.model.id
    const drawn = sample.size > 0 ? await samples.of(transaction, { modelId, ...sample }) : []
    const rows =
      others.length + drawn.length === 0
        ? []
        : await readPassages(
            transaction,
            'model_id = $2 AND (memory_id = ANY($3::bigint[]) OR id = ANY($4::bigint[])) ORDER BY id',
            [modelId, others, drawn],
          )
    const [asOthers, asDrawn] = [new Set(others), new Set(drawn)]
    const own = inOrder(
      rows.filter(({ memoryId }) => asOthers.has(memoryId)),
      others,
    )
    return {
      passages: [...near, ...comparePassages(own, vector)],
      sample: comparePassages(
        rows.filter(({ id }) => asDrawn.has(id)),
        vector,
      ),
    }
  }

  return {
    candidates: async (project, { terms, matches: limit, nearest, sample, among, texts }) => {
      if (nearest !== undefined) requireVector(nearest.vector, nearest.model.dimension)
      return read(project, async (transaction) => {
        const found = nearest && (await findModel(transaction, nearest.model))
        const statistics = await readTermStatistics(transaction, terms)
        const wanted = await readWanted(transaction, among)
        const accepts = await acceptedBy(transaction, wanted.selection, wanted.kind)
        const matches = await findMatching(transaction, { terms, statistics, limit, accepts })
        const also = matches.map(({ id }) => id)
        const memories = statistics.documents
        const size = sample !== undefined && memories >= sample.from ? sample.size : 0
        const neighbours =
          nearest && found
            ? await readNeighbours(transaction, found, {
                ...nearest,
                wanted,
                also,
                sample: { size, memories },
              })
            : { passages: [], sample: [] }
        const compared = new Set(neighbours.passages.map(({ memoryId }) => memoryId))
        const apart = nearest === undefined ? [] : also.filter((id) => !compared.has(id))
        const told = texts ? [...new Set([...compared, ...also])] : apart
        return {
          served: await readServedIdentity(transaction),
          statistics,
          matches,
          ...neighbours,
          memories: await readTexts(transaction, told),
        }
      })
    },

    countFlags: (project, now) => database.read(project, (transaction) => countFlags(transaction, now)),

    flagCandidates: async (project, { terms, nearest, gravest: limit, now }) => {
      if (nearest !== undefined) requireVector(nearest.vector, nearest.model.dimension)
      return read(project, async (transaction) => {
        const found = nearest && (await findModel(transaction, nearest.model))
        const flags = await countFlags(transaction, now)
        const held = await readFlagTerms(transaction, { terms, now })
        const gravest = flags > limit ? await readGravestFlags(transaction, { limit, now }) : []
        const also = [...new Set([...held.keys(), ...gravest])]
        const passages =
          nearest && found
            ? (
                await readNeighbours(transaction, found, {
                  ...nearest,
                  wanted: await readWanted(transaction, { now, kind: 'flag' }),
                  also,
                  sample: { size: 0, memories: 0 },
                })
              ).passages
            : []
        const compared = [...new Set(passages.map(({ memoryId }) => memoryId))]
        return {
          served: await readServedIdentity(transaction),
          statistics: await readTermStatistics(transaction, terms),
          flags,
          held,
          passages,
          memories: await readMemories(transaction, [...new Set([...compared, ...held.keys()])]),
          exemptions: await readExemptions(transaction, compared),
        }
      })
    },

    nearest: async (project, { model, vector, limit, among }) => {
      requireVector(vector, model.dimension)
      return read(project, async (transaction) => {
        const found = await findModel(transaction, model)
        if (found === undefined) return []
        return readNearest(transaction, found, {
          vector,
          limit,
          ...(await readWanted(transaction, among)),
        })
      })
    },

    termStatistics: (project, terms) =>
      database.read(project, (transaction) => readTermStatistics(transaction, terms)),

    termsFrom: (project, prefix) =>
      database.read(project, (transaction) => readTermsFrom(transaction, prefix)),
  }
}
