/** The projects of a brain and their contents: read one after the other, since no transaction sees two. */
import { bytesOfTexts, countsOfRecords, emptyProject } from '../rows/texts.ts'
import type { ProjectCounts, ProjectStore } from '../store.ts'
import type { Database } from './connection.ts'
import type { Transaction } from './transaction.ts'

interface Named {
  readonly id: number
  readonly name: string
}

/** Does some work in every project, by name, as of one moment. */
export async function inEveryProject<T>(
  transaction: Transaction,
  work: (project: Named) => Promise<T>,
): Promise<T[]> {
  const results: T[] = []
  for (const project of await transaction.all<Named>('SELECT id, name FROM project ORDER BY name')) {
    await transaction.enter(project.id)
    results.push(await work(project))
  }
  return results
}

export const createProjectStore = (database: Database): ProjectStore => {
  /** Reads columns of every project, one by one. */
  const readAll = <T>(columns: string): Promise<T[]> =>
    database.readAnywhere(async (transaction) => {
      const rows = await inEveryProject(transaction, ({ id }) =>
        transaction.all<T>(`SELECT name, ${columns} FROM project WHERE id = $1`, [id]),
      )
      return rows.flat()
    })

  return {
    has: (name) =>
      database.readAnywhere(
        async (transaction) =>
          (await transaction.first('SELECT 1 FROM project WHERE name = $1', [name])) !== undefined,
      ),
    count: (name) =>
      database.read(
        name,
        async (transaction) =>
          (await transaction.first<ProjectCounts>(
            `SELECT name, ${countsOfRecords()} FROM project WHERE id = $1`,
            [transaction.projectId],
          )) ?? emptyProject(name),
      ),
    list: () => readAll<ProjectCounts>(countsOfRecords()),
    measure: () => readAll<{ name: string; bytes: number }>(`${bytesOfTexts} AS bytes`),
  }
}
