/** Places in files that records are based on, for verifying them. */
import type { Citation } from '../../core/citations.ts'
import { addTo } from '../../core/lists.ts'
import type { CitationStore, CitingKind, CitingRecord } from '../citations.ts'
import type { Database } from './connection.ts'
import { findElsewhere } from './own.ts'
import { insertCitations, removeCitations } from './provenance.ts'
import type { Transaction } from './transaction.ts'

interface CitingRow {
  readonly kind: CitingKind
  readonly id: number
  readonly shownKind: CitingRecord['shown']['kind']
  readonly shownId: number
}

/** By record, in the order in which they were given. */
export async function readCitations(
  transaction: Transaction,
  kind: CitingKind,
  ids: readonly number[],
): Promise<ReadonlyMap<number, readonly Citation[]>> {
  const rows = await transaction.all<Citation & { recordId: number }>(
    `SELECT record_id AS "recordId", path, first_line AS "firstLine", last_line AS "lastLine", hash,
       stamped_at AS "stampedAt"
     FROM citation WHERE project_id = $1 AND kind = $2 AND record_id = ANY($3::bigint[]) ORDER BY id`,
    [transaction.projectId, kind, ids],
  )
  const found = new Map<number, Citation[]>()
  for (const { recordId, ...citation } of rows) addTo(found, recordId, citation)
  return found
}

export const createCitationStore = (database: Database): CitationStore => ({
  find: (project, kind, ids) =>
    database.read(project, (transaction) => readCitations(transaction, kind, ids)),

  replace: (project, record, citations) =>
    database.write(project, async (transaction) => {
      const own = await transaction.first(
        `SELECT 1 FROM ${record.kind} WHERE project_id = $1 AND id = $2 FOR UPDATE`,
        [transaction.projectId, record.id],
      )
      if (own === undefined) throw new Error(`${record.kind} ${record.id} is gone`)
      await removeCitations(transaction, record)
      await insertCitations(transaction, record, citations)
    }),

  list: (project) =>
    database.read(project, async (transaction) => {
      const rows = await transaction.all<CitingRow>(
        `SELECT DISTINCT 'memory' AS kind, memory.id, CASE WHEN caution > 0 THEN 'flag' ELSE 'memory' END AS "shownKind",
           memory.id AS "shownId"
         FROM citation JOIN memory ON memory.project_id = citation.project_id AND memory.id = record_id
         WHERE citation.project_id = $1 AND citation.kind = 'memory'
         UNION ALL
         SELECT DISTINCT 'evidence', evidence.id, 'belief', belief_id
         FROM citation JOIN evidence ON evidence.project_id = citation.project_id AND evidence.id = record_id
         WHERE citation.project_id = $1 AND citation.kind = 'evidence'`,
        [transaction.projectId],
      )
      return rows.map(({ kind, id, shownKind, shownId }) => ({
        kind,
        id,
        shown: { kind: shownKind, id: shownId },
      }))
    }),

  beliefOf: (project, evidenceId) =>
    database.read(project, async (transaction) => {
      const event = await transaction.first<{ beliefId: number }>(
        'SELECT belief_id AS "beliefId" FROM evidence WHERE project_id = $1 AND id = $2',
        [transaction.projectId, evidenceId],
      )
      return event?.beliefId ?? findElsewhere(transaction, 'evidence', evidenceId)
    }),
})
