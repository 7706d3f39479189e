/** The circumstances of records and the places they cite: stored beside a record and removed with it. */
import type { Citation } from '../../core/citations.ts'
import type { Circumstances, KeptKind } from '../../core/records.ts'
import type { CitingKind } from '../citations.ts'
import { isKnown, type ProvenanceRow, provenanceColumns, toProvenance } from '../rows/provenance.ts'
import type { Transaction } from './transaction.ts'

/** Inside the write that keeps the record. Writes nothing where nothing is known. */
export async function insertProvenance(
  transaction: Transaction,
  { kind, id }: { readonly kind: KeptKind; readonly id: number },
  circumstances: Partial<Circumstances> = {},
): Promise<void> {
  if (!isKnown(circumstances)) return
  const { agent = null, session = null, branch = null, commit = null, origin = null } = circumstances
  await transaction.run(
    // Of two records that were one elsewhere, the first is found by what it was called there.
    `INSERT INTO provenance (project_id, kind, record_id, agent, session, branch, revision, origin)
     VALUES ($1, $2, $3, $4, $5, $6, $7, CASE WHEN NOT EXISTS
       (SELECT 1 FROM provenance WHERE project_id = $1 AND kind = $2 AND origin = $8) THEN $8 END)`,
    [transaction.projectId, kind, id, agent, session, branch, commit, origin],
  )
}

/** By id, those of which something is known. */
export async function readProvenance(
  transaction: Transaction,
  kind: KeptKind,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Circumstances>> {
  const rows = await transaction.all<ProvenanceRow & { id: number }>(
    `SELECT record_id AS id, ${provenanceColumns} FROM provenance AS kept
     WHERE project_id = $1 AND kind = $2 AND record_id = ANY($3::bigint[])`,
    [transaction.projectId, kind, ids],
  )
  return toProvenance(rows)
}

/** Inside the write that keeps the record. */
export async function insertCitations(
  transaction: Transaction,
  { kind, id }: { readonly kind: CitingKind; readonly id: number },
  citations: readonly Citation[] = [],
): Promise<void> {
  for (const { path, firstLine, lastLine, hash, stampedAt } of citations) {
    await transaction.run(
      `INSERT INTO citation (project_id, kind, record_id, path, first_line, last_line, hash, stamped_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [transaction.projectId, kind, id, path, firstLine, lastLine, hash, stampedAt],
    )
  }
}

/** What a record cites, away. */
export const removeCitations = (
  transaction: Transaction,
  { kind, id }: { readonly kind: KeptKind; readonly id: number },
): Promise<number> =>
  transaction.run('DELETE FROM citation WHERE project_id = $1 AND kind = $2 AND record_id = $3', [
    transaction.projectId,
    kind,
    id,
  ])

/** Inside the write that removes the record. */
export async function removeBeside(
  transaction: Transaction,
  record: { readonly kind: KeptKind; readonly id: number },
): Promise<void> {
  await transaction.run('DELETE FROM provenance WHERE project_id = $1 AND kind = $2 AND record_id = $3', [
    transaction.projectId,
    record.kind,
    record.id,
  ])
  await removeCitations(transaction, record)
}
