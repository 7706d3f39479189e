/** What the page on moving data says of the form of exports is what exports look like, and it has every format that is read. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { foreignFormatNames } from '../../src/transfer/formats/names.ts'
import { createBrainPlace } from '../cli/command-line.ts'

test('the members of every line of an export are the documented ones, in their order', async () => {
  const page = readFileSync('docs/moving-data.md', 'utf8')
  const documented = new Map(
    // The first table is that of our own form; those of other tools' formats follow.
    [
      ...(page.split('\n\n').find((part) => part.includes('| `memory`')) ?? '').matchAll(
        /^\| `(\w+)` *\| (.*?) *\|$/gm,
      ),
    ].map(([, type = '', members = '']) => [
      type,
      ['type', ...[...members.matchAll(/`(\w+)`/g)].map(([, member]) => member)],
    ]),
  )
  const place = await createBrainPlace()
  const commands = [
    ['remember', 'one'],
    ['edit', '1', 'one, edited'],
    ['remember', 'one that nobody edits'],
    ['believe', 'two'],
    ['evidence', '1', '--supporting', '--strength', '0.5'],
    ['predict', 'three', '--domain', 'd'],
    ['note-about', 'planner', 'four'],
  ]
  for (const command of commands) expect((await place.run(command)).code).toBe(0)
  const lines = (await place.run(['export', '--all'])).stdout.trimEnd().split('\n')
  const seen = new Map(
    lines
      .map((line) => Object.keys(JSON.parse(line)))
      .map((keys, at) => [JSON.parse(lines[at] ?? '').type, keys]),
  )
  for (const [type, keys] of seen) expect(documented.get(type)).toEqual(keys)
  expect([...documented.keys()].filter((type) => !seen.has(type))).toEqual(['dream'])
})

test('every format of other tools has its row', () => {
  const page = readFileSync('docs/moving-data.md', 'utf8')
  expect(foreignFormatNames.filter((name) => !page.includes(`\n| \`${name}\` `))).toEqual([])
})
