/** Records of all kinds together: listed by time, and what refers to one. Knows their tables; each kind's own file keeps it. */
import { type DreamRow, toDream } from '../rows/dreams.ts'
import { toObservation } from '../rows/observations.ts'
import type { ListedKind, ListedRecord, RecordQuery, RecordStore } from '../store.ts'
import type { Connection } from './connection.ts'
import { selectSources } from './dreams.ts'
import { tagsColumn } from './memories.ts'
import { findOwn, findProject } from './projects.ts'
import { readProvenance } from './provenance.ts'

/** Who kept a record that does not say so itself. */
const keptBy = (table: string): string =>
  `(SELECT agent FROM provenance WHERE kind = '${table}' AND record_id = ${table}.id)`

/** Rows of a table in one form. */
interface Source {
  readonly table: string
  /** Which kinds they are of, and what tells a row's own. */
  readonly kinds: readonly ListedKind[]
  readonly kind: string
  /** Which of the table's rows are of the kind. */
  readonly own: string
  readonly text: string
  readonly agent: string
  /** What its status is told from. */
  readonly detail: string
  readonly ratio?: string
  /** Under which name the circumstances of its records are kept, where they are. */
  readonly provenance?: string
}

/** Memories and flags: told apart only once they are read, so that an index alone leads to any page. */
const notes: Source = {
  table: 'memory',
  kinds: ['memory', 'flag'],
  kind: "iif(caution > 0, 'flag', 'memory')",
  own: 'true',
  text: 'text',
  agent: 'agent',
  detail: 'NULL',
  provenance: 'memory',
}

/** Asked of an index: reading every row that is skipped would cost much on a page far behind. */
const noFlag = 'id NOT IN (SELECT id FROM memory WHERE caution > 0)'

const sources: Readonly<Record<ListedKind, Source>> = {
  memory: { ...notes, kinds: ['memory'], own: noFlag },
  flag: { ...notes, kinds: ['flag'], own: 'caution > 0' },
  belief: {
    table: 'belief',
    kinds: ['belief'],
    kind: "'belief'",
    own: 'true',
    text: 'text',
    agent: keptBy('belief'),
    detail: "iif(superseded_by IS NULL, NULL, 'superseded')",
    ratio: 'log_ratio',
    provenance: 'belief',
  },
  prediction: {
    table: 'prediction',
    kinds: ['prediction'],
    kind: "'prediction'",
    own: 'true',
    text: 'prediction',
    agent: keptBy('prediction'),
    detail: "coalesce(outcome, 'open')",
    provenance: 'prediction',
  },
  dream: {
    table: 'dream',
    kinds: ['dream'],
    kind: "'dream'",
    own: 'true',
    text: 'thought',
    agent: 'NULL',
    detail: "iif(read_at IS NULL, 'unread', 'read')",
  },
  observation: {
    table: 'observation',
    kinds: ['observation'],
    kind: "'observation'",
    own: 'true',
    text: 'observation',
    agent: 'observer_agent',
    detail: "'about ' || subject_agent",
    provenance: 'observation',
  },
}

/** What holds the records of these kinds. */
function sourcesOf(kinds: readonly ListedKind[]): Source[] {
  const both = notes.kinds.every((kind) => kinds.includes(kind))
  const others = both ? kinds.filter((kind) => !notes.kinds.includes(kind)) : kinds
  return [...(both ? [notes] : []), ...others.map((kind) => sources[kind])]
}

/** A condition and the values it asks for. */
type Condition = readonly [sql: string, ...values: (string | number)[]]

/** What a query asks of memories alone; nothing else has tags, pins or an end. */
function memoryConditions(
  projectId: number,
  { tags, allTags = false, pinned = false, expired = false, now }: RecordQuery,
): Condition[] {
  const held =
    'SELECT count(*) FROM tag WHERE memory_id = memory.id AND name IN (SELECT value FROM json_each(?))'
  return [
    ...(tags === undefined
      ? []
      : [[`(${held}) >= ?`, JSON.stringify(tags), allTags ? new Set(tags).size : 1] as const]),
    ...(pinned ? [['pinned_at IS NOT NULL'] as const] : []),
    expired
      ? ['expires_at <= ?', now]
      : ['id NOT IN (SELECT id FROM memory WHERE project_id = ? AND expires_at <= ?)', projectId, now],
  ]
}

const amongThese = ({ kinds, table }: Source): string =>
  `${table}.id IN (SELECT value ->> 'id' FROM json_each(?) WHERE value ->> 'kind' IN (${kinds.map((kind) => `'${kind}'`)}))`

/** The rows of a source that a query means; undefined where it asks for what they do not have. */
function conditionsOf(source: Source, projectId: number, query: RecordQuery): Condition[] | undefined {
  const { table, own, agent, provenance } = source
  const { since, until, branch } = query
  const ofMemories = query.tags !== undefined || query.pinned === true || query.expired === true
  if (ofMemories && table !== 'memory') return undefined
  if (branch !== undefined && provenance === undefined) return undefined
  return [
    ['project_id = ?', projectId],
    [own],
    ...(since === undefined ? [] : [['created_at >= ?', since] as const]),
    ...(until === undefined ? [] : [['created_at <= ?', until] as const]),
    ...(query.agent === undefined ? [] : [[`${agent} = ?`, query.agent] as const]),
    ...(branch === undefined
      ? []
      : [
          [
            `EXISTS (SELECT 1 FROM provenance WHERE kind = '${provenance}' AND record_id = ${table}.id AND branch = ?)`,
            branch,
          ] as const,
        ]),
    ...(query.only === undefined ? [] : [[amongThese(source), JSON.stringify(query.only)] as const]),
    ...(table === 'memory' ? memoryConditions(projectId, query) : []),
  ]
}

/** What is told of a record. */
function columnsOf({ table, kind, text, agent, detail, ratio = 'NULL' }: Source): string {
  const life =
    table === 'memory'
      ? `${tagsColumn}, pinned_at AS pinnedAt, expires_at AS expiresAt`
      : 'NULL AS tags, NULL AS pinnedAt, NULL AS expiresAt'
  return `${kind} AS kind, ${table}.id, ${text} AS text, ${agent} AS agent, created_at AS createdAt, ${detail} AS detail,
    ${ratio} AS ratio, ${life}`
}

type ListedRow = Omit<ListedRecord, 'tags'> & { readonly tags: string | null }

const byTime = (a: ListedRow, b: ListedRow): number =>
  b.createdAt - a.createdAt || (a.kind === b.kind ? b.id - a.id : a.kind < b.kind ? -1 : 1)

/** Where a record is kept. */
interface Place {
  /** The place of its source among those that are asked. */
  readonly source: number
  readonly id: number
}

export function createRecordStore(connection: Connection): RecordStore {
  /** The records that are kept in these places. */
  function read(asked: readonly Source[], places: readonly Place[]): ListedRecord[] {
    const rows = asked.flatMap((source, at) => {
      const ids = places.flatMap((place) => (place.source === at ? [place.id] : []))
      if (ids.length === 0) return []
      return connection.all<ListedRow>(
        `SELECT ${columnsOf(source)} FROM json_each(?) AS wanted CROSS JOIN ${source.table} ON ${source.table}.id = wanted.value`,
        JSON.stringify(ids),
      )
    })
    return rows
      .sort(byTime)
      .map(({ tags, ...row }) => ({ ...row, tags: tags === null ? [] : tags.split(',') }))
  }

  /** How many records are meant, and those on the page. */
  function find(projectId: number, query: RecordQuery): { total: number; records: ListedRecord[] } {
    const meant = sourcesOf(query.kinds).flatMap((source) => {
      const conditions = conditionsOf(source, projectId, query)
      if (conditions === undefined) return []
      const from = `FROM ${source.table} WHERE ${conditions.map(([sql]) => sql).join(' AND ')}`
      const values = conditions.flatMap(([, ...given]) => given)
      const n = connection.first<{ n: number }>(`SELECT count(*) AS n ${from}`, ...values)?.n ?? 0
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

    agents: (project) =>
      connection.read(() => {
        const projectId = findProject(connection, project) ?? 0
        const told = [sources.observation, sources.belief, sources.prediction, notes].map(
          ({ table, agent }) => `SELECT ${agent} AS name FROM ${table} WHERE project_id = ?`,
        )
        return connection.all<{ name: string; records: number }>(
          `SELECT name, count(*) AS records FROM (${told.join(' UNION ALL ')})
           WHERE name IS NOT NULL GROUP BY name ORDER BY records DESC, name`,
          ...told.map(() => projectId),
        )
      }),

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
