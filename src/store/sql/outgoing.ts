/**
 * Reads what a project holds, in pages. Knows the tables that records come from; nothing of the form they leave in, and
 * nothing of how one moment is held while they are read.
 */
import type { Circumstances, KeptKind, PredictionHistory } from '../../core/records.ts'
import type { CitingKind } from '../citations.ts'
import { type BeliefRow, toBelief, toLeaving } from '../rows/beliefs.ts'
import { type DreamRow, toDream } from '../rows/dreams.ts'
import { type MemoryRow, memoryColumns, toKeptVersion, toMemory, type VersionRow } from '../rows/memories.ts'
import { type ObservationRow, toObservation } from '../rows/observations.ts'
import { type PredictionRow, toPrediction } from '../rows/predictions.ts'
import type { CopiedRecord, RecordPlace, TransferKind } from '../transfer.ts'
import { readAnnotations } from './annotations.ts'
import { readCitations } from './citations.ts'
import { readSources } from './dreams.ts'
import { readHistories } from './predictions.ts'
import { readProvenance } from './provenance.ts'
import type { Session, Steps } from './session.ts'

const pageSize = 200

/** What other tables hold about a row. */
interface Beside {
  readonly circumstances: Circumstances | undefined
  readonly history: PredictionHistory | undefined
  readonly sources: readonly number[] | undefined
}

/** A kind of record: its table, the columns of it, and how a row becomes a record. */
interface Source {
  readonly table: string
  /** The table of the records that its rows belong to, whose project is theirs. */
  readonly parent?: 'memory' | 'belief'
  /** All of its own where absent. */
  readonly columns?: (session: Session) => string
  /** Kept with what is known of its circumstances. */
  readonly kept?: KeptKind
  readonly cites?: CitingKind
  readonly toRecord: (row: never, beside: Beside) => CopiedRecord['record']
}

/** In the order in which records are referred to. */
const sources: Readonly<Record<TransferKind, Source>> = {
  memory: {
    table: 'memory',
    columns: ({ dialect }) => memoryColumns(dialect.tags),
    kept: 'memory',
    cites: 'memory',
    toRecord: (row: MemoryRow) => ({ type: 'memory', ...toMemory(row) }),
  },
  version: {
    table: 'memory_version',
    parent: 'memory',
    toRecord: (row: VersionRow) => ({ type: 'version', ...toKeptVersion(row) }),
  },
  dream: {
    table: 'dream',
    toRecord: (row: DreamRow & { origin: string }, beside) => ({
      type: 'dream',
      ...toDream(row, beside.sources ?? []),
      origin: row.origin,
    }),
  },
  belief: {
    table: 'belief',
    kept: 'belief',
    toRecord: (row: BeliefRow) => ({ type: 'belief', ...toBelief(row) }),
  },
  evidence: {
    table: 'evidence',
    parent: 'belief',
    columns: (session) => `evidence.*, (SELECT identity FROM evidence_run
      WHERE ${session.own('evidence_run')} evidence_id = evidence.id) AS run`,
    kept: 'evidence',
    cites: 'evidence',
    toRecord: toLeaving,
  },
  prediction: {
    table: 'prediction',
    kept: 'prediction',
    toRecord: (row: PredictionRow, { circumstances, history }) => ({
      type: 'prediction',
      ...toPrediction({ ...row, agent: circumstances?.agent ?? null }),
      forecasts: [],
      reopenings: [],
      ...history,
    }),
  },
  observation: {
    table: 'observation',
    kept: 'observation',
    toRecord: (row: ObservationRow) => ({ type: 'observation', ...toObservation(row) }),
  },
}

// The keys of the table above, in its order.
const transferKinds = Object.keys(sources) as TransferKind[]

/** The rows of a kind that are the project's. */
const rowsOf = (session: Session, { table, parent }: Source): string =>
  `${table} ${parent === undefined ? '' : `JOIN ${parent} ON ${parent}.id = ${table}.${parent}_id`}
   WHERE ${session.own(table)} ${parent ?? table}.project_id = @project`

/** The kinds that follow a place, each with the id after which its records are to be read. */
export const kindsAfter = ({ type, id }: RecordPlace): (readonly [kind: TransferKind, after: number])[] =>
  transferKinds.slice(transferKinds.indexOf(type)).map((kind) => [kind, kind === type ? id : 0])

/** Records of a kind after an id, in the order of their ids; none after the last. */
export function* readPage(
  session: Session,
  kind: TransferKind,
  after: number,
): Steps<readonly CopiedRecord['record'][]> {
  const source = sources[kind]
  const { table, columns, kept, cites, toRecord } = source
  const rows = yield* session.all<{ id: number }>(
    `SELECT ${columns?.(session) ?? `${table}.*`} FROM ${rowsOf(session, source)}
     AND ${table}.id > ? ORDER BY ${table}.id LIMIT ${pageSize}`,
    after,
  )
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const provenance = kept && (yield* readProvenance(session, kept, ids))
  const cited = cites && (yield* readCitations(session, cites, ids))
  const histories = kind === 'prediction' ? yield* readHistories(session, ids) : undefined
  const dreamt = kind === 'dream' ? yield* readSources(session, ids) : undefined
  const said = yield* readAnnotations(session, kind, ids)
  return rows.map((row) => {
    const circumstances = provenance?.get(row.id)
    const citations = cited?.get(row.id)
    const beside = { circumstances, history: histories?.get(row.id), sources: dreamt?.get(row.id) }
    // Each source selects the columns of its own table, which is what its `toRecord` takes.
    const record = toRecord(row as never, beside)
    return {
      ...record,
      ...(circumstances && { circumstances }),
      ...(citations && { citations }),
      ...said.get(row.id),
    }
  })
}

/** How many records a project has, of all kinds. */
export const countRecords = (session: Session): Steps<number> =>
  session.count(
    `SELECT ${transferKinds
      .map((kind) => `(SELECT count(*) FROM ${rowsOf(session, sources[kind])})`)
      .join(' + ')} AS n`,
  )
