/** Records of all kinds in SQLite, where counting memories and their authors row by row would take long. */

import { yieldToEventLoop } from '../../clock.ts'
import { isHidden } from '../rows/memories.ts'
import { countedAgentsBesideNotes } from '../sql/listing.ts'
import { createRecordStore as createSharedStore } from '../sql/records.ts'
import type { RecordStore } from '../store.ts'
import type { Connection } from './connection.ts'
import { findProject } from './projects.ts'
import { createSqlDatabase, over } from './session.ts'

interface AgentCount {
  readonly name: string
  readonly records: number
}

/** Memories that are read before others have their turn: a few milliseconds' worth. */
const memoriesAtOnce = 10_000

export function createRecordStore(connection: Connection): RecordStore {
  /** Who wrote the memories behind an id, of a part of them: no index tells, and reading all of them takes long. */
  function readAuthors(projectId: number, after: number): { told: AgentCount[]; last: number } | undefined {
    const last = connection.first<{ last: number | null }>(
      'SELECT max(id) AS last FROM (SELECT id FROM memory WHERE project_id = ? AND id > ? ORDER BY id LIMIT ?)',
      projectId,
      after,
      memoriesAtOnce,
    )?.last
    if (last == null) return undefined
    const told = connection.all<AgentCount>(
      `SELECT agent AS name, count(*) AS records FROM memory INDEXED BY memory_by_project
       WHERE project_id = ? AND id > ? AND id <= ? GROUP BY agent`,
      projectId,
      after,
      last,
    )
    return { told, last }
  }

  return {
    // Of what the project keeps count of, less what an index tells.
    ...createSharedStore(createSqlDatabase(connection), (session, now) =>
      session.count(
        `SELECT memories - (SELECT count(*) FROM memory WHERE project_id = project.id AND ${isHidden('?')}) AS n
         FROM project WHERE id = @project`,
        now,
      ),
    ),

    agents: async (project) => {
      const { projectId, told } = await connection.read(() => {
        const projectId = findProject(connection, project) ?? 0
        const told = over(connection, projectId, (session) =>
          session.all<AgentCount>(countedAgentsBesideNotes),
        )
        return { projectId, told }
      })
      const counted = new Map(told.map(({ name, records }) => [name, records]))
      for (let after = 0; ; ) {
        const part = await connection.read(() => readAuthors(projectId, after))
        if (part === undefined) break
        for (const { name, records } of part.told) counted.set(name, (counted.get(name) ?? 0) + records)
        after = part.last
        await yieldToEventLoop()
      }
      return [...counted]
        .map(([name, records]) => ({ name, records }))
        .sort((a, b) => b.records - a.records || (a.name < b.name ? -1 : 1))
    },
  }
}
