/**
 * A process between giving a finished draft its name and removing the draft's own, alive or dead by then: nothing stands in
 * the way of the next.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, linkSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createBrainPlace, createPlace } from '../cli/command-line.ts'

it('a draft of a dead process that has two names is removed, and the file it became stays', async () => {
  const place = await createBrainPlace()
  await place.run(['remember', 'the harbour pilot left at dawn'])
  const { pid } = spawnSync(process.execPath, ['-e', ''])
  const brain = join(place.directory, '.brain')
  const name = 'before-schema-6-from-2-1795374555158.db'
  const draft = join(brain, `.${name}.${pid}-1.draft`)
  writeFileSync(draft, '', { mode: 0o600 })
  linkSync(draft, join(brain, name))

  expect(await place.run(['recall', 'pilot'])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('harbour pilot'),
  })
  expect([existsSync(draft), existsSync(join(brain, name))]).toEqual([false, true])
})

it('a draft of a living process that has two names for a moment keeps nobody out', async () => {
  const place = await createBrainPlace()
  await place.run(['remember', 'the harbour pilot left at dawn'])
  const brain = join(place.directory, '.brain')
  const draft = join(brain, `.before-schema-6-from-2-1795374555158.db.${process.ppid}-1.draft`)
  writeFileSync(draft, '', { mode: 0o600 })
  linkSync(draft, join(brain, 'before-schema-6-from-2-1795374555158.db'))

  expect(await place.run(['recall', 'pilot'])).toMatchObject({ code: 0, stderr: '' })
  expect(existsSync(draft)).toBe(true)
})

it('two that make one brain at once are not in the way of each other', async () => {
  const place = createPlace()
  const brain = join(place.directory, '.brain')
  mkdirSync(brain, { mode: 0o700 })
  const draft = join(brain, `.brain.db.${process.ppid}-1.draft`)
  writeFileSync(draft, '', { mode: 0o600 })
  linkSync(draft, join(brain, 'somewhere'))

  expect(await place.run(['init', '--yes'])).toMatchObject({ code: 0, stderr: '' })
})
