/** Which projects a brain holds, and how much of what. */
import { bytesOfTexts, countsOfRecords } from '../rows/texts.ts'
import type { ProjectCounts, ProjectStore } from '../store.ts'
import type { Connection } from './connection.ts'

export function createProjectStore(connection: Connection): ProjectStore {
  return {
    has: (name) =>
      connection.read(() => connection.first('SELECT 1 FROM project WHERE name = ?', name) !== undefined),

    list: () =>
      connection.read(() =>
        connection.all<ProjectCounts>(
          `SELECT name, ${countsOfRecords('memories')} FROM project ORDER BY name`,
        ),
      ),

    measure: () =>
      connection.read(() =>
        connection.all<{ name: string; bytes: number }>(
          `SELECT name, ${bytesOfTexts} AS bytes FROM project ORDER BY name`,
        ),
      ),
  }
}
