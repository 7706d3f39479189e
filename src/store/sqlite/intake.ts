/** Takes records from outside into SQLite: memories one by one, as all others. */
import { writeAnnotations } from '../sql/annotations.ts'
import type { Intake, Taken } from '../sql/intake.ts'
import type { Session, Steps } from '../sql/session.ts'
import type { Embedding } from '../store.ts'
import type { ImportedRecord } from '../transfer.ts'
import type { Connection } from './connection.ts'
import { insertMemory } from './memories.ts'
import type { VectorTables } from './vectors.ts'

/** A record, and what was made of a memory before the lock was taken. */
interface Arriving {
  readonly record: ImportedRecord
  readonly embedding?: Embedding | undefined
  readonly terms?: string | undefined
}

/** Takes a record in whose references came before; a belief's successor is settled later. */
export const createTaking = (connection: Connection, vectors: VectorTables) =>
  function* (session: Session, intake: Intake, { record, embedding, terms }: Arriving): Steps<Taken> {
    if (record.type !== 'memory') return yield* intake.take(session, record)
    const known = yield* intake.find(session, record)
    if (known !== undefined) return { id: known, known: true }
    const { id } = insertMemory(connection, vectors, {
      ...intake.own('memory', record.id),
      projectId: session.projectId,
      memory: { ...record, ...(embedding && { embedding }) },
      terms,
    })
    yield* writeAnnotations(session, id, record)
    return { id, known: false }
  }
