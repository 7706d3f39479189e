/** A process that is killed while it replaces a small file of a brain: the next that opens the brain removes what it left. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { createBrainPlace } from '../cli/command-line.ts'
import { bundle } from '../faults/bundle.ts'

/** Large enough to be killed in the middle of. */
const bytes = 256 * 1_048_576

it('a file that a killed process was replacing is removed by the next command', async () => {
  const place = await createBrainPlace()
  await place.run(['remember', 'the harbour pilot left at dawn'])
  const brain = join(place.directory, '.brain')
  const before = readdirSync(brain)
  const replacing = pathToFileURL(await bundle('src/replace-file.ts')).href
  const script = `import { replaceFile } from ${JSON.stringify(replacing)}
for (;;) replaceFile(${JSON.stringify(join(brain, 'readings-0123456789ab.json'))}, 'x'.repeat(${bytes}))`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script])
  const left = (): string[] => readdirSync(brain).filter((name) => !before.includes(name))
  while (left().every((name) => name === 'readings-0123456789ab.json')) {
    if (child.exitCode !== null) throw new Error('it ended by itself')
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  child.kill('SIGKILL')
  await once(child, 'close')
  expect(left()).not.toEqual([])

  expect(await place.run(['recall', 'pilot'])).toMatchObject({ code: 0 })
  expect(left().filter((name) => name.includes(String(child.pid)))).toEqual([])
})
