/** Which projects a brain holds, and how much of what. */
import { bytesOfTexts, countsOfRecords, emptyProject } from '../rows/texts.ts'
import type { ProjectCounts, ProjectStore } from '../store.ts'
import type { Connection } from './connection.ts'

const countsOf = `SELECT name, ${countsOfRecords('memories')} FROM project`

export function createProjectStore(connection: Connection): ProjectStore {
  return {
    has: (name) =>
      connection.read(() => connection.first('SELECT 1 FROM project WHERE name = ?', name) !== undefined),

    count: (name) =>
      connection.read(
        () => connection.first<ProjectCounts>(`${countsOf} WHERE name = ?`, name) ?? emptyProject(name),
      ),

    list: () => connection.read(() => connection.all<ProjectCounts>(`${countsOf} ORDER BY name`)),

    measure: () =>
      connection.read(() =>
        connection.all<{ name: string; bytes: number }>(
          `SELECT name, ${bytesOfTexts} AS bytes FROM project ORDER BY name`,
        ),
      ),
  }
}
