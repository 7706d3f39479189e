/** Under which circumstances a record was kept, as columns of a row, and what they stand for. */
import type { Circumstances } from '../../core/records.ts'

/** The columns of a row's provenance beside its own, for a query that joins `provenanceOf` its kind. */
export const provenanceColumns =
  'kept.agent AS kept_agent, kept.session AS kept_session, kept.branch AS kept_branch, ' +
  'kept.revision AS kept_revision, kept.origin AS kept_origin'

export interface ProvenanceRow {
  readonly kept_agent: string | null
  readonly kept_session: string | null
  readonly kept_branch: string | null
  readonly kept_revision: string | null
  readonly kept_origin: string | null
}

/** What a joined row knows; undefined where that is nothing. */
function toCircumstances(row: ProvenanceRow): Circumstances | undefined {
  const circumstances = {
    agent: row.kept_agent,
    session: row.kept_session,
    branch: row.kept_branch,
    commit: row.kept_revision,
    origin: row.kept_origin,
  }
  return isKnown(circumstances) ? circumstances : undefined
}

/** By record, those of which something is known. */
export const toProvenance = (
  rows: readonly (ProvenanceRow & { readonly id: number })[],
): ReadonlyMap<number, Circumstances> =>
  new Map(
    rows.flatMap((row) => {
      const circumstances = toCircumstances(row)
      return circumstances === undefined ? [] : [[row.id, circumstances]]
    }),
  )

/** Whether there is anything to keep. */
export const isKnown = (circumstances: Partial<Circumstances>): boolean =>
  Object.values(circumstances).some((known) => known !== null && known !== undefined)
