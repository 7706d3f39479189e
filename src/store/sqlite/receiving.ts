/** A copy of another brain on its way into SQLite. */
import type { ReceivingStore } from '../sql/receiving.ts'
import { copyingSetting, isPart } from '../staging-rules.ts'
import type { Connection } from './connection.ts'
import { createTaking } from './intake.ts'
import { createSqlDatabase } from './session.ts'
import { readSetting } from './settings.ts'
import { createSwitching } from './switching.ts'
import type { VectorTables } from './vectors.ts'

/** @throws BrainError `storage` for a brain of which only a part has arrived. */
export function requireWhole(connection: Connection): void {
  if (readSetting(connection, copyingSetting) !== undefined) throw isPart()
}

export function createReceiving(connection: Connection, vectors: VectorTables): ReceivingStore {
  const take = createTaking(connection, vectors)
  return {
    database: createSqlDatabase(connection),
    *take(session, intake, records) {
      for (const one of records) yield* take(session, intake, one)
    },
    finish: async () => {
      // What makes search quick, in short commits of its own; what is not done now is done later.
      const { compact } = createSwitching(connection, vectors)
      while (await compact().catch(() => false));
    },
  }
}
