/** A minute's worth of what `npm run drill -- soak` does for an hour, in a fifth of that. */
import { expect, it } from 'vitest'
import { temporaryDirectory } from '../models/temporary-directory.ts'
import { soakDrill } from './soak.ts'

const seed = Number(process.env.BRAIN_DRILL_SEED ?? 20_261_122)

it('clients, kills, restarts and clocks set forward and back lose nothing acknowledged and date nothing wrong', async () => {
  const { faults, acknowledged } = await soakDrill({
    directory: temporaryDirectory(),
    seed,
    milliseconds: 12_000,
    clients: 4,
  })
  expect({ seed, faults }).toEqual({ seed, faults: [] })
  expect(acknowledged).toBeGreaterThan(0)
})
