/**
 * The index of memories in PostgreSQL: which model is served, whose vectors are missing, and how they are added; what search
 * asks of it stands in `candidates.ts`.
 */
import type { ModelIdentity } from '../../models/embedder.ts'
import type { IndexStore } from '../index-store.ts'
import { type MemoryRow, toMemory } from '../rows/memories.ts'
import { toUnitVector } from '../search/int8-vector.ts'
import { requireVectors } from '../search/usable-vectors.ts'
import type { Embedding } from '../store.ts'
import { createCandidateStore } from './candidates.ts'
import type { Database } from './connection.ts'
import { selectedColumns } from './memory-columns.ts'
import { findModel, readServedIdentity, readServedModel } from './models.ts'
import { windows } from './nearest.ts'
import { insertPassages, listUnembedded } from './passages.ts'
import { createSwitching, holdServed, lacksVector, type SwitchingOptions } from './switching.ts'
import type { Transaction } from './transaction.ts'
import { readPassages } from './vector-cache.ts'

/** The ids of those that have vectors of a model. */
async function findPresent(
  transaction: Transaction,
  model: ModelIdentity,
  ids: readonly number[],
): Promise<Set<number>> {
  const modelId = await findModel(transaction, model)
  if (modelId === undefined) return new Set()
  const rows = await transaction.all<{ id: number }>(
    `SELECT DISTINCT memory_id AS id FROM passage
     WHERE project_id = $1 AND memory_id = ANY($2::bigint[]) AND model_id = $3`,
    [transaction.projectId, ids, modelId],
  )
  return new Set(rows.map(({ id }) => id))
}

/** Those whose vectors are still wanted: the memory is there and as it was embedded, and lacks them. */
async function findWanting(
  transaction: Transaction,
  embeddings: ReadonlyMap<number, Embedding>,
  onlyServed: boolean,
): Promise<{ id: number; caution: number; embedding: Embedding }[]> {
  const ids = [...embeddings.keys()]
  const rows = await transaction.all<{ id: number; caution: number; text: string }>(
    `SELECT id, caution, text FROM memory WHERE project_id = $1 AND id = ANY($2::bigint[])
     ORDER BY id FOR NO KEY UPDATE`,
    [transaction.projectId, ids],
  )
  const served = onlyServed ? await readServedIdentity(transaction) : undefined
  const present = new Map<string, Set<number>>()
  const wanting: { id: number; caution: number; embedding: Embedding }[] = []
  for (const { id, caution, text } of rows) {
    const embedding = embeddings.get(id)
    if (embedding === undefined || (embedding.text ?? text) !== text) continue
    const { model } = embedding
    const name = JSON.stringify([model.name, model.hash, model.dimension])
    if (served !== undefined && name !== JSON.stringify([served.name, served.hash, served.dimension]))
      continue
    const known = present.get(name) ?? (await findPresent(transaction, model, ids))
    present.set(name, known)
    if (!known.has(id)) wanting.push({ id, caution, embedding })
  }
  return wanting
}

/** Of some memories those that have no vector of the served model. */
async function findUncovered(transaction: Transaction, ids: readonly number[]): Promise<number[]> {
  const rows = await transaction.all<{ id: number }>(
    `SELECT memory.id FROM memory WHERE project_id = $1 AND id = ANY($2::bigint[]) AND ${lacksVector('$3')}`,
    [transaction.projectId, ids, (await readServedModel(transaction)) ?? 0],
  )
  return rows.map(({ id }) => id)
}

export const createIndexStore = (database: Database, options: SwitchingOptions = {}): IndexStore => ({
  servedModel: () => database.readAnywhere(readServedIdentity),

  ...createCandidateStore(database),

  passages: (project, model, memoryIds) =>
    database.read(project, async (transaction) => {
      const modelId = await findModel(transaction, model)
      if (modelId === undefined || memoryIds.length === 0) return []
      const rows = await readPassages(
        transaction,
        'model_id = $2 AND memory_id = ANY($3::bigint[]) ORDER BY id',
        [modelId, memoryIds],
      )
      return memoryIds.flatMap((wanted) =>
        rows
          .filter(({ memoryId }) => memoryId === wanted)
          .map(({ memoryId, vector, tokens }) => ({
            memoryId,
            vector: toUnitVector(vector, windows.of(vector.length).measure(vector).factor),
            tokens,
          })),
      )
    }),

  withoutVector: (project, model, { after, limit }) =>
    database.read(project, async (transaction) => {
      const modelId = await findModel(transaction, model)
      const listed = modelId !== undefined && modelId === (await readServedModel(transaction))
      const rows = await transaction.all<MemoryRow>(
        // The list is mended slowly after a switch: what is on it may have its vector.
        `SELECT ${selectedColumns}
         FROM ${listed ? 'unembedded JOIN memory ON memory.project_id = $1 AND memory.id = memory_id' : 'memory'}
         WHERE ${listed ? 'unembedded' : 'memory'}.project_id = $1 AND memory.id > $2
           AND ${lacksVector('$3')} ORDER BY memory.id LIMIT $4`,
        [transaction.projectId, after, modelId ?? 0, limit],
      )
      return rows.map(toMemory)
    }),

  waiting: (project, model, { before, limit, flagsOnly }) =>
    database.read(project, async (transaction) => {
      const modelId = await findModel(transaction, model)
      const rows = await transaction.all<MemoryRow>(
        `SELECT ${selectedColumns}
         FROM unembedded JOIN memory ON memory.project_id = $1 AND memory.id = memory_id
         WHERE unembedded.project_id = $1 AND memory_id < $2 ${flagsOnly ? 'AND caution > 0' : ''}
           AND ${lacksVector('$3')} ORDER BY memory_id DESC LIMIT $4`,
        [transaction.projectId, before, modelId ?? 0, limit],
      )
      return rows.map(toMemory)
    }),

  backlog: (project) =>
    database.read(
      project,
      async (transaction) =>
        (
          await transaction.first<{ unembedded: number }>(
            'SELECT coalesce(sum(unembedded), 0)::bigint AS unembedded FROM tally WHERE project_id = $1',
            [transaction.projectId],
          )
        )?.unembedded ?? 0,
    ),

  addEmbeddings: async (project, embeddings, { onlyServed = false } = {}) => {
    for (const embedding of embeddings.values()) requireVectors(embedding)
    return database.write(project, async (transaction) => {
      await holdServed(transaction)
      const wanting = await findWanting(transaction, embeddings, onlyServed)
      if (wanting.length === 0) return 0
      const semantic = await insertPassages(transaction, wanting)
      await transaction.run(
        'DELETE FROM unembedded WHERE project_id = $1 AND memory_id = ANY($2::bigint[])',
        [transaction.projectId, [...semantic]],
      )
      // On the way to another model recall may have what it needs of the served one.
      const others = wanting.map(({ id }) => id).filter((id) => !semantic.has(id))
      if (others.length > 0) await listUnembedded(transaction, await findUncovered(transaction, others))
      return wanting.length
    })
  },

  ...createSwitching(database, options),
})
