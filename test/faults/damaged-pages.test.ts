/** Any page of a brain may be damaged: commands answer from what is left, or say so with the remedy; none is surprised. */
import { copyFileSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createBrainPlace } from '../cli/command-line.ts'

const commands = [
  ['recall', 'cache'],
  ['remember', 'one more'],
  ['assess', 'drop the cache'],
  ['state'],
  ['export'],
  ['doctor'],
  ['forget', '3'],
  ['doctor', '--fix'],
  ['recall', 'cache'],
]

it.each([
  ['garbled', (page: Uint8Array) => page.fill(0xa5)],
  ['blank', (page: Uint8Array) => page.fill(0)],
  ['half gone', (page: Uint8Array) => page.fill(0, 2_048)],
])('no command is surprised by a page that is %s', async (_, damage) => {
  const place = await createBrainPlace()
  for (let at = 0; at < 12; at += 1)
    await place.run(['remember', `the cache is warm ${at} ${'word '.repeat(60)}`])
  await place.run(['flag', 'never drop the cache'])
  const file = join(place.directory, '.brain', 'brain.db')
  const whole = `${file}.whole`
  copyFileSync(file, whole)
  const pages = statSync(whole).size / 4_096
  const surprises: unknown[] = []
  for (let page = 1; page < pages; page += 5) {
    const bytes = readFileSync(whole)
    damage(bytes.subarray(page * 4_096, (page + 1) * 4_096))
    for (const suffix of ['-wal', '-shm']) rmSync(file + suffix, { force: true })
    writeFileSync(file, bytes)
    for (const words of commands) {
      const { code, stderr } = await place.run(words)
      const told =
        code === 0 || (code === 1 && words[0] === 'doctor') || (code === 5 && /doctor|backup/.test(stderr))
      if (!told && !/memory 3 not found/.test(stderr))
        surprises.push({ page, words: words.join(' '), code, stderr })
    }
  }
  expect(surprises).toEqual([])
})
