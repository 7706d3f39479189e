/**
 * Sessions with `brain mcp` that no client should lead; more of them by `npm run drill -- mcp`. The seed is printed
 * with what fails; BRAIN_DRILL_SEED plays it again.
 */
import { expect, it } from 'vitest'
import { temporaryDirectory } from '../models/temporary-directory.ts'
import { mcpDrill } from './mcp-drill.ts'

const seed = Number(process.env.BRAIN_DRILL_SEED ?? 7_000)

it('whatever a client sends, the server lives, says nothing but JSON-RPC, and answers each request once', async () => {
  const { faults, answers } = await mcpDrill({ directory: temporaryDirectory(), seed, sessions: 8, each: 40 })
  expect({ seed, faults }).toEqual({ seed, faults: [] })
  expect(answers).toBeGreaterThan(100)
})
