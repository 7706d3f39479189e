import { type ChildProcess, spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { noteDaemon } from '../../src/config/daemon-note.ts'
import { lifeOf } from '../../src/process-life.ts'
import { childEnvironment, createBrainPlace, runBuilt } from '../cli/command-line.ts'
import { call } from './daemon.ts'
import { ownPort } from './own-port.ts'

const noteIn = (directory: string): string => join(directory, '.brain', 'daemon.json')

async function makePlace(): Promise<string> {
  const { directory } = await createBrainPlace()
  onTestFinished(async () => void (await runBuilt(directory, ['stop'])))
  return directory
}

async function detach(
  directory: string,
  ...words: string[]
): Promise<{ url: string; pid: number; dir: string }> {
  const { code, stdout, stderr } = await runBuilt(directory, ['serve', '--detach', '--json', ...words])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout)
}

test('a detached daemon outlives its command, is found by others, and is gone after brain stop', async () => {
  const directory = await makePlace()
  const { url, pid } = await detach(directory, '--key-file', 'key')
  const key = readFileSync(join(directory, 'key'), 'utf8').trim()
  const remembered = await call({ url, key }, '/v1/remember', { body: { text: 'the fox crossed' } })
  expect(remembered.status).toBe(200)
  expect(statSync(noteIn(directory)).mode & 0o777).toBe(0o600)
  expect(JSON.parse(readFileSync(noteIn(directory), 'utf8'))).toMatchObject({ url, pid })
  const status = await runBuilt(directory, ['status', '--json'])
  expect(JSON.parse(status.stdout).daemon).toMatchObject({ url, pid })
  expect((await runBuilt(directory, [])).stdout).toContain(`served at ${url} (process ${pid})`)
  const stopped = await runBuilt(directory, ['stop'])
  expect(stopped).toMatchObject({ code: 0, stdout: `stopped the daemon at ${url} (process ${pid})\n` })
  await expect(fetch(`${url}/health`)).rejects.toThrow()
  expect(existsSync(noteIn(directory))).toBe(false)
  expect(JSON.parse((await runBuilt(directory, ['status', '--json'])).stdout).daemon).toBeNull()
})

test('two brains are served at once: the second takes the next port that is free', async () => {
  const [first, second] = [await makePlace(), await makePlace()]
  const one = await detach(first)
  const other = await detach(second)
  expect(new URL(other.url).port).not.toBe(new URL(one.url).port)
  for (const { url } of [one, other]) expect((await fetch(`${url}/health`)).status).toBe(200)
})

test("a person's own brain is made and served from their file where projects have a database", async () => {
  const { directory } = await createBrainPlace()
  const env = { BRAIN_STORE: 'postgres://nobody@127.0.0.1:1/none' }
  const run = (...words: string[]) => runBuilt(directory, ['--global', ...words], { env })
  onTestFinished(async () => void (await run('stop')))
  expect(await run('init', '--yes')).toMatchObject({ code: 0, stderr: '' })
  const detached = await run('serve', '--detach', '--json', '--key-file', 'key')
  expect(detached).toMatchObject({ code: 0, stderr: '' })
  const key = readFileSync(join(directory, 'key'), 'utf8').trim()
  const { url } = JSON.parse(detached.stdout)
  expect((await call({ url, key }, '/v1/remember', { body: { text: 'mine alone' } })).status).toBe(200)
  expect((await run('list')).stdout).toContain('mine alone')
})

test("a daemon takes the port of its brain's setting", async () => {
  const [first, second] = [await makePlace(), await makePlace()]
  const port = await ownPort()
  const free = createServer().listen(port, '127.0.0.1')
  await new Promise((resolve) => free.once('listening', resolve))
  await runBuilt(first, ['config', 'set', 'serve.port', String(port)])
  // Taken as yet.
  const beside = await detach(first)
  expect(Number(new URL(beside.url).port)).toBeGreaterThan(port)
  await runBuilt(first, ['stop'])
  await new Promise((resolve) => free.close(resolve))
  expect((await detach(first)).url).toBe(`http://127.0.0.1:${port}`)
  // Whoever names a port gets that one or none.
  const named = await runBuilt(second, ['serve', '--detach', '--port', String(port)])
  expect(named).toMatchObject({ code: 1, stdout: '' })
  expect(named.stderr).toContain(`cannot listen on 127.0.0.1:${port}: a brain is served there already`)
})

test('a second daemon of one brain names the first, and takes another port only when asked for one', async () => {
  const directory = await makePlace()
  const { url, pid } = await detach(directory)
  for (const words of [['serve'], ['serve', '--detach']]) {
    const second = await runBuilt(directory, words)
    expect(second).toMatchObject({ code: 1, stdout: '' })
    expect(second.stderr).toContain(`this brain is served at ${url} already (process ${pid})`)
    expect(second.stderr).toContain('brain stop')
  }
  const asked = await detach(directory, '--port', '0')
  onTestFinished(() => void process.kill(asked.pid, 'SIGKILL'))
  expect(JSON.parse(readFileSync(noteIn(directory), 'utf8')).url).toBe(url)
  expect(readFileSync(join(directory, '.brain', 'daemon.log'), 'utf8')).toContain(
    `the daemon at ${url} serves this brain too: \`brain stop\` ends that one, \`kill ${asked.pid}\` this one`,
  )
})

test.each([
  ['brain serve', ['serve'], 1, 'this brain is served at http://127.0.0.1:4999 already'],
  ['brain open', ['open', '--print'], 1, 'the daemon on http://127.0.0.1:4999 does not answer'],
])(
  'of two daemons that are started at once one serves the brain, and %s knows it',
  async (_, words, code, told) => {
    const directory = await makePlace()
    const brain = join(directory, '.brain')
    const place = { directory: brain }
    // The note of one, which is to be found when the other has looked for one and listens.
    const takeBack = noteDaemon(place, {
      url: 'http://127.0.0.1:4999',
      pid: process.pid,
      version: '0',
      startedAt: Date.now(),
    })
    const note = readFileSync(noteIn(directory), 'utf8')
    takeBack?.()
    const lock = `${noteIn(directory)}.lock`
    writeFileSync(lock, `${process.pid}\n${lifeOf(process.pid)}`)
    const second = runBuilt(directory, words)
    await expect.poll(() => readdirSync(join(brain, 'run'))).toHaveLength(1)
    writeFileSync(noteIn(directory), note)
    rmSync(lock)
    const ended = await second
    rmSync(noteIn(directory), { force: true })
    expect(ended).toMatchObject({ code, stdout: '' })
    expect(ended.stderr).toContain(told)
    await expect.poll(() => readdirSync(join(brain, 'run'))).toEqual([])
  },
)

test('what a detached daemon refuses is refused by the command that starts it', async () => {
  const directory = await makePlace()
  expect(await runBuilt(directory, ['serve', '--detach', '--dream-at', '3am'])).toMatchObject({
    code: 2,
    stdout: '',
    stderr: 'brain: dream.at must be a local time HH:MM\n',
  })
  const bare = await runBuilt(directory, ['serve', '--detach', '--host', '0.0.0.0'])
  expect(bare.code).toBe(2)
  expect(bare.stderr).toContain('--insecure-http')
  expect(existsSync(noteIn(directory))).toBe(false)
  writeFileSync(join(directory, '.brain', 'brain.db'), 'no database')
  const [there, here] = [
    await runBuilt(directory, ['serve', '--detach']),
    await runBuilt(directory, ['serve']),
  ]
  expect(here).toMatchObject({ code: 5, stdout: '' })
  expect(there).toEqual(here)
})

test('where no daemon serves the brain, stop says so and how to start one', async () => {
  const directory = await makePlace()
  expect(await runBuilt(directory, ['stop'])).toMatchObject({
    code: 3,
    stderr: 'brain: no daemon serves this brain: `brain serve --detach` starts one\n',
  })
})

test('the note of a daemon that was killed counts for nothing', async () => {
  const directory = await makePlace()
  const { pid } = await detach(directory)
  process.kill(pid, 'SIGKILL')
  await expect.poll(async () => (await runBuilt(directory, ['stop'])).code).toBe(3)
  expect(JSON.parse((await runBuilt(directory, ['status', '--json'])).stdout).daemon).toBeNull()
  const again = await detach(directory)
  expect(JSON.parse(readFileSync(noteIn(directory), 'utf8'))).toMatchObject({ pid: again.pid })
  expect(again.pid).not.toBe(pid)
})

test('a copy of a brain is not served by the daemon of the original', async () => {
  const directory = await makePlace()
  const { url, pid } = await detach(directory)
  const copy = join(directory, 'copy')
  cpSync(join(directory, '.brain'), join(copy, '.brain'), { recursive: true })
  expect((await runBuilt(copy, ['stop'])).code).toBe(3)
  expect((await fetch(`${url}/health`)).status).toBe(200)
  const own = await detach(copy)
  expect((await runBuilt(copy, ['stop'])).stdout).toContain(`process ${own.pid}`)
  expect((await runBuilt(directory, ['stop'])).stdout).toContain(`process ${pid}`)
})

test('a note that names another machine is sent no key', async () => {
  const { directory, run } = await createBrainPlace()
  const elsewhere = { url: 'http://192.0.2.7:4747', pid: process.pid, version: '0', startedAt: 0 }
  const forget = noteDaemon({ directory: join(directory, '.brain') }, elsewhere)
  onTestFinished(() => forget?.())
  expect(await run(['open', '--print'])).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining(
      'http://192.0.2.7:4747 is no address of this machine, and is sent no key',
    ),
  })
  expect(JSON.parse((await run(['key', 'list', '--json'])).stdout)).toEqual({ keys: [] })
})

test.skipIf(process.platform === 'win32').each([
  ['opens one', 0, /^$/, /^opened http.* in your browser/],
  ['says that it found none', 3, /^http:\S+\/#code=\S+\n$/, /^no browser was opened: open this address/],
])('open believes a program that %s', async (_, code, stdout, stderr) => {
  const directory = await makePlace()
  await detach(directory)
  const opener = join(directory, 'opener')
  writeFileSync(opener, `#!/bin/sh\nexit ${code}\n`, { mode: 0o755 })
  expect(await runBuilt(directory, ['open'], { env: { BROWSER: opener } })).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(stdout),
    stderr: expect.stringMatching(stderr),
  })
})

test('stop ends no process that a note from elsewhere names', async () => {
  const directory = await makePlace()
  const bystander: ChildProcess = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)'], {
    env: childEnvironment(directory),
  })
  onTestFinished(() => void bystander.kill('SIGKILL'))
  const { pid } = bystander
  const forged = [
    { url: 'http://127.0.0.1:4747', pid, version: '1', started_at: new Date().toISOString(), life: '' },
    { url: 'http://127.0.0.1:4747', pid, version: '1', started_at: new Date().toISOString(), life: 'x 1' },
    // What everybody can read of a process is not all that a note of ours holds.
    {
      url: 'http://127.0.0.1:4747',
      pid,
      version: '1',
      started_at: new Date().toISOString(),
      life: lifeOf(pid ?? 0),
    },
    { url: 'http://127.0.0.1:4747', pid: -1, version: '1', started_at: '', life: '' },
    { url: 'http://127.0.0.1:4747/\u001b[31m', pid, version: '1', started_at: '', life: '' },
    'no note',
  ]
  for (const note of forged) {
    writeFileSync(noteIn(directory), JSON.stringify(note))
    expect((await runBuilt(directory, ['stop'])).code).toBe(3)
  }
  writeFileSync(noteIn(directory), 'x'.repeat(10_000))
  expect((await runBuilt(directory, ['stop'])).code).toBe(3)
  expect(bystander.exitCode ?? bystander.signalCode).toBeNull()
})

test('a log that leads elsewhere is not written to', async () => {
  const directory = await makePlace()
  const elsewhere = join(directory, 'elsewhere')
  writeFileSync(elsewhere, '')
  symlinkSync(elsewhere, join(directory, '.brain', 'daemon.log'))
  const { code, stderr } = await runBuilt(directory, ['serve', '--detach'])
  expect(code).not.toBe(0)
  expect(stderr).toContain('daemon.log')
  expect(readFileSync(elsewhere, 'utf8')).toBe('')
})

test('the personal brain is served from where it is, whatever brain is near', async () => {
  const directory = await makePlace()
  const { url, dir } = await detach(directory, '--global')
  expect(dir).not.toBe(join(directory, '.brain'))
  const status = await runBuilt(directory, ['--global', 'status', '--json'])
  expect(JSON.parse(status.stdout)).toMatchObject({ directory: dir, daemon: { url } })
  expect((await runBuilt(directory, ['--global', 'stop'])).code).toBe(0)
})
