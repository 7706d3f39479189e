/**
 * Brains that released versions made, one for each schema: each opens, reads as it did, and comes to have the very
 * schema of a new brain. A released step of the migrations that is changed afterwards fails here: add a step instead
 * (and for the newest schema, as long as it is not released, make the fixture anew with fixtures/make.ts).
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { loadDatabase } from '../../src/store/sqlite/binding.ts'
import { migrations } from '../../src/store/sqlite/migrations.ts'
import { openSqliteStore } from '../../src/store/sqlite/store.ts'
import { options, temporaryDirectory, withStore } from './brain-file.ts'
import { fill, read } from './fixtures/contents.ts'

function unpack(version: number): string {
  const directory = temporaryDirectory()
  const file = join(directory, 'brain.db')
  const fixture = `test/store/fixtures/schema-${version}.db.gz`
  if (!existsSync(fixture)) throw new Error(`${fixture} is missing: see make.ts there`)
  writeFileSync(file, gunzipSync(readFileSync(fixture)), { mode: 0o600 })
  return file
}

function schemaOf(file: string): unknown[] {
  const database = loadDatabase(file, { readonly: true })
  try {
    const rows = database
      .prepare<[], Record<string, string | null>>(
        `SELECT type, name, tbl_name, sql FROM sqlite_schema
         WHERE name NOT GLOB 'vector_*' OR EXISTS (SELECT 1 FROM model WHERE name GLOB 'vector_' || id || '*')`,
      )
      .all()
    // A table of vectors that was made anew on the way has another number.
    const same = (text: string | null) => text?.replaceAll(/vector_\d+/g, 'vector') ?? null
    return rows
      .map((row) => Object.fromEntries(Object.entries(row).map(([name, text]) => [name, same(text)])))
      .sort((a, b) => (`${a.name}` < `${b.name}` ? -1 : 1))
  } finally {
    database.close()
  }
}

async function makeNew(): Promise<string> {
  const file = join(temporaryDirectory(), 'brain.db')
  const store = await openSqliteStore(file, { ...options, create: true })
  await fill(store)
  await store.close()
  return file
}

const versions = migrations.map((_, at) => at + 1)

describe.each(versions)('a brain of schema %d', (version) => {
  it('reads as it did when it was made, is sound, and takes new notes', async () => {
    const expected = await withStore(await makeNew(), read)
    await withStore(unpack(version), async (store) => {
      expect(await read(store)).toEqual(expected)
      expect((await store.maintenance.check()).filter(({ ok }) => !ok)).toEqual([])
      const { id } = await store.memories.add('mine', { text: 'new', caution: 0, agent: 'a', createdAt: 9 })
      expect(id).toBe(5)
    })
  })

  it('comes to have the schema of a new brain', async () => {
    const file = unpack(version)
    await withStore(file, async ({ index }) => {
      while (await index.tidy());
    })
    expect(schemaOf(file)).toEqual(schemaOf(await makeNew()))
  })
})
