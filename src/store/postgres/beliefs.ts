/**
 * Beliefs and their trails in PostgreSQL. Knows rows and the lock they are read under; what evidence or a revision does to
 * them is decided elsewhere.
 */
import type { Known } from '../../core/beliefs.ts'
import type { Belief, EvidenceEvent, Found } from '../../core/records.ts'
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
import type { Database } from './connection.ts'
import { findOwn, insertOwn, requireFound, updateOwn } from './own.ts'
import { insertCitations, insertProvenance } from './provenance.ts'
import type { Transaction } from './transaction.ts'

type InsertedBelief = Omit<Belief, 'id' | 'evidenceCount' | 'supersededBy'> & Kept & { readonly id?: number }

/** A belief without its trail, inside a write: each event brings its own count. Returns the id: the one given, or the next. */
export async function insertBelief(transaction: Transaction, belief: InsertedBelief): Promise<number> {
  const id = await insertOwn(transaction, 'belief', { id: belief.id, row: fromBelief(belief) })
  await insertProvenance(transaction, { kind: 'belief', id }, belief.circumstances)
  return id
}

type InsertedEvent = Omit<EvidenceEvent, 'id'> &
  Kept &
  Cited & { readonly id?: number; readonly beliefId: number; readonly run?: string }

/** An event and its place in the belief's counts, inside a write. Returns the id: the one given, or the next. */
export async function insertEvidence(transaction: Transaction, event: InsertedEvent): Promise<number> {
  const { projectId } = transaction
  await transaction.run(
    `UPDATE belief SET evidence_count = evidence_count + 1, supporting_count = supporting_count + $1
     WHERE project_id = $2 AND id = $3`,
    [event.kind === 'supporting' ? 1 : 0, projectId, event.beliefId],
  )
  const row = { belief_id: event.beliefId, ...fromEvent(event) }
  const id = await insertOwn(transaction, 'evidence', { id: event.id, row })
  if (event.run !== undefined) {
    await transaction.run(
      `INSERT INTO evidence_run (project_id, belief_id, identity, evidence_id) VALUES ($1, $2, $3, $4)
       ON CONFLICT DO NOTHING`,
      [projectId, event.beliefId, event.run, id],
    )
  }
  await insertProvenance(transaction, { kind: 'evidence', id }, event.circumstances)
  await insertCitations(transaction, { kind: 'evidence', id }, event.citations)
  return id
}

const find = (transaction: Transaction, id: number, held = false): Promise<Found<Belief>> =>
  findOwn(transaction, { table: 'belief', id, select: 'SELECT * FROM belief', toRecord: toBelief, held })

const get = async (transaction: Transaction, id: number): Promise<Belief> =>
  requireFound('belief', id, await find(transaction, id))

const insert = async (transaction: Transaction, belief: NewBelief): Promise<Belief> =>
  get(transaction, await insertBelief(transaction, toAsserted(belief)))

/** What the trail of a belief knows of a source and a run. */
async function knownOf(
  transaction: Transaction,
  { id, source, run }: Parameters<BeliefStore['amend']>[1],
): Promise<Known> {
  const { projectId } = transaction
  const sameSource =
    source === undefined
      ? undefined
      : await transaction.first<{ id: number; createdAt: number }>(
          `SELECT id, created_at AS "createdAt" FROM evidence WHERE project_id = $1 AND belief_id = $2
           AND source = $3 AND log_likelihood <> 0 ORDER BY id DESC LIMIT 1`,
          [projectId, id, source],
        )
  const counted =
    run === undefined
      ? undefined
      : await transaction.first<{ id: number }>(
          'SELECT evidence_id AS id FROM evidence_run WHERE project_id = $1 AND belief_id = $2 AND identity = $3',
          [projectId, id, run],
        )
  return { sameSource, counted: counted?.id }
}

const inRange = 'log_ratio >= $2 AND log_ratio > $3 AND log_ratio < $4 AND log_ratio <= $5'

/** Different sources on one side; each event without one is one of its own. */
const sourcesOf = (kind: EvidenceEvent['kind']): string =>
  `(SELECT count(DISTINCT source) + count(*) FILTER (WHERE source IS NULL) FROM evidence
    WHERE evidence.project_id = belief.project_id AND belief_id = belief.id AND kind = '${kind}' AND log_likelihood <> 0)`

export const createBeliefStore = (database: Database): BeliefStore => ({
  add: (project, belief) =>
    database.write(project, (transaction) => insert(transaction, belief), { makes: true }),

  find: (project, id) => database.read(project, (transaction) => find(transaction, id)),

  list: (project, { limit, ratios = {} }) =>
    database.read(project, async (transaction) => {
      const rows = await transaction.all<BeliefRow>(
        `SELECT * FROM belief WHERE project_id = $1 AND superseded_by IS NULL AND ${inRange}
         ORDER BY created_at DESC, id DESC LIMIT $6`,
        [transaction.projectId, ...endsOf(ratios), limit],
      )
      return rows.map(toBelief)
    }),

  amend: (project, asked, decide) =>
    database.write(project, async (transaction) => {
      const { id } = asked
      const found = await find(transaction, id, true)
      const known = typeof found === 'object' ? await knownOf(transaction, asked) : {}
      const { event, logRatio, confidence, status, ...kept } = decide(found, known)
      const before = requireFound('belief', id, found)
      const eventId = await insertEvidence(transaction, { ...event, ...kept, beliefId: id })
      await transaction.run(
        `UPDATE belief SET log_ratio = $1, confidence = $2, status = $3, last_evidence_at = greatest(last_evidence_at, $4)
         WHERE project_id = $5 AND id = $6`,
        [logRatio, confidence, status, event.createdAt, transaction.projectId, id],
      )
      const after: Belief = {
        ...before,
        logRatio,
        confidence,
        status,
        evidenceCount: before.evidenceCount + 1,
        lastEvidenceAt: event.createdAt,
      }
      return { before, after, event: { id: eventId, ...event } }
    }),

  supersede: (project, id, decide) =>
    database.write(project, async (transaction) => {
      const found = await find(transaction, id, true)
      const next = decide(found)
      const old = requireFound('belief', id, found)
      const replacement = await insert(transaction, next)
      await updateOwn(transaction, 'belief', { id, superseded_by: replacement.id })
      return { old: { ...old, supersededBy: replacement.id }, new: replacement }
    }),

  trail: (project, id) =>
    database.read(project, async (transaction) => {
      const belief = await find(transaction, id)
      if (typeof belief !== 'object') return { belief, events: [] }
      const rows = await transaction.all<EvidenceRow>(
        'SELECT * FROM evidence WHERE project_id = $1 AND belief_id = $2 ORDER BY id',
        [transaction.projectId, id],
      )
      return { belief, events: rows.map(toEvent) }
    }),

  grounds: (project, ids) =>
    database.read(project, async (transaction) => {
      const rows = await transaction.all<Grounds & { id: number }>(
        `SELECT id, log_ratio AS "logRatio", confidence, ${sourcesOf('supporting')} AS supporting,
           ${sourcesOf('refuting')} AS refuting
         FROM belief WHERE project_id = $1 AND id = ANY($2::bigint[])`,
        [transaction.projectId, ids],
      )
      return new Map(rows.map(({ id, ...grounds }) => [id, grounds]))
    }),

  countContested: (project, ratios) =>
    database.read(project, async (transaction) => {
      // The words of the partial index belief_contested, so that it is used.
      const found = await transaction.first<{ contested: number }>(
        `SELECT count(*) AS contested FROM belief WHERE project_id = $1 AND superseded_by IS NULL
         AND supporting_count > 0 AND supporting_count < evidence_count AND ${inRange}`,
        [transaction.projectId, ...endsOf(ratios)],
      )
      return found?.contested ?? 0
    }),
})
