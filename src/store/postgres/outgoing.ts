/** Reads everything a brain in PostgreSQL holds, as of one moment and without keeping others from writing. */
import { countRecords as countOf, kindsAfter, readPage } from '../sql/outgoing.ts'
import type { CopiedRecord, RecordPlace, TransferRecord } from '../transfer.ts'
import type { Database } from './connection.ts'
import { readEmbeddings } from './outgoing-vectors.ts'
import { inEveryProject } from './projects.ts'
import { over } from './session.ts'
import type { Transaction } from './transaction.ts'

/** Where all records come after. */
const beginning: RecordPlace = { type: 'memory', id: 0 }

/** Pages of the records of the transaction's project, of one kind each. */
async function* readPages(transaction: Transaction, after: RecordPlace) {
  for (const [kind, first] of kindsAfter(after)) {
    for (let last: number | undefined = first; last !== undefined; ) {
      const start: number = last
      const page = await over(transaction, (session) => readPage(session, kind, start))
      yield [kind, page] as const
      last = page.at(-1)?.id
    }
  }
}

interface Named {
  readonly id: number
  readonly name: string
}

const namesQuery = 'SELECT id, name FROM project WHERE $1::text IS NULL OR name = $1 ORDER BY name'

/** See `TransferStore.records`. */
export async function* readRecords(
  database: Database,
  project?: string,
): AsyncGenerator<TransferRecord, void, undefined> {
  const transaction = await database.hold()
  try {
    for (const { id, name } of await transaction.all<Named>(namesQuery, [project ?? null])) {
      if (project === undefined) yield { type: 'project', name }
      await transaction.enter(id)
      for await (const [, page] of readPages(transaction, beginning)) yield* page
    }
  } finally {
    await transaction.end()
  }
}

/** See `TransferStore.copies`: the vectors are of the same moment. */
export async function* readCopies(
  database: Database,
  project: string,
  after = beginning,
): AsyncGenerator<CopiedRecord, void, undefined> {
  const transaction = await database.hold()
  try {
    const [found] = await transaction.all<Named>(namesQuery, [project])
    await transaction.enter(found?.id ?? 0)
    for await (const [kind, page] of readPages(transaction, after)) {
      const ids = page.map(({ id }) => id)
      const embeddings = kind === 'memory' ? await readEmbeddings(transaction, ids) : undefined
      for (const record of page) {
        const embedding = embeddings?.get(record.id)
        yield { record, ...(embedding && { embedding }) }
      }
    }
  } finally {
    await transaction.end()
  }
}

/** See `TransferStore.count`. */
export const countRecords = (database: Database, project?: string): Promise<number> =>
  project === undefined
    ? database.readAnywhere(async (transaction) =>
        (await inEveryProject(transaction, () => over(transaction, countOf))).reduce((sum, n) => sum + n, 0),
      )
    : database.read(project, (transaction) => over(transaction, countOf))
