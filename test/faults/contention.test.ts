/** Eight processes on one brain. The long form is `npm run drill`. */
import { expect, it } from 'vitest'
import { temporaryDirectory } from '../models/temporary-directory.ts'
import { contentionDrill } from './contention.ts'

it('library processes, shells and a daemon with its clients write at once: no lock error, nothing lost', async () => {
  const figures = await contentionDrill(temporaryDirectory(), 2_500)
  expect(figures.faults).toEqual([])
  expect(figures.lockErrors).toBe(0)
  expect(figures.checked).toBeGreaterThan(50)
})
