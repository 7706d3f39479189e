/** Reads which memories a search may find. Knows the filter's columns; nothing of ranking. */
import { spellingsOf } from '../../core/agent-names.ts'
import type { MemoryFilter } from '../memory-life.ts'
import { isHidden } from '../rows/memories.ts'
import { type Accepts, type Selection, toSelection } from '../search/selection.ts'
import type { Connection } from './connection.ts'

/** Ids in one row: a row for each would take four times as long. */
function readIds(connection: Connection, sql: string, ...values: (string | number)[]): Set<number> {
  const found = connection.first<{ ids: string }>(
    `SELECT json_group_array(id) AS ids FROM (${sql})`,
    ...values,
  )
  // Written by the statement above.
  return new Set(JSON.parse(found?.ids ?? '[]') as number[])
}

/** Memories of a project that have expired by a moment. */
const readExpired = (connection: Connection, projectId: number, now: number): Set<number> =>
  readIds(connection, `SELECT id FROM memory WHERE project_id = ? AND ${isHidden('?')}`, projectId, now)

/** What a filter asks for beside kind and end; undefined where it asks for nothing. */
function readWanted(
  connection: Connection,
  projectId: number,
  filter: MemoryFilter,
): Set<number> | undefined {
  const { since, until, agent, tags } = filter
  const conditions: string[] = []
  const values: (string | number)[] = []
  const ask = (condition: string, ...given: (string | number)[]): void => {
    conditions.push(condition)
    values.push(...given)
  }
  if (since !== undefined) ask('created_at >= ?', since)
  if (until !== undefined) ask('created_at <= ?', until)
  if (agent !== undefined) ask('agent IN (?, ?)', ...spellingsOf(agent))
  if (tags !== undefined)
    ask(
      'id IN (SELECT memory_id FROM tag WHERE project_id = ? AND name IN (SELECT value FROM json_each(?)))',
      projectId,
      JSON.stringify(tags),
    )
  if (conditions.length === 0) return undefined
  return readIds(
    connection,
    `SELECT id FROM memory WHERE project_id = ? AND ${conditions.join(' AND ')}`,
    projectId,
    ...values,
  )
}

/** What a filter means, of whatever kind. Inside a read. */
export const readSelection = (connection: Connection, projectId: number, filter: MemoryFilter): Selection =>
  toSelection(readWanted(connection, projectId, filter), readExpired(connection, projectId, filter.now))

/** Whether a passage of a model is of a memory that is selected; undefined where all are. Inside a read. */
export function passagesIn(
  connection: Connection,
  { wanted, expired }: Selection,
  modelId: number,
): Accepts | undefined {
  const passagesOf = (memories: ReadonlySet<number>): Set<number> =>
    memories.size === 0
      ? new Set()
      : readIds(
          connection,
          `SELECT passage.id FROM json_each(?) AS chosen
           CROSS JOIN passage ON memory_id = chosen.value AND model_id = ?`,
          JSON.stringify([...memories]),
          modelId,
        )
  return toSelection(wanted && passagesOf(wanted), passagesOf(expired)).accepts
}

/** Inside a read. */
export const readFlags = (connection: Connection, projectId: number): Set<number> =>
  readIds(connection, 'SELECT id FROM memory WHERE project_id = ? AND caution > 0', projectId)
