/**
 * Vectors as they are written: int8 rows with their word pieces, and a second time for the index of a project that has many.
 * Knows the columns of a passage; how they are searched is in `nearest.ts`.
 */

import { addTo } from '../../core/lists.ts'
import type { ModelIdentity, Passage } from '../../models/embedder.ts'
import { toRow } from '../search/int8-vector.ts'
import { bytesOf } from '../search/vector-bytes.ts'
import type { Embedding } from '../store.ts'
import { ensureModel, ensureServed } from './models.ts'
import type { Transaction } from './transaction.ts'

/** A memory and its vectors; none where no embedder answered. */
export interface EmbeddedMemory {
  readonly id: number
  readonly caution: number
  readonly embedding?: Embedding | undefined
}

interface Part {
  readonly memory: EmbeddedMemory
  readonly passage: Passage
}

/** What writing a model's vectors depends on. */
interface ModelState {
  readonly id: number | null
  readonly served: number | null
  /** Whether the project's vectors of the model stand in the index, too. */
  readonly indexed: boolean
}

/** In one round trip: every memory that is kept asks for it. */
async function readState(transaction: Transaction, model: ModelIdentity): Promise<ModelState> {
  const state = await transaction.first<ModelState>(
    `SELECT known.id, (SELECT value::bigint FROM setting WHERE key = 'served_model') AS served,
       EXISTS (SELECT 1 FROM indexed WHERE project_id = $1 AND model_id = known.id) AS indexed
     FROM (SELECT (SELECT id FROM model WHERE name = $2 AND hash = $3 AND dimension = $4 AND NOT retired) AS id) AS known`,
    [transaction.projectId, model.name, model.hash, model.dimension],
  )
  return state ?? { id: null, served: null, indexed: false }
}

/** A vector as pgvector reads it. */
export const toLiteral = (row: Int8Array | Float32Array): string => `[${row.join(',')}]`

async function insert(
  transaction: Transaction,
  { modelId, indexed }: { modelId: number; indexed: boolean },
  parts: readonly Part[],
): Promise<void> {
  const rows = parts.map(({ passage }) => toRow(passage.vector))
  await transaction.run(
    `INSERT INTO passage (project_id, model_id, memory_id, flag, first, last, tokens, vector, embedding)
     SELECT $1, $2, memory_id, flag, first, last, tokens, vector, embedding::halfvec
     FROM unnest($3::bigint[], $4::boolean[], $5::int[], $6::int[], $7::bytea[], $8::bytea[], $9::text[])
       AS given(memory_id, flag, first, last, tokens, vector, embedding)`,
    [
      transaction.projectId,
      modelId,
      parts.map(({ memory }) => memory.id),
      parts.map(({ memory }) => memory.caution > 0),
      parts.map(({ passage }) => passage.start),
      parts.map(({ passage }) => passage.end),
      parts.map(({ passage }) => bytesOf(passage.tokens)),
      rows.map(bytesOf),
      rows.map((row) => (indexed ? toLiteral(row) : null)),
    ],
  )
}

/** Vectors of one model as those of several memories, by the model's name. */
function byModel(memories: readonly EmbeddedMemory[]): Map<string, EmbeddedMemory[]> {
  const groups = new Map<string, EmbeddedMemory[]>()
  for (const memory of memories) {
    const { name, hash, dimension } = memory.embedding?.model ?? { name: '', hash: '', dimension: 0 }
    addTo(groups, JSON.stringify([name, hash, dimension]), memory)
  }
  return groups
}

/** Writes the vectors of memories that have none. Returns the ids of those that have the served model's now. Inside a write. */
export async function insertPassages(
  transaction: Transaction,
  memories: readonly EmbeddedMemory[],
): Promise<ReadonlySet<number>> {
  const semantic = new Set<number>()
  for (const group of byModel(memories).values()) {
    const model = group[0]?.embedding?.model
    if (model === undefined) continue
    const state = await readState(transaction, model)
    const modelId = state.id ?? (await ensureModel(transaction, model))
    const parts = group.flatMap((memory) =>
      (memory.embedding?.passages ?? []).map((passage) => ({ memory, passage })),
    )
    if (parts.length > 0) await insert(transaction, { modelId, indexed: state.indexed }, parts)
    if ((state.served ?? (await ensureServed(transaction, modelId))) === modelId)
      for (const { id } of group) semantic.add(id)
  }
  return semantic
}

/** Puts memories on the list of those that wait for a vector. Inside a write. */
export async function listUnembedded(transaction: Transaction, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await transaction.run(
    `INSERT INTO unembedded (project_id, memory_id) SELECT $1, unnest($2::bigint[])
     ON CONFLICT (project_id, memory_id) DO NOTHING`,
    [transaction.projectId, ids],
  )
}

/**
 * Writes the vectors of new memories, and puts those that lack the served model's on the list of those to be healed.
 * Returns the ids of the others. Inside a write.
 */
export async function writePassages(
  transaction: Transaction,
  memories: readonly EmbeddedMemory[],
): Promise<ReadonlySet<number>> {
  const semantic = await insertPassages(transaction, memories)
  await listUnembedded(
    transaction,
    memories.map(({ id }) => id).filter((id) => !semantic.has(id)),
  )
  return semantic
}

/** Takes the vectors of a memory whose row stays, and its place among those that wait for one. Inside a write. */
export async function removePassages(transaction: Transaction, memoryId: number): Promise<void> {
  const values = [transaction.projectId, memoryId]
  await transaction.run('DELETE FROM passage WHERE project_id = $1 AND memory_id = $2', values)
  await transaction.run('DELETE FROM unembedded WHERE project_id = $1 AND memory_id = $2', values)
}
