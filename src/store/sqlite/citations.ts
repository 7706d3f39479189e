/** Places in files that records are based on, in SQLite. Whoever removes a record removes its citations (`provenance.ts`). */
import type { Citation } from '../../core/citations.ts'
import { addTo } from '../../core/lists.ts'
import type { Found } from '../../core/records.ts'
import type { CitationStore, Cited, CitingKind, CitingRecord } from '../citations.ts'
import type { Connection } from './connection.ts'
import { insertRow } from './insert.ts'
import { findOwn, findProject } from './projects.ts'

/** Inside the write that keeps the record. */
export function insertCitations(
  connection: Connection,
  { kind, id }: { readonly kind: CitingKind; readonly id: number },
  citations: readonly Citation[] = [],
): void {
  for (const { path, firstLine, lastLine, hash, stampedAt } of citations) {
    const place = { path, first_line: firstLine, last_line: lastLine, hash, stamped_at: stampedAt }
    insertRow(connection, 'citation', { kind, record_id: id, ...place })
  }
}

/** A record's citations in one column of a query: a list as JSON. */
export const citationsOf = (kind: CitingKind): string =>
  `(SELECT json_group_array(json_array(path, first_line, last_line, hash, stamped_at) ORDER BY citation.id)
    FROM citation WHERE citation.kind = '${kind}' AND citation.record_id = ${kind}.id) AS citations`

export interface CitationsColumn {
  readonly citations: string
}

type Packed = [string, number | null, number | null, string, number]

/** The citations in such a column; empty if there are none. */
export function toCitations(column: string): Cited {
  // Made by the query above, which packs these five of each.
  const packed = JSON.parse(column) as Packed[]
  if (packed.length === 0) return {}
  return {
    citations: packed.map(([path, firstLine, lastLine, hash, stampedAt]) => ({
      path,
      firstLine,
      lastLine,
      hash,
      stampedAt,
    })),
  }
}

/** Joins the records that cite and whose they are. */
const citing: Readonly<Record<CitingKind, string>> = {
  memory: "citation JOIN memory ON citation.kind = 'memory' AND memory.id = record_id",
  evidence: `citation JOIN evidence ON citation.kind = 'evidence' AND evidence.id = record_id
    JOIN belief ON belief.id = belief_id`,
}

export function createCitationStore(connection: Connection): CitationStore {
  /** The belief in whose trail an event is, by the row of the event. */
  const beliefOf = (project: string, evidenceId: number): Found<number> => {
    const event = connection.first<{ id: number }>(
      'SELECT belief_id AS id FROM evidence WHERE id = ?',
      evidenceId,
    )
    const select = 'SELECT id FROM belief'
    const toRecord = ({ id }: { id: number }): number => id
    return event && findOwn(connection, project, { table: 'belief', id: event.id, select, toRecord })
  }

  return {
    find: (project, kind, ids) =>
      connection.read(() => {
        const rows = connection.all<Citation & { recordId: number }>(
          `SELECT record_id AS recordId, path, first_line AS firstLine, last_line AS lastLine, hash,
             stamped_at AS stampedAt
           FROM ${citing[kind]} WHERE project_id = ? AND record_id IN (SELECT value FROM json_each(?))
           ORDER BY citation.id`,
          findProject(connection, project) ?? 0,
          JSON.stringify(ids),
        )
        const found = new Map<number, Citation[]>()
        for (const { recordId, ...citation } of rows) {
          addTo(found, recordId, citation)
        }
        return found
      }),

    replace: (project, { kind, id }, citations) =>
      connection.write(() => {
        const own = connection.first(
          `SELECT 1 FROM ${kind === 'memory' ? 'memory' : 'evidence JOIN belief ON belief.id = belief_id'}
           WHERE ${kind}.id = ? AND project_id = ?`,
          id,
          findProject(connection, project) ?? 0,
        )
        if (own === undefined) throw new Error(`${kind} ${id} is gone`)
        connection.run('DELETE FROM citation WHERE kind = ? AND record_id = ?', kind, id)
        insertCitations(connection, { kind, id }, citations)
      }),

    list: (project) =>
      connection.read(() => {
        const projectId = findProject(connection, project) ?? 0
        const rows = connection.all<{
          kind: CitingKind
          id: number
          shownKind: CitingRecord['shown']['kind']
          shownId: number
        }>(
          `SELECT DISTINCT 'memory' AS kind, memory.id AS id, iif(caution > 0, 'flag', 'memory') AS shownKind,
             memory.id AS shownId
           FROM ${citing.memory} WHERE project_id = ?
           UNION ALL
           SELECT DISTINCT 'evidence', evidence.id, 'belief', belief_id
           FROM ${citing.evidence} WHERE project_id = ?`,
          projectId,
          projectId,
        )
        return rows.map(({ kind, id, shownKind, shownId }) => ({
          kind,
          id,
          shown: { kind: shownKind, id: shownId },
        }))
      }),

    beliefOf: (project, evidenceId) => connection.read(() => beliefOf(project, evidenceId)),
  }
}
