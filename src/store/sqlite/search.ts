/**
 * What recall asks of SQLite: candidates by vector and by keyword, the statistics and passages that ranking
 * needs, and the bookkeeping of which memories still lack a vector.
 */
import type { ModelIdentity } from '../../models/embedder.ts'
import { writeQuery } from '../../simd/kernels.ts'
import type { IndexStore, PassageMatch, PassageQuery } from '../store.ts'
import type { Connection } from './connection.ts'
import { readFlagTerms, readGravestFlags } from './flag-terms.ts'
import { cosineOf, toUnitVector } from './int8-vector.ts'
import { findMatching, readTermStatistics, readTermsFrom } from './keywords.ts'
import type { LiveIndex } from './live-index.ts'
import type { LiveVectors } from './live-vectors.ts'
import { type MemoryRow, memoryColumns, toMemory, writeEmbedding } from './memories.ts'
import { findProject } from './projects.ts'
import { Samples } from './samples.ts'
import { Selection } from './selection.ts'
import { findServedModel, readServedModel } from './served-model.ts'
import type { VectorModel } from './snapshots.ts'
import { createSwitching, lacksVector } from './switching.ts'
import { toTokens } from './vector-bytes.ts'
import { type NearestQuery, partitionOf, requireVector, type VectorTables } from './vectors.ts'

export interface SearchOptions {
  /** In-memory vectors, in a process that lives; a command that runs once reads them where they lie. */
  readonly live: LiveIndex | undefined
}

/** The rows of a project and of a model. */
interface Found {
  readonly projectId: number
  readonly model: VectorModel
}

export function createIndexStore(
  connection: Connection,
  vectors: VectorTables,
  { live }: SearchOptions,
): IndexStore {
  const find = (project: string, model: ModelIdentity): Found | undefined => {
    const projectId = findProject(connection, project)
    const modelId = vectors.findModel(model)
    if (projectId === undefined || modelId === undefined) return undefined
    return { projectId, model: { id: modelId, dimension: model.dimension } }
  }

  /** Whose passages are, and their word pieces; those of one project alone, if it is given. */
  const readPassages = (ids: readonly number[], ...projectId: [] | [number]) =>
    new Map(
      connection
        .all<{ id: number; memory_id: number; tokens: Uint8Array }>(
          `SELECT passage.id, memory_id, tokens
           FROM json_each(?) AS wanted CROSS JOIN passage ON passage.id = wanted.value
           ${projectId.length > 0 ? 'CROSS JOIN memory ON memory.id = memory_id AND project_id = ?' : ''}`,
          JSON.stringify(ids),
          ...projectId,
        )
        .map(({ id, memory_id, tokens }) => [id, { memoryId: memory_id, tokens: toTokens(tokens) }]),
    )

  function nearestStored(model: VectorModel, query: NearestQuery): PassageMatch[] {
    const near = vectors.nearest(model, query)
    const passages = readPassages(near.map(({ id }) => id))
    return near.flatMap(({ id, similarity }) => {
      const passage = passages.get(id)
      return passage === undefined ? [] : [{ ...passage, similarity }]
    })
  }

  /** Passages beside a query, by their ids; those that are gone are left out. */
  function comparePassages(
    passages: readonly { id: number; memory_id: number }[],
    query: Omit<PassageQuery, 'model'> & Found & { rows: LiveVectors | undefined },
  ): Map<number, PassageMatch> {
    const matches = new Map<number, PassageMatch>()
    const unknown: number[] = []
    const compare = query.rows?.comparison(query.vector)
    const [notes, flags] = [partitionOf(query.projectId, false), partitionOf(query.projectId, true)]
    for (const { id, memory_id } of passages) {
      const known = compare?.(notes, id) ?? compare?.(flags, id)
      if (known === undefined) unknown.push(id)
      else matches.set(id, { memoryId: memory_id, ...known })
    }
    if (unknown.length === 0) return matches
    const asked = new Int16Array(query.model.dimension)
    const scale = writeQuery(query.vector, asked)
    const found = readPassages(unknown, query.projectId)
    const rows = vectors.getMany(query.model, [...found.keys()])
    for (const [id, passage] of found) {
      const kept = rows.get(id)
      const similarity = kept && cosineOf(asked, scale, kept)
      if (similarity !== undefined) matches.set(id, { ...passage, similarity })
    }
    return matches
  }

  /** From the index alone: memories are large, and to read one for each of these took most of the time. */
  const passagesOf = (modelId: number, memoryIds: readonly number[]) =>
    connection.all<{ id: number; memory_id: number }>(
      `SELECT passage.id, memory_id FROM json_each(?) AS wanted
       CROSS JOIN passage ON memory_id = wanted.value AND model_id = ?`,
      JSON.stringify(memoryIds),
      modelId,
    )

  const samples = new Samples(connection)

  return {
    keepsVectors: vectors.available,

    servedModel: () => findServedModel(connection),

    nearest: async (project, { model, vector, limit, among }) => {
      requireVector(vector, model.dimension)
      const found = find(project, model)
      if (found === undefined) return []
      const rows = await live?.rows(found.model)
      return connection.read(() => {
        const selection = Selection.of(connection, found.projectId, among)
        // Flags lie apart.
        const parts = among?.kind === undefined ? [false, true] : [among.kind === 'flag']
        const accepts = rows === undefined ? selection?.passages(found.model.id) : selection?.accepts
        const matches = parts.flatMap((flag) => {
          const partition = partitionOf(found.projectId, flag)
          const query = { partition, vector, limit, accepts }
          return rows === undefined ? nearestStored(found.model, query) : rows.nearest(partition, query)
        })
        return matches.sort((a, b) => b.similarity - a.similarity || a.memoryId - b.memoryId).slice(0, limit)
      })
    },

    compare: async (project, { model, memoryIds, sample, ...query }) => {
      const wanted = memoryIds.length > 0 || sample > 0
      const found = wanted ? find(project, model) : undefined
      if (found === undefined) return { own: [], sample: [] }
      const beside = { ...query, ...found, rows: await live?.rows(found.model) }
      return connection.read(() => {
        const own = memoryIds.length > 0 ? passagesOf(found.model.id, memoryIds) : []
        const drawn = sample > 0 ? samples.of(found.projectId, found.model.id, sample) : []
        const matches = comparePassages([...own, ...drawn], beside)
        const matched = (passages: readonly { id: number }[]) =>
          passages.flatMap(({ id }) => matches.get(id) ?? [])
        return { own: matched(own), sample: matched(drawn) }
      })
    },

    matching: (project, query) => connection.read(() => findMatching(connection, project, query)),

    termStatistics: (project, terms) => connection.read(() => readTermStatistics(connection, project, terms)),

    termsFrom: (project, prefix) => connection.read(() => readTermsFrom(connection, project, prefix)),

    flagTerms: (project, terms, now) =>
      connection.read(() => readFlagTerms(connection, findProject(connection, project) ?? 0, { terms, now })),

    gravestFlags: (project, limit, now) =>
      connection.read(() =>
        readGravestFlags(connection, findProject(connection, project) ?? 0, { limit, now }),
      ),

    passages: (project, model, memoryIds) =>
      connection.read(() => {
        const found = find(project, model)
        if (found === undefined) return []
        return memoryIds.flatMap((memoryId) =>
          connection
            .all<{ id: number; tokens: Uint8Array }>(
              `SELECT passage.id, tokens FROM passage JOIN memory ON memory.id = memory_id
               WHERE memory_id = ? AND model_id = ? AND project_id = ? ORDER BY passage.id`,
              memoryId,
              found.model.id,
              found.projectId,
            )
            .flatMap(({ id, tokens }) => {
              const kept = vectors.get(found.model, id)
              if (kept === undefined) return []
              return [{ memoryId, vector: toUnitVector(kept.row, kept.factor), tokens: toTokens(tokens) }]
            }),
        )
      }),

    withoutVector: (project, model, { after, limit }) =>
      connection.read(() => {
        const modelId = vectors.findModel(model)
        const listed = modelId !== undefined && modelId === readServedModel(connection)
        return connection
          .all<MemoryRow>(
            // The list is mended slowly after a switch: what is on it may have its vector.
            `SELECT ${memoryColumns} FROM ${listed ? 'unembedded CROSS JOIN memory ON memory.id = memory_id' : 'memory'}
             WHERE ${listed ? 'unembedded.project_id = ? AND memory_id' : 'project_id = ? AND memory.id'} > ?
               AND ${lacksVector} ORDER BY memory.id LIMIT ?`,
            findProject(connection, project) ?? 0,
            after,
            modelId ?? 0,
            limit,
          )
          .map(toMemory)
      }),

    waiting: (project, model, { before, limit, flagsOnly }) =>
      connection.read(() =>
        connection
          .all<MemoryRow>(
            // From the flags, which are few, to the list; or from the list alone.
            `SELECT ${memoryColumns}
             FROM ${flagsOnly ? 'memory CROSS JOIN unembedded' : 'unembedded CROSS JOIN memory'} ON memory_id = memory.id
             WHERE ${flagsOnly ? 'caution > 0 AND memory' : 'unembedded'}.project_id = ? AND memory_id < ?
               AND ${lacksVector}
             ORDER BY memory_id DESC LIMIT ?`,
            findProject(connection, project) ?? 0,
            before,
            vectors.findModel(model) ?? 0,
            limit,
          )
          .map(toMemory),
      ),

    backlog: (project) =>
      connection.read(
        () =>
          connection.first<{ unembedded: number }>('SELECT unembedded FROM project WHERE name = ?', project)
            ?.unembedded ?? 0,
      ),

    addEmbeddings: async (project, embeddings, { onlyServed = false } = {}) => {
      for (const { model, passages } of embeddings.values()) {
        for (const { vector } of passages) requireVector(vector, model.dimension)
      }
      return connection.write(() => {
        let written = 0
        const served = onlyServed ? readServedModel(connection) : undefined
        const projectId = findProject(connection, project) ?? 0
        for (const [id, embedding] of embeddings) {
          const row = connection.first<{ caution: number; text: string }>(
            'SELECT caution, text FROM memory WHERE id = ? AND project_id = ?',
            id,
            projectId,
          )
          const { text = row?.text } = embedding
          const modelId = vectors.findModel(embedding.model)
          const present =
            modelId !== undefined &&
            connection.first('SELECT 1 FROM passage WHERE memory_id = ? AND model_id = ?', id, modelId) !==
              undefined
          const strange = served !== undefined && modelId !== served
          // Edited while it was embedded.
          if (row === undefined || present || strange || text !== row.text) continue
          writeEmbedding(connection, vectors, { id, projectId, flag: row.caution > 0, embedding })
          written += 1
        }
        return written
      })
    },

    ...createSwitching(connection, vectors),
  }
}
