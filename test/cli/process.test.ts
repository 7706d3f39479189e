import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryDirectory } from '../models/temporary-directory.ts'
import { childEnvironment, execute, program, runBuilt } from './command-line.ts'

async function brainWith(notes: readonly string[]): Promise<string> {
  const directory = temporaryDirectory()
  expect(await runBuilt(directory, ['init', '--yes'])).toMatchObject({ code: 0 })
  for (const note of notes)
    expect(await runBuilt(directory, ['remember', '-'], { stdin: note })).toMatchObject({ code: 0 })
  return directory
}

const inShell = (directory: string, line: string) =>
  execute('bash', ['-c', `set -o pipefail; ${line}`], {
    cwd: directory,
    env: { ...childEnvironment(directory), NODE: process.execPath, BRAIN: program },
  })

describe('the command as a process', () => {
  test('says so where the working directory is gone, and still helps', async () => {
    const line = (words: string) => `mkdir gone && cd gone && rmdir "$PWD" && exec "$NODE" "$BRAIN" ${words}`
    expect(await inShell(temporaryDirectory(), line('recall x'))).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'brain: the working directory is gone: change into one that is there\n',
    })
    expect((await inShell(temporaryDirectory(), line('--help'))).code).toBe(0)
  })

  test('says how to build a clone that is not built', async () => {
    const directory = temporaryDirectory()
    cpSync(dirname(program), join(directory, 'bin'), { recursive: true })
    const told = await execute(process.execPath, [join(directory, 'bin', 'brain.js'), '--help'], {
      env: childEnvironment(directory),
    })
    expect(told).toMatchObject({ code: 1, stdout: '' })
    expect(told.stderr).toBe('brain: not built yet: run `npm ci && npm run build` in the clone\n')
  })

  test('remembers and recalls', async () => {
    const directory = await brainWith(['the staging cluster is called kestrel'])
    const { stdout, stderr, code } = await runBuilt(directory, ['recall', 'staging cluster', '--json'])
    expect([code, stderr]).toEqual([0, ''])
    expect(JSON.parse(stdout)).toMatchObject({ mode: 'keyword', results: [{ id: 1 }] })
  })

  test('output above 64 KiB arrives whole through a pipe', async () => {
    const text = `whole ${'0123456789'.repeat(4_500)}`
    const directory = await brainWith([text, text, text])
    const { stdout } = await inShell(directory, '"$NODE" "$BRAIN" recall whole --json | (sleep 0.3; cat)')
    expect(stdout.length).toBeGreaterThan(130_000)
    expect(JSON.parse(stdout).results).toHaveLength(3)
  })

  test('a reader that goes away ends it quietly', async () => {
    const directory = await brainWith([`quiet ${'x'.repeat(60_000)}`, `quiet ${'y'.repeat(60_000)}`])
    const { stderr, code } = await inShell(directory, '"$NODE" "$BRAIN" recall quiet | head -c 10 >/dev/null')
    expect([code, stderr]).toEqual([0, ''])
    expect(readdirSync(join(directory, '.brain', 'run'))).toEqual([])
  })

  test('a note that waits for standard input when Ctrl-C comes is not kept', async () => {
    const directory = await brainWith([])
    const child = spawn(process.execPath, [program, 'remember', '-'], {
      cwd: directory,
      env: childEnvironment(directory),
    })
    child.stdin.write('half a no')
    setTimeout(() => child.kill('SIGINT'), 300)
    const [code, signal] = await once(child, 'close')
    expect([code, signal]).toEqual([null, 'SIGINT'])
    expect(JSON.parse((await runBuilt(directory, ['recall', 'anything', '--json'])).stdout).results).toEqual(
      [],
    )
  })

  test('a mask that takes everything from everybody leaves the owner what the owner made', async () => {
    const directory = temporaryDirectory()
    const { code } = await inShell(
      directory,
      'umask 777; "$NODE" "$BRAIN" init --yes && "$NODE" "$BRAIN" remember a',
    )
    expect(code).toBe(0)
    expect(statSync(join(directory, '.brain', '.gitignore')).mode & 0o777).toBe(0o600)
  })
})
