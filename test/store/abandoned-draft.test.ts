/**
 * A process that died between giving a finished draft its name and removing the draft's own: nothing stands in the way
 * of the next.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, linkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createBrainPlace } from '../cli/command-line.ts'

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
