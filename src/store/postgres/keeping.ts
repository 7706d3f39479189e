/**
 * Keeps memories in one statement: rows, keyword entries, words of flags and vectors, so that a write is a round trip and
 * a commit. Knows the tables that one memory lives in; what is attached to them is read elsewhere.
 */
import type { ModelIdentity } from '../../models/embedder.ts'
import { termsOf } from '../rows/memories.ts'
import { toRow } from '../search/int8-vector.ts'
import { bytesOf } from '../search/vector-bytes.ts'
import { writeTags } from '../sql/memory-life.ts'
import { insertCitations, insertProvenance } from '../sql/provenance.ts'
import type { AddedMemory, NewMemory } from '../store.ts'
import { writePassages } from './passages.ts'
import { over } from './session.ts'
import type { Scalar, Transaction, Value } from './transaction.ts'

/** A memory to keep: under this id where it has one, and with the terms of its text where they were made before. */
export interface Insertion {
  readonly id?: number
  readonly memory: NewMemory
  readonly terms?: string | undefined
}

/** How many terms there are. */
export const lengthOf = (terms: string): number => (terms === '' ? 0 : terms.split(' ').length)

// One statement, as the database takes as long for each as for a row or two. A project whose vectors an index has, and a model
// that is new, are left to the statements of `passages.ts`: then `space` has no row.
const keeping = `WITH made AS MATERIALIZED (
    SELECT place, coalesce(given.id, nextval('memory_id_seq')) AS id, text, terms, length, caution, agent,
      created_at, edited_at, pinned_at, expires_at, embedded, session, branch, revision
    FROM unnest($2::bigint[], $3::text[], $4::text[], $5::int[], $6::double precision[], $7::text[], $8::bigint[],
      $9::bigint[], $10::bigint[], $11::bigint[], $12::boolean[], $13::text[], $14::text[], $15::text[])
      WITH ORDINALITY AS given(id, text, terms, length, caution, agent, created_at, edited_at, pinned_at, expires_at,
        embedded, session, branch, revision, place)
  ), space AS MATERIALIZED (
    SELECT model.id, value::bigint = model.id AS served
    FROM model JOIN setting ON key = 'served_model'
    WHERE name = $16 AND hash = $17 AND dimension = $18 AND NOT retired
      AND NOT EXISTS (SELECT 1 FROM indexed WHERE project_id = $1 AND model_id = model.id)
  ), kept AS (
    INSERT INTO memory (project_id, id, text, terms, length, caution, agent, created_at, edited_at, pinned_at, expires_at)
    SELECT $1, id, text, terms, length, caution, agent, created_at, edited_at, pinned_at, expires_at FROM made
  ), posted AS (
    INSERT INTO posting (project_id, memory_id, count, length, term)
    SELECT $1, id, count(*), length, term
    FROM made CROSS JOIN LATERAL string_to_table(terms, ' ') AS term WHERE terms <> '' GROUP BY id, length, term
  ), warned AS (
    INSERT INTO flag_term (project_id, memory_id, term)
    SELECT DISTINCT $1::bigint, id, term
    FROM made CROSS JOIN LATERAL string_to_table(terms, ' ') AS term WHERE caution > 0 AND terms <> ''
  ), told AS (
    INSERT INTO provenance (project_id, kind, record_id, session, branch, revision)
    SELECT $1, 'memory', id, session, branch, revision FROM made
    WHERE coalesce(session, branch, revision) IS NOT NULL
  ), placed AS (
    INSERT INTO passage (project_id, model_id, memory_id, flag, first, last, tokens, vector)
    SELECT $1, space.id, made.id, caution > 0, part.first, part.last, part.tokens, part.vector
    FROM unnest($19::bigint[], $20::int[], $21::int[], $22::bytea[], $23::bytea[])
      AS part(place, first, last, tokens, vector) JOIN made USING (place) CROSS JOIN space
  ), waiting AS (
    INSERT INTO unembedded (project_id, memory_id)
    SELECT $1, made.id FROM made LEFT JOIN space ON true
    WHERE CASE WHEN $16::text IS NULL THEN true ELSE NOT (embedded AND served) END
  )
  SELECT ARRAY(SELECT id FROM made ORDER BY place) AS ids, (SELECT served FROM space) AS served`

/** One whose terms are made. */
type Indexed = Insertion & { readonly terms: string }

const modelOf = ({ memory }: Insertion): ModelIdentity | undefined => memory.embedding?.model

function vectorsOf(insertions: readonly Indexed[]): Value[] {
  const parts = insertions.flatMap(({ memory }, at) =>
    (memory.embedding?.passages ?? []).map((passage) => ({ ...passage, place: at + 1 })),
  )
  return [
    parts.map(({ place }) => place),
    parts.map(({ start }) => start),
    parts.map(({ end }) => end),
    parts.map(({ tokens }) => bytesOf(tokens)),
    parts.map(({ vector }) => bytesOf(toRow(vector))),
  ]
}

/** What is known of where a memory comes from, where that needs no look at what is there. */
const told =
  (member: 'session' | 'branch' | 'commit') =>
  ({ circumstances }: NewMemory): string | null =>
    circumstances?.origin == null ? (circumstances?.[member] ?? null) : null

/** What the one statement returned about memories. */
interface Sent {
  readonly insertions: readonly Indexed[]
  readonly ids: readonly number[]
  /** Whether their vectors are of the served model; null where they are still to be written. */
  readonly served: boolean | null
  /** Whether more is to be written, in the same project. */
  readonly unfinished: boolean
}

/**
 * Rows, keyword entries, words of flags and vectors of memories whose vectors, where they have any, are of one model.
 * Inside a write. The statement is on its way when this returns, and what is asked next travels with it.
 */
export async function sendMemories(transaction: Transaction, given: readonly Insertion[]): Promise<Sent> {
  const insertions = given.map((one): Indexed => ({ ...one, terms: one.terms ?? termsOf(one.memory.text) }))
  const model = insertions.map(modelOf).find((one) => one !== undefined)
  const each = <T extends Scalar>(of: (memory: NewMemory) => T): T[] =>
    insertions.map(({ memory }) => of(memory))
  const sent = await transaction.first<Pick<Sent, 'ids' | 'served'>>(keeping, [
    transaction.projectId,
    insertions.map(({ id }) => id ?? null),
    each(({ text }) => text),
    insertions.map(({ terms }) => terms),
    insertions.map(({ terms }) => lengthOf(terms)),
    each(({ caution }) => caution),
    each(({ agent }) => agent),
    each(({ createdAt }) => createdAt),
    each(({ editedAt }) => editedAt ?? null),
    each(({ pinnedAt }) => pinnedAt ?? null),
    each(({ expiresAt }) => expiresAt ?? null),
    each(({ embedding }) => embedding !== undefined),
    each(told('session')),
    each(told('branch')),
    each(told('commit')),
    ...(model ? [model.name, model.hash, model.dimension] : [null, null, null]),
    ...vectorsOf(insertions),
  ])
  if (sent === undefined) throw new Error('a query without a table gave no row')
  const served = model === undefined ? false : sent.served
  return { insertions, ids: sent.ids, served, unfinished: served === null || insertions.some(hasMore) }
}

/** Whether something stands in tables that the one statement does not write. */
const hasMore = ({ memory: { tags = [], citations = [], circumstances } }: Insertion): boolean =>
  tags.length + citations.length > 0 || circumstances?.origin != null

/** Writes what the one statement left; memories in the order of what was given. Inside the same write. */
export async function finishMemories(
  transaction: Transaction,
  { insertions, ids, served, unfinished }: Sent,
): Promise<AddedMemory[]> {
  const made = insertions.map(({ memory }, at) => ({ ...memory, id: ids[at] ?? 0 }))
  const writeBeside = ({ id, tags = [], circumstances, citations }: (typeof made)[number]) =>
    over(transaction, function* (session) {
      if (tags.length > 0) yield* writeTags(session, id, tags)
      // Its agent stands in the row itself.
      if (circumstances?.origin != null)
        yield* insertProvenance(session, { kind: 'memory', id }, { ...circumstances, agent: null })
      yield* insertCitations(session, { kind: 'memory', id }, citations)
    })
  // Together: none waits for another's answer.
  const [semantic] = await Promise.all([
    served === null ? writePassages(transaction, made) : undefined,
    ...(unfinished ? made.map(writeBeside) : []),
  ])
  return made.map(({ embedding, tags = [], circumstances: _, citations: __, ...memory }) => ({
    ...memory,
    ...(tags.length > 0 && { tags }),
    semantic: semantic?.has(memory.id) ?? (embedding !== undefined && served === true),
  }))
}

/** Tells models apart; undefined where there are no vectors. */
export const modelName = (insertion: Insertion): string | undefined => JSON.stringify(modelOf(insertion))

/** Any memories, in the order of what was given. Inside a write. */
export async function insertMemories(
  transaction: Transaction,
  insertions: readonly Insertion[],
): Promise<AddedMemory[]> {
  const names = insertions.map(modelName)
  // Those without vectors go with the first that have some.
  const first = names.find((name) => name !== undefined)
  const kept: AddedMemory[] = []
  for (const name of new Set(names.map((own) => own ?? first))) {
    const places = [...names.keys()].filter((at) => (names[at] ?? first) === name)
    const alike = places.flatMap((at) => insertions[at] ?? [])
    const added = await finishMemories(transaction, await sendMemories(transaction, alike))
    for (const [at, one] of added.entries()) kept[places[at] ?? 0] = one
  }
  return kept
}
