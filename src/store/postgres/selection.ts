/**
 * Which memories of a project a search may find, decided one by one while it looks: filtered afterwards, the best of
 * many thousands would not be among the few it came up with. Knows the filter's columns; nothing of ranking.
 */
import { spellingsOf } from '../../core/agent-names.ts'
import type { MemoryFilter } from '../memory-life.ts'
import { isHidden } from '../rows/memories.ts'
import type { Transaction, Value } from './transaction.ts'

export interface Selection {
  /** Whether a memory is among those meant, of whatever kind; absent where those are all. */
  readonly accepts: ((memoryId: number) => boolean) | undefined
  /** The same by ids, where fewer are meant than not. */
  readonly wanted: ReadonlySet<number> | undefined
  readonly expired: ReadonlySet<number>
}

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

/** What a filter means; without one all memories are meant. Inside a read. */
export async function readSelection(
  transaction: Transaction,
  filter: MemoryFilter | undefined,
): Promise<Selection> {
  if (filter === undefined) return { accepts: undefined, wanted: undefined, expired: new Set() }
  const { sql, values } = conditionsOf(filter)
  const asked =
    sql.length === 0 ? 'NULL' : `ARRAY(SELECT id FROM memory WHERE project_id = $1 AND ${sql.join(' AND ')})`
  const found = await transaction.first<{ wanted: number[] | null; expired: number[] }>(
    `SELECT ${asked}::bigint[] AS wanted,
       ARRAY(SELECT id FROM memory WHERE project_id = $1 AND ${isHidden('$2')}) AS expired`,
    [transaction.projectId, filter.now, ...values],
  )
  const wanted = found?.wanted ? new Set(found.wanted) : undefined
  const expired = new Set(found?.expired)
  const all = wanted === undefined && expired.size === 0
  return {
    accepts: all ? undefined : (id) => (wanted?.has(id) ?? true) && !expired.has(id),
    wanted,
    expired,
  }
}

/** Whether a memory is among those selected, of the kind that is wanted; undefined where those are all. Inside a read. */
export async function acceptedBy(
  transaction: Transaction,
  { accepts }: Selection,
  kind: MemoryFilter['kind'],
): Promise<((memoryId: number) => boolean) | undefined> {
  if (kind === undefined) return accepts
  // Flags are few.
  const rows = await transaction.all<{ id: number }>(
    'SELECT id FROM memory WHERE project_id = $1 AND caution > 0',
    [transaction.projectId],
  )
  const flags = new Set(rows.map(({ id }) => id))
  const wanted = kind === 'flag'
  return (id) => flags.has(id) === wanted && (accepts?.(id) ?? true)
}
