/** Numbers that no clock and no formula gives, in every column that may hold one: a brain from elsewhere can bring them. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { loadDatabase } from '../../src/store/sqlite/binding.ts'
import { createBrainPlace, type Place } from '../cli/command-line.ts'

/** A brain with a record of each kind. */
async function createFull(environment?: Record<string, string>): Promise<Place> {
  const place = await createBrainPlace(environment)
  for (const words of [
    ['remember', 'the cache is warm', '--tag', 'x'],
    ['flag', 'never sail without a chart', '0.6'],
    ['edit', '1', 'the cache is cold'],
    ['pin', '1'],
    ['believe', 'tides turn twice'],
    ['predict', 'rain tomorrow', '0.5', '--domain', 'weather', '--due', '2030-01-01'],
    ['predict', 'sun', '0.7', '--domain', 'weather'],
    ['resolve', '2', 'correct', '--actual', 'it shone'],
    ['key', 'create'],
  ]) {
    const { code, stderr } = await place.run(words)
    expect([words, code, stderr]).toEqual([words, 0, expect.any(String)])
  }
  return place
}

const commands = [
  ...[
    'state',
    'list',
    'prime',
    'beliefs',
    'predictions',
    'calibration',
    'key list',
    'export',
    'doctor',
    'projects',
  ],
  ...[
    'overview',
    'show 1',
    'recall cache',
    'assess sail',
    'list --kind belief',
    'dream',
    'dreams',
    'predictions --ics',
  ],
  ...[
    'export --format markdown --output pages',
    'export --format csv',
    'forget 1 --yes',
    'doctor --security',
  ],
]

async function expectNoSurprise(place: Place, lines: readonly string[], where = ''): Promise<void> {
  for (const line of lines) {
    const { code, stdout, stderr } = await place.run(line.split(' '))
    expect([where, line, stdout + stderr]).toEqual([
      where,
      line,
      expect.not.stringMatching(/unexpected error/),
    ])
    expect([where, line, code]).toEqual([
      where,
      line,
      expect.toSatisfy((one: number) => one >= 0 && one <= 5),
    ])
  }
}

it.each([
  ['INTEGER', '9000000000000000'],
  ['INTEGER', '-9000000000000000'],
  ['INTEGER', '9223372036854775807'],
  ['REAL', '9e999'],
  ['REAL', '-9e999'],
  ['TEXT', "'{'"],
  ['BLOB', "x'ff'"],
])('with every %s at %s no command meets an unexpected error', async (type, value) => {
  const place = await createFull()
  const database = loadDatabase(join(place.directory, '.brain', 'brain.db'))
  database.pragma('ignore_check_constraints = ON')
  const tables = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%STRICT%'")
    .all() as { name: string }[]
  for (const { name } of tables) {
    const columns = database.pragma(`table_info('${name}')`) as { name: string; type: string; pk: number }[]
    for (const column of columns) {
      // What refers to others is damage, which is another test's.
      if (column.type !== type || column.pk > 0 || /_id$|^superseded_by$/.test(column.name)) continue
      database.exec(`UPDATE OR IGNORE ${name} SET "${column.name}" = ${value}`)
    }
  }
  database.close()
  await expectNoSurprise(place, commands)
})

const odd = ['-1', '2147483648']

/** What vectors and keyword indexes are read by. */
const guides: readonly (readonly [column: string, values: readonly string[]])[] = [
  ['passage.tokens', ["x'ff'"]],
  ['passage.checksum', odd],
  ['passage.start', odd],
  ['passage.end', odd],
  ['model.dimension', odd],
  ['model.name', ["'retired:builtin'"]],
  ['setting.value', ["'-1'", "'{'"]],
  ['project.memories', odd],
  ['project.terms', odd],
  ['vector_1_chunks.size', odd],
  ['vector_1_chunks.partition00', odd],
  ['vector_1_chunks.validity', ['zeroblob(1000)']],
  ['vector_1_chunks.rowids', ['randomblob(2048)']],
  ['vector_1_rowids.chunk_offset', odd],
  ['vector_1_rowids.chunk_id', odd],
  ['vector_1_vector_chunks00.vectors', ['randomblob(65537)']],
  ['keyword_1_config.v', ['999']],
  ['keyword_1_docsize.sz', ["x'ffffffffffffffffffff'"]],
  ['keyword_1_data.block', ["x'ffffffffffffffffffff'"]],
]

const near =
  'recall cache,assess sail,remember the cache,list,dream,doctor,doctor --fix,recall cache,forget 2 --yes'

it('whatever vectors and keyword indexes are read by may be another: no command meets an unexpected error', async () => {
  const place = await createFull({ BRAIN_EMBEDDER: 'builtin' })
  const file = join(place.directory, '.brain', 'brain.db')
  const whole = readFileSync(file)
  for (const [column, values] of guides) {
    for (const value of values) {
      for (const suffix of ['-wal', '-shm']) rmSync(file + suffix, { force: true })
      writeFileSync(file, whole)
      const database = loadDatabase(file)
      database.unsafeMode(true)
      database.pragma('ignore_check_constraints = ON')
      const [table, name] = column.split('.')
      const { changes } = database.prepare(`UPDATE OR IGNORE ${table} SET ${name} = ${value}`).run()
      database.close()
      expect([column, value, changes]).toEqual([column, value, expect.toSatisfy((one) => one > 0)])
      await expectNoSurprise(place, near.split(','), `${column} = ${value}`)
    }
  }
})
