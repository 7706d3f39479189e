/**
 * What recall asks of SQLite: candidates by vector and by keyword, the statistics and passages that ranking
 * needs, and the bookkeeping of which memories still lack a vector.
 */
import type { Memory, Owned } from '../../core/records.ts'
import type { IndexStore, KeywordMatch, Neighbour } from '../store.ts'
import type { Connection } from './connection.ts'
import { findMemory, toMemory, writeEmbedding } from './memories.ts'
import { findProject } from './projects.ts'
import { findModelById, readServedModel, writeServedModel } from './served-model.ts'
import { requireVector, shelfOf, type VectorTables } from './vectors.ts'

/** FTS5 answers long queries slowly; past this many terms the rarest are what matters anyway. */
const maxQueryTerms = 256

/** vec0 refuses a larger k. */
const maxNeighbours = 4096

/** One query costs one list of terms, each quoted: a query is never syntax. */
const toMatch = (terms: readonly string[]): string =>
  terms
    .slice(0, maxQueryTerms)
    .map((term) => `"${term.replaceAll('"', '""')}"`)
    .join(' OR ')

export function createIndexStore(connection: Connection, vectors: VectorTables): IndexStore {
  const flagIds = (projectId: number): Set<number> =>
    new Set(
      connection
        .all<{ id: number }>('SELECT id FROM memory WHERE project_id = ? AND caution > 0', projectId)
        .map(({ id }) => id),
    )

  return {
    servedModel: () =>
      connection.read(() => {
        const id = readServedModel(connection)
        return id === undefined ? undefined : findModelById(connection, id)
      }),

    nearest: (project, { model, vector, limit, flagsOnly }) => {
      requireVector(vector, model.dimension)
      return connection.read(() => {
        const projectId = findProject(connection, project)
        const modelId = vectors.findModel(model)
        if (projectId === undefined || modelId === undefined) return []
        const best = new Map<number, number>()
        const wanted = Math.min(limit, maxNeighbours)
        for (const flag of flagsOnly ? [true] : [false, true]) {
          const near = vectors.nearest(modelId, { shelf: shelfOf(projectId, flag), vector, limit: wanted })
          for (const { id, similarity } of near) {
            const memory = connection.first<{ memory_id: number }>(
              'SELECT memory_id FROM passage WHERE id = ?',
              id,
            )
            if (memory === undefined) continue
            best.set(memory.memory_id, Math.max(best.get(memory.memory_id) ?? -1, similarity))
          }
        }
        const neighbours: Neighbour[] = [...best].map(([id, similarity]) => ({ id, similarity }))
        return neighbours.sort((a, b) => b.similarity - a.similarity || a.id - b.id).slice(0, limit)
      })
    },

    matching: (project, { terms, limit, flagsOnly }) =>
      connection.read(() => {
        const projectId = findProject(connection, project)
        if (projectId === undefined || terms.length === 0) return []
        const table = `keyword_${projectId}`
        const rows = connection.all<{ rowid: number; score: number }>(
          `SELECT rowid, bm25(${table}) AS score FROM ${table} WHERE ${table} MATCH ? ORDER BY score, rowid LIMIT ?`,
          toMatch(terms),
          // Flags are few among the matches; filtered here rather than in the index.
          flagsOnly ? -1 : limit,
        )
        const flags = flagsOnly ? flagIds(projectId) : undefined
        const matches: KeywordMatch[] = rows
          .filter(({ rowid }) => flags?.has(rowid) ?? true)
          .map(({ rowid, score }) => ({ id: rowid, bm25: -score }))
        return matches.slice(0, limit)
      }),

    termStatistics: (project, terms) =>
      connection.read(() => {
        const frequency = new Map<string, number>()
        const row = connection.first<{ id: number; memories: number }>(
          'SELECT id, memories FROM project WHERE name = ?',
          project,
        )
        if (row === undefined) return { documents: 0, frequency }
        for (const term of terms) {
          const found = connection.first<{ doc: number }>(
            `SELECT doc FROM term_${row.id} WHERE term = ?`,
            term,
          )
          if (found !== undefined) frequency.set(term, found.doc)
        }
        return { documents: row.memories, frequency }
      }),

    passages: (project, model, memoryIds) =>
      connection.read(() => {
        const modelId = vectors.findModel(model)
        const projectId = findProject(connection, project)
        if (modelId === undefined || projectId === undefined) return []
        return memoryIds.flatMap((memoryId) =>
          connection
            .all<{ id: number; tokens: Uint8Array }>(
              `SELECT passage.id, tokens FROM passage JOIN memory ON memory.id = memory_id
               WHERE memory_id = ? AND model_id = ? AND project_id = ? ORDER BY passage.id`,
              memoryId,
              modelId,
              projectId,
            )
            .flatMap(({ id, tokens }) => {
              const vector = vectors.get(modelId, id)
              // Copied: SQLite's buffer need not be aligned to two bytes.
              return vector === undefined
                ? []
                : [{ memoryId, vector, tokens: new Uint16Array(new Uint8Array(tokens).buffer) }]
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
              'SELECT memory_id FROM unembedded WHERE memory_id > ? ORDER BY memory_id LIMIT ?',
              after,
              limit,
            )
            .flatMap(({ memory_id }) => findMemory(connection, memory_id) ?? [])
        }
        const rows: Owned<Memory>[] = connection
          .all<Parameters<typeof toMemory>[0]>(
            `SELECT memory.id, text, caution, agent, created_at, project.name AS project
             FROM memory JOIN project ON project.id = memory.project_id
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

    backlog: (project) =>
      connection.read(
        () =>
          connection.first<{ waiting: number }>(
            'SELECT count(*) AS waiting FROM unembedded WHERE project_id = ?',
            findProject(connection, project) ?? 0,
          )?.waiting ?? 0,
      ),

    addEmbeddings: async (embeddings) => {
      for (const { model, passages } of embeddings.values()) {
        for (const { vector } of passages) requireVector(vector, model.dimension)
      }
      return connection.write(() => {
        let written = 0
        for (const [id, embedding] of embeddings) {
          const row = connection.first<{ project_id: number; caution: number }>(
            'SELECT project_id, caution FROM memory WHERE id = ?',
            id,
          )
          const modelId = vectors.findModel(embedding.model)
          const present =
            modelId !== undefined &&
            connection.first('SELECT 1 FROM passage WHERE memory_id = ? AND model_id = ?', id, modelId) !==
              undefined
          if (row === undefined || present) continue
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

    serve: (model) =>
      connection.write(() => {
        const modelId = vectors.ensureModel(model)
        const lacking = connection.first(
          `SELECT 1 FROM memory WHERE NOT EXISTS
             (SELECT 1 FROM passage WHERE memory_id = memory.id AND model_id = ?) LIMIT 1`,
          modelId,
        )
        if (lacking !== undefined) return false
        writeServedModel(connection, modelId)
        connection.run('DELETE FROM unembedded')
        for (const { id } of connection.all<{ id: number }>('SELECT id FROM model WHERE id <> ?', modelId)) {
          vectors.drop(id)
        }
        return true
      }),
  }
}
