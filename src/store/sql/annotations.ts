/** Annotations of records: read and written with what they were said of. */
import type { FeedbackVerdict } from '../../core/records.ts'
import type { DreamAnnotations, MemoryAnnotations, TransferKind } from '../transfer.ts'
import { insertReasons } from './dreams.ts'
import type { Session, Steps } from './session.ts'

type Annotations = MemoryAnnotations & DreamAnnotations

/** The same while they are read. */
type Unfinished = {
  -readonly [Name in keyof Annotations]: Annotations[Name] extends readonly (infer One)[] | undefined
    ? One[]
    : Annotations[Name]
}

/** Of records of one kind, by id; those without any are left out. Inside a read. */
export function* readAnnotations(
  session: Session,
  type: TransferKind,
  ids: readonly number[],
): Steps<Map<number, Annotations>> {
  const found = new Map<number, Unfinished>()
  function* rowsOf<Row extends { record: number }>(
    table: string,
    { of, columns, order }: { of: string; columns: string; order: string },
    add: (said: Unfinished, row: Row) => void,
  ): Steps<void> {
    const rows = yield* session.all<Row>(
      `SELECT ${of} AS record, ${columns} FROM ${table}
       WHERE ${session.own(table)} ${of} ${session.dialect.amongIds} ORDER BY ${order}`,
      ids,
    )
    for (const row of rows) {
      const said = found.get(row.record) ?? {}
      add(said, row)
      found.set(row.record, said)
    }
  }
  if (type === 'dream') {
    yield* rowsOf<{ record: number; reason: string }>(
      'dream_reason',
      { of: 'dream_id', columns: 'reason', order: 'dream_id, position' },
      (said, { reason }) => {
        said.reasons ??= []
        said.reasons.push(reason)
      },
    )
    yield* rowsOf<{ record: number; verdict: FeedbackVerdict; createdAt: number }>(
      'dream_feedback',
      { of: 'dream_id', columns: 'verdict, created_at AS "createdAt"', order: 'dream_id' },
      (said, { verdict, createdAt }) => {
        said.feedback = { verdict, createdAt }
      },
    )
  }
  if (type === 'memory') {
    yield* rowsOf<{ record: number; topic: string; createdAt: number }>(
      'exemption',
      { of: 'memory_id', columns: 'topic, created_at AS "createdAt"', order: 'created_at, id' },
      (said, { topic, createdAt }) => {
        said.exemptions ??= []
        said.exemptions.push({ topic, createdAt })
      },
    )
    yield* rowsOf<{ record: number; score: number; right: number | boolean; createdAt: number }>(
      'recall_verdict',
      { of: 'memory_id', columns: 'score, "right", created_at AS "createdAt"', order: 'created_at, id' },
      (said, { score, right, createdAt }) => {
        said.recallVerdicts ??= []
        said.recallVerdicts.push({ score, right: Boolean(right), createdAt })
      },
    )
  }
  return found
}

/** Writes those of a record that has just been added under this id. Inside a write. */
export function* writeAnnotations(
  session: Session,
  id: number,
  { reasons = [], feedback, exemptions = [], recallVerdicts = [] }: Annotations,
): Steps<void> {
  yield* insertReasons(session, id, reasons)
  if (feedback !== undefined)
    yield* session.insertEach('dream_feedback', [
      { dream_id: id, verdict: feedback.verdict, created_at: feedback.createdAt },
    ])
  yield* session.insertEach(
    'exemption',
    exemptions.map(({ topic, createdAt }) => ({ memory_id: id, topic, created_at: createdAt })),
  )
  yield* session.insertEach(
    'recall_verdict',
    recallVerdicts.map(({ score, right, createdAt }) => ({
      memory_id: id,
      score,
      right,
      created_at: createdAt,
    })),
  )
}
