/**
 * Under which circumstances records were kept, in SQLite: a row beside a record of whom something is known. Knows how such a
 * row comes and goes; what is worth telling is decided by who keeps the record.
 */
import type { Circumstances, KeptKind } from '../../core/records.ts'
import { isKnown, type ProvenanceRow, provenanceColumns, toProvenance } from '../rows/provenance.ts'
import type { Connection } from './connection.ts'
import { insertRow } from './insert.ts'

interface Kept {
  readonly kind: KeptKind
  readonly id: number
  readonly projectId: number
}

/** Inside the write that keeps the record. Writes nothing where nothing is known. */
export function insertProvenance(
  connection: Connection,
  { kind, id, projectId }: Kept,
  circumstances: Partial<Circumstances> = {},
): void {
  if (!isKnown(circumstances)) return
  const { agent = null, session = null, branch = null, commit = null, origin = null } = circumstances
  const taken =
    origin !== null &&
    connection.first(
      'SELECT 1 FROM provenance WHERE project_id = ? AND kind = ? AND origin = ?',
      projectId,
      kind,
      origin,
    ) !== undefined
  insertRow(connection, 'provenance', {
    kind,
    record_id: id,
    project_id: projectId,
    agent,
    session,
    branch,
    revision: commit,
    // Of two records that were one elsewhere, the first is found by what it was called there.
    origin: taken ? null : origin,
  })
}

/** Joins the provenance of the rows of a table that is called as its kind of record. */
export const provenanceOf = (kind: string): string =>
  `LEFT JOIN provenance AS kept ON kept.kind = '${kind}' AND kept.record_id = ${kind}.id`

/** By id, those of which something is known. */
export function readProvenance(
  connection: Connection,
  projectId: number,
  { kind, ids }: { readonly kind: KeptKind; readonly ids: readonly number[] },
): ReadonlyMap<number, Circumstances> {
  const rows = connection.all<ProvenanceRow & { id: number }>(
    `SELECT record_id AS id, ${provenanceColumns} FROM provenance AS kept
     WHERE kind = ? AND project_id = ? AND record_id IN (SELECT value FROM json_each(?))`,
    kind,
    projectId,
    JSON.stringify(ids),
  )
  return toProvenance(rows)
}

/** What stands beside a record and goes with it, inside the write that removes it: its provenance and its citations. */
export function removeBeside(connection: Connection, kind: KeptKind, id: number): void {
  connection.run('DELETE FROM provenance WHERE kind = ? AND record_id = ?', kind, id)
  connection.run('DELETE FROM citation WHERE kind = ? AND record_id = ?', kind, id)
}
