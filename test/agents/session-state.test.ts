/** What hooks of one session leave for each other. */
import { expect, test } from 'vitest'
import { afterFailure, afterPass } from '../../src/agents/capture.ts'
import { readSession, writeSession } from '../../src/agents/session-state.ts'
import { temporaryDirectory } from '../models/temporary-directory.ts'

test('a long command that failed takes nothing else from a session', () => {
  const brain = temporaryDirectory()
  const state = { ...readSession(brain, 's'), shown: [1, 2], head: 'abc', edited: ['a.ts'] }
  const { failures: _, ...without } = state
  const long = `cat <<E\n${'x'.repeat(70_000)}\nE`
  const failed = afterFailure(state, { command: long, error: long })
  writeSession(brain, 's', afterPass(afterPass(failed, 'npm run long').state, `make '${long}'`).state)
  const { failures, ...rest } = readSession(brain, 's')
  expect(rest).toEqual({ ...without, ran: ['npm run long'] })
  expect(failures).toEqual([{ command: long.slice(0, 2_000), error: long.slice(0, 2_000) }])
})
