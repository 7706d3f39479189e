/**
 * The index of memories in SQLite: which model is served, whose vectors are missing, and how they are added; what search
 * asks of it stands in `candidates.ts`.
 */
import type { ModelIdentity } from '../../models/embedder.ts'
import type { IndexStore } from '../index-store.ts'
import { type MemoryRow, toMemory } from '../rows/memories.ts'
import { toUnitVector } from '../search/int8-vector.ts'
import { requireVector } from '../search/usable-vectors.ts'
import { toTokens } from '../search/vector-bytes.ts'
import { createCandidateStore } from './candidates.ts'
import type { Connection } from './connection.ts'
import type { LiveIndex } from './live-index.ts'
import { writeEmbedding } from './memories.ts'
import { selectedColumns } from './memory-columns.ts'
import { findProject } from './projects.ts'
import { findServedModel, readServedModel } from './served-model.ts'
import type { VectorModel } from './snapshots.ts'
import { createSwitching, lacksVector } from './switching.ts'
import type { VectorTables } from './vectors.ts'

/** The rows of a project and of a model. */
interface Found {
  readonly projectId: number
  readonly model: VectorModel
}

export function createIndexStore(
  connection: Connection,
  vectors: VectorTables,
  { live }: { live: LiveIndex | undefined },
): IndexStore {
  const find = (project: string, model: ModelIdentity): Found | undefined => {
    const projectId = findProject(connection, project)
    const modelId = vectors.findModel(model)
    if (projectId === undefined || modelId === undefined) return undefined
    return { projectId, model: { id: modelId, dimension: model.dimension } }
  }

  return {
    servedModel: () => findServedModel(connection),

    ...createCandidateStore(connection, { vectors, live }),

    passages: (project, model, memoryIds) =>
      connection.read(() => {
        const found = find(project, model)
        if (found === undefined) return []
        const passages = memoryIds.flatMap((memoryId) =>
          connection
            .all<{ id: number; tokens: Uint8Array }>(
              `SELECT passage.id, tokens FROM passage JOIN memory ON memory.id = memory_id
               WHERE memory_id = ? AND model_id = ? AND project_id = ? ORDER BY passage.id`,
              memoryId,
              found.model.id,
              found.projectId,
            )
            .map((passage) => ({ memoryId, ...passage })),
        )
        const kept = vectors.getMany(
          found.model,
          passages.map(({ id }) => id),
        )
        return passages.flatMap(({ memoryId, id, tokens }) => {
          const { row, factor } = kept.get(id) ?? {}
          return row && factor !== undefined
            ? [{ memoryId, vector: toUnitVector(row, factor), tokens: toTokens(tokens) }]
            : []
        })
      }),

    withoutVector: (project, model, { after, limit }) =>
      connection.read(() => {
        const modelId = vectors.findModel(model)
        const listed = modelId !== undefined && modelId === readServedModel(connection)
        return connection
          .all<MemoryRow>(
            // The list is mended slowly after a switch: what is on it may have its vector.
            // By the outer table's key: by the other's, all that wait would be sorted for each batch.
            `SELECT ${selectedColumns} FROM ${listed ? 'unembedded CROSS JOIN memory ON memory.id = memory_id' : 'memory'}
             WHERE ${listed ? 'unembedded.project_id = ? AND memory_id' : 'project_id = ? AND memory.id'} > ?
               AND ${lacksVector} ORDER BY ${listed ? 'memory_id' : 'memory.id'} LIMIT ?`,
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
            `SELECT ${selectedColumns}
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
