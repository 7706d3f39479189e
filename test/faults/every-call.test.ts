/**
 * Crash points drawn from all there are; each of them in turn by `npm run drill -- "every call"`. The seed is printed with what
 * fails; BRAIN_DRILL_SEED plays it again.
 */
import { expect, it } from 'vitest'
import { temporaryDirectory } from '../models/temporary-directory.ts'
import { canInterrupt, everyCallDrill } from './every-call.ts'

const seed = Number(process.env.BRAIN_DRILL_SEED ?? 20_261_122)

it.skipIf(!canInterrupt())(
  'killed in any system call, or failed by it, every command leaves all that was acknowledged, nothing half and a brain that opens',
  async () => {
    const { interrupted, ...figures } = await everyCallDrill({
      directory: temporaryDirectory(),
      seed,
      most: 4,
    })
    expect({ seed, faults: figures.faults }).toEqual({ seed, faults: [] })
    expect(interrupted).toBeGreaterThan(20)
  },
)
