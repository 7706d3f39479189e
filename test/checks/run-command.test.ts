/** A command of the user's: what is still done about it once it has ended. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
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

it.skipIf(process.platform === 'win32')('what it leaves running ends with it', async () => {
  const directory = temporaryDirectory()
  await runCommand({
    command: '(sleep 1; touch late) > /dev/null 2>&1 & exit 0',
    directory,
    environment: { PATH: process.env.PATH },
    limit: 10_000,
  })
  vi.useRealTimers()
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  expect(existsSync(join(directory, 'late'))).toBe(false)
})
