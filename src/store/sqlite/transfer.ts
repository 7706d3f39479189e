/** Whole projects out of SQLite and into it. */
import { SqlReceiving } from '../sql/receiving.ts'
import type { CopiedRecord, RecordPlace, TransferStore } from '../transfer.ts'
import type { Connection } from './connection.ts'
import { countRecords, readRecords } from './outgoing.ts'
import { readEmbeddings } from './outgoing-vectors.ts'
import { findProject } from './projects.ts'
import { createReceiving } from './receiving.ts'
import { SqliteStaging } from './staging.ts'
import type { VectorTables } from './vectors.ts'

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
