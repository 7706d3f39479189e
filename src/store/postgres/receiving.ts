/** A copy of another brain on its way into PostgreSQL. */
import type { ReceivingStore } from '../sql/receiving.ts'
import type { Database } from './connection.ts'
import { takeMemories } from './intake.ts'
import { createSqlDatabase, transactionOf } from './session.ts'

export const createReceiving = (database: Database): ReceivingStore => ({
  database: createSqlDatabase(database),
  *take(session, intake, records) {
    const memories = records.filter(({ record }) => record.type === 'memory')
    yield takeMemories(transactionOf(session), intake, memories)
    for (const { record } of records) if (record.type !== 'memory') yield* intake.take(session, record)
  },
  finish: async () => {},
})
