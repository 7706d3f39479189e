/**
 * Two short scenes of the property of forgetting; long ones by `npm run drill -- forgetting`. The seed is printed with
 * what fails; BRAIN_DRILL_SEED plays it again.
 */
import { describe, expect, it } from 'vitest'
import { playForgetting } from '../faults/forgetting.ts'
import { temporaryDirectory } from './brain-file.ts'

const seed = Number(process.env.BRAIN_DRILL_SEED ?? 20_261_122)

describe('whatever is kept and forgotten in whatever order', () => {
  it.each([
    ['few', 5],
    ['many', 60],
  ])('no piece of a forgotten text is left among %s flags', async (_, flags) => {
    for (const again of [0, 1]) {
      const directory = temporaryDirectory()
      expect(await playForgetting({ directory, seed: seed + again, flags, steps: 14 })).toEqual([])
    }
  })
})
