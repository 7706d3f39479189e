/**
 * Keeps memories in one statement: rows, keyword entries, words of flags and vectors, so that a write is a round trip and
 * a commit. Knows the tables that one memory lives in; what is told about them is read elsewhere.
 */
import type { ModelIdentity } from '../../models/embedder.ts'
import { termsOf } from '../rows/memories.ts'
import { toRow } from '../search/int8-vector.ts'
import type { AddedMemory, NewMemory } from '../store.ts'
import { writePassages } from './passages.ts'
import { insertCitations, insertProvenance } from './provenance.ts'
import type { Scalar, Transaction, Value } from './transaction.ts'
import { bytesOf } from './values.ts'

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
      created_at, edited_at, pinned_at, expires_at, embedded
    FROM unnest($2::bigint[], $3::text[], $4::text[], $5::int[], $6::double precision[], $7::text[], $8::bigint[],
      $9::bigint[], $10::bigint[], $11::bigint[], $12::boolean[]) WITH ORDINALITY AS given(id, text, terms, length,
      caution, agent, created_at, edited_at, pinned_at, expires_at, embedded, place)
  ), space AS MATERIALIZED (
    SELECT model.id, value::bigint = model.id AS served
    FROM model JOIN setting ON key = 'served_model'
    WHERE name = $13 AND hash = $14 AND dimension = $15 AND NOT retired
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
  ), placed AS (
    INSERT INTO passage (project_id, model_id, memory_id, flag, first, last, tokens, vector)
    SELECT $1, space.id, made.id, caution > 0, part.first, part.last, part.tokens, part.vector
    FROM unnest($16::bigint[], $17::int[], $18::int[], $19::bytea[], $20::bytea[])
      AS part(place, first, last, tokens, vector) JOIN made USING (place) CROSS JOIN space
  ), waiting AS (
    INSERT INTO unembedded (project_id, memory_id)
    SELECT $1, made.id FROM made LEFT JOIN space ON true
    WHERE CASE WHEN $13::text IS NULL THEN true ELSE NOT (embedded AND served) END
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

/** Gives a memory these tags and no others, inside a write. */
export async function writeTags(
  transaction: Transaction,
  id: number,
  tags: readonly string[],
): Promise<void> {
  const { projectId } = transaction
  await transaction.run('DELETE FROM tag WHERE project_id = $1 AND memory_id = $2', [projectId, id])
  await transaction.run(
    'INSERT INTO tag (project_id, name, memory_id) SELECT $1, name, $2 FROM unnest($3::text[]) AS name',
    [projectId, id, [...new Set(tags)]],
  )
}

/** What stands in tables of its own, where there is any of it. */
async function writeBeside(transaction: Transaction, id: number, memory: NewMemory): Promise<void> {
  const { tags = [], circumstances, citations } = memory
  if (tags.length > 0) await writeTags(transaction, id, tags)
  // Its agent stands in the row itself.
  await insertProvenance(transaction, { kind: 'memory', id }, { ...circumstances, agent: null })
  await insertCitations(transaction, { kind: 'memory', id }, citations)
}

/** Memories whose vectors, where they have any, are of one model. */
async function keepAlike(transaction: Transaction, insertions: readonly Indexed[]): Promise<AddedMemory[]> {
  const model = insertions.map(modelOf).find((one) => one !== undefined)
  const each = <T extends Scalar>(of: (memory: NewMemory) => T): T[] =>
    insertions.map(({ memory }) => of(memory))
  const kept = await transaction.first<{ ids: number[]; served: boolean | null }>(keeping, [
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
    ...(model ? [model.name, model.hash, model.dimension] : [null, null, null]),
    ...vectorsOf(insertions),
  ])
  const { ids, served } = kept ?? { ids: [], served: null }
  const parts = insertions.map(({ memory }, at) => ({ ...memory, id: ids[at] ?? 0 }))
  const beside = parts.map((memory) => writeBeside(transaction, memory.id, memory))
  const semantic =
    model !== undefined && served === null ? await writePassages(transaction, parts) : undefined
  await Promise.all(beside)
  return parts.map(({ embedding, tags = [], circumstances: _, citations: __, ...memory }) => ({
    ...memory,
    ...(tags.length > 0 && { tags }),
    semantic: semantic?.has(memory.id) ?? (embedding !== undefined && served === true),
  }))
}

/** Rows, keyword entries, words of flags and vectors, inside a write; in the order of what was given. */
export async function insertMemories(
  transaction: Transaction,
  insertions: readonly Insertion[],
): Promise<AddedMemory[]> {
  const names = insertions.map((one) => JSON.stringify(modelOf(one)))
  const first = names.find((name) => name !== undefined)
  const kept: AddedMemory[] = []
  for (const name of new Set(names.map((own) => own ?? first))) {
    const places = [...insertions.keys()].filter((at) => (names[at] ?? first) === name)
    const alike = await keepAlike(
      transaction,
      places.flatMap((at) => {
        const one = insertions[at]
        return one === undefined ? [] : { ...one, terms: one.terms ?? termsOf(one.memory.text) }
      }),
    )
    for (const [at, one] of alike.entries()) kept[places[at] ?? 0] = one
  }
  return kept
}
