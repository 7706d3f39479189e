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

const node = (script: string) => `"${process.execPath}" -e "${script}"`

it('the end of what it writes is kept, in characters, and marked as such', async () => {
  const told = { directory: temporaryDirectory(), environment: { PATH: process.env.PATH }, limit: 10_000 }
  const written = async (count: number) =>
    (await runCommand({ ...told, command: node(`process.stdout.write('ü'.repeat(${count}) + 'end')`) }))
      .output
  expect(await written(1_997)).toBe(`${'ü'.repeat(1_997)}end`)
  expect(await written(9_000)).toBe(`…${'ü'.repeat(1_997)}end`)
})

it('is ended by a signal that is given', async () => {
  const stopping = new AbortController()
  const ended = runCommand({
    command: 'exec sleep 60',
    directory: temporaryDirectory(),
    environment: { PATH: process.env.PATH },
    limit: 90_000,
    signal: stopping.signal,
  })
  stopping.abort()
  expect(await ended).toMatchObject({ exitCode: null, timedOut: false })
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
