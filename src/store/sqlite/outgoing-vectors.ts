/** Vectors of memories on their way out, or to another place in the index, as they are kept. */
import type { ModelIdentity, Passage } from '../../models/embedder.ts'
import { toTokens } from '../search/vector-bytes.ts'
import type { Embedding } from '../store.ts'
import type { Connection } from './connection.ts'
import { readServedModel } from './served-model.ts'
import type { VectorTables } from './vectors.ts'

/** Those of the served model, by memory. Inside a read or a write. */
export function readEmbeddings(
  connection: Connection,
  vectors: VectorTables,
  { projectId, memoryIds }: { projectId: number; memoryIds: readonly number[] },
): Map<number, Embedding> {
  const modelId = vectors.available ? readServedModel(connection) : undefined
  const found = new Map<number, { model: ModelIdentity; passages: Passage[] }>()
  if (modelId === undefined) return found
  const model = connection.first<ModelIdentity>(
    'SELECT name, hash, dimension FROM model WHERE id = ?',
    modelId,
  )
  if (model === undefined) return found
  const rows = connection.all<{
    id: number
    memory_id: number
    start: number
    end: number
    tokens: Uint8Array
  }>(
    `SELECT passage.id, memory_id, start, end, tokens FROM passage JOIN memory ON memory.id = memory_id
     WHERE project_id = ? AND model_id = ? AND memory_id IN (SELECT value FROM json_each(?)) ORDER BY passage.id`,
    projectId,
    modelId,
    JSON.stringify(memoryIds),
  )
  const kept = vectors.getMany(
    { id: modelId, dimension: model.dimension },
    rows.map(({ id }) => id),
  )
  for (const { id, memory_id: memoryId, start, end, tokens } of rows) {
    const vector = kept.get(id)
    if (vector === undefined) continue
    const embedding = found.get(memoryId) ?? { model, passages: [] }
    found.set(memoryId, embedding)
    embedding.passages.push({ start, end, tokens: toTokens(tokens), vector: Float32Array.from(vector.row) })
  }
  return found
}
