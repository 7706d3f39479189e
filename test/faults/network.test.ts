/** What leaves the machine when nobody asked for anything to leave: nothing. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, it, onTestFinished } from 'vitest'
import { execute, program } from '../cli/command-line.ts'
import { temporaryDirectory } from '../models/temporary-directory.ts'

const loopback = /^(connect|look up) (127\.0\.0\.1|::1|localhost)\b/

function createWatched() {
  const directory = temporaryDirectory()
  const notes = join(directory, 'network-notes')
  const env = {
    PATH: process.env.PATH,
    HOME: directory,
    BRAIN_DIR: directory,
    NODE_OPTIONS: `--require ${resolve('test/faults/network-watch.cjs')}`,
    NETWORK_NOTES: notes,
  }
  return {
    env,
    run: (...words: string[]) => execute(process.execPath, [program, ...words], { cwd: directory, env }),
    abroad: () =>
      existsSync(notes)
        ? readFileSync(notes, 'utf8')
            .trim()
            .split('\n')
            .filter((line) => !loopback.test(line))
        : [],
  }
}

it('commands of every kind reach for no other machine', async () => {
  const { run, abroad } = createWatched()
  for (const words of [
    ['init', '--yes'],
    ['remember', 'the cache is warm'],
    ['recall', 'is the cache warm?'],
    ['flag', 'never drop the users table'],
    ['assess', 'drop the users table'],
    ['believe', 'the cache is the bottleneck'],
    ['state'],
    ['dream'],
    ['reindex'],
    ['doctor'],
    ['export'],
    ['model', 'list'],
    ['--version'],
  ]) {
    const { code, stderr } = await run(...words)
    expect({ words, code, stderr: code === 0 ? '' : stderr }).toEqual({ words, code: 0, stderr: '' })
  }
  expect(abroad()).toEqual([])
})

it('a daemon that is asked for everything reaches for no other machine', async () => {
  const { env, run, abroad } = createWatched()
  await run('init', '--yes')
  const { key } = JSON.parse((await run('key', 'create', '--json')).stdout) as { key: string }
  const daemon = spawn(process.execPath, [program, 'serve', '--port', '0', '--json', '--log', 'off'], { env })
  onTestFinished(() => void daemon.kill('SIGKILL'))
  const [line] = (await once(createInterface(daemon.stdout), 'line')) as [string]
  const { url } = JSON.parse(line) as { url: string }
  for (const [path, body] of [
    ['/v1/remember', { text: 'the cache is warm' }],
    ['/v1/recall', { query: 'is it warm?' }],
    ['/v1/assess', { topic: 'http://example.com/fetch-me' }],
    ['/v1/state'],
    ['/v1/openapi.json'],
  ] as const) {
    const reply = await fetch(`${url}${path}`, {
      headers: { 'x-svc-key': key, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
    expect({ path, status: reply.status }).toEqual({ path, status: 200 })
  }
  daemon.kill('SIGTERM')
  await once(daemon, 'close')
  expect(abroad()).toEqual([])
})

it('the watch itself sees what a program reaches for', async () => {
  const { env, abroad } = createWatched()
  const script = `
    fetch('http://192.0.2.1:8080/', { signal: AbortSignal.timeout(200) }).catch(() => {})
    require('node:dns').lookup('example.invalid', () => {})`
  await execute(process.execPath, ['-e', script], { env })
  expect(abroad()).toEqual(
    expect.arrayContaining([expect.stringContaining('192.0.2.1'), 'look up example.invalid']),
  )
})
