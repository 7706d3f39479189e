/** What a check-up finds, and that a repair mends it without losing a text. */
import { chmodSync, linkSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type BetterSqlite3 from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { loadDatabase } from '../../src/store/sqlite/binding.ts'
import { openSqliteStore } from '../../src/store/sqlite/store.ts'
import { loadVectors } from '../../src/store/sqlite/vectors.ts'
import type { Store } from '../../src/store/store.ts'
import { deadProcess, options, temporaryDirectory } from './brain-file.ts'
import { embedLacking, own } from './by-project.ts'
import { matchingOf } from './matching.ts'
import { embed, model, vectorOf } from './test-embedder.ts'

const texts = [
  'the cache is warm',
  'rust builds slowly\ntests are slow',
  'never drop the users table',
  'no vector yet',
]

async function openFilled(): Promise<{ store: Store; file: string }> {
  const file = join(temporaryDirectory(), 'brain.db')
  chmodSync(join(file, '..'), 0o700)
  const store = await openSqliteStore(file, { ...options, durability: 'normal', create: true })
  onTestFinished(() => store.close())
  for (const [at, text] of texts.entries()) {
    await store.memories.add(at === 1 ? 'theirs' : 'mine', {
      text,
      caution: at === 2 ? 0.9 : 0,
      agent: 'a',
      createdAt: at,
      ...(at < 3 && { embedding: embed(text) }),
    })
  }
  return { store, file }
}

/** Changes the file behind the store's back, shadow tables included. */
function tamper(file: string, change: (database: BetterSqlite3.Database) => void): void {
  const database = loadDatabase(file)
  loadVectors(database)
  database.unsafeMode(true)
  database.pragma('foreign_keys = OFF')
  change(database)
  database.close()
}

const troubles = async (store: Store) =>
  (await store.maintenance.check()).filter(({ ok }) => !ok).map(({ check, fixable }) => ({ check, fixable }))

async function allTexts({ memories, maintenance }: Store): Promise<string[]> {
  const projects = await maintenance.projects()
  const lists = await Promise.all(projects.map((project) => memories.list(project, { after: 0, limit: 100 })))
  return lists.flat().map(({ text }) => text)
}

const blank = (components: number[]): Uint8Array => {
  const row = new Uint8Array(model.dimension)
  row.set(components)
  return row
}

const sql =
  (statement: string, ...values: unknown[]) =>
  (database: BetterSqlite3.Database): void => {
    database.prepare(statement).run(...values)
  }

const replaceVector =
  (row: Uint8Array) =>
  (database: BetterSqlite3.Database): void => {
    sql('DELETE FROM vector_1 WHERE rowid = 1')(database)
    sql('INSERT INTO vector_1 (rowid, part, embedding) VALUES (1, 2, vec_int8(?))', row)(database)
  }

/** Each breaks one agreement; what finds it. */
const damages: readonly (readonly [string, (database: BetterSqlite3.Database) => void, string])[] = [
  [
    'a keyword entry is missing',
    sql("INSERT INTO keyword_1 (keyword_1, rowid, terms) VALUES ('delete', 1, 'cach warm')"),
    'keywords of mine',
  ],
  [
    'a keyword entry belongs to nothing',
    sql("INSERT INTO keyword_1 (rowid, terms) VALUES (99, 'stray')"),
    'keywords of mine',
  ],
  [
    'a keyword index is garbled',
    sql('UPDATE keyword_1_data SET block = zeroblob(40) WHERE id > 10'),
    'keywords of mine',
  ],
  ['a keyword index is gone', (database) => database.exec('DROP TABLE keyword_2'), 'keywords of theirs'],
  ['a count of memories is off', sql('UPDATE project SET memories = memories + 3 WHERE id = 1'), 'counts'],
  ['a count of terms is off', sql('UPDATE project SET terms = 0 WHERE id = 2'), 'counts'],
  ['a count of waiting memories is off', sql('UPDATE project SET unembedded = 9 WHERE id = 2'), 'counts'],
  [
    'a flag lacks a word',
    sql('DELETE FROM flag_term WHERE term = (SELECT min(term) FROM flag_term)'),
    'words of flags',
  ],
  [
    'a passage refers to no memory',
    sql("INSERT INTO passage (memory_id, model_id, start, end, tokens) VALUES (99, 1, 0, 1, x'')"),
    'references',
  ],
  ['a vector is missing', sql('DELETE FROM vector_1 WHERE rowid = 2'), 'vectors of test'],
  [
    'a vector belongs to nothing',
    sql('INSERT INTO vector_1 (rowid, part, embedding) VALUES (?, ?, vec_int8(?))', 99n, 2n, blank([1])),
    'vectors of test',
  ],
  ['a vector is another one', replaceVector(blank([1])), 'vectors of test'],
  ['a vector has no direction', replaceVector(blank([0])), 'vectors of test'],
  [
    'a vector stands in the partition of another project',
    (database) => {
      sql('DELETE FROM vector_1 WHERE rowid = 1')(database)
      sql(
        'INSERT INTO vector_1 (rowid, part, embedding) VALUES (?, ?, vec_int8(?))',
        1n,
        4n,
        blank([1]),
      )(database)
    },
    'vectors of test',
  ],
  [
    'one byte of a chunk of vectors is another',
    sql(`UPDATE vector_1_vector_chunks00
         SET vectors = CAST(substr(vectors, 1, 3) || x'55' || substr(vectors, 5) AS BLOB) WHERE rowid = 1`),
    'vectors of test',
  ],
  [
    'a chunk of vectors is cut short',
    sql('UPDATE vector_1_vector_chunks00 SET vectors = substr(vectors, 1, 100) WHERE rowid = 1'),
    'vectors of test',
  ],
  [
    'a chunk of vectors has grown',
    sql("UPDATE vector_1_vector_chunks00 SET vectors = CAST(vectors || x'00' AS BLOB) WHERE rowid = 1"),
    'vectors of test',
  ],
  [
    'a chunk of vectors is gone',
    sql('DELETE FROM vector_1_vector_chunks00 WHERE rowid = 1'),
    'vectors of test',
  ],
  ['a chunk is gone', sql('DELETE FROM vector_1_chunks WHERE chunk_id = 1'), 'vectors of test'],
  [
    'a chunk has lost its ids',
    sql("UPDATE vector_1_chunks SET rowids = x'00' WHERE chunk_id = 1"),
    'vectors of test',
  ],
  [
    'a chunk has lost what is valid in it',
    sql("UPDATE vector_1_chunks SET validity = x'' WHERE chunk_id = 1"),
    'vectors of test',
  ],
  ['the place of a vector is lost', sql('DELETE FROM vector_1_rowids WHERE rowid = 1'), 'vectors of test'],
  [
    'the place of a vector is another',
    sql('UPDATE vector_1_rowids SET chunk_offset = 9 WHERE rowid = 1'),
    'vectors of test',
  ],
  [
    'a passage has other word pieces',
    sql("UPDATE passage SET tokens = x'0100' WHERE id = 1"),
    'vectors of test',
  ],
  ['a passage has another checksum', sql('UPDATE passage SET checksum = 5 WHERE id = 1'), 'vectors of test'],
  [
    'a table of all of them is gone',
    (database) => database.exec('DROP TABLE vector_1_rowids'),
    'vectors of test',
  ],
  ['a table of vectors is gone', (database) => database.exec('DROP TABLE vector_1'), 'models'],
  [
    'a table of vectors has no model',
    sql('CREATE VIRTUAL TABLE vector_9 USING vec0(embedding FLOAT[4])'),
    'models',
  ],
  [
    'a memory is not on the list of those to embed',
    sql('DELETE FROM unembedded'),
    'memories without a vector',
  ],
  [
    'a memory is on that list for nothing',
    sql('INSERT INTO unembedded (memory_id, project_id) VALUES (1, 1)'),
    'memories without a vector',
  ],
]

describe('a check-up', () => {
  it('finds nothing wrong with a brain in use', async () => {
    const { store } = await openFilled()
    const findings = await store.maintenance.check()
    expect(findings.filter(({ ok }) => !ok)).toEqual([])
    expect(findings.map(({ check }) => check)).toEqual([
      'database',
      'references',
      'keywords of mine',
      'keywords of theirs',
      'words of flags',
      'models',
      'vectors of test',
      'snapshot of test',
      'memories without a vector',
      'counts',
      'permissions',
      'leftovers',
    ])
  })

  it.each(damages)('finds that %s; a repair mends it and loses no text', async (_, damage, check) => {
    const { store, file } = await openFilled()
    tamper(file, damage)
    expect(await troubles(store)).toContainEqual({ check, fixable: true })
    const after = await store.maintenance.repair()
    expect(after.filter(({ ok }) => !ok)).toEqual([])
    expect((await allTexts(store)).sort()).toEqual([...texts].sort())
    // What was dropped waits to be embedded, and is found by keyword meanwhile.
    await embedLacking(store, model, ({ text }) => embed(text))
    for (const [at, text] of texts.entries()) {
      const project = at === 1 ? 'theirs' : 'mine'
      const [line = ''] = text.split('\n')
      const near = await store.index.nearest(project, { model, vector: vectorOf(line), limit: 1 })
      expect(own(await store.memories.find(project, near[0]?.memoryId ?? 0))?.text).toBe(text)
      const matches = await matchingOf(store, {
        project,
        terms: ['slowli', 'cach', 'tabl', 'vector'],
        limit: 9,
      })
      expect(matches.length).toBeGreaterThan(0)
    }
    expect(await troubles(store)).toEqual([])
  })

  it('finds a keyword index of a format that FTS5 does not read; a repair writes it anew', async () => {
    const { store: before, file } = await openFilled()
    await before.close()
    tamper(file, sql('UPDATE keyword_1_config SET v = 999'))
    const store = await openSqliteStore(file, { ...options, durability: 'normal' })
    onTestFinished(() => store.close())
    await expect(matchingOf(store, { terms: ['cach'] })).rejects.toMatchObject({ kind: 'storage' })
    expect(await troubles(store)).toContainEqual({ check: 'keywords of mine', fixable: true })
    expect((await store.maintenance.repair()).filter(({ ok }) => !ok)).toEqual([])
    expect(await matchingOf(store, { terms: ['cach'] })).toHaveLength(1)
    expect(await troubles(store)).toEqual([])
  })

  it('finds nothing wrong while the vectors of an old model go; a repair sees them off', async () => {
    const { store } = await openFilled()
    const other = { ...model, hash: 'beef' }
    await embedLacking(store, other, ({ text }) => embed(text, other))
    expect(await store.index.serve(other)).toBe(true)
    expect(await troubles(store)).toEqual([])
    await store.index.tidy()
    expect(await troubles(store)).toEqual([])
    await store.maintenance.repair()
    expect(await store.index.tidy()).toBe(false)
    expect(await troubles(store)).toEqual([])
  })

  it('finds an index that lost a row; a repair builds it again', async () => {
    const { store, file } = await openFilled()
    tamper(file, (database) => {
      const { sql: text, rootpage } = database
        .prepare("SELECT sql, rootpage FROM sqlite_schema WHERE name = 'memory_by_project'")
        .get() as { sql: string; rootpage: number }
      database.exec(`
        PRAGMA writable_schema = ON;
        DELETE FROM sqlite_schema WHERE name = 'memory_by_project';
        PRAGMA writable_schema = RESET;
        UPDATE memory SET project_id = 2 WHERE id = 1;
        PRAGMA writable_schema = ON;`)
      database
        .prepare("INSERT INTO sqlite_schema VALUES ('index', 'memory_by_project', 'memory', ?, ?)")
        .run(rootpage, text)
      database.exec('PRAGMA writable_schema = RESET')
    })
    expect(await troubles(store)).toContainEqual({ check: 'database', fixable: true })
    const after = await store.maintenance.repair()
    expect(after.filter(({ ok }) => !ok)).toEqual([])
  })

  it('finds damage to the records themselves, which only a backup can mend', async () => {
    const { store, file } = await openFilled()
    tamper(file, sql('UPDATE memory SET project_id = 77 WHERE id = 1'))
    expect(await troubles(store)).toContainEqual({ check: 'references', fixable: false })
    const after = await store.maintenance.repair()
    expect(after.find(({ check }) => check === 'references')?.ok).toBe(false)
    expect(await store.memories.count('mine')).toBe(2)
  })

  it('finds files that others may read, and closes them', async () => {
    const { store, file } = await openFilled()
    chmodSync(file, 0o644)
    chmodSync(join(file, '..'), 0o755)
    expect(await troubles(store)).toEqual([{ check: 'permissions', fixable: true }])
    expect((await store.maintenance.repair()).filter(({ ok }) => !ok)).toEqual([])
    expect([statSync(file).mode & 0o777, statSync(join(file, '..')).mode & 0o777]).toEqual([0o600, 0o700])
    // Open to a group alone is open.
    chmodSync(file, 0o640)
    expect(await troubles(store)).toEqual([{ check: 'permissions', fixable: true }])
  })

  it('closes every file that a brain makes, and leaves those of others as they are', async () => {
    const { store, file } = await openFilled()
    const directory = join(file, '..')
    const modeOf = (name: string) => statSync(join(directory, name)).mode & 0o777
    const own = [
      'hooks.log',
      'daemon.log',
      'daemon.log.1',
      'tally',
      'shared',
      'last-recall.json',
      'readings-37a8eec1ce19.json',
      'config.json',
    ]
    for (const name of [...own, 'notes of mine']) writeFileSync(join(directory, name), '')
    mkdirSync(join(directory, 'sessions'))
    for (const name of [...own, 'notes of mine']) chmodSync(join(directory, name), 0o644)
    chmodSync(join(directory, 'sessions'), 0o755)
    expect(await troubles(store)).toEqual([{ check: 'permissions', fixable: true }])
    expect((await store.maintenance.repair()).filter(({ ok }) => !ok)).toEqual([])
    expect(own.map(modeOf)).toEqual(own.map(() => 0o600))
    expect([modeOf('sessions'), modeOf('notes of mine')]).toEqual([0o700, 0o644])
  })

  it('leaves a file as it is that has another name elsewhere, whose mode is that of both', async () => {
    const { store, file } = await openFilled()
    const [log, elsewhere] = [join(file, '..', 'hooks.log'), join(temporaryDirectory(), 'a log')]
    writeFileSync(log, '')
    linkSync(log, elsewhere)
    chmodSync(log, 0o644)
    expect(await troubles(store)).toEqual([])
    await store.maintenance.repair()
    expect(statSync(elsewhere).mode & 0o777).toBe(0o644)
  })

  it('finds what dead processes left, and removes that alone', async () => {
    const { store, file } = await openFilled()
    const pid = deadProcess()
    const run = join(file, '..', 'run')
    mkdirSync(run, { recursive: true })
    writeFileSync(join(run, `${pid}-1`), 'brain serve')
    writeFileSync(join(file, '..', `.copy.db.${pid}-1.draft`), 'half a copy')
    writeFileSync(join(file, '..', `.copy.db.${process.pid}-9.draft`), 'a copy on its way')
    expect(await troubles(store)).toEqual([{ check: 'leftovers', fixable: true }])
    await store.maintenance.repair()
    expect(await troubles(store)).toEqual([])
    expect(statSync(join(file, '..', `.copy.db.${process.pid}-9.draft`)).isFile()).toBe(true)
  })
})
