/** A daemon under load, briefly. The long form, with its slope of memory, is `npm run drill`. */
import { expect, it } from 'vitest'
import { temporaryDirectory } from '../models/temporary-directory.ts'
import { loadDrill, slopeOf } from './load.ts'

it('a daemon stopped under load ends with 0 within five seconds and keeps what it acknowledged', async () => {
  const figures = await loadDrill(temporaryDirectory(), 2_000)
  expect(figures.faults).toEqual([])
  expect(figures.failures).toBe(0)
  expect(figures.exitCode).toBe(0)
  expect(figures.millisecondsToStop).toBeLessThan(5_000)
})

it('the slope of a line is its slope', () => {
  expect(slopeOf([1, 2, 3, 7].map((x) => [x, 5 - 2 * x] as const))).toBeCloseTo(-2, 12)
})
