/** A command of the user's: what is still done about it once it has ended. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { runCommand } from '../../src/checks/run-command.ts'
import { temporaryDirectory } from '../models/temporary-directory.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

it.each(['echo fine', 'no-such-program-here'])('%s is let alone once it has ended', async (command) => {
  const { timedOut } = await runCommand({
    command,
    directory: temporaryDirectory(),
    environment: { PATH: process.env.PATH },
    limit: 10_000,
  })
  expect([timedOut, vi.getTimerCount()]).toEqual([false, 0])
})
