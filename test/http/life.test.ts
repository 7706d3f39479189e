import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { childEnvironment, createBrainPlace, program, runBuilt } from '../cli/command-line.ts'
import { call, request, sendRaw } from './daemon.ts'

interface Served {
  readonly child: ChildProcessWithoutNullStreams
  readonly url: string
  readonly port: number
  readonly stdout: () => string
  readonly stderr: () => string
  readonly exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
}

async function serve(
  directory: string,
  argv: readonly string[] = [],
  node: readonly string[] = [],
): Promise<Served> {
  const child = spawn(process.execPath, [...node, program, 'serve', '--port', '0', ...argv], {
    cwd: directory,
    env: childEnvironment(directory),
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk) => {
    stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) =>
    child.once('close', (code, signal) => resolve({ code, signal })),
  )
  await expect.poll(() => stdout.includes('\n') || child.exitCode !== null).toBe(true)
  const url = /https?:\/\/[^\s"]+/.exec(stdout)?.[0] ?? ''
  return {
    child,
    url,
    port: Number(url.split(':').at(-1)),
    stdout: () => stdout,
    stderr: () => stderr,
    exited,
  }
}

async function makeBrain(): Promise<{ directory: string; key: string }> {
  const place = await createBrainPlace()
  const { stdout } = await place.run(['key', 'create'])
  return { directory: place.directory, key: stdout.trim() }
}

/** A request whose body is not all there yet. */
async function sendHalf(
  port: number,
  key: string,
): Promise<{ socket: Socket; finish: () => void; received: () => string }> {
  const body = '{"text":"in time"}'
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  socket.on('error', () => {})
  const headers = [
    'Host: localhost',
    `x-svc-key: ${key}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    'Expect: 100-continue',
  ]
  socket.write(request('POST /v1/remember', headers))
  // Told to go on: the daemon has begun with this request.
  await expect.poll(() => text).toContain('100 Continue')
  return { socket, finish: () => void socket.write(body), received: () => text }
}

describe('starting', () => {
  test('one line on standard output says where; a brain without keys gets one, once, in the file asked for', async () => {
    const { directory } = await createBrainPlace()
    const first = await serve(directory, ['--key-file', 'key'])
    expect(first.stdout()).toBe(`brain is listening on ${first.url}\n`)
    expect(first.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    const key = readFileSync(join(directory, 'key'), 'utf8').trim()
    expect(first.stderr()).not.toContain('brain_')
    const reply = await call({ url: first.url, key }, '/v1/remember', { body: { text: 'x' } })
    expect(reply.status).toBe(200)
    first.child.kill('SIGTERM')
    await first.exited
    const second = await serve(directory)
    expect(second.stderr()).not.toContain('brain_')
  })

  test('with --json the line is an object that names address, process and directory', async () => {
    const { directory } = await makeBrain()
    const { child, stdout, url } = await serve(directory, ['--json'])
    expect(JSON.parse(stdout())).toEqual({ url, pid: child.pid, dir: join(directory, '.brain') })
  })

  test('a port that is taken ends the command with a sentence and without a key', async () => {
    const { directory } = await createBrainPlace()
    const { port } = await serve((await makeBrain()).directory)
    const { stdout, stderr, exited } = await serve(directory, ['--port', String(port)])
    expect(await exited).toEqual({ code: 1, signal: null })
    expect(stdout()).toBe('')
    expect(stderr()).toContain(`cannot listen on 127.0.0.1:${port}`)
    expect(stderr()).not.toContain('brain_')
  })

  test('an address that is none of this machine is told from a port that is taken', async () => {
    const { directory } = await makeBrain()
    // Set aside for documentation (RFC 5737): no machine has it.
    const { stderr, exited } = await serve(directory, ['--host', '192.0.2.1', '--insecure-http'])
    expect((await exited).code).toBe(1)
    expect(stderr()).toContain('this machine has no such address; name another with --host')
  })

  test.each([
    [['--host', '0.0.0.0'], 'give --tls-cert and --tls-key, or --insecure-http'],
    [['--tls-cert', 'missing.pem'], '--tls-cert and --tls-key belong together'],
    [['--tls-cert', 'missing.pem', '--tls-key', 'missing.pem'], 'missing.pem: there is no such file'],
    [['--port', 'http'], 'serve.port must be an integer between 0 and 65535'],
    [['--allow-origin', '*'], 'allow-origin must be an origin'],
    [['--allow-host', 'http://x'], 'allow-host must be a host name'],
  ])('%j is refused before anything is served', async (argv, sentence) => {
    const { directory } = await makeBrain()
    const { stdout, stderr, exited } = await serve(directory, argv)
    expect((await exited).code).toBe(2)
    expect(stdout()).toBe('')
    expect(stderr()).toContain(sentence)
  })
})

describe('stopping', () => {
  test('what was sent before the signal is answered, on new connections, too', async () => {
    const { directory, key } = await makeBrain()
    const { child, port, exited } = await serve(directory)
    const body = '{"text":"in time"}'
    const whole = `${request('POST /v1/remember', [
      'Host: localhost',
      `x-svc-key: ${key}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
    ])}${body}`
    const sent: Promise<void>[] = []
    const replies = Array.from({ length: 20 }, () => {
      const socket = connect(port, '127.0.0.1')
      let text = ''
      socket.on('data', (chunk) => {
        text += chunk
      })
      socket.on('error', () => {})
      sent.push(new Promise((resolve) => socket.write(whole, () => resolve())))
      return new Promise<string>((resolve) => socket.once('close', () => resolve(text.slice(0, 15))))
    })
    await Promise.all(sent)
    child.kill('SIGTERM')
    expect(await Promise.all(replies)).toEqual(replies.map(() => 'HTTP/1.1 200 OK'))
    expect(await exited).toEqual({ code: 0, signal: null })
  })

  test.each(['SIGTERM', 'SIGINT'] as const)(
    '%s lets a request under way finish, then exits with 0',
    async (signal) => {
      const { directory, key } = await makeBrain()
      const { child, port, exited } = await serve(directory)
      const half = await sendHalf(port, key)
      child.kill(signal)
      await expect
        .poll(() => sendRaw(port, request('GET /health', ['Host: localhost'])).catch(() => 'closed'))
        .toBe('closed')
      half.finish()
      expect(await exited).toEqual({ code: 0, signal: null })
      expect(half.received()).toContain('"text":"in time"')
      // Checkpointed: nothing of the brain is left in a log beside it.
      const log = join(directory, '.brain', 'brain.db-wal')
      expect(existsSync(log) ? statSync(log).size : 0).toBe(0)
    },
  )

  test('idle connections do not hold the daemon up', async () => {
    const { directory } = await makeBrain()
    const { child, port, exited } = await serve(directory)
    const idle = connect(port, '127.0.0.1')
    onTestFinished(() => void idle.destroy())
    const used = connect(port, '127.0.0.1')
    onTestFinished(() => void used.destroy())
    used.write(request('GET /health', ['Host: localhost']))
    await new Promise((resolve) => used.once('data', resolve))
    child.kill('SIGTERM')
    expect(await exited).toEqual({ code: 0, signal: null })
  })

  test('a request that never ends is given up, and the exit code is still 0', async () => {
    const { directory, key } = await makeBrain()
    const { child, port, exited } = await serve(directory)
    const half = await sendHalf(port, key)
    child.kill('SIGTERM')
    expect(await exited).toEqual({ code: 0, signal: null })
    expect(half.received()).not.toContain('200 OK')
  })

  test('a second signal ends the process at once', async () => {
    const { directory, key } = await makeBrain()
    const { child, port, exited } = await serve(directory)
    await sendHalf(port, key)
    child.kill('SIGTERM')
    await expect
      .poll(() => sendRaw(port, request('GET /health', ['Host: localhost'])).catch(() => 'closed'))
      .toBe('closed')
    child.kill('SIGTERM')
    expect(await exited).toEqual({ code: 143, signal: null })
  })

  test('an error nobody caught is logged and ends the process with 1', async () => {
    const { directory } = await makeBrain()
    const mine = 'data:text/javascript,process.on("SIGUSR2",()=>{throw new Error("a bug of ours")})'
    const { child, stderr, exited } = await serve(directory, [], ['--import', mine])
    child.kill('SIGUSR2')
    expect(await exited).toEqual({ code: 1, signal: null })
    expect(stderr()).toContain('a bug of ours')
  })
})

describe('the log', () => {
  test('is one line of JSON a request, under the id of its answer', async () => {
    const { directory, key } = await makeBrain()
    const { url, stderr } = await serve(directory, ['--log', 'json'])
    const reply = await call({ url, key }, '/v1/recall', { body: { query: 'a secret question' } })
    await expect.poll(stderr).toContain('\n')
    const line = JSON.parse(stderr().trim())
    expect(line).toMatchObject({
      level: 'info',
      request_id: reply.headers.get('x-request-id'),
      method: 'POST',
      route: '/v1/recall',
      status: 200,
      project: 'default',
      key: key.slice(6, 14),
    })
    expect(stderr()).not.toContain('secret')
  })

  test('is for people with pretty, and silent with off', async () => {
    const { directory, key } = await makeBrain()
    const pretty = await serve(directory, ['--log', 'pretty'])
    await call({ url: pretty.url, key }, '/v1/dreams')
    await expect
      .poll(pretty.stderr)
      .toMatch(/^\d\d:\d\d:\d\d\.\d{3} 200 GET \/v1\/dreams [\d.]+ ms {2}key \w{8} {2}[0-9a-f-]{36}\n$/)
    pretty.child.kill('SIGTERM')
    await pretty.exited
    const silent = await serve(directory, ['--log', 'off'])
    await call({ url: silent.url, key }, '/v1/dreams')
    silent.child.kill('SIGTERM')
    await silent.exited
    expect(silent.stderr()).toBe('')
  })

  test('a reader of the log that goes away does not end the daemon', async () => {
    const { directory, key } = await makeBrain()
    const { child, url } = await serve(directory, ['--log', 'json'])
    child.stderr.destroy()
    for (let at = 0; at < 5; at += 1) {
      expect((await call({ url, key }, '/v1/dreams')).status).toBe(200)
    }
  })
})

test('where a brain is served already, a second daemon says so', async () => {
  const { directory } = await makeBrain()
  const first = await serve(directory)
  const second = await runBuilt(directory, ['serve', '--port', String(first.port)])
  expect(second).toMatchObject({ code: 1, stdout: '' })
  expect(second.stderr).toContain(`127.0.0.1:${first.port}: a brain is served there already`)
})
