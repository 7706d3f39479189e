/**
 * Our own OpenAPI document and the schemas of our tools, held against the daemon; longer by `npm run drill -- schemas`.
 * The seed is printed with what fails; BRAIN_DRILL_SEED plays it again.
 */
import { expect, it } from 'vitest'
import { temporaryDirectory } from '../models/temporary-directory.ts'
import { schemaDrill } from './schema-drill.ts'

const seed = Number(process.env.BRAIN_DRILL_SEED ?? 20_261_122)

it('endpoints and tools take what fits their schema, refuse what does not, and answer as they say', async () => {
  const { faults, answered, refused } = await schemaDrill({ directory: temporaryDirectory(), seed, each: 8 })
  expect({ seed, faults }).toEqual({ seed, faults: [] })
  expect(Math.min(answered, refused)).toBeGreaterThan(20)
})
