/**
 * What search asks of PostgreSQL: memories by vector and by keyword, with all that ranking compares of them, in one
 * transaction that sees one moment. Knows where vectors are compared, in memory or by pgvector; what any of it weighs
 * is for search.
 */
import { isConversation, lookedAt, writtenAround } from '../../core/conversation.ts'
import type { Memory } from '../../core/records.ts'
import type { ModelIdentity } from '../../models/embedder.ts'
import type { CandidateStore, Candidates, PassageMatch, VectorQuery } from '../candidates.ts'
import type { MemoryFilter } from '../memory-life.ts'
import { requireVector } from '../search/usable-vectors.ts'
import { readExemptions } from '../sql/exemptions.ts'
import type { Database } from './connection.ts'
import { readMemories } from './memory-columns.ts'
import { type KnownModel, readServedIdentity } from './models.ts'
import { comparePassages, readNearestIndexed } from './nearest.ts'
import type { PassageRow, ProjectVectors } from './project-vectors.ts'
import { drawSample, readEnds } from './samples.ts'
import { acceptedBy, readSelection, type Selection } from './selection.ts'
import { over } from './session.ts'
import { type Snapshot, toSnapshot } from './snapshot.ts'
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

  /** Finds where vectors are to be looked for: in memory, unless pgvector's index has them or none are asked for. */
  async function readVectors(
    transaction: Transaction,
    found: FoundModel | undefined,
    limit: number,
  ): Promise<ProjectVectors | undefined> {
    if (found === undefined || found.indexed || limit === 0) return undefined
    const vectors = await cache.get(transaction, found.model, found.snapshot)
    if (vectors === undefined) throw outdated
    return vectors
  }

  async function findNearest(
    transaction: Transaction,
    { found: { model, snapshot }, vectors }: { found: FoundModel; vectors: ProjectVectors | undefined },
    { vector, limit, selection, kind }: Pick<VectorQuery, 'vector' | 'limit'> & Wanted,
  ): Promise<PassageMatch[]> {
    if (limit === 0) return []
    return (
      vectors?.nearest(snapshot, { vector, limit, kind, accepts: selection.accepts }) ??
      readNearestIndexed(transaction, model, { vector, limit, kind, selection })
    )
  }

  /** All passages of some memories, and some by their own ids, for a question. */
  async function readOthers(
    transaction: Transaction,
    modelId: number,
    { vector, memories, drawn }: { vector: Float32Array; memories: number[]; drawn: readonly number[] },
  ): Promise<Pick<Candidates, 'passages' | 'sample'>> {
    if (memories.length + drawn.length === 0) return { passages: [], sample: [] }
    const rows = await readPassages(
      transaction,
      'model_id = $2 AND (memory_id = ANY($3::bigint[]) OR id = ANY($4::bigint[])) ORDER BY id',
      [modelId, memories, drawn],
    )
    const [asOthers, asDrawn] = [new Set(memories), new Set(drawn)]
    const own = inOrder(
      rows.filter(({ memoryId }) => asOthers.has(memoryId)),
      memories,
    )
    return {
      passages: comparePassages(own, vector),
      sample: comparePassages(
        rows.filter(({ id }) => asDrawn.has(id)),
        vector,
      ),
    }
  }

  const without = (ids: readonly number[], near: readonly PassageMatch[]): number[] => {
    const seen = new Set(near.map(({ memoryId }) => memoryId))
    return ids.filter((id) => !seen.has(id))
  }

  // What does not wait for another answer is asked together: over a network each wait is a round trip.
  return {
    candidates: async (
      project,
      { terms, statistics: counted, matches: limit, nearest, sample, among, texts },
    ) => {
      if (nearest !== undefined) requireVector(nearest.vector, nearest.model.dimension)
      return read(project, async (transaction) => {
        const [found, statistics, wanted, served, ends] = await Promise.all([
          nearest && findModel(transaction, nearest.model),
          counted ?? readTermStatistics(transaction, terms),
          readWanted(transaction, among),
          readServedIdentity(transaction),
          sample && nearest && readEnds(transaction),
        ])
        const { documents } = statistics
        const size = sample !== undefined && documents >= sample.from ? sample.size : 0
        const accepts = await acceptedBy(transaction, wanted.selection, wanted.kind)
        const [matches, vectors, drawn] = await Promise.all([
          findMatching(transaction, { terms, statistics, limit, accepts }),
          readVectors(transaction, found, nearest?.limit ?? 0),
          found && ends && size > 0 ? drawSample(transaction, { ends, modelId: found.model.id, size }) : [],
        ])
        const also = matches.map(({ id }) => id)
        const near =
          nearest && found
            ? await findNearest(transaction, { found, vectors }, { ...nearest, ...wanted })
            : []
        const ids = near.map(({ memoryId }) => memoryId)
        const readMore = async (memories: number[], drawn: readonly number[]) =>
          nearest && found
            ? readOthers(transaction, found.model.id, { vector: nearest.vector, memories, drawn })
            : { passages: [], sample: [] }
        const first = [...new Set(ids.slice(0, lookedAt))]
        const [others, known] = await Promise.all([
          readMore(without(also, near), drawn),
          readTexts(transaction, texts ? [...new Set([...ids, ...also])] : first),
        ])
        const conversation = isConversation(first.flatMap((id) => known.get(id)?.text ?? []))
        const around = conversation ? writtenAround(ids, also).filter((id) => accepts?.(id) ?? true) : []
        const { passages: more } = await readMore(around, [])
        const passages = [...near, ...others.passages, ...more]
        const untold = texts ? around : nearest === undefined ? [] : without(also, passages)
        return {
          served,
          statistics,
          matches,
          passages,
          sample: others.sample,
          memories: new Map([...(texts ? known : []), ...(await readTexts(transaction, untold))]),
          conversation,
        }
      })
    },

    countFlags: (project, now) => database.read(project, (transaction) => countFlags(transaction, now)),

    flagCandidates: async (project, { terms, nearest, gravest: limit, now }) => {
      if (nearest !== undefined) requireVector(nearest.vector, nearest.model.dimension)
      return read(project, async (transaction) => {
        const [found, flags, held, wanted, statistics, served] = await Promise.all([
          nearest && findModel(transaction, nearest.model),
          countFlags(transaction, now),
          readFlagTerms(transaction, { terms, now }),
          readWanted(transaction, { now, kind: 'flag' }),
          readTermStatistics(transaction, terms),
          readServedIdentity(transaction),
        ])
        const [gravest, vectors] = await Promise.all([
          flags > limit ? readGravestFlags(transaction, { limit, now }) : [],
          readVectors(transaction, found, nearest?.limit ?? 0),
        ])
        const also = [...new Set([...held.keys(), ...gravest])]
        const near =
          nearest && found
            ? await findNearest(transaction, { found, vectors }, { ...nearest, ...wanted })
            : []
        const others =
          nearest && found
            ? await readOthers(transaction, found.model.id, {
                vector: nearest.vector,
                memories: without(also, near),
                drawn: [],
              })
            : { passages: [] }
        const passages = [...near, ...others.passages]
        const compared = [...new Set([...passages.map(({ memoryId }) => memoryId), ...held.keys()])]
        const [memories, exemptions] = await Promise.all([
          readMemories(transaction, compared),
          over(transaction, (session) => readExemptions(session, compared)),
        ])
        return { served, statistics, flags, held, passages, memories, exemptions }
      })
    },

    nearest: async (project, { model, vector, limit, among }) => {
      requireVector(vector, model.dimension)
      return read(project, async (transaction) => {
        const [found, wanted] = await Promise.all([
          findModel(transaction, model),
          readWanted(transaction, among),
        ])
        if (found === undefined) return []
        const vectors = await readVectors(transaction, found, limit)
        return findNearest(transaction, { found, vectors }, { vector, limit, ...wanted })
      })
    },

    termStatistics: (project, terms) =>
      database.read(project, (transaction) => readTermStatistics(transaction, terms)),

    termsFrom: (project, prefix) =>
      database.read(project, (transaction) => readTermsFrom(transaction, prefix)),
  }
}
