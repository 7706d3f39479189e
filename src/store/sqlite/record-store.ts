/** Records of all kinds together: listed by time, and what refers to one. Knows their tables; each kind's own file keeps it. */
import { yieldToEventLoop } from '../../clock.ts'
import { type DreamRow, toDream } from '../rows/dreams.ts'
import {
  columnsOf,
  conditionsOf,
  countedAgentsBesideNotes,
  type Dialect,
  type ListedRow,
  meansAllNotes,
  type Source,
  sourcesOf,
  toListed,
} from '../rows/listing.ts'
import { toObservation } from '../rows/observations.ts'
import type { ListedRecord, RecordQuery, RecordStore } from '../store.ts'
import type { Connection } from './connection.ts'
import { selectSources } from './dreams.ts'
import { tagsColumn } from './memories.ts'
import { findOwn, findProject } from './projects.ts'
import { readProvenance } from './provenance.ts'

const dialect: Dialect = {
  among: (column, values) => [`${column} IN (SELECT value FROM json_each(?))`, JSON.stringify(values)],
  // Asked of an index: reading every row that is skipped would cost much on a page far behind.
  noFlag: 'id NOT IN (SELECT id FROM memory WHERE caution > 0)',
  tags: tagsColumn,
}

/** Where a record is kept. */
interface Place {
  /** The place of its source among those that are asked. */
  readonly source: number
  readonly id: number
}

interface AgentCount {
  readonly name: string
  readonly records: number
}

/** Memories that are read before others have their turn: a few milliseconds' worth. */
const memoriesAtOnce = 10_000

export function createRecordStore(connection: Connection): RecordStore {
  /** The records that are kept in these places. */
  function read(asked: readonly Source[], places: readonly Place[]): ListedRecord[] {
    const rows = asked.flatMap((source, at) => {
      const ids = places.flatMap((place) => (place.source === at ? [place.id] : []))
      if (ids.length === 0) return []
      return connection.all<ListedRow>(
        `SELECT ${columnsOf(source, dialect)} FROM json_each(?) AS wanted CROSS JOIN ${source.table} ON ${source.table}.id = wanted.value`,
        JSON.stringify(ids),
      )
    })
    return toListed(rows)
  }

  /** How many notes have not expired: of what the project keeps count of, less what an index tells. */
  const countNotes = (projectId: number, now: number): number =>
    connection.first<{ n: number }>(
      `SELECT memories - (SELECT count(*) FROM memory WHERE project_id = project.id AND expires_at <= ?) AS n
       FROM project WHERE id = ?`,
      now,
      projectId,
    )?.n ?? 0

  /** How many records are meant, and those on the page. */
  function find(projectId: number, query: RecordQuery): { total: number; records: ListedRecord[] } {
    const meant = sourcesOf(query.kinds).flatMap((source) => {
      const conditions = conditionsOf(source, { projectId, query, dialect })
      if (conditions === undefined) return []
      const from = `FROM ${source.table} WHERE ${conditions.map(([sql]) => sql).join(' AND ')}`
      const values = conditions.flatMap(([, ...given]) => given)
      const n = meansAllNotes(source, query)
        ? countNotes(projectId, query.now)
        : (connection.first<{ n: number }>(`SELECT count(*) AS n ${from}`, ...values)?.n ?? 0)
      return n === 0 ? [] : [{ source, from, values, n }]
    })
    const total = meant.reduce((sum, { n }) => sum + n, 0)
    if (query.skip >= total) return { total, records: [] }
    const rows = meant.map(({ from }, at) => `SELECT ${at} AS source, id, created_at AS createdAt ${from}`)
    const places = connection.all<Place>(
      `${rows.join(' UNION ALL ')} ORDER BY createdAt DESC, id DESC LIMIT ? OFFSET ?`,
      ...meant.flatMap(({ values }) => values),
      query.limit,
      query.skip,
    )
    const asked = meant.map(({ source }) => source)
    return { total, records: read(asked, places) }
  }

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
    list: (project, query) =>
      connection.read(() => {
        const projectId = findProject(connection, project) ?? 0
        return find(projectId, query)
      }),

    findDream: (project, id) =>
      connection.read(() => {
        const sources = connection.all<{ memory_id: number }>(selectSources, id)
        const toRecord = (row: DreamRow) =>
          toDream(
            row,
            sources.map(({ memory_id }) => memory_id),
          )
        return findOwn(connection, project, { table: 'dream', id, select: 'SELECT * FROM dream', toRecord })
      }),

    findObservation: (project, id) =>
      connection.read(() => {
        const select = 'SELECT * FROM observation'
        return findOwn(connection, project, { table: 'observation', id, select, toRecord: toObservation })
      }),

    dreamsOf: (project, memoryId) =>
      connection.read(() =>
        connection
          .all<{ dream_id: number }>(
            `SELECT dream_id FROM dream_source JOIN dream ON dream.id = dream_id
             WHERE memory_id = ? AND project_id = ? ORDER BY dream_id`,
            memoryId,
            findProject(connection, project) ?? 0,
          )
          .map(({ dream_id }) => dream_id),
      ),

    provenance: (project, kind, ids) =>
      connection.read(() => readProvenance(connection, findProject(connection, project) ?? 0, { kind, ids })),

    agents: async (project) => {
      const { projectId, told } = await connection.read(() => {
        const projectId = findProject(connection, project) ?? 0
        const { sql, places } = countedAgentsBesideNotes
        return { projectId, told: connection.all<AgentCount>(sql, ...places.map(() => projectId)) }
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

    revisedFrom: (project, beliefId) =>
      connection.read(
        () =>
          connection.first<{ id: number }>(
            'SELECT id FROM belief WHERE superseded_by = ? AND project_id = ?',
            beliefId,
            findProject(connection, project) ?? 0,
          )?.id ?? null,
      ),
  }
}
