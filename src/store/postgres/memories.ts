/**
 * Memories in PostgreSQL: row, keyword entry and vectors, always together. Knows which tables one memory lives in; what
 * goes with its row the database takes along by itself.
 */
import type { Found, Memory } from '../../core/records.ts'
import type { MemoryLife } from '../memory-life.ts'
import { type MemoryRow, termsOf, toMemory } from '../rows/memories.ts'
import { requireVectors } from '../search/usable-vectors.ts'
import type { AddedMemory, MemoryStore, NewMemory } from '../store.ts'
import type { Database } from './connection.ts'
import { memoryColumns, readMemories } from './memory-columns.ts'
import { findOwn } from './own.ts'
import { writePassages } from './passages.ts'
import { insertCitations, insertProvenance } from './provenance.ts'
import { writeTerms } from './terms.ts'
import type { Transaction } from './transaction.ts'

/** Reads one memory; for the other adapters of this folder. */
export const findMemory = (transaction: Transaction, id: number): Promise<Found<Memory>> =>
  findOwn(transaction, {
    table: 'memory',
    id,
    select: `SELECT ${memoryColumns} FROM memory`,
    toRecord: toMemory,
  })

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

/** A memory to keep: under this id where it has one, and with the terms of its text where they were made before. */
export interface Insertion {
  readonly id?: number
  readonly memory: NewMemory
  readonly terms?: string | undefined
}

/** How many terms there are. */
export const lengthOf = (terms: string): number => (terms === '' ? 0 : terms.split(' ').length)

/** The next ids, or those that are given. */
async function idsOf(transaction: Transaction, insertions: readonly Insertion[]): Promise<number[]> {
  const wanted = insertions.filter(({ id }) => id === undefined).length
  const given = insertions.flatMap(({ id }) => id ?? [])
  if (wanted === 0) return given
  const rows = await transaction.all<{ id: number }>(
    "SELECT nextval('memory_id_seq') AS id FROM generate_series(1, $1::int)",
    [wanted],
  )
  const next = rows.map(({ id }) => id).sort((a, b) => a - b)
  return insertions.map(({ id }) => id ?? next.shift() ?? 0)
}

/** Rows, keyword entries, words of flags and vectors, inside a write; in the order of what was given. */
export async function insertMemories(
  transaction: Transaction,
  insertions: readonly Insertion[],
): Promise<AddedMemory[]> {
  if (insertions.length === 0) return []
  const ids = await idsOf(transaction, insertions)
  const made = insertions.map(({ memory, terms }, at) => ({
    id: ids[at] ?? 0,
    memory,
    caution: memory.caution,
    embedding: memory.embedding,
    terms: terms ?? termsOf(memory.text),
  }))
  const each = <T>(of: (memory: NewMemory) => T): T[] => made.map(({ memory }) => of(memory))
  await transaction.run(
    `INSERT INTO memory (project_id, id, text, terms, length, caution, agent, created_at, edited_at, pinned_at, expires_at)
     SELECT $1, * FROM unnest($2::bigint[], $3::text[], $4::text[], $5::int[], $6::double precision[], $7::text[],
       $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[])`,
    [
      transaction.projectId,
      ids,
      each(({ text }) => text),
      made.map(({ terms }) => terms),
      made.map(({ terms }) => lengthOf(terms)),
      each(({ caution }) => caution),
      each(({ agent }) => agent),
      each(({ createdAt }) => createdAt),
      each(({ editedAt }) => editedAt ?? null),
      each(({ pinnedAt }) => pinnedAt ?? null),
      each(({ expiresAt }) => expiresAt ?? null),
    ],
  )
  const writeBeside = async ({ id, memory }: { id: number; memory: NewMemory }): Promise<void> => {
    if (memory.tags !== undefined && memory.tags.length > 0) await writeTags(transaction, id, memory.tags)
    // Its agent stands in the row itself.
    await insertProvenance(transaction, { kind: 'memory', id }, { ...memory.circumstances, agent: null })
    await insertCitations(transaction, { kind: 'memory', id }, memory.citations)
  }
  // Together: none waits for another's answer.
  const [semantic] = await Promise.all([
    writePassages(transaction, made),
    writeTerms(transaction, made),
    ...made.map(writeBeside),
  ])
  return made.map(({ id, memory }) => {
    const { embedding, tags = [], circumstances, citations, ...kept } = memory
    return { ...kept, id, ...(tags.length > 0 && { tags }), semantic: semantic.has(id) }
  })
}

/** Of memories that have not expired by the moment that is the second value. */
const unexpired = '(expires_at IS NULL OR expires_at > $2)'

export function createMemoryStore(database: Database): Omit<MemoryStore, keyof MemoryLife> {
  const addMany = async (project: string, memories: readonly NewMemory[]): Promise<AddedMemory[]> => {
    for (const { embedding } of memories) requireVectors(embedding)
    // Before a connection is taken, so that nobody waits for it meanwhile.
    const insertions = memories.map((memory) => ({ memory, terms: termsOf(memory.text) }))
    return database.write(project, (transaction) => insertMemories(transaction, insertions), { makes: true })
  }

  const list = (
    project: string,
    rest: string,
    values: readonly [now: number, ...others: number[]],
  ): Promise<Memory[]> =>
    database.read(project, async (transaction) => {
      const rows = await transaction.all<MemoryRow>(
        `SELECT ${memoryColumns} FROM memory WHERE project_id = $1 AND ${unexpired} ${rest}`,
        [transaction.projectId, ...values],
      )
      return rows.map(toMemory)
    })

  return {
    addMany,

    add: async (project, memory) => {
      const [added] = await addMany(project, [memory])
      if (added === undefined) throw new Error('a memory that was kept is not told of')
      return added
    },

    find: (project, id) => database.read(project, (transaction) => findMemory(transaction, id)),

    findMany: (project, ids) => database.read(project, (transaction) => readMemories(transaction, ids)),

    list: (project, { after, limit, flagsOnly, now = Number.MIN_SAFE_INTEGER }) =>
      list(project, `AND id > $3 ${flagsOnly ? 'AND caution > 0' : ''} ORDER BY id LIMIT $4`, [
        now,
        after,
        limit,
      ]),

    newest: (project, { limit, now }) => list(project, 'ORDER BY id DESC LIMIT $3', [now, limit]),

    count: (project) =>
      database.read(project, async (transaction) => {
        const counted = await transaction.first<{ memories: number }>(
          'SELECT coalesce(sum(memories), 0)::bigint AS memories FROM tally WHERE project_id = $1',
          [transaction.projectId],
        )
        return counted?.memories ?? 0
      }),
  }
}
