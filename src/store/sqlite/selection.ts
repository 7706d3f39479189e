/**
 * Which memories a search may find, told one by one while it looks: filtered afterwards, the best of many thousands would
 * not be among the few it came up with. Knows the filter's columns; nothing of ranking.
 */
import { spellingsOf } from '../../core/agent-names.ts'
import type { MemoryFilter } from '../memory-life.ts'
import { isHidden } from '../rows/memories.ts'
import type { Connection } from './connection.ts'

/** Whether an id is among those meant. */
type Accepts = (id: number) => boolean

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

export class Selection {
  readonly #connection: Connection
  readonly #wanted: ReadonlySet<number> | undefined
  readonly #expired: ReadonlySet<number>

  private constructor(
    connection: Connection,
    wanted: ReadonlySet<number> | undefined,
    expired: ReadonlySet<number>,
  ) {
    this.#connection = connection
    this.#wanted = wanted
    this.#expired = expired
  }

  /** The memories that a filter means, of whatever kind; undefined where those are all of the project. Inside a read. */
  static of(
    connection: Connection,
    projectId: number,
    filter: MemoryFilter | undefined,
  ): Selection | undefined {
    if (filter === undefined) return undefined
    const wanted = readWanted(connection, projectId, filter)
    const expired = readExpired(connection, projectId, filter.now)
    return wanted === undefined && expired.size === 0 ? undefined : new Selection(connection, wanted, expired)
  }

  readonly accepts: Accepts = (id) => (this.#wanted?.has(id) ?? true) && !this.#expired.has(id)

  /** The same of passages of a model. Inside a read. */
  passages(modelId: number): Accepts {
    const wanted = this.#wanted === undefined ? undefined : this.#passagesOf(this.#wanted, modelId)
    const expired = this.#passagesOf(this.#expired, modelId)
    return (id) => (wanted?.has(id) ?? true) && !expired.has(id)
  }

  #passagesOf(memories: ReadonlySet<number>, modelId: number): Set<number> {
    if (memories.size === 0) return new Set()
    return readIds(
      this.#connection,
      `SELECT passage.id FROM json_each(?) AS chosen
       CROSS JOIN passage ON memory_id = chosen.value AND model_id = ?`,
      JSON.stringify([...memories]),
      modelId,
    )
  }
}

/** Whether a memory is among those selected, of the kind that is wanted; undefined where those are all. Inside a read. */
export function acceptedBy(
  connection: Connection,
  projectId: number,
  { selection, kind }: { selection: Selection | undefined; kind: MemoryFilter['kind'] },
): Accepts | undefined {
  const accepts = selection?.accepts
  if (kind === undefined) return accepts
  // Flags are few.
  const flags = readIds(connection, 'SELECT id FROM memory WHERE project_id = ? AND caution > 0', projectId)
  const wanted = kind === 'flag'
  return (id) => flags.has(id) === wanted && (accepts?.(id) ?? true)
}
