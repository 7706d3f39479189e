/** Whole projects out of SQLite and into it. */
import type { ModelIdentity, Passage } from '../../models/embedder.ts'
import { toTokens } from '../search/vector-bytes.ts'
import { SqlReceiving } from '../sql/receiving.ts'
import type { Embedding } from '../store.ts'
import type { CopiedRecord, RecordPlace, TransferStore } from '../transfer.ts'
import type { Connection } from './connection.ts'
import { countRecords, readRecords } from './outgoing.ts'
import { findProject } from './projects.ts'
import { createReceiving } from './receiving.ts'
import { readServedModel } from './served-model.ts'
import { SqliteStaging } from './staging.ts'
import type { VectorTables } from './vectors.ts'

/** Vectors by memory, as they are kept. Inside a read. */
function readEmbeddings(
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

/** Records whose vectors are read together. */
const batchSize = 256

async function* readCopies(
  connection: Connection,
  vectors: VectorTables,
  { project, after }: { project: string; after: RecordPlace | undefined },
): AsyncGenerator<CopiedRecord, void, undefined> {
  let waiting: CopiedRecord['record'][] = []
  // Of one kind.
  const flush = async (): Promise<CopiedRecord[]> => {
    const [batch, ids] = [waiting, waiting.map(({ id }) => id)]
    waiting = []
    const { type } = batch[0] ?? {}
    if (type === undefined) return []
    return connection.read(() => {
      const projectId = findProject(connection, project) ?? 0
      const embeddings =
        type === 'memory' ? readEmbeddings(connection, vectors, { projectId, memoryIds: ids }) : undefined
      return batch.map((record) => {
        const embedding = embeddings?.get(record.id)
        return { record, ...(embedding && { embedding }) }
      })
    })
  }
  for await (const record of readRecords(connection, project, after)) {
    if (record.type === 'project') continue
    if (waiting.length >= batchSize || (waiting[0]?.type ?? record.type) !== record.type) yield* await flush()
    waiting.push(record)
  }
  yield* await flush()
}

export const createTransferStore = (connection: Connection, vectors: VectorTables): TransferStore => ({
  records: (project) => readRecords(connection, project),
  count: (project) => countRecords(connection, project),
  copies: (project, after) => readCopies(connection, vectors, { project, after }),
  receive: (source) => SqlReceiving.begin(createReceiving(connection, vectors), source),
  stage: (source) => connection.read(() => SqliteStaging.open(connection, vectors, source)),
})
