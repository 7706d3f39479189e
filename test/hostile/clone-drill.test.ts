/**
 * Hostile brains drawn from a grammar; more of them, and every command in each, by `npm run drill -- clones`. The seed is printed
 * with what fails; BRAIN_DRILL_SEED plays it again.
 */
import { expect, it } from 'vitest'
import { temporaryDirectory } from '../models/temporary-directory.ts'
import { cloneDrill } from './clone-drill.ts'

const seed = Number(process.env.BRAIN_DRILL_SEED ?? 5_000)

it('whatever a repository carries as its brain, commands end in words and touch nothing outside', async () => {
  const { faults, commands } = await cloneDrill({
    directory: temporaryDirectory(),
    clones: 16,
    each: 4,
    // Five seconds, and a wide margin for a machine that does other things.
    limit: 20_000,
    seed,
  })
  expect({ seed, faults }).toEqual({ seed, faults: [] })
  expect(commands).toBe(64)
})
