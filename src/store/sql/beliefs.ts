/**
 * Beliefs and their trails. Knows rows and the lock they are read under; what evidence or a revision does to them is decided
 * elsewhere.
 */
import type { Known } from '../../core/beliefs.ts'
import type { Belief, BeliefOrder, EvidenceEvent, Found } from '../../core/records.ts'
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
import { insertCitations, insertProvenance, removeBeside } from './provenance.ts'
import { requireFound, type Session, type SqlDatabase, type Steps } from './session.ts'

type InsertedBelief = Omit<Belief, 'id' | 'evidenceCount' | 'supersededBy'> & Kept & { readonly id?: number }

/** A belief without its trail, inside a write: each event brings its own count. Returns the id: the one given, or the next. */
export function* insertBelief(session: Session, belief: InsertedBelief): Steps<number> {
  const id = yield* session.insert('belief', { id: belief.id, row: fromBelief(belief) })
  yield* insertProvenance(session, { kind: 'belief', id }, belief.circumstances)
  return id
}

type InsertedEvent = Omit<EvidenceEvent, 'id'> &
  Kept &
  Cited & { readonly id?: number; readonly beliefId: number; readonly run?: string }

/** An event and its place in the belief's counts, inside a write. Returns the id: the one given, or the next. */
export function* insertEvidence(session: Session, event: InsertedEvent): Steps<number> {
  yield* session.run(
    `UPDATE belief SET evidence_count = evidence_count + 1, supporting_count = supporting_count + ?
     WHERE project_id = @project AND id = ?`,
    event.kind === 'supporting' ? 1 : 0,
    event.beliefId,
  )
  const row = { belief_id: event.beliefId, ...fromEvent(event) }
  const id = yield* session.insert('evidence', { id: event.id, row })
  if (event.run !== undefined && (yield* findCounted(session, event.beliefId, event.run)) === undefined)
    yield* session.insertEach('evidence_run', [
      { belief_id: event.beliefId, identity: event.run, evidence_id: id },
    ])
  yield* insertProvenance(session, { kind: 'evidence', id }, event.circumstances)
  yield* insertCitations(session, { kind: 'evidence', id }, event.citations)
  return id
}

const find = (session: Session, id: number, held = false): Steps<Found<Belief>> =>
  session.find({ table: 'belief', id, select: 'SELECT * FROM belief', toRecord: toBelief, held })

function* insert(session: Session, belief: NewBelief): Steps<Belief> {
  const id = yield* insertBelief(session, toAsserted(belief))
  return requireFound('belief', id, yield* find(session, id))
}

/** The event that a run was counted as. */
function* findCounted(session: Session, beliefId: number, run: string): Steps<number | undefined> {
  const counted = yield* session.first<{ id: number }>(
    `SELECT evidence_id AS id FROM evidence_run WHERE ${session.own('evidence_run')} belief_id = ? AND identity = ?`,
    beliefId,
    run,
  )
  return counted?.id
}

/** Takes an event out of the trail of a belief. Returns the belief without it; its ratio is for the caller to write. */
function* withdraw(session: Session, belief: Belief, eventId: number): Steps<Belief> {
  yield* removeBeside(session, { kind: 'evidence', id: eventId })
  yield* session.removeOf('id', eventId, ['evidence'])
  const events = yield* readTrail(session, belief.id)
  const evidenceCount = events.length
  yield* session.update('belief', {
    id: belief.id,
    evidence_count: evidenceCount,
    supporting_count: events.filter(({ kind }) => kind === 'supporting').length,
  })
  const logRatio = events.reduce((sum, { logLikelihood }) => sum + logLikelihood, 0)
  const lastEvidenceAt = events.length === 0 ? null : Math.max(...events.map(({ createdAt }) => createdAt))
  return { ...belief, evidenceCount, logRatio, lastEvidenceAt }
}

/** The events of a belief, oldest first; evidence of another brain may be older than what was here when it came. */
function* readTrail(session: Session, beliefId: number): Steps<EvidenceEvent[]> {
  const rows = yield* session.all<EvidenceRow>(
    `SELECT * FROM evidence WHERE ${session.own('evidence')} belief_id = ? ORDER BY created_at, id`,
    beliefId,
  )
  return rows.map(toEvent)
}

/** What the trail of a belief knows of a source and a run. */
function* knownOf(session: Session, { id, source, run }: Parameters<BeliefStore['amend']>[1]): Steps<Known> {
  const sameSource =
    source === undefined
      ? undefined
      : yield* session.first<{ id: number; createdAt: number }>(
          `SELECT id, created_at AS "createdAt" FROM evidence WHERE ${session.own('evidence')} belief_id = ?
           AND source = ? AND log_likelihood <> 0 ORDER BY abs(created_at - ?), id DESC LIMIT 1`,
          id,
          source.name,
          source.at,
        )
  return { sameSource, counted: run === undefined ? undefined : yield* findCounted(session, id, run) }
}

const inRange = 'log_ratio >= ? AND log_ratio > ? AND log_ratio < ? AND log_ratio <= ?'

/** What beliefs are ordered by. */
const times: Readonly<Record<BeliefOrder, string>> = {
  created: 'created_at',
  moved: 'coalesce(last_evidence_at, created_at)',
}

/** Different sources on one side; each event without one is one of its own. */
const sourcesOf = (session: Session, kind: EvidenceEvent['kind']): string =>
  `(SELECT count(DISTINCT source) + count(*) FILTER (WHERE source IS NULL) FROM evidence
    WHERE ${session.own('evidence')} belief_id = belief.id AND kind = '${kind}' AND log_likelihood <> 0)`

export const createBeliefStore = (database: SqlDatabase): BeliefStore => ({
  add: (project, belief) => database.write(project, (session) => insert(session, belief), { makes: true }),

  find: (project, id) => database.read(project, (session) => find(session, id)),

  list: (project, { limit, ratios = {}, movedSince, order = 'created' }) =>
    database.read(project, function* (session) {
      const rows = yield* session.all<BeliefRow>(
        `SELECT * FROM belief WHERE project_id = @project AND superseded_by IS NULL AND ${inRange}
           ${movedSince === undefined ? '' : 'AND last_evidence_at >= ?'}
         ORDER BY ${times[order]} DESC, id DESC LIMIT ?`,
        ...endsOf(ratios),
        ...(movedSince === undefined ? [] : [movedSince]),
        limit,
      )
      return rows.map(toBelief)
    }),

  amend: (project, asked, decide) =>
    database.write(project, function* (session) {
      const { id, instead } = asked
      const held = yield* find(session, id, true)
      const found =
        typeof held === 'object' && instead !== undefined ? yield* withdraw(session, held, instead) : held
      const known = typeof found === 'object' ? yield* knownOf(session, asked) : {}
      const { event, logRatio, confidence, status, ...kept } = decide(found, known)
      const before = requireFound('belief', id, found)
      const eventId = yield* insertEvidence(session, { ...event, ...kept, beliefId: id })
      // Evidence of another brain may be older than the last one here.
      const lastEvidenceAt = Math.max(before.lastEvidenceAt ?? event.createdAt, event.createdAt)
      yield* session.update('belief', {
        id,
        log_ratio: logRatio,
        confidence,
        status,
        last_evidence_at: lastEvidenceAt,
      })
      const evidenceCount = before.evidenceCount + 1
      const after = { ...before, logRatio, confidence, status, evidenceCount, lastEvidenceAt }
      return { before, after, event: { id: eventId, ...event } }
    }),

  supersede: (project, id, decide) =>
    database.write(project, function* (session) {
      const found = yield* find(session, id, true)
      const next = decide(found)
      const old = requireFound('belief', id, found)
      const replacement = yield* insert(session, next)
      yield* session.update('belief', { id, superseded_by: replacement.id })
      return { old: { ...old, supersededBy: replacement.id }, new: replacement }
    }),

  replacedBy: (project, ids) =>
    database.read(project, function* (session) {
      const rows = yield* session.all<{ id: number }>(
        `SELECT id FROM belief WHERE project_id = @project AND superseded_by ${session.dialect.amongIds} ORDER BY id`,
        ids,
      )
      return rows.map(({ id }) => id)
    }),

  trail: (project, id) =>
    database.read(project, function* (session) {
      const belief = yield* find(session, id)
      if (typeof belief !== 'object') return { belief, events: [] }
      return { belief, events: yield* readTrail(session, id) }
    }),

  grounds: (project, ids) =>
    database.read(project, function* (session) {
      const rows = yield* session.all<Grounds & { id: number }>(
        `SELECT id, log_ratio AS "logRatio", confidence, ${sourcesOf(session, 'supporting')} AS supporting,
           ${sourcesOf(session, 'refuting')} AS refuting
         FROM belief WHERE project_id = @project AND id ${session.dialect.amongIds}`,
        ids,
      )
      return new Map(rows.map(({ id, ...grounds }) => [id, grounds]))
    }),

  countContested: (project, ratios) =>
    database.read(project, (session) =>
      // The words of the partial index belief_contested, so that it is used.
      session.count(
        `SELECT count(*) AS n FROM belief WHERE project_id = @project AND superseded_by IS NULL
         AND supporting_count > 0 AND supporting_count < evidence_count AND ${inRange}`,
        ...endsOf(ratios),
      ),
    ),
})
