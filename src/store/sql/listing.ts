/** Records of all kinds in one form: which rows match a query, and the columns that describe them. */
import { spellingsOf } from '../../core/agent-names.ts'
import type { DreamStanding } from '../../core/records.ts'
import { isHidden } from '../rows/memories.ts'
import type { ListedKind, ListedRecord, RecordQuery } from '../store.ts'
import { namedAgent } from './provenance.ts'
import type { Dialect, Value } from './session.ts'

/** A condition and the values it asks for, each a question mark. */
type Condition = readonly [sql: string, ...values: Value[]]

/** Rows of a table in one form. */
export interface Source {
  readonly table: string
  /** Which kinds they are of, and what tells a row's own. */
  readonly kinds: readonly ListedKind[]
  readonly kind: string
  readonly text: string
  readonly agent: string
  /** What its status is told from. */
  readonly detail: string
  readonly ratio?: string
  /** Under which name the circumstances of its records are kept, where they are. */
  readonly provenance?: string
}

/** Who kept a record that does not say so itself. */
const keptBy = (table: string): string =>
  namedAgent(`(SELECT agent FROM provenance
    WHERE provenance.project_id = ${table}.project_id AND kind = '${table}' AND record_id = ${table}.id)`)

/** Memories and flags: told apart only once they are read, so that an index alone leads to any page. */
const notes: Source = {
  table: 'memory',
  kinds: ['memory', 'flag'],
  kind: "CASE WHEN caution > 0 THEN 'flag' ELSE 'memory' END",
  text: 'text',
  agent: 'agent',
  detail: 'NULL',
  provenance: 'memory',
}

const sources: Readonly<Record<ListedKind, Source>> = {
  memory: { ...notes, kinds: ['memory'] },
  flag: { ...notes, kinds: ['flag'] },
  belief: {
    table: 'belief',
    kinds: ['belief'],
    kind: "'belief'",
    text: 'text',
    agent: keptBy('belief'),
    detail: "CASE WHEN superseded_by IS NULL THEN NULL ELSE 'superseded' END",
    ratio: 'log_ratio',
    provenance: 'belief',
  },
  prediction: {
    table: 'prediction',
    kinds: ['prediction'],
    kind: "'prediction'",
    text: 'prediction',
    agent: keptBy('prediction'),
    detail: "coalesce(outcome, 'open')",
    provenance: 'prediction',
  },
  dream: {
    table: 'dream',
    kinds: ['dream'],
    kind: "'dream'",
    text: 'thought',
    agent: 'NULL',
    detail: "CASE WHEN read_at IS NULL THEN 'unread' ELSE 'read' END",
  },
  observation: {
    table: 'observation',
    kinds: ['observation'],
    kind: "'observation'",
    text: 'observation',
    agent: 'observer_agent',
    detail: "'about ' || subject_agent",
    provenance: 'observation',
  },
}

/** What holds the records of these kinds, in the order in which those of one moment are listed. */
export function sourcesOf(kinds: readonly ListedKind[]): Source[] {
  const both = notes.kinds.every((kind) => kinds.includes(kind))
  const others = both ? kinds.filter((kind) => !notes.kinds.includes(kind)) : kinds
  const held = [...(both ? [notes] : []), ...others.map((kind) => sources[kind])]
  return held.sort((a, b) => (a.table < b.table ? -1 : 1))
}

/** Which of a table's rows are of the kinds of a source. */
function ownOf({ kinds }: Source, { noFlag }: Dialect): Condition[] {
  if (kinds.length > 1) return []
  if (kinds[0] === 'flag') return [['caution > 0']]
  return kinds[0] === 'memory' ? [[noFlag]] : []
}

/** What a query asks of memories alone; nothing else has tags, pins or an end. */
function memoryConditions(query: RecordQuery, { amongTexts }: Dialect): Condition[] {
  const { tags, allTags = false, pinned = false, expired = false, now } = query
  const held = `(SELECT count(*) FROM tag
    WHERE tag.project_id = @project AND memory_id = memory.id AND name ${amongTexts}) >= ?`
  return [
    ...(tags === undefined ? [] : [[held, tags, allTags ? new Set(tags).size : 1] as const]),
    ...(pinned ? [['pinned_at IS NOT NULL'] as const] : []),
    expired
      ? [isHidden('?'), now]
      : [`id NOT IN (SELECT id FROM memory WHERE project_id = @project AND ${isHidden('?')})`, now],
  ]
}

/** Which dreams stand so. */
function standingCondition(standing: DreamStanding, { hasProject }: Dialect): string {
  const ofProject = hasProject('dream_feedback') ? 'dream_feedback.project_id = dream.project_id AND' : ''
  const verdict = `(SELECT verdict FROM dream_feedback WHERE ${ofProject} dream_id = dream.id)`
  const conditions: Readonly<Record<DreamStanding, string>> = {
    unread: `read_at IS NULL AND ${verdict} IS NULL`,
    kept: `${verdict} = 'keep'`,
    dismissed: `${verdict} = 'dismiss'`,
  }
  return conditions[standing]
}

/** Whether a query means all notes that have not expired: whoever keeps their number need not count them. */
export const meansAllNotes = ({ table, kinds }: Source, query: RecordQuery): boolean => {
  const { since, until, agent, branch, only, tags, pinned = false, expired = false } = query
  const asked = [since, until, agent, branch, only, tags].some((one) => one !== undefined)
  return table === 'memory' && kinds.length > 1 && !asked && !pinned && !expired
}

/** The rows of a source that a query means; undefined where it asks for what they do not have. */
export function conditionsOf(source: Source, query: RecordQuery, dialect: Dialect): Condition[] | undefined {
  const { table, kinds, agent, provenance } = source
  const { since, until, branch, only } = query
  const ofMemories = query.tags !== undefined || query.pinned === true || query.expired === true
  if (ofMemories && table !== 'memory') return undefined
  if (branch !== undefined && provenance === undefined) return undefined
  if (query.dreams !== undefined && table !== 'dream') return undefined
  return [
    ['project_id = @project'],
    ...ownOf(source, dialect),
    ...(since === undefined ? [] : [['created_at >= ?', since] as const]),
    ...(until === undefined ? [] : [['created_at <= ?', until] as const]),
    ...(query.agent === undefined ? [] : [[`${agent} IN (?, ?)`, ...spellingsOf(query.agent)] as const]),
    ...(branch === undefined
      ? []
      : [
          [
            `EXISTS (SELECT 1 FROM provenance WHERE provenance.project_id = ${table}.project_id
               AND kind = '${provenance}' AND record_id = ${table}.id AND branch = ?)`,
            branch,
          ] as const,
        ]),
    ...(only === undefined
      ? []
      : [
          [
            `${table}.id ${dialect.amongIds}`,
            only.filter(({ kind }) => kinds.includes(kind)).map(({ id }) => id),
          ] as const,
        ]),
    ...(table === 'memory' ? memoryConditions(query, dialect) : []),
    ...(query.dreams === undefined ? [] : [[standingCondition(query.dreams, dialect)] as const]),
  ]
}

/** What is told of a record, as columns of a `ListedRow`. */
export function columnsOf(
  { table, kind, text, agent, detail, ratio = 'NULL' }: Source,
  { tags }: Dialect,
): string {
  const life =
    table === 'memory'
      ? `${tags}, pinned_at AS "pinnedAt", expires_at AS "expiresAt"`
      : 'NULL AS tags, NULL AS "pinnedAt", NULL AS "expiresAt"'
  return `${kind} AS kind, ${table}.id, ${text} AS text, ${agent} AS agent, created_at AS "createdAt",
    ${detail} AS detail, ${ratio} AS ratio, ${life}`
}

export type ListedRow = Omit<ListedRecord, 'tags'> & { readonly tags: string | null }

export const toListed = ({ tags, ...row }: ListedRow): ListedRecord => ({
  ...row,
  tags: tags === null ? [] : tags.split(','),
})

const countAgents = (places: readonly Source[]): string =>
  `SELECT name, count(*) AS records FROM (
    ${places.map(({ table, agent }) => `SELECT ${agent} AS name FROM ${table} WHERE project_id = @project`).join(' UNION ALL ')}
  ) AS told WHERE name IS NOT NULL GROUP BY name ORDER BY records DESC, name`

const besideNotes = [sources.observation, sources.belief, sources.prediction]

/** Who kept notes and observations, and how many. */
export const countedAgents = countAgents([...besideNotes, notes])

/** The same without the notes, of which there may be very many. */
export const countedAgentsBesideNotes = countAgents(besideNotes)
