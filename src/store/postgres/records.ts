/** Records of all kinds: listed by time, and the references to one. Each kind's own file stores it. */
import {
  columnsOf,
  conditionsOf,
  countedAgents,
  type Dialect,
  type ListedRow,
  sourcesOf,
  toListed,
} from '../rows/listing.ts'
import { type ObservationRow, toObservation } from '../rows/observations.ts'
import type { ListedRecord, RecordQuery, RecordStore } from '../store.ts'
import { joined, numbered } from './conditions.ts'
import type { Database } from './connection.ts'
import { dreamColumns, type SourcedRow, toSourced } from './dreams.ts'
import { tagsColumn } from './memory-columns.ts'
import { findOwn } from './own.ts'
import { readProvenance } from './provenance.ts'
import type { Transaction, Value } from './transaction.ts'

const dialect: Dialect<Value> = {
  among: (column, values) => [
    `${column} = ANY(?::${values.every((value) => typeof value === 'number') ? 'bigint' : 'text'}[])`,
    values,
  ],
  noFlag: 'caution = 0',
  tags: tagsColumn,
}

/** Where a record is kept: the place of its source among those that are asked. */
interface Place {
  readonly source: number
  readonly id: number
}

/** How many records are meant, and those on the page. */
async function list(
  transaction: Transaction,
  query: RecordQuery,
): Promise<{ total: number; records: ListedRecord[] }> {
  const { projectId } = transaction
  const meant = []
  for (const source of sourcesOf(query.kinds)) {
    const conditions = conditionsOf(source, { projectId, query, dialect })
    if (conditions === undefined) continue
    const { where, values } = joined(conditions)
    const sql = `FROM ${source.table} WHERE ${conditions.map(([one]) => one).join(' AND ')}`
    const counted = await transaction.first<{ n: number }>(
      `SELECT count(*) AS n FROM ${source.table} WHERE ${where}`,
      values,
    )
    const n = counted?.n ?? 0
    if (n > 0) meant.push({ source, sql, values, n })
  }
  const total = meant.reduce((sum, { n }) => sum + n, 0)
  if (query.skip >= total) return { total, records: [] }
  const rows = meant.map(({ sql }, at) => `SELECT ${at} AS source, id, created_at ${sql}`)
  const places = await transaction.all<Place>(
    numbered(`${rows.join(' UNION ALL ')} ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?`),
    [...meant.flatMap(({ values }) => values), query.limit, query.skip],
  )
  const found: ListedRow[] = []
  for (const [at, { source }] of meant.entries()) {
    const ids = places.flatMap((place) => (place.source === at ? [place.id] : []))
    if (ids.length === 0) continue
    found.push(
      ...(await transaction.all<ListedRow>(
        `SELECT ${columnsOf(source, dialect)} FROM ${source.table} WHERE project_id = $1 AND id = ANY($2::bigint[])`,
        [projectId, ids],
      )),
    )
  }
  return { total, records: toListed(found) }
}

export const createRecordStore = (database: Database): RecordStore => ({
  list: (project, query) => database.read(project, (transaction) => list(transaction, query)),

  findDream: (project, id) =>
    database.read(project, (transaction) =>
      findOwn<SourcedRow, ReturnType<typeof toSourced>>(transaction, {
        table: 'dream',
        id,
        select: `SELECT ${dreamColumns} FROM dream`,
        toRecord: toSourced,
      }),
    ),

  findObservation: (project, id) =>
    database.read(project, (transaction) =>
      findOwn<ObservationRow, ReturnType<typeof toObservation>>(transaction, {
        table: 'observation',
        id,
        select: 'SELECT * FROM observation',
        toRecord: toObservation,
      }),
    ),

  dreamsOf: (project, memoryId) =>
    database.read(project, async (transaction) => {
      const rows = await transaction.all<{ dream_id: number }>(
        'SELECT dream_id FROM dream_source WHERE project_id = $1 AND memory_id = $2 ORDER BY dream_id',
        [transaction.projectId, memoryId],
      )
      return rows.map(({ dream_id }) => dream_id)
    }),

  agents: (project) =>
    database.read(project, (transaction) =>
      transaction.all<{ name: string; records: number }>(
        numbered(countedAgents.sql),
        countedAgents.places.map(() => transaction.projectId),
      ),
    ),

  revisedFrom: (project, beliefId) =>
    database.read(project, async (transaction) => {
      const row = await transaction.first<{ id: number }>(
        'SELECT id FROM belief WHERE project_id = $1 AND superseded_by = $2 LIMIT 1',
        [transaction.projectId, beliefId],
      )
      return row?.id ?? null
    }),

  provenance: (project, kind, ids) =>
    database.read(project, (transaction) => readProvenance(transaction, kind, ids)),
})
