/**
 * A repository can bring a brain whose schema is ours to the letter, and of which nothing is of a size that brain makes: rows
 * without end, one row that fills the memory, a schema of a million tables. Each is told by its headers, before it is read.
 */
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadDatabase } from '../../src/store/sqlite/binding.ts'
import { createBrainPlace, createPlace, type Place } from '../cli/command-line.ts'

const rows = (count: number): string =>
  `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`

/** A brain of another machine, with `sql` done to it. */
async function bring(sql: string | ((file: string) => void)): Promise<Place & { file: string }> {
  const elsewhere = await createBrainPlace()
  await elsewhere.run(['remember', 'the cache is warm'])
  const place = createPlace()
  mkdirSync(join(place.directory, '.brain'), { mode: 0o700 })
  const file = join(place.directory, '.brain', 'brain.db')
  copyFileSync(join(elsewhere.directory, '.brain', 'brain.db'), file)
  spoil(file, sql)
  return { ...place, file }
}

function spoil(file: string, sql: string | ((file: string) => void)): void {
  if (typeof sql !== 'string') {
    sql(file)
    return
  }
  const database = loadDatabase(file)
  database.unsafeMode(true)
  database.pragma('synchronous = OFF')
  database.pragma('foreign_keys = OFF')
  database.exec(sql)
  database.close()
  chmodSync(file, 0o600)
}

/** Tables of as many projects as brain would make them, all of them in one schema. */
function crowdSchema(file: string): void {
  const database = loadDatabase(file)
  database.unsafeMode(true)
  database.pragma('writable_schema = ON')
  const made = database
    .prepare(
      "SELECT type, name, tbl_name, rootpage, sql FROM sqlite_schema WHERE sql IS NOT NULL AND (name GLOB '*_1' OR name GLOB '*_1_*')",
    )
    .all() as { type: string; name: string; tbl_name: string; rootpage: number; sql: string }[]
  const add = database.prepare('INSERT INTO sqlite_schema VALUES (?, ?, ?, ?, ?)')
  database.exec('BEGIN')
  for (let project = 2; project < 4_000; project += 1) {
    const rename = (text: string): string =>
      text
        .replaceAll(/(memory_of|keyword|term)_1/g, `$1_${project}`)
        .replace('project_id = 1', `project_id = ${project}`)
    for (const { type, name, tbl_name, rootpage, sql } of made)
      add.run(type, rename(name), rename(tbl_name), rootpage, rename(sql))
  }
  database.exec('COMMIT')
  database.close()
}

const commands = [['recall', 'cache'], ['remember', 'a note'], ['key', 'list'], ['duplicates'], ['export']]

async function expectRefused(place: Place & { file: string }, sentence: RegExp): Promise<void> {
  const before = statSync(place.file)
  for (const words of commands) {
    const { code, stderr } = await place.run(words)
    expect({ words, code, stderr }).toEqual({ words, code: 5, stderr: expect.stringMatching(sentence) })
  }
  const doctor = await place.run(['doctor'])
  expect(doctor.stdout + doctor.stderr).toMatch(sentence)
  expect(statSync(place.file).mtimeMs).toBe(before.mtimeMs)
}

describe('a brain from elsewhere', () => {
  it.each([
    [
      'keys',
      `INSERT INTO key ${rows(10_001)} SELECT 'k' || i, 1, x'00', NULL, 1, NULL, NULL, NULL FROM n`,
      'key',
    ],
    ['projects', `INSERT INTO project (name) ${rows(10_001)} SELECT 'p' || i FROM n`, 'project'],
    ['settings', `INSERT INTO setting ${rows(10_001)} SELECT 'k' || i, 'x' FROM n`, 'setting'],
    ['sequences', `INSERT INTO sqlite_sequence ${rows(1_001)} SELECT i, 1 FROM n`, 'sqlite_sequence'],
    ['activity', `INSERT INTO activity ${rows(1_000_001)} SELECT 1, i, 1, i FROM n`, 'activity'],
  ])(
    'with more %s than any brings is refused, and taken once its user says that it is theirs',
    async (_, sql, table) => {
      const place = await bring(sql)
      await expectRefused(place, new RegExp(`holds more than [\\d,]+ rows of ${table}: \`brain trust`))
      expect((await place.run(['trust'])).code).toBe(0)
      expect((await place.run(['recall', 'cache'])).stdout).toContain('the cache is warm')
    },
  )

  it.each([
    [
      'a page of the keyword index',
      'UPDATE keyword_1_data SET block = zeroblob(2000000) WHERE id > 10',
      'keyword_1_data',
    ],
    [
      'a setting of the keyword index',
      "INSERT INTO keyword_1_config VALUES ('x', zeroblob(2000000))",
      'keyword_1_config',
    ],
    [
      'a name in what SQLite counts with',
      'INSERT INTO sqlite_sequence VALUES (zeroblob(2000000), 1)',
      'sqlite_sequence',
    ],
    ['a note', "UPDATE memory SET text = replace(hex(zeroblob(300000)), '0', 'a')", 'memory'],
    [
      'a label of a key',
      "INSERT INTO key VALUES ('k', 1, x'00', hex(zeroblob(300000)), 1, NULL, NULL, NULL)",
      'key',
    ],
  ])('with %s that fills the memory is refused before it is read', async (_, sql, table) => {
    await expectRefused(
      await bring(sql),
      new RegExp(`holds more in one row of ${table} than any brain keeps`),
    )
  })

  it('whose schema has more entries than any brain makes is refused before SQLite reads it', async () => {
    const place = await bring(crowdSchema)
    await expectRefused(place, /has a schema of more than 20,000 entries/)
    const own = await createBrainPlace()
    const { code, stderr } = await own.run(['restore', place.file])
    expect([code, stderr]).toEqual([5, expect.stringContaining('has a schema of more than')])
  })

  it('that is larger than any may be is refused for its size alone', async () => {
    const place = await bring((file) => truncateSync(file, 2 ** 33))
    await expectRefused(place, /has more than 4 GB: `brain trust/)
  })

  it.each(['.', 'run', 'sessions'])('with more files in %s than any brain makes is refused', async (name) => {
    const place = await bring('SELECT 1')
    const directory = join(place.directory, '.brain', name)
    mkdirSync(directory, { recursive: true })
    for (let at = 0; at <= 20_000; at += 1) writeFileSync(join(directory, `${at}-1-1`), '')
    await expectRefused(place, /holds more than 20,000 files/)
  })

  it('whose schema is a page that leads to itself is damaged, and read once', async () => {
    const place = await bring((file) => {
      const bytes = readFileSync(file)
      const size = bytes.readUInt16BE(16)
      // An inner page with one cell, which leads to the first page, as the last pointer does.
      bytes[100] = 0x05
      bytes.writeUInt16BE(1, 103)
      bytes.writeUInt32BE(1, 108)
      bytes.writeUInt16BE(size - 8, 112)
      bytes.writeUInt32BE(1, size - 8)
      writeFileSync(file, bytes)
    })
    const { code, stderr } = await place.run(['recall', 'cache'])
    expect([code, stderr]).toEqual([5, expect.stringMatching(/damaged|has a schema of more than/)])
  })

  it('is looked at anew when a pull puts another one into its place', async () => {
    const place = await bring('SELECT 1')
    expect((await place.run(['recall', 'cache'])).code).toBe(0)
    const pulled = await bring(`INSERT INTO setting ${rows(10_001)} SELECT 'k' || i, 'x' FROM n`)
    // As git does it: a file of its own, under the name of the one before.
    renameSync(pulled.file, place.file)
    await expectRefused(place, /holds more than 10,000 rows of setting/)
  })
})
