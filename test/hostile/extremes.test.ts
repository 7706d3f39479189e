/** Numbers that no clock and no formula gives, in every column that may hold one: a brain from elsewhere can bring them. */
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { loadDatabase } from '../../src/store/sqlite/binding.ts'
import { createBrainPlace, type Place } from '../cli/command-line.ts'

/** A brain with a record of each kind. */
async function createFull(): Promise<Place> {
  const place = await createBrainPlace()
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
].map((line) => line.split(' '))

it.each([
  ['INTEGER', '9000000000000000'],
  ['INTEGER', '-9000000000000000'],
  ['INTEGER', '9223372036854775807'],
  ['REAL', '9e999'],
  ['REAL', '-9e999'],
  ['TEXT', "'{'"],
  ['BLOB', "x'ff'"],
])(
  'with every %s at %s no command meets an unexpected error',
  async (type, value) => {
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
    for (const words of commands) {
      const { code, stdout, stderr } = await place.run(words)
      expect([words, stdout + stderr]).toEqual([words, expect.not.stringMatching(/unexpected error/)])
      expect([words, code]).toEqual([words, expect.toSatisfy((one: number) => one >= 0 && one <= 5)])
    }
  },
  120_000,
)
