/** What hooks of one session leave for each other. */
import { spawnSync } from 'node:child_process'
import { readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { afterFailure, afterPass } from '../../src/agents/capture.ts'
import { directoryIn, readSession, writeSession } from '../../src/agents/session-state.ts'
import {
  giveBack,
  haveWaiting,
  putAside,
  removeWaiting,
  takeWaiting,
} from '../../src/agents/waiting-notes.ts'
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

test('notes that wait are kept by one of the hooks that find them, or by a later one', async () => {
  const brain = temporaryDirectory()
  const notes = [{ text: 'we freeze on Friday', caution: 0 }]
  putAside(brain, notes, 1)
  const [first, second] = [await takeWaiting(brain, 2), await takeWaiting(brain, 2)]
  expect([first, second]).toMatchObject([[{ at: 1, notes }], []])
  expect(haveWaiting(brain)).toBe(false)
  // It could not keep them.
  for (const one of first) giveBack(one)
  expect(haveWaiting(brain)).toBe(true)
  await takeWaiting(brain, 2)
  const [taken = ''] = readdirSync(directoryIn(brain))
  // It was killed meanwhile.
  const { pid } = spawnSync(process.execPath, ['-e', ''])
  renameSync(join(directoryIn(brain), taken), join(directoryIn(brain), taken.replace(/\d+$/, String(pid))))
  const again = await takeWaiting(brain, 2)
  expect(again).toMatchObject([{ at: 1, notes }])
  for (const one of again) {
    removeWaiting(one)
    giveBack(one)
  }
  expect(readdirSync(directoryIn(brain))).toEqual([])
})
