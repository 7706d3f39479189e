/** A word about what recall found, and the brain's own track record, as a person meets them in a shell. */
import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createBrainPlace } from './command-line.ts'

it('takes the score from the last recall, which a person need not type', async () => {
  const place = await createBrainPlace()
  await place.run(['remember', 'the cache is warm'])
  const found = JSON.parse((await place.run(['recall', 'cache', '--json'])).stdout)
  const shown = [...found.results, ...found.keyword_extra][0]
  expect((await place.run(['recall', 'feedback', '1', '--right'])).stdout).toContain('noted that 1 was right')
  expect((await place.run(['recall', 'feedback', '1', 'right'])).stdout).toContain(
    'noted that 1 was right; 2 in all',
  )
  const { bins, n } = JSON.parse((await place.run(['calibration', '--recall', '--json'])).stdout)
  expect(n).toBe(2)
  expect(bins[0].mean_confidence).toBe(shown.score)
  expect((await place.run(['calibration', '--recall'])).stdout).toContain('2 of 2 results were right')
})

it('says what to do of a memory that the last recall did not show, and takes a score by hand', async () => {
  const place = await createBrainPlace()
  await place.run(['remember', 'the cache is warm'])
  expect(await place.run(['recall', 'feedback', '1', '--wrong'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('recall it first, or name its score with --score'),
  })
  expect((await place.run(['recall', 'feedback', '1', '--wrong', '--score', '0.4'])).code).toBe(0)
})

it('leaves questions that begin with the word feedback to recall', async () => {
  const place = await createBrainPlace()
  await place.run(['remember', 'feedback from customers is collected on Mondays'])
  expect((await place.run(['recall', 'feedback', 'customers'])).stdout).toContain('collected on Mondays')
  expect((await place.run(['recall', 'feedback', '12'])).code).toBe(0)
})

it('is meant as well where an option has the command’s name for its value', async () => {
  const place = await createBrainPlace()
  const ofProject = (...words: string[]) => place.run(['--project', 'recall', ...words])
  await ofProject('remember', 'the cache is warm')
  await ofProject('recall', 'cache')
  expect((await ofProject('recall', 'feedback', '1', '--right')).stdout).toContain('noted that 1 was right')
})

it('writes the last scores through no link', async () => {
  const place = await createBrainPlace()
  await place.run(['remember', 'the cache is warm'])
  const file = join(place.directory, '.brain', 'last-recall.json')
  const precious = join(place.directory, 'precious')
  writeFileSync(precious, 'mine')
  rmSync(file, { force: true })
  symlinkSync(precious, file)
  await place.run(['recall', 'cache'])
  // Whoever may write there: a brain with links in it is not opened.
  expect(readFileSync(precious, 'utf8')).toBe('mine')
})
