/**
 * The index of memories in SQLite: which model is served, whose vectors are missing, and how they are added; what search
 * asks of it stands in `candidates.ts`.
 */
import type { Memory, Owned } from '../../core/records.ts'
import type { ModelIdentity } from '../../models/embedder.ts'
import type { IndexStore } from '../store.ts'
import { createCandidateStore } from './candidates.ts'
import type { Connection } from './connection.ts'
import { toUnitVector } from './int8-vector.ts'
import type { LiveIndex } from './live-index.ts'
import { findMemory, memoryColumns, memorySource, toMemory, writeEmbedding } from './memories.ts'
import { findProject } from './projects.ts'
import { findServedModel, readServedModel } from './served-model.ts'
import type { VectorModel } from './snapshots.ts'
import { createSwitching } from './switching.ts'
import { toTokens } from './vector-bytes.ts'
import { requireVector, type VectorTables } from './vectors.ts'

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
    keepsVectors: vectors.available,

    servedModel: () => findServedModel(connection),

    ...createCandidateStore(connection, { vectors, live }),

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

    withoutVector: (model, { after, limit }) =>
      connection.read(() => {
        const modelId = vectors.findModel(model)
        const served = readServedModel(connection)
        if (modelId !== undefined && modelId === served) {
          return connection
            .all<{ memory_id: number }>(
              // The list is mended slowly after a switch: what is on it may have its vector.
              `SELECT memory_id FROM unembedded WHERE memory_id > ? AND NOT EXISTS
                 (SELECT 1 FROM passage WHERE memory_id = unembedded.memory_id AND model_id = ?)
               ORDER BY memory_id LIMIT ?`,
              after,
              modelId,
              limit,
            )
            .flatMap(({ memory_id }) => findMemory(connection, memory_id) ?? [])
        }
        const rows: Owned<Memory>[] = connection
          .all<Parameters<typeof toMemory>[0]>(
            `SELECT ${memoryColumns} FROM ${memorySource}
             WHERE memory.id > ? AND NOT EXISTS
               (SELECT 1 FROM passage WHERE memory_id = memory.id AND model_id = ?)
             ORDER BY memory.id LIMIT ?`,
            after,
            modelId ?? 0,
            limit,
          )
          .map(toMemory)
        return rows
      }),

    waiting: (model, { before, limit, flagsOnly }) =>
      connection.read(() =>
        connection
          .all<{ memory_id: number }>(
            // From the flags, which are few, to the list; or from the list alone.
            `SELECT memory_id FROM ${flagsOnly ? 'memory CROSS JOIN unembedded ON memory_id = id' : 'unembedded'}
             WHERE ${flagsOnly ? 'caution > 0 AND' : ''} memory_id < ? AND NOT EXISTS
               (SELECT 1 FROM passage WHERE memory_id = unembedded.memory_id AND model_id = ?)
             ORDER BY memory_id DESC LIMIT ?`,
            before,
            vectors.findModel(model) ?? 0,
            limit,
          )
          .flatMap(({ memory_id }) => findMemory(connection, memory_id) ?? []),
      ),

    backlog: (project) =>
      connection.read(
        () =>
          connection.first<{ unembedded: number }>('SELECT unembedded FROM project WHERE name = ?', project)
            ?.unembedded ?? 0,
      ),

    addEmbeddings: async (embeddings, { onlyServed = false } = {}) => {
      for (const { model, passages } of embeddings.values()) {
        for (const { vector } of passages) requireVector(vector, model.dimension)
      }
      return connection.write(() => {
        let written = 0
        const served = onlyServed ? readServedModel(connection) : undefined
        for (const [id, embedding] of embeddings) {
          const row = connection.first<{ project_id: number; caution: number; text: string }>(
            'SELECT project_id, caution, text FROM memory WHERE id = ?',
            id,
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
          writeEmbedding(connection, vectors, {
            id,
            projectId: row.project_id,
            flag: row.caution > 0,
            embedding,
          })
          written += 1
        }
        return written
      })
    },

    ...createSwitching(connection, vectors),
  }
}
