/** Records taken away with all that belongs to them. Knows which tables a record of each kind lives in besides its own. */
import type { RecordKind } from '../../core/records.ts'
import { textOf } from '../rows/texts.ts'
import type { RemovalStore } from '../store.ts'
import type { MemoryIndexes } from './memory-life.ts'
import { removeBeside } from './provenance.ts'
import type { Session, Steps } from './session.ts'

/** With its trail. What it took the place of is superseded by what took its own, or stands again. */
function* forgetTrail(session: Session, id: number): Steps<void> {
  const own = session.own('evidence')
  for (const table of ['provenance', 'citation'])
    yield* session.run(
      `DELETE FROM ${table} WHERE ${session.own(table)} kind = 'evidence' AND record_id IN
         (SELECT id FROM evidence WHERE ${own} belief_id = ?)`,
      id,
    )
  yield* session.removeOf('belief_id', id, ['evidence'])
  yield* session.run(
    `UPDATE belief SET superseded_by =
       (SELECT superseded_by FROM belief WHERE project_id = @project AND id = ?)
     WHERE project_id = @project AND superseded_by = ?`,
    id,
    id,
  )
}

function* remove(session: Session, kind: RecordKind, id: number): Steps<void> {
  if (kind === 'belief') yield* forgetTrail(session, id)
  if (kind === 'prediction') yield* session.removeOf('prediction_id', id, ['prediction_term'])
  if (kind !== 'dream') yield* removeBeside(session, { kind, id })
  yield* session.run(`DELETE FROM ${kind} WHERE project_id = @project AND id = ?`, id)
}

/** What a memory said before. */
export function* textsOfVersions(session: Session, id: number): Steps<string[]> {
  const rows = yield* session.all<{ text: string }>(
    `SELECT text FROM memory_version WHERE ${session.own('memory_version')} memory_id = ?`,
    id,
  )
  return rows.map(({ text }) => text)
}

type Asked = Parameters<RemovalStore['forget']>

type Forgetting = Asked[1] & {
  readonly decide: Asked[2]
  readonly removeMemory: MemoryIndexes['remove']
}

/** See `RemovalStore.forget`: in one write. */
export function* forget(session: Session, { kind, ids, decide, removeMemory }: Forgetting): Steps<void> {
  yield* session.lock(kind, ids)
  for (const id of ids) {
    const earlier = kind === 'memory' ? yield* textsOfVersions(session, id) : []
    const found = yield* session.find({
      table: kind,
      id,
      select: `SELECT ${textOf[kind]} AS text FROM ${kind}`,
      toRecord: ({ text }: { text: string }) => ({ texts: [text, ...earlier] }),
    })
    decide(id, found)
    if (typeof found !== 'object') continue
    if (kind === 'memory') yield* removeMemory(session, id)
    else yield* remove(session, kind, id)
  }
}
