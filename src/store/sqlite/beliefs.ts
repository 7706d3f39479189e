/**
 * Beliefs and their trails in SQLite. Knows rows and the lock they are read under; what evidence or a revision
 * does to them is decided elsewhere.
 */
import type { Known } from '../../core/beliefs.ts'
import type { Belief, EvidenceEvent, EvidenceKind, Found } from '../../core/records.ts'
import type { Grounds } from '../../core/verdict.ts'
import type { BeliefStore, NewBelief } from '../belief-store.ts'
import type { Cited } from '../citations.ts'
import {
  type BeliefRow,
  type EvidenceRow,
  endsOf,
  fromBelief,
  fromEvent,
  toAsserted,
  toBelief,
  toEvent,
} from '../rows/beliefs.ts'
import type { Kept } from '../store.ts'
import { insertCitations } from './citations.ts'
import type { Connection } from './connection.ts'
import { insertRow, updateRow } from './insert.ts'
import { ensureProject, findOwn, findProject } from './projects.ts'
import { insertProvenance } from './provenance.ts'

/** A belief without its trail, inside a write: each event brings its own count. Returns the id: the one given, or the next. */
export function insertBelief(
  connection: Connection,
  { id: given, projectId, belief }: { id?: number; projectId: number; belief: InsertedBelief },
): number {
  const row = { id: given ?? null, project_id: projectId, ...fromBelief(belief) }
  const { id } = insertRow(connection, 'belief', row)
  insertProvenance(connection, { kind: 'belief', id, projectId }, belief.circumstances)
  return id
}

type InsertedBelief = Omit<Belief, 'id' | 'evidenceCount' | 'supersededBy'> & Kept

type InsertedEvent = Omit<EvidenceEvent, 'id'> & Kept & Cited & { readonly run?: string }

/** An event and its place in the belief's counts, inside a write. Returns the id: the one given, or the next. */
export function insertEvidence(
  connection: Connection,
  { id: given, beliefId, event }: { id?: number; beliefId: number; event: InsertedEvent },
): number {
  connection.run(
    'UPDATE belief SET evidence_count = evidence_count + 1, supporting_count = supporting_count + ? WHERE id = ?',
    event.kind === 'supporting' ? 1 : 0,
    beliefId,
  )
  const row = { id: given ?? null, belief_id: beliefId, ...fromEvent(event) }
  const { id } = insertRow(connection, 'evidence', row)
  if (event.run !== undefined)
    connection.run(
      'INSERT OR IGNORE INTO evidence_run (belief_id, identity, evidence_id) VALUES (?, ?, ?)',
      beliefId,
      event.run,
      id,
    )
  const { projectId } = connection.first<{ projectId: number }>(
    'SELECT project_id AS projectId FROM belief WHERE id = ?',
    beliefId,
  ) ?? { projectId: 0 }
  insertProvenance(connection, { kind: 'evidence', id, projectId }, event.circumstances)
  insertCitations(connection, { kind: 'evidence', id }, event.citations)
  return id
}

const inRange = 'log_ratio >= ? AND log_ratio > ? AND log_ratio < ? AND log_ratio <= ?'
export function createBeliefStore(connection: Connection): BeliefStore {
  const find = (project: string, id: number): Found<Belief> =>
    findOwn(connection, project, { table: 'belief', id, select: 'SELECT * FROM belief', toRecord: toBelief })

  /** What was just written, or judged to be there. */
  function get(project: string, id: number): Belief {
    const belief = find(project, id)
    if (belief === undefined || belief === 'elsewhere') throw new Error(`belief ${id} is gone`)
    return belief
  }

  const insert = (project: string, belief: NewBelief): Belief => {
    const projectId = ensureProject(connection, project)
    return get(project, insertBelief(connection, { projectId, belief: toAsserted(belief) }))
  }

  /** What the trail of a belief knows of a source and a run. */
  function knownOf({ id, source, run }: Parameters<BeliefStore['amend']>[1]): Known {
    const sameSource =
      source === undefined
        ? undefined
        : connection.first<{ id: number; createdAt: number }>(
            `SELECT id, created_at AS createdAt FROM evidence
             WHERE belief_id = ? AND source = ? AND log_likelihood <> 0 ORDER BY id DESC LIMIT 1`,
            id,
            source,
          )
    const counted =
      run === undefined
        ? undefined
        : connection.first<{ id: number }>(
            'SELECT evidence_id AS id FROM evidence_run WHERE belief_id = ? AND identity = ?',
            id,
            run,
          )?.id
    return { sameSource, counted }
  }

  return {
    add: (project, belief) => connection.write(() => insert(project, belief)),

    find: (project, id) => connection.read(() => find(project, id)),

    list: (project, { limit, ratios = {} }) =>
      connection.read(() =>
        connection
          .all<BeliefRow>(
            `SELECT * FROM belief WHERE project_id = ? AND superseded_by IS NULL
             AND ${inRange} ORDER BY created_at DESC, id DESC LIMIT ?`,
            findProject(connection, project) ?? 0,
            ...endsOf(ratios),
            limit,
          )
          .map(toBelief),
      ),

    amend: (project, asked, decide) =>
      connection.write(() => {
        const { id } = asked
        const found = find(project, id)
        const known = typeof found === 'object' ? knownOf(asked) : {}
        const { event, logRatio, confidence, status, ...kept } = decide(found, known)
        const before = get(project, id)
        const eventId = insertEvidence(connection, { beliefId: id, event: { ...event, ...kept } })
        connection.run(
          // Evidence of another brain may be older than the last one here.
          `UPDATE belief SET log_ratio = ?, confidence = ?, status = ?,
             last_evidence_at = max(coalesce(last_evidence_at, ?), ?) WHERE id = ?`,
          logRatio,
          confidence,
          status,
          event.createdAt,
          event.createdAt,
          id,
        )
        return { before, after: get(project, id), event: { id: eventId, ...event } }
      }),

    supersede: (project, id, decide) =>
      connection.write(() => {
        const next = decide(find(project, id))
        get(project, id)
        const replacement = insert(project, next)
        updateRow(connection, 'belief', { id, superseded_by: replacement.id })
        return { old: get(project, id), new: replacement }
      }),

    trail: (project, id) =>
      connection.read(() => {
        const belief = find(project, id)
        if (typeof belief !== 'object') return { belief, events: [] }
        const rows = connection.all<EvidenceRow>('SELECT * FROM evidence WHERE belief_id = ? ORDER BY id', id)
        return { belief, events: rows.map(toEvent) }
      }),

    grounds: (project, ids) =>
      connection.read(() => {
        // A number is never equal to a text, so an event without a source is one of its own.
        const sourcesOf = (kind: EvidenceKind): string =>
          `(SELECT count(DISTINCT coalesce(source, id)) FROM evidence
            WHERE belief_id = belief.id AND kind = '${kind}' AND log_likelihood <> 0)`
        const rows = connection.all<Grounds & { id: number }>(
          `SELECT id, log_ratio AS logRatio, confidence, ${sourcesOf('supporting')} AS supporting,
             ${sourcesOf('refuting')} AS refuting
           FROM belief WHERE project_id = ? AND id IN (SELECT value FROM json_each(?))`,
          findProject(connection, project) ?? 0,
          JSON.stringify(ids),
        )
        return new Map(rows.map(({ id, ...grounds }) => [id, grounds]))
      }),

    countContested: (project, ratios) =>
      connection.read(
        () =>
          // The words of the partial index belief_contested, so that it is used.
          connection.first<{ contested: number }>(
            `SELECT count(*) AS contested FROM belief WHERE project_id = ? AND superseded_by IS NULL
             AND supporting_count > 0 AND supporting_count < evidence_count AND ${inRange}`,
            findProject(connection, project) ?? 0,
            ...endsOf(ratios),
          )?.contested ?? 0,
      ),
  }
}
