/** Plans of which somebody said that a flag does not apply to them, in SQLite. They go when the flag goes. */
import type { Exemption } from '../candidates.ts'
import { type ExemptionStore, maxExemptions } from '../store.ts'
import type { Connection } from './connection.ts'
import { findProject } from './projects.ts'

/** What was said last of some flags. Inside a read. */
export const readExemptions = (
  connection: Connection,
  projectId: number,
  flagIds: readonly number[],
): Exemption[] =>
  connection.all<{ flagId: number; topic: string }>(
    `SELECT memory_id AS flagId, topic FROM exemption JOIN memory ON memory.id = memory_id
     WHERE project_id = ? AND memory_id IN (SELECT value FROM json_each(?))
     ORDER BY exemption.id DESC LIMIT ${maxExemptions}`,
    projectId,
    JSON.stringify(flagIds),
  )

export function createExemptionStore(connection: Connection): ExemptionStore {
  const isFlag = (project: string, id: number): boolean =>
    connection.first(
      'SELECT 1 FROM memory WHERE id = ? AND project_id = ? AND caution > 0',
      id,
      findProject(connection, project) ?? 0,
    ) !== undefined

  return {
    add: (project, { flagId, topic, now }) =>
      connection.write(() => {
        if (!isFlag(project, flagId)) return false
        connection.run(
          `INSERT INTO exemption (memory_id, topic, created_at)
           SELECT ?, ?, ? WHERE NOT EXISTS (SELECT 1 FROM exemption WHERE memory_id = ? AND topic = ?)`,
          flagId,
          topic,
          now,
          flagId,
          topic,
        )
        return true
      }),

    remove: (project, { flagId, topic }) =>
      connection.write(() => {
        if (!isFlag(project, flagId)) return false
        connection.run('DELETE FROM exemption WHERE memory_id = ? AND topic = ?', flagId, topic)
        return true
      }),

    list: (project, flagIds) =>
      connection.read(() => readExemptions(connection, findProject(connection, project) ?? 0, flagIds)),
  }
}
