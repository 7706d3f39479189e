/**
 * What is derived from records may be damaged in any byte: until it is rebuilt it gives what it gave, or nothing, or an
 * error that names the remedy; never something else.
 */
import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type BetterSqlite3 from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { loadDatabase } from '../../src/store/sqlite/binding.ts'
import { openSqliteStore } from '../../src/store/sqlite/store.ts'
import { loadVectors } from '../../src/store/sqlite/vectors.ts'
import type { Store } from '../../src/store/store.ts'
import { options, temporaryDirectory, withStore } from './brain-file.ts'
import { flagsOf } from './matching.ts'
import { embed, model, vectorOf } from './test-embedder.ts'

const words = 'harbour crane tide mooring rope lantern keeper ferry pier anchor buoy chart'.split(' ')
const texts = Array.from(
  { length: 90 },
  (_, at) => `${words[at % 12]} ${words[(at * 5 + 1) % 12]} ${words[(at * 7 + 3) % 12]} number ${at}`,
)
const asked = words.slice(0, 6)

/** Every answer there is: what each memory has of each word, and how near each passage is to it. */
async function answersOf({ index }: Store): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const word of asked) {
    const { matches, passages, memories } = await index.candidates('mine', {
      terms: [word],
      matches: 200,
      nearest: { model, vector: vectorOf(word), limit: 200 },
      among: { now: 0 },
      texts: true,
    })
    for (const { id, counts, length } of matches)
      found.set(`${word} in ${id}`, `${counts.get(word)} of ${length}`)
    for (const { memoryId, similarity, tokens } of passages)
      found.set(`${word} near ${memoryId}`, `${similarity.toFixed(5)}, ${tokens}`)
    for (const [id, { text }] of memories) found.set(`text ${id}`, text)
  }
  return found
}

async function make(): Promise<string> {
  const file = join(temporaryDirectory(), 'brain.db')
  const store = await openSqliteStore(file, { ...options, durability: 'normal', create: true })
  await store.memories.addMany(
    'mine',
    texts.map((text, at) => ({
      text,
      caution: at % 9 === 0 ? 0.5 : 0,
      agent: 'a',
      createdAt: at,
      embedding: embed(text),
    })),
  )
  await store.close()
  return file
}

interface Place {
  readonly table: string
  readonly column: string
  readonly row: number
  readonly at: number
}

/** Bytes of every value of some tables, so many of each, spread over it. */
function placesIn(file: string, tables: Readonly<Record<string, readonly string[]>>, each: number): Place[] {
  const database = loadDatabase(file, { readonly: true })
  try {
    return Object.entries(tables).flatMap(([table, columns]) =>
      columns.flatMap((column) =>
        (
          database.prepare(`SELECT rowid AS row, octet_length(${column}) AS bytes FROM ${table}`).all() as {
            row: number
            bytes: number
          }[]
        ).flatMap(({ row, bytes }) =>
          Array.from({ length: Math.min(each, bytes) }, (_, part) => ({
            table,
            column,
            row,
            at: Math.floor(((part + 0.5) * bytes) / Math.min(each, bytes)),
          })),
        ),
      ),
    )
  } finally {
    database.close()
  }
}

function flip(database: BetterSqlite3.Database, { table, column, row, at }: Place, bit: number): void {
  const { value } = database.prepare(`SELECT ${column} AS value FROM ${table} WHERE rowid = ?`).get(row) as {
    value: Buffer
  }
  value[at] = (value[at] ?? 0) ^ bit
  database.prepare(`UPDATE ${table} SET ${column} = ? WHERE rowid = ?`).run(value, row)
}

describe('a byte that is another', () => {
  it.each([
    ['vectors', { vector_1_vector_chunks00: ['vectors'], vector_1_chunks: ['rowids', 'validity'] }, 30],
    ['the keyword index', { keyword_1_data: ['block'], keyword_1_docsize: ['sz'] }, 30],
    ['word pieces', { passage: ['tokens'] }, 1],
  ])('of %s gives no answer that is not true', async (_, tables, each) => {
    const file = await make()
    const whole = `${file}.whole`
    copyFileSync(file, whole)
    const truth = await (async () => {
      const store = await openSqliteStore(file, options)
      const answers = await answersOf(store)
      await store.close()
      return answers
    })()
    const wrong: unknown[] = []
    const places = placesIn(whole, tables, each)
    for (const [at, place] of places.entries()) {
      for (const suffix of ['-wal', '-shm']) rmSync(file + suffix, { force: true })
      copyFileSync(whole, file)
      const database = loadDatabase(file)
      loadVectors(database)
      database.unsafeMode(true)
      flip(database, place, 1 << (at % 8))
      database.close()
      const store = await openSqliteStore(file, { ...options, mode: at % 2 === 0 ? 'oneshot' : 'service' })
      try {
        for (const [what, answer] of await answersOf(store))
          if (truth.get(what) !== answer) wrong.push({ ...place, what, answer, true: truth.get(what) })
      } catch (error) {
        if ((error as { kind?: string }).kind !== 'storage') wrong.push({ ...place, error: String(error) })
      } finally {
        await store.close()
      }
    }
    expect(wrong).toEqual([])
  })
})

it('a word that is listed for a flag which has it not is told of none', async () => {
  const file = await make()
  const database = loadDatabase(file)
  database.exec("INSERT INTO flag_term (project_id, term, memory_id) VALUES (1, 'dynamit', 1)")
  database.close()
  await withStore(file, async (store) => {
    expect((await flagsOf(store, { terms: ['dynamit'] })).held.size).toBe(0)
    expect((await flagsOf(store, { terms: ['harbour'] })).held.size).toBeGreaterThan(0)
  })
})
