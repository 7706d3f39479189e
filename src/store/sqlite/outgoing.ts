/** Reads everything a brain in SQLite holds, as of one moment and without keeping others from writing. */
import { yieldToEventLoop } from '../../clock.ts'
import { countRecords as countOf, kindsAfter, readPage } from '../sql/outgoing.ts'
import type { RecordPlace, TransferRecord } from '../transfer.ts'
import { loadDatabase } from './binding.ts'
import { Connection } from './connection.ts'
import { toBrainError } from './faults.ts'
import { findProject } from './projects.ts'
import { over } from './session.ts'

const projectNames = (reader: Connection): string[] =>
  reader.all<{ name: string }>('SELECT name FROM project ORDER BY name').map(({ name }) => name)

/** A snapshot of its own, since reading takes as long as whoever takes the records. */
function openSnapshot(file: string): Connection {
  const reader = new Connection(loadDatabase(file, { readonly: true }), {
    file: undefined,
    holders: () => [],
  })
  reader.run('BEGIN')
  return reader
}

/** See `TransferStore.records` and, for records after a place, `TransferStore.copies`. */
export async function* readRecords(
  connection: Connection,
  project?: string,
  after: RecordPlace = { type: 'memory', id: 0 },
): AsyncGenerator<TransferRecord, void, undefined> {
  const reader = connection.file === undefined ? connection : openSnapshot(connection.file)
  try {
    for (const name of project === undefined ? projectNames(reader) : [project]) {
      if (project === undefined) yield { type: 'project', name }
      const projectId = findProject(reader, name) ?? 0
      for (const [kind, first] of kindsAfter(after)) {
        for (let last: number | undefined = first; last !== undefined; ) {
          const start: number = last
          const page = over(reader, projectId, (session) => readPage(session, kind, start))
          yield* page
          last = page.at(-1)?.id
          await yieldToEventLoop()
        }
      }
    }
  } catch (error) {
    throw toBrainError(error)
  } finally {
    if (reader !== connection) reader.database.close()
  }
}

/** See `TransferStore.count`. */
export const countRecords = (connection: Connection, project?: string): Promise<number> =>
  connection.read(() => {
    const names = project === undefined ? projectNames(connection) : [project]
    const counts = names.map((name) => over(connection, findProject(connection, name) ?? 0, countOf))
    return counts.reduce((sum, n) => sum + n, 0)
  })
