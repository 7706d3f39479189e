/**
 * Every text that a brain can hold may be an attack on the terminal it is read on: no command sends one of them there
 * as it is.
 */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { catalogue } from '../../src/cli/catalogue.ts'
import { loadDatabase } from '../../src/store/sqlite/binding.ts'
import { openSqliteStore } from '../../src/store/sqlite/store.ts'
import { createBrainPlace } from '../cli/command-line.ts'
import { options } from '../store/brain-file.ts'
import { fill } from '../store/everything.ts'

/** Colours and titles, an old control, a direction of writing, what has no width, a tag. */
const hostile = 'red\u001b[31m\u001b]0;title\u0007 \u009b2J \u202etfel \u200b \u{e0041} end'
const sent =
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/u

test('no command sends characters of a stored text to a terminal that do something there', async () => {
  const place = await createBrainPlace()
  const file = join(place.directory, '.brain', 'brain.db')
  const store = await openSqliteStore(file, { ...options, durability: 'normal' })
  const ids = await fill(store, hostile)
  await fill(store, `${hostile} two`)
  await store.close()
  // No command takes such a name; a brain may hold it, and its records say it everywhere.
  const database = loadDatabase(file)
  database.prepare("UPDATE project SET name = 'default' WHERE name = ?").run(hostile)
  database.close()
  const words: Record<string, readonly string[]> = {
    show: [String(ids.memory), String(ids.flag)],
    recall: ['cache warm', '--all', '--explain'],
    assess: ['drop the table'],
    'recall-feedback': [String(ids.memory), '--right', '--score', '0.5'],
    'assess-feedback': [String(ids.flag), hostile],
    'dream-feedback': [String(ids.dream), 'keep'],
    'evidence-for': [String(ids.belief)],
    dreams: ['--read', '--explain'],
    evidence: [String(ids.belief + 2), '--supporting', '--strength', '0.5', '--note', hostile],
    resolve: [String(ids.prediction), 'correct', '--actual', hostile],
    reopen: [String(ids.prediction)],
    forecast: [String(ids.prediction), '0.4', '--note', hostile],
    tag: [String(ids.memory), 'tag\u202e\u200b'],
    untag: [String(ids.memory), 'shared'],
    remember: [hostile],
    believe: [hostile],
    predict: [hostile, '--confidence', '0.5', '--domain', 'domain\u202e\u200b'],
    'note-about': ['agent\u202e\u200b', hostile, '--kind', 'pattern'],
    flag: [hostile],
    edit: [String(ids.memory), hostile],
    pin: [String(ids.memory)],
    unpin: [String(ids.memory)],
    expire: [String(ids.memory), 'tomorrow'],
    verify: [String(ids.memory)],
    revise: [String(ids.belief + 2), hostile],
    forget: [String(ids.memory)],
  }
  const own = 'status,projects,key list,export,doctor,doctor --security,config list,dream,check,key create'
  const kinds = ['belief', 'prediction', 'dream', 'observation'] as const
  const lines = [
    ...kinds.map((kind) => ['show', kind, String(ids[kind])]),
    ...catalogue.map(({ command }) => [command, ...(words[command] ?? [])]),
    ...own.split(',').map((line) => line.split(' ')),
    // Refusals name what they refuse.
    ['recall', hostile, '--tag', hostile],
    ['list', '--agent', hostile],
    [hostile],
    ['show', hostile],
    ['import', hostile],
    ['config', 'set', hostile, hostile],
    ['backup', hostile],
  ].sort((one, other) => Number(one[0] === 'forget') - Number(other[0] === 'forget'))
  const found: unknown[] = []
  let answered = 0
  for (const line of lines) {
    for (const json of [false, true]) {
      const argv = [...line, ...(json ? ['--json'] : [])]
      const { code, stdout, stderr } = await place.run(argv, { interactive: true, columns: 200 })
      if (code === 0) answered += 1
      const character = sent.exec(stdout + stderr)?.[0]
      if (character !== undefined)
        found.push({ line, json, character: character.codePointAt(0)?.toString(16), stdout, stderr })
    }
  }
  expect(found).toEqual([])
  expect(answered).toBeGreaterThan(60)
})
