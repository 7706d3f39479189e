/** Whole projects out of PostgreSQL and into it. */
import type { ModelIdentity, Passage } from '../../models/embedder.ts'
import { toTokens } from '../search/vector-bytes.ts'
import type { Embedding } from '../store.ts'
import type { TransferStore } from '../transfer.ts'
import type { Database } from './connection.ts'
import { readServedIdentity, readServedModel } from './models.ts'
import { countRecords, readRecords } from './outgoing.ts'
import { PostgresStaging } from './staging.ts'
import type { Transaction } from './transaction.ts'

interface PassageRow {
  readonly memory_id: number
  readonly first: number
  readonly last: number
  readonly tokens: Uint8Array
  readonly vector: Uint8Array
}

/** Vectors by memory, as they are kept. */
async function readEmbeddings(
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
    const row = new Int8Array(vector.buffer, vector.byteOffset, vector.byteLength)
    embedding.passages.push({ start, end, tokens: toTokens(tokens), vector: Float32Array.from(row) })
  }
  return found
}

export const createTransferStore = (database: Database): TransferStore => ({
  records: (project) => readRecords(database, project),
  count: (project) => countRecords(database, project),
  embeddings: (project, memoryIds) =>
    database.read(project, (transaction) => readEmbeddings(transaction, memoryIds)),
  stage: () => PostgresStaging.open(database),
})
