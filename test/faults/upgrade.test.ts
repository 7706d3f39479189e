/** An upgrade that is killed. The long form is `npm run drill`. */
import { expect, it } from 'vitest'
import { temporaryDirectory } from '../models/temporary-directory.ts'
import { upgradeDrill } from './upgrade.ts'

it('leaves the old schema or the new one, every record, and a copy made before', async () => {
  const figures = await upgradeDrill({ directory: temporaryDirectory(), rounds: 6, seed: 7, filling: 400 })
  expect(figures.faults).toEqual([])
  expect(figures.leftOld + figures.leftNew).toBe(6)
  expect(figures.leftOld).toBeGreaterThan(0)
})
