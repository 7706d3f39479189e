/**
 * Reads everything a brain holds, in pages, as of one moment and without keeping others from writing. Knows the tables that
 * records come from; nothing of the form they leave in.
 */
import type { Circumstances, KeptKind, PredictionHistory } from '../../core/records.ts'
import type { CitingKind } from '../citations.ts'
import { type BeliefRow, toBelief, toLeaving } from '../rows/beliefs.ts'
import { type MemoryRow, toKeptVersion, toMemory, type VersionRow } from '../rows/memories.ts'
import { type ObservationRow, toObservation } from '../rows/observations.ts'
import { type PredictionRow, toPrediction } from '../rows/predictions.ts'
import type { CopiedRecord, RecordPlace, TransferKind, TransferRecord } from '../transfer.ts'
import { readAnnotations } from './annotations.ts'
import { readCitations } from './citations.ts'
import type { Database } from './connection.ts'
import { dreamColumns, type SourcedRow, toSourced } from './dreams.ts'
import { selectedColumns } from './memory-columns.ts'
import { readEmbeddings } from './outgoing-vectors.ts'
import { readHistories } from './predictions.ts'
import { inEveryProject } from './projects.ts'
import { readProvenance } from './provenance.ts'
import type { Transaction } from './transaction.ts'

const pageSize = 200

/** A kind of record: its table, the columns of it, and how a row becomes a record. */
interface Source {
  readonly table: string
  readonly columns: string
  /** Kept with what is known of its circumstances. */
  readonly kept?: KeptKind
  readonly cites?: CitingKind
  readonly toRecord: (row: never, beside: Beside) => CopiedRecord['record']
}

/** What other tables hold about a row. */
interface Beside {
  readonly circumstances: Circumstances | undefined
  readonly histories: ReadonlyMap<number, PredictionHistory>
}

/** In the order in which records are referred to. */
const sources: Readonly<Record<TransferKind, Source>> = {
  memory: {
    table: 'memory',
    columns: selectedColumns,
    kept: 'memory',
    cites: 'memory',
    toRecord: (row: MemoryRow) => ({ type: 'memory', ...toMemory(row) }),
  },
  version: {
    table: 'memory_version',
    columns: '*',
    toRecord: (row: VersionRow) => ({ type: 'version', ...toKeptVersion(row) }),
  },
  dream: {
    table: 'dream',
    columns: `${dreamColumns}, dream.origin`,
    toRecord: (row: SourcedRow & { origin: string }) => ({
      type: 'dream',
      ...toSourced(row),
      origin: row.origin,
    }),
  },
  belief: {
    table: 'belief',
    columns: '*',
    kept: 'belief',
    toRecord: (row: BeliefRow) => ({ type: 'belief', ...toBelief(row) }),
  },
  evidence: {
    table: 'evidence',
    columns: `evidence.*, (SELECT identity FROM evidence_run
      WHERE evidence_run.project_id = evidence.project_id AND evidence_id = evidence.id) AS run`,
    kept: 'evidence',
    cites: 'evidence',
    toRecord: toLeaving,
  },
  prediction: {
    table: 'prediction',
    columns: '*',
    kept: 'prediction',
    toRecord: (row: PredictionRow, { circumstances, histories }) => ({
      type: 'prediction',
      ...toPrediction({ ...row, agent: circumstances?.agent ?? null }),
      forecasts: [],
      reopenings: [],
      ...histories.get(row.id),
    }),
  },
  observation: {
    table: 'observation',
    columns: '*',
    kept: 'observation',
    toRecord: (row: ObservationRow) => ({ type: 'observation', ...toObservation(row) }),
  },
}

// The keys of the table above, in its order.
const transferKinds = Object.keys(sources) as TransferKind[]

type Leaving = CopiedRecord['record']

async function* readKind(
  transaction: Transaction,
  kind: TransferKind,
  start = 0,
): AsyncGenerator<Leaving[], void, undefined> {
  const { table, columns, kept, cites, toRecord } = sources[kind]
  const sql = `SELECT ${columns} FROM ${table} WHERE project_id = $1 AND id > $2 ORDER BY id LIMIT ${pageSize}`
  for (let after = start; ; ) {
    const rows = await transaction.all<{ id: number }>(sql, [transaction.projectId, after])
    const last = rows.at(-1)
    if (last === undefined) return
    const ids = rows.map(({ id }) => id)
    const provenance = kept && (await readProvenance(transaction, kept, ids))
    const cited = cites && (await readCitations(transaction, cites, ids))
    const histories = kind === 'prediction' ? await readHistories(transaction, ids) : new Map()
    yield rows.map((row) => {
      const circumstances = provenance?.get(row.id)
      const citations = cited?.get(row.id)
      // Each source selects the columns of its own table, which is what its `toRecord` takes.
      const record = toRecord(row as never, { circumstances, histories })
      return { ...record, ...(circumstances && { circumstances }), ...(citations && { citations }) }
    })
    after = last.id
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
      for (const kind of transferKinds) for await (const page of readKind(transaction, kind)) yield* page
    }
  } finally {
    await transaction.end()
  }
}

/** See `TransferStore.copies`: the vectors are of the same moment. */
export async function* readCopies(
  database: Database,
  project: string,
  after: RecordPlace = { type: 'memory', id: 0 },
): AsyncGenerator<CopiedRecord, void, undefined> {
  const transaction = await database.hold()
  try {
    const [found] = await transaction.all<Named>(namesQuery, [project])
    await transaction.enter(found?.id ?? 0)
    for (const kind of transferKinds.slice(transferKinds.indexOf(after.type))) {
      for await (const page of readKind(transaction, kind, kind === after.type ? after.id : 0)) {
        const ids = page.map(({ id }) => id)
        const embeddings = kind === 'memory' ? await readEmbeddings(transaction, ids) : undefined
        const said = await readAnnotations(transaction, kind, ids)
        for (const record of page) {
          const embedding = embeddings?.get(record.id)
          const annotations = said.get(record.id)
          yield { record, ...(embedding && { embedding }), ...(annotations && { annotations }) }
        }
      }
    }
  } finally {
    await transaction.end()
  }
}

const countsQuery = `SELECT ${transferKinds
  .map((kind) => `(SELECT count(*) FROM ${sources[kind].table} WHERE project_id = $1)`)
  .join(' + ')} AS n`

const countIn = async (transaction: Transaction): Promise<number> =>
  (await transaction.first<{ n: number }>(countsQuery, [transaction.projectId]))?.n ?? 0

/** See `TransferStore.count`. */
export const countRecords = (database: Database, project?: string): Promise<number> =>
  project === undefined
    ? database.readAnywhere(async (transaction) =>
        (await inEveryProject(transaction, () => countIn(transaction))).reduce((sum, n) => sum + n, 0),
      )
    : database.read(project, countIn)
