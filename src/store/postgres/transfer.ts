/** Whole projects out of PostgreSQL and into it. */
import { SqlReceiving } from '../sql/receiving.ts'
import type { TransferStore } from '../transfer.ts'
import type { Database } from './connection.ts'
import { countRecords, readCopies, readRecords } from './outgoing.ts'
import { createReceiving } from './receiving.ts'
import { PostgresStaging } from './staging.ts'

export const createTransferStore = (database: Database): TransferStore => ({
  records: (project) => readRecords(database, project),
  count: (project) => countRecords(database, project),
  copies: (project, after) => readCopies(database, project, after),
  receive: (source) => SqlReceiving.begin(createReceiving(database), source),
  stage: () => PostgresStaging.open(database),
})
