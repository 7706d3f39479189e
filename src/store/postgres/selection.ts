/** Reads which memories a search may find. Knows the filter's columns; nothing of ranking. */
import { spellingsOf } from '../../core/agent-names.ts'
import type { MemoryFilter } from '../memory-life.ts'
import { isHidden } from '../rows/memories.ts'
import { type Selection, toSelection } from '../search/selection.ts'
import type { Transaction, Value } from './transaction.ts'

/** What a filter asks for besides kind and end. */
function conditionsOf({ since, until, agent, tags }: MemoryFilter): { sql: string[]; values: Value[] } {
  const sql: string[] = []
  const values: Value[] = []
  const ask = (condition: (place: string) => string, value: Value): void => {
    values.push(value)
    // After the project and the moment.
    sql.push(condition(`$${values.length + 2}`))
  }
  if (since !== undefined) ask((place) => `created_at >= ${place}`, since)
  if (until !== undefined) ask((place) => `created_at <= ${place}`, until)
  if (agent !== undefined) ask((place) => `agent = ANY(${place}::text[])`, spellingsOf(agent))
  if (tags !== undefined)
    ask(
      (place) => `id IN (SELECT memory_id FROM tag WHERE project_id = $1 AND name = ANY(${place}::text[]))`,
      tags,
    )
  return { sql, values }
}

/** What a filter means, of whatever kind. Inside a read. */
export async function readSelection(transaction: Transaction, filter: MemoryFilter): Promise<Selection> {
  const { sql, values } = conditionsOf(filter)
  const asked =
    sql.length === 0 ? 'NULL' : `ARRAY(SELECT id FROM memory WHERE project_id = $1 AND ${sql.join(' AND ')})`
  const found = await transaction.first<{ wanted: number[] | null; expired: number[] }>(
    `SELECT ${asked}::bigint[] AS wanted,
       ARRAY(SELECT id FROM memory WHERE project_id = $1 AND ${isHidden('$2')}) AS expired`,
    [transaction.projectId, filter.now, ...values],
  )
  return toSelection(found?.wanted ? new Set(found.wanted) : undefined, new Set(found?.expired))
}

/** Inside a read. */
export async function readFlags(transaction: Transaction): Promise<Set<number>> {
  const rows = await transaction.all<{ id: number }>(
    'SELECT id FROM memory WHERE project_id = $1 AND caution > 0',
    [transaction.projectId],
  )
  return new Set(rows.map(({ id }) => id))
}
