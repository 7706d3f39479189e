/** What a page of a list says of the pages after it. */
import { expect, it } from 'vitest'
import { createBrainPlace } from '../command-line.ts'

it.each(['list', 'predictions'])('brain %s names the next page only where there is one', async (command) => {
  const place = await createBrainPlace()
  for (let at = 1; at <= 23; at += 1) await place.run(['predict', `build ${at} passes`, '--domain', 'builds'])
  const lastLine = async (...words: string[]) =>
    (await place.run([command, ...words])).stdout.trim().split('\n').at(-1)
  expect(await lastLine()).toBe('20 of 23: --page 2 shows the next')
  expect(await lastLine('--page', '2')).not.toContain('shows the next')
  expect(await lastLine('--page', '2', '--limit', '10')).toBe('20 of 23: --page 3 shows the next')
  expect(await lastLine('--page', '3', '--limit', '10')).not.toContain('shows the next')
})
