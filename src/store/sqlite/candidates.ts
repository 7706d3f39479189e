/**
 * What search asks of SQLite: memories by vector and by keyword, with all that ranking compares of them, in one read. Knows
 * where rows of vectors lie, in memory or in the file; what any of it weighs is for search.
 */
import { isConversation, lookedAt, writtenAround } from '../../core/conversation.ts'
import type { Memory } from '../../core/records.ts'
import type { ModelIdentity } from '../../models/embedder.ts'
import type { CandidateStore, Candidates, PassageMatch, VectorQuery } from '../candidates.ts'
import type { MemoryFilter } from '../memory-life.ts'
import { isOfTokens } from '../search/int8-vector.ts'
import { requireVector } from '../search/usable-vectors.ts'
import { toTokens } from '../search/vector-bytes.ts'
import { readExemptions } from '../sql/exemptions.ts'
import type { Connection } from './connection.ts'
import { countFlags, readFlagTerms, readGravestFlags } from './flag-terms.ts'
import { findMatching, readTermStatistics, readTermsFrom } from './keywords.ts'
import type { LiveIndex } from './live-index.ts'
import type { LiveVectors } from './live-vectors.ts'
import { readMemories } from './memories.ts'
import { findProject } from './projects.ts'
import { drawSample } from './samples.ts'
import { acceptedBy, Selection } from './selection.ts'
import { readServedIdentity } from './served-model.ts'
import { over } from './session.ts'
import type { VectorModel } from './snapshots.ts'
import { type NearestQuery, partitionOf, type VectorTables } from './vectors.ts'

export interface CandidateOptions {
  readonly vectors: VectorTables
  /** In-memory vectors, in a process that lives; a command that runs once reads them where they lie. */
  readonly live: LiveIndex | undefined
}

/** The rows of a project and of a model. */
interface Found {
  readonly projectId: number
  readonly model: VectorModel
  /** In memory, up to date with the read that this was found in; absent where they are read where they lie. */
  readonly rows: LiveVectors | undefined
}

/** Which memories may be found. */
interface Wanted {
  /** Of whatever kind; absent, all of them. */
  readonly selection: Selection | undefined
  readonly kind: MemoryFilter['kind']
}

/** Whose passages these are, each once. */
const memoriesOf = (passages: readonly PassageMatch[]): number[] => [
  ...new Set(passages.map(({ memoryId }) => memoryId)),
]

export function createCandidateStore(
  connection: Connection,
  { vectors, live }: CandidateOptions,
): CandidateStore {
  const findModel = (model: ModelIdentity): VectorModel | undefined => {
    const id = vectors.findModel(model)
    return id === undefined ? undefined : { id, dimension: model.dimension }
  }

  /** One read, with the rows of a model as they are in it. */
  async function readBeside<T>(
    project: string,
    asked: ModelIdentity | undefined,
    work: (found: Found | undefined) => T,
  ): Promise<T> {
    for (;;) {
      const wanted = live && asked && findModel(asked)
      const rows = wanted && (await live.rows(wanted))
      const made = await connection.read(() => {
        const model = asked && findModel(asked)
        // Somebody wrote, or replaced the model's table, since the rows were brought up to date.
        if (rows !== undefined && !(model?.id === wanted?.id && live?.isCurrent(rows))) return undefined
        const projectId = findProject(connection, project)
        const found = model && projectId !== undefined ? { projectId, model, rows } : undefined
        return { value: work(found) }
      })
      if (made !== undefined) return made.value
    }
  }

  /**
   * Whose passages are, and their word pieces, of those that are as they were kept; those of one project alone, if it
   * is given.
   */
  function readPassages(model: VectorModel, ids: readonly number[], ...projectId: [] | [number]) {
    const window = vectors.snapshots.windowOf(model.dimension)
    return new Map(
      connection
        .all<{ id: number; memory_id: number; tokens: Uint8Array; checksum: number }>(
          `SELECT passage.id, memory_id, tokens, checksum
           FROM json_each(?) AS wanted CROSS JOIN passage ON passage.id = wanted.value
           ${projectId.length > 0 ? 'CROSS JOIN memory ON memory.id = memory_id AND project_id = ?' : ''}`,
          JSON.stringify(ids),
          ...projectId,
        )
        .flatMap(({ id, memory_id, tokens, checksum }) => {
          const passage = { memoryId: memory_id, tokens: toTokens(tokens) }
          const isSound = isOfTokens(checksum, passage.tokens, (tokens) => window.hashTokens(tokens))
          return isSound ? [[id, passage] as const] : []
        }),
    )
  }

  function nearestStored(model: VectorModel, query: NearestQuery): PassageMatch[] {
    const near = vectors.nearest(model, query)
    const passages = readPassages(
      model,
      near.map(({ id }) => id),
    )
    return near.flatMap(({ id, similarity }) => {
      const passage = passages.get(id)
      return passage === undefined ? [] : [{ ...passage, similarity }]
    })
  }

  function readNearest(
    { projectId, model, rows }: Found,
    { vector, limit }: Pick<VectorQuery, 'vector' | 'limit'>,
    { selection, kind }: Wanted,
  ): PassageMatch[] {
    if (limit === 0) return []
    // Flags lie apart.
    const parts = kind === undefined ? [false, true] : [kind === 'flag']
    const accepts = rows === undefined ? selection?.passages(model.id) : selection?.accepts
    const matches = parts.flatMap((flag) => {
      const partition = partitionOf(projectId, flag)
      const query = { partition, vector, limit, accepts }
      return rows === undefined ? nearestStored(model, query) : rows.nearest(partition, query)
    })
    return matches.sort((a, b) => b.similarity - a.similarity || a.memoryId - b.memoryId).slice(0, limit)
  }

  /** Passages beside a query, by their ids; those that are gone are left out. */
  function comparePassages(
    { projectId, model, rows }: Found,
    vector: Float32Array,
    passages: readonly { id: number; memory_id: number }[],
  ): Map<number, PassageMatch> {
    const matches = new Map<number, PassageMatch>()
    const unknown: number[] = []
    const compare = rows?.comparison(vector)
    const [notes, flags] = [partitionOf(projectId, false), partitionOf(projectId, true)]
    for (const { id, memory_id } of passages) {
      const known = compare?.(notes, id) ?? compare?.(flags, id)
      if (known === undefined) unknown.push(id)
      else matches.set(id, { memoryId: memory_id, ...known })
    }
    if (unknown.length === 0) return matches
    const found = readPassages(model, unknown, projectId)
    const kept = [...vectors.getMany(model, [...found.keys()])]
    const cosines = vectors.snapshots.windowOf(model.dimension).cosines(
      vector,
      kept.map(([, row]) => row),
    )
    for (const [at, [id]] of kept.entries()) {
      const [passage, similarity] = [found.get(id), cosines[at]]
      if (passage !== undefined && similarity !== undefined) matches.set(id, { ...passage, similarity })
    }
    return matches
  }

  /** From the index alone: memories are large, and to read one for each of these took most of the time. */
  const passagesOf = (modelId: number, memoryIds: readonly number[]) =>
    memoryIds.length === 0
      ? []
      : connection.all<{ id: number; memory_id: number }>(
          `SELECT passage.id, memory_id FROM json_each(?) AS wanted
           CROSS JOIN passage ON memory_id = wanted.value AND model_id = ?`,
          JSON.stringify(memoryIds),
          modelId,
        )

  /** All passages of some memories but the nearest, and those of others drawn over the project's history. */
  function readOthers(
    found: Found,
    vector: Float32Array,
    { near, also, sample }: { near: readonly PassageMatch[]; also: readonly number[]; sample: number },
  ): Pick<Candidates, 'passages' | 'sample'> {
    const { projectId, model } = found
    const seen = new Set(near.map(({ memoryId }) => memoryId))
    const own = passagesOf(
      model.id,
      also.filter((id) => !seen.has(id)),
    )
    const drawn = sample > 0 ? drawSample(connection, { projectId, modelId: model.id, size: sample }) : []
    const matches = comparePassages(found, vector, [...own, ...drawn])
    const matched = (passages: readonly { id: number }[]) =>
      passages.flatMap(({ id }) => matches.get(id) ?? [])
    return { passages: matched(own), sample: matched(drawn) }
  }

  const readTexts = (
    projectId: number,
    ids: readonly number[],
  ): Map<number, Pick<Memory, 'text' | 'createdAt'>> =>
    new Map(
      ids.length === 0
        ? []
        : connection
            .all<{ id: number; text: string; created_at: number }>(
              `SELECT memory.id, text, created_at FROM json_each(?) AS wanted
               CROSS JOIN memory ON memory.id = wanted.value WHERE project_id = ?`,
              JSON.stringify(ids),
              projectId,
            )
            .map(({ id, text, created_at }) => [id, { text, createdAt: created_at }]),
    )

  /** A filter as it is read once for words and vectors. Inside a read. */
  const readWanted = (projectId: number, among: MemoryFilter | undefined): Wanted => ({
    selection: Selection.of(connection, projectId, among),
    kind: among?.kind,
  })

  return {
    candidates: async (
      project,
      { terms, statistics: counted, matches: limit, nearest, sample, among, texts },
    ) => {
      if (nearest !== undefined) requireVector(nearest.vector, nearest.model.dimension)
      return readBeside(project, nearest?.model, (found) => {
        const projectId = findProject(connection, project) ?? 0
        const statistics = counted ?? readTermStatistics(connection, project, terms)
        const wanted = readWanted(projectId, among)
        const accepts = acceptedBy(connection, projectId, wanted)
        const matches = findMatching(connection, projectId, { terms, statistics, limit, accepts })
        const also = matches.map(({ id }) => id)
        const size = sample !== undefined && statistics.documents >= sample.from ? sample.size : 0
        const near = nearest && found ? readNearest(found, nearest, wanted) : []
        const spoken = readTexts(projectId, memoriesOf(near.slice(0, lookedAt)))
        const conversation = isConversation([...spoken.values()].map(({ text }) => text))
        const around = conversation
          ? writtenAround(memoriesOf(near), also).filter((id) => accepts?.(id) ?? true)
          : []
        const others =
          nearest && found
            ? readOthers(found, nearest.vector, { near, also: [...also, ...around], sample: size })
            : { passages: [], sample: [] }
        const passages = [...near, ...others.passages]
        const compared = new Set(passages.map(({ memoryId }) => memoryId))
        const apart = nearest === undefined ? [] : also.filter((id) => !compared.has(id))
        const told = readTexts(projectId, texts ? [...new Set([...compared, ...also])] : apart)
        return {
          served: readServedIdentity(connection),
          statistics,
          matches,
          passages,
          sample: others.sample,
          memories: told,
          conversation,
        }
      })
    },

    countFlags: (project, now) =>
      connection.read(() => countFlags(connection, findProject(connection, project) ?? 0, now)),

    flagCandidates: async (project, { terms, nearest, gravest: limit, now }) => {
      if (nearest !== undefined) requireVector(nearest.vector, nearest.model.dimension)
      return readBeside(project, nearest?.model, (found) => {
        const projectId = findProject(connection, project) ?? 0
        const flags = countFlags(connection, projectId, now)
        const held = readFlagTerms(connection, projectId, { terms, now })
        const gravest = flags > limit ? readGravestFlags(connection, projectId, { limit, now }) : []
        const wanted = readWanted(projectId, { now, kind: 'flag' })
        const also = [...new Set([...held.keys(), ...gravest])]
        const near = nearest && found ? readNearest(found, nearest, wanted) : []
        const passages =
          nearest && found
            ? [...near, ...readOthers(found, nearest.vector, { near, also, sample: 0 }).passages]
            : []
        const compared = [...new Set([...memoriesOf(passages), ...held.keys()])]
        return {
          served: readServedIdentity(connection),
          statistics: readTermStatistics(connection, project, terms),
          flags,
          held,
          passages,
          memories: readMemories(connection, projectId, compared),
          exemptions: over(connection, projectId, (session) => readExemptions(session, compared)),
        }
      })
    },

    nearest: async (project, { model, vector, limit, among }) => {
      requireVector(vector, model.dimension)
      return readBeside(project, model, (found) =>
        found === undefined ? [] : readNearest(found, { vector, limit }, readWanted(found.projectId, among)),
      )
    },

    termStatistics: (project, terms) => connection.read(() => readTermStatistics(connection, project, terms)),

    termsFrom: (project, prefix) => connection.read(() => readTermsFrom(connection, project, prefix)),
  }
}
