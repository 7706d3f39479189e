/** Vectors of memories on their way out, or to another place in the index, as they are kept. */
import type { ModelIdentity, Passage } from '../../models/embedder.ts'
import { toInt8s, toTokens } from '../search/vector-bytes.ts'
import type { Embedding } from '../store.ts'
import { readServedIdentity, readServedModel } from './models.ts'
import type { Transaction } from './transaction.ts'

interface PassageRow {
  readonly memory_id: number
  readonly first: number
  readonly last: number
  readonly tokens: Uint8Array
  readonly vector: Uint8Array
}

/** Those of the served model, by memory. */
export async function readEmbeddings(
  transaction: Transaction,
  memoryIds: readonly number[],
): Promise<Map<number, Embedding>> {
  const found = new Map<number, { model: ModelIdentity; passages: Passage[] }>()
  const modelId = await readServedModel(transaction)
  const model = await readServedIdentity(transaction)
  if (modelId === undefined || model === undefined) return found
  const rows = await transaction.all<PassageRow>(
    `SELECT memory_id, first, last, tokens, vector FROM passage
     WHERE project_id = $1 AND model_id = $2 AND memory_id = ANY($3::bigint[]) ORDER BY id`,
    [transaction.projectId, modelId, memoryIds],
  )
  for (const { memory_id: memoryId, first: start, last: end, tokens, vector } of rows) {
    const embedding = found.get(memoryId) ?? { model, passages: [] }
    found.set(memoryId, embedding)
    embedding.passages.push({
      start,
      end,
      tokens: toTokens(tokens),
      vector: Float32Array.from(toInt8s(vector)),
    })
  }
  return found
}
