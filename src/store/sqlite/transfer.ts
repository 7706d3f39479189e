/** Whole projects out of SQLite and into it. */
import type { TransferStore } from '../transfer.ts'
import type { Connection } from './connection.ts'
import { countRecords, readRecords } from './outgoing.ts'
import { SqliteStaging } from './staging.ts'
import type { VectorTables } from './vectors.ts'

export const createTransferStore = (connection: Connection, vectors: VectorTables): TransferStore => ({
  records: (project) => readRecords(connection, project),
  count: (project) => countRecords(connection, project),
  stage: (source) => connection.read(() => SqliteStaging.open(connection, vectors, source)),
})
