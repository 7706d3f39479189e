/** In which columns the texts of records stand. */
import type { RecordKind } from '../../core/records.ts'
import type { ProjectCounts } from '../store.ts'

/** The text of a record, by its kind, whose name its table has. */
export const textOf: Readonly<Record<RecordKind, string>> = {
  memory: 'text',
  belief: 'text',
  prediction: 'prediction',
  dream: 'thought',
  observation: 'observation',
}

/** Further texts of records. */
const others: Readonly<Partial<Record<RecordKind, readonly string[]>>> = { prediction: ['basis', 'actual'] }

/**
 * Bytes of a project's texts, as SQL for a query in which it is called `project`. A text's length stands before it, so
 * that none is read.
 */
export const bytesOfTexts = Object.entries(textOf)
  .map(([table, text]) => {
    // The keys of the table above.
    const columns = [text, ...(others[table as RecordKind] ?? [])]
    const each = columns.map((column) => `coalesce(octet_length(${column}), 0)`).join(' + ')
    return `coalesce((SELECT sum(${each}) FROM ${table} WHERE project_id = project.id), 0)`
  })
  .join(' + ')

/**
 * How much of what a project holds, as SQL for the same query: flags are among the memories, whose number an adapter
 * may keep.
 */
export const countsOfRecords = (
  memories = '(SELECT count(*) FROM memory WHERE project_id = project.id)',
): string => `
  ${memories} AS memories,
  (SELECT count(*) FROM memory WHERE project_id = project.id AND caution > 0) AS flags,
  (SELECT count(*) FROM belief WHERE project_id = project.id AND superseded_by IS NULL) AS beliefs,
  (SELECT count(*) FROM prediction WHERE project_id = project.id AND resolved_at IS NULL) AS "openPredictions",
  (SELECT count(*) FROM prediction
   WHERE project_id = project.id AND resolved_at IS NOT NULL AND outcome <> 'annulled') AS "resolvedPredictions",
  (SELECT count(*) FROM dream WHERE project_id = project.id) AS dreams,
  (SELECT count(*) FROM observation WHERE project_id = project.id) AS observations`

/** The counts of a project that has never held anything. */
export const emptyProject = (name: string): ProjectCounts => ({
  name,
  memories: 0,
  flags: 0,
  beliefs: 0,
  openPredictions: 0,
  resolvedPredictions: 0,
  dreams: 0,
  observations: 0,
})
