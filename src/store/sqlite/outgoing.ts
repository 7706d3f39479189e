/**
 * Reads everything a brain holds, in pages, as of one moment and without keeping others from writing. Knows the
 * tables records come from; nothing of the form they leave in.
 */
import type BetterSqlite3 from 'better-sqlite3'
import { yieldToEventLoop } from '../../clock.ts'
import { type BeliefRow, toBelief, toLeaving } from '../rows/beliefs.ts'
import { type DreamRow, toDream } from '../rows/dreams.ts'
import { type MemoryRow, toKeptVersion, toMemory, type VersionRow } from '../rows/memories.ts'
import { type ObservationRow, toObservation } from '../rows/observations.ts'
import { type PredictionRow, toPrediction } from '../rows/predictions.ts'
import { type ProvenanceRow, provenanceColumns, toCircumstances } from '../rows/provenance.ts'
import type { RecordPlace, TransferKind, TransferRecord } from '../transfer.ts'
import { loadDatabase } from './binding.ts'
import { type CitationsColumn, citationsOf, toCitations } from './citations.ts'
import type { Connection } from './connection.ts'
import { selectSources } from './dreams.ts'
import { toBrainError } from './faults.ts'
import { readHistory } from './forecasts.ts'
import { tagsColumn } from './memories.ts'
import { provenanceOf } from './provenance.ts'

const pageSize = 100

/** A kind of record: its table, whose rows it takes, and how a row becomes a record. */
interface Source {
  readonly from: string
  /** Columns beside those of its table. */
  readonly beside?: string
  readonly toRecord: (row: never, reader: BetterSqlite3.Database) => TransferRecord
}

const ofProject = (table: string): string => `${table} JOIN project ON project.id = ${table}.project_id`

const sourcesOfDream = (reader: BetterSqlite3.Database, id: number): number[] =>
  reader
    .prepare<[number], { memory_id: number }>(selectSources)
    .all(id)
    .map(({ memory_id }) => memory_id)

/** In the order in which records are referred to. */
const sources: Readonly<Record<TransferKind, Source>> = {
  memory: {
    from: ofProject('memory'),
    beside: `${tagsColumn}, ${citationsOf('memory')}`,
    toRecord: (row: MemoryRow & CitationsColumn) => ({
      type: 'memory',
      ...toMemory(row),
      ...toCitations(row.citations),
    }),
  },
  version: {
    from: `memory_version AS version JOIN memory ON memory.id = version.memory_id
      JOIN project ON project.id = memory.project_id`,
    toRecord: (row: VersionRow) => ({ type: 'version', ...toKeptVersion(row) }),
  },
  dream: {
    from: ofProject('dream'),
    toRecord: (row: DreamRow & { origin: string }, reader) => ({
      type: 'dream',
      ...toDream(row, sourcesOfDream(reader, row.id)),
      origin: row.origin,
    }),
  },
  belief: { from: ofProject('belief'), toRecord: (row: BeliefRow) => ({ type: 'belief', ...toBelief(row) }) },
  evidence: {
    from: 'evidence JOIN belief ON belief.id = evidence.belief_id JOIN project ON project.id = belief.project_id',
    beside: `${citationsOf('evidence')}, (SELECT identity FROM evidence_run WHERE evidence_id = evidence.id) AS run`,
    toRecord: (row: Parameters<typeof toLeaving>[0] & CitationsColumn) => ({
      ...toLeaving(row),
      ...toCitations(row.citations),
    }),
  },
  prediction: {
    from: ofProject('prediction'),
    toRecord: (row: PredictionRow & ProvenanceRow, reader) => ({
      type: 'prediction',
      ...toPrediction({ ...row, agent: row.kept_agent }),
      ...readHistory(reader, row.id),
    }),
  },
  observation: {
    from: ofProject('observation'),
    toRecord: (row: ObservationRow) => ({ type: 'observation', ...toObservation(row) }),
  },
}

// The keys of the table above, in its order.
const transferKinds = Object.keys(sources) as TransferKind[]

function withCircumstances(record: TransferRecord, row: ProvenanceRow): TransferRecord {
  const circumstances = toCircumstances(row)
  return { ...record, ...(circumstances && { circumstances }) }
}

function* pages(
  reader: BetterSqlite3.Database,
  kind: TransferKind,
  { project, start }: { project: string; start: number },
) {
  const { from, beside, toRecord } = sources[kind]
  const columns = [`${kind}.*`, provenanceColumns, ...(beside ? [beside] : [])]
  const page = reader.prepare<[string, number], { id: number } & ProvenanceRow>(
    `SELECT ${columns.join(', ')} FROM ${from} ${provenanceOf(kind)}
     WHERE project.name = ? AND ${kind}.id > ? ORDER BY ${kind}.id LIMIT ${pageSize}`,
  )
  let after = start
  for (;;) {
    const rows = page.all(project, after)
    // Each source selects the columns of its own table, which is what its `toRecord` takes.
    yield rows.map((row) => withCircumstances(toRecord(row as never, reader), row))
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.id
  }
}

const projectNames = (reader: BetterSqlite3.Database): string[] =>
  reader
    .prepare<[], { name: string }>('SELECT name FROM project ORDER BY name')
    .all()
    .map(({ name }) => name)

/** See `TransferStore.records` and, for records after a place, `TransferStore.copies`. */
export async function* readRecords(
  connection: Connection,
  project?: string,
  after: RecordPlace = { type: 'memory', id: 0 },
): AsyncGenerator<TransferRecord, void, undefined> {
  const { file, database } = connection
  // A snapshot of its own, since reading takes as long as whoever takes the records.
  const reader = file === undefined ? database : loadDatabase(file, { readonly: true })
  try {
    if (reader !== database) reader.exec('BEGIN')
    for (const name of project === undefined ? projectNames(reader) : [project]) {
      if (project === undefined) yield { type: 'project', name }
      for (const kind of transferKinds.slice(transferKinds.indexOf(after.type))) {
        for (const page of pages(reader, kind, {
          project: name,
          start: kind === after.type ? after.id : 0,
        })) {
          yield* page
          await yieldToEventLoop()
        }
      }
    }
  } catch (error) {
    throw toBrainError(error)
  } finally {
    if (reader !== database) reader.close()
  }
}

/** See `TransferStore.count`. */
export const countRecords = (connection: Connection, project?: string): Promise<number> =>
  connection.read(() =>
    transferKinds.reduce((sum, kind) => {
      const { from } = sources[kind]
      const counted =
        project === undefined
          ? connection.first<{ n: number }>(`SELECT count(*) AS n FROM ${from}`)
          : connection.first<{ n: number }>(
              `SELECT count(*) AS n FROM ${from} WHERE project.name = ?`,
              project,
            )
      return sum + (counted?.n ?? 0)
    }, 0),
  )
