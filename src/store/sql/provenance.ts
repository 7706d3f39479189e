/**
 * The circumstances of records and the places in files they cite: beside a record, and removed with it. Knows how such rows
 * come and go; what is worth telling is decided by who keeps the record.
 */
import { unnamedAgent } from '../../core/agent-names.ts'
import type { Citation } from '../../core/citations.ts'
import type { Circumstances, KeptKind } from '../../core/records.ts'
import type { CitingKind } from '../citations.ts'
import { isKnown, type ProvenanceRow, provenanceColumns, toProvenance } from '../rows/provenance.ts'
import type { Session, Steps } from './session.ts'

/** An agent as SQL: a caller that gave no name is not kept. */
export const namedAgent = (column: string): string => `coalesce(${column}, '${unnamedAgent}')`

/** Inside the write that keeps the record. Writes nothing where nothing is known. */
export function* insertProvenance(
  session: Session,
  { kind, id }: { readonly kind: KeptKind; readonly id: number },
  circumstances: Partial<Circumstances> = {},
): Steps<void> {
  if (!isKnown(circumstances)) return
  const { agent = null, session: told = null, branch = null, commit = null, origin = null } = circumstances
  yield* session.run(
    // Of two records that were one elsewhere, the first is found by what it was called there.
    `INSERT INTO provenance (project_id, kind, record_id, agent, session, branch, revision, origin)
     VALUES (@project, ?, ?, ?, ?, ?, ?, CASE WHEN NOT EXISTS
       (SELECT 1 FROM provenance WHERE project_id = @project AND kind = ? AND origin = ?) THEN ? END)`,
    kind,
    id,
    agent,
    told,
    branch,
    commit,
    kind,
    origin,
    origin,
  )
}

/** By id, those of which something is known. */
export function* readProvenance(
  session: Session,
  kind: KeptKind,
  ids: readonly number[],
): Steps<ReadonlyMap<number, Circumstances>> {
  const rows = yield* session.all<ProvenanceRow & { id: number }>(
    `SELECT record_id AS id, ${provenanceColumns} FROM provenance AS kept
     WHERE kind = ? AND project_id = @project AND record_id ${session.dialect.amongIds}`,
    kind,
    ids,
  )
  return toProvenance(rows)
}

/** Inside the write that keeps the record. */
export const insertCitations = (
  session: Session,
  { kind, id }: { readonly kind: CitingKind; readonly id: number },
  citations: readonly Citation[] = [],
): Steps<void> =>
  session.insertEach(
    'citation',
    citations.map(({ path, firstLine, lastLine, hash, stampedAt }) => ({
      kind,
      record_id: id,
      path,
      first_line: firstLine,
      last_line: lastLine,
      hash,
      stamped_at: stampedAt,
    })),
  )

/** What a record cites, away. */
export const removeCitations = (
  session: Session,
  { kind, id }: { readonly kind: KeptKind; readonly id: number },
): Steps<number> =>
  session.run(`DELETE FROM citation WHERE ${session.own('citation')} kind = ? AND record_id = ?`, kind, id)

/** Inside the write that removes the record. */
export function* removeBeside(
  session: Session,
  record: { readonly kind: KeptKind; readonly id: number },
): Steps<void> {
  yield* session.run(
    'DELETE FROM provenance WHERE project_id = @project AND kind = ? AND record_id = ?',
    record.kind,
    record.id,
  )
  yield* removeCitations(session, record)
}
