import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join, resolve as resolvePath } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { BrainError } from '../../src/core/errors.ts'
import { toAnswer } from '../../src/http/exchange.ts'
import { call, request, sendRaw, startTestDaemon } from './daemon.ts'

/** A socket whose every byte is kept. */
function open(port: number): {
  socket: ReturnType<typeof connect>
  received: () => string
  closed: Promise<void>
} {
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1')
  })
  socket.on('error', () => {})
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  return { socket, received: () => text, closed }
}

/**
 * Runs SQL against a brain in a process of its own, which stays until told to go: two copies of SQLite in one
 * process would not see each other's locks.
 */
async function intrude(directory: string, sql: string): Promise<{ leave: () => Promise<void> }> {
  const script = `
    const database = new (require('better-sqlite3'))(process.argv[1], { nativeBinding: process.argv[3] })
    database.exec(process.argv[2])
    process.stdout.write('done')
    process.stdin.resume().on('end', () => database.close())
  `
  const binary = `native/better-sqlite3-${process.platform}-${process.arch}-${process.versions.modules}.node`
  const child = spawn(process.execPath, ['-e', script, join(directory, 'brain.db'), sql, resolvePath(binary)])
  onTestFinished(() => void child.kill('SIGKILL'))
  await new Promise((resolve) => child.stdout.once('data', resolve))
  return {
    leave: () =>
      new Promise((resolve) => {
        child.once('close', () => resolve())
        child.stdin.end()
      }),
  }
}

const statuses = (text: string): string[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status = '']) => status)

const head = (key: string, length: number, more: readonly string[] = []): string =>
  request('POST /v1/remember', [
    'Host: localhost',
    `x-svc-key: ${key}`,
    'Content-Type: application/json',
    `Content-Length: ${length}`,
    ...more,
  ])

const body = '{"text":"x"}'

test('a client that dawdles over its headers or its body is told so, in JSON', async () => {
  const daemon = await startTestDaemon({ timeouts: { headers: 200, request: 400 } })
  const late = { status: 408, body: { error: 'the request took too long to arrive' } }
  expect(await sendRaw(daemon.port, 'GET /health HTTP/1.1\r\nHost: local')).toMatchObject(late)
  expect(await sendRaw(daemon.port, head(daemon.key, 100) + body)).toMatchObject(late)
  expect(await daemon.brain.store.memories.count('default')).toBe(0)
})

test('what follows a good request never takes the place of its answer', async () => {
  const daemon = await startTestDaemon()
  const { socket, received, closed } = open(daemon.port)
  socket.write(`${head(daemon.key, body.length)}${body}\0garbage\r\n\r\n`)
  await closed
  expect(statuses(received())).toEqual(['200', '400'])
  expect(await daemon.brain.store.memories.count('default')).toBe(1)
})

test('requests sent in one go are answered in order', async () => {
  const daemon = await startTestDaemon()
  const { socket, received, closed } = open(daemon.port)
  const bodies = Array.from({ length: 20 }, (_, at) => JSON.stringify({ text: `note ${at}` }))
  socket.write(bodies.map((each) => head(daemon.key, each.length) + each).join(''))
  socket.write(request('GET /nowhere', ['Host: localhost', 'Connection: close']))
  await closed
  expect(statuses(received())).toEqual([...bodies.map(() => '200'), '404'])
  expect([...received().matchAll(/"text":"note (\d+)"/g)].map(([, at]) => Number(at))).toEqual(
    bodies.map((_, at) => at),
  )
})

test('a client that asks first is told to send its body only when it would be read', async () => {
  const daemon = await startTestDaemon()
  const expecting = ['Expect: 100-continue']
  const welcome = open(daemon.port)
  welcome.socket.write(head(daemon.key, body.length, expecting))
  await expect.poll(welcome.received).toContain('100 Continue')
  welcome.socket.write(body)
  await expect.poll(() => statuses(welcome.received())).toEqual(['100', '200'])
  for (const refused of [
    head('wrong', body.length, expecting),
    head(daemon.key, 2_000_000, expecting),
    head(daemon.key, body.length, [...expecting, 'Origin: http://evil.example']),
  ]) {
    const { socket, received } = open(daemon.port)
    socket.write(refused)
    await expect.poll(() => statuses(received())).toHaveLength(1)
    expect(received()).not.toContain('100 Continue')
  }
})

test('a client that goes away in the middle is no fault and changes nothing', async () => {
  const daemon = await startTestDaemon()
  const { socket, closed } = open(daemon.port)
  socket.write(`${head(daemon.key, 100)}${body}`, () => setTimeout(() => socket.destroy(), 50))
  await closed
  await expect.poll(daemon.log).toContain('"status":null')
  expect((await call(daemon, '/health')).status).toBe(200)
  expect(daemon.log()).not.toContain('"level":"error"')
  expect(await daemon.brain.store.memories.count('default')).toBe(0)
})

const toolCall = (input: object) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'remember', arguments: input },
})

test.each([
  ['/v1/remember', (input: object) => input],
  ['/mcp', toolCall],
])('what takes long and nobody waits for any more is not kept, by %s', async (path, bodyOf) => {
  const daemon = await startTestDaemon({ config: { embedder: 'builtin' } })
  const headers = {
    'x-svc-key': daemon.key,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  const send = (text: string, signal?: AbortSignal): Promise<Response> =>
    fetch(`${daemon.url}${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(bodyOf({ text })),
      ...(signal && { signal }),
    })
  expect((await send('the model is read now')).status).toBe(200)
  expect(await daemon.brain.store.memories.count('default')).toBe(1)
  const gone = new AbortController()
  // Each sentence another: of passages that are the same one is embedded.
  const text = Array.from(
    { length: 900 },
    (_, at) => `Heron ${at} stood in the pond and looked at nothing. `,
  ).join('')
  const sent = send(text, gone.signal)
  await sleep(150)
  gone.abort()
  await expect(sent).rejects.toThrow()
  // Longer than it would have taken.
  await sleep(3_000)
  expect(await daemon.brain.store.memories.count('default')).toBe(1)
  expect(daemon.log()).not.toContain('"level":"error"')
})

test('a body of exactly 1 MiB is read', async () => {
  const daemon = await startTestDaemon()
  const padded = body + ' '.repeat(1_048_576 - body.length)
  expect((await sendRaw(daemon.port, head(daemon.key, padded.length) + padded)).status).toBe(200)
})

test('a type in other letters, in UTF-8 and as it is, is JSON', async () => {
  const daemon = await startTestDaemon()
  for (const headers of [
    ['Content-Type: Application/JSON'],
    ['Content-Type: application/json ; charset="UTF-8"; x=y', 'Content-Encoding: Identity'],
  ]) {
    const asked = [
      'Host: localhost',
      `x-svc-key: ${daemon.key}`,
      `Content-Length: ${body.length}`,
      ...headers,
    ]
    expect((await sendRaw(daemon.port, request('POST /v1/remember', asked, body))).status, headers[0]).toBe(
      200,
    )
  }
})

test('bodies on their way take 64 MiB together at most, which those that go give back', async () => {
  const daemon = await startTestDaemon()
  const chunked = request(
    'POST /v1/remember',
    [
      'Host: localhost',
      `x-svc-key: ${daemon.key}`,
      'Content-Type: application/json',
      'Transfer-Encoding: chunked',
    ],
    `64\r\n${body.padEnd(100)}\r\n0\r\n\r\n`,
  )
  const ask = async () => (await sendRaw(daemon.port, chunked)).status
  expect(await ask()).toBe(200)
  // One byte of each is still to come.
  const slow = await crowd(daemon.port, 64, head(daemon.key, 2 ** 20) + ' '.repeat(2 ** 20 - 1))
  await expect.poll(ask).toBe(503)
  expect(await sendRaw(daemon.port, chunked)).toMatchObject({
    body: { error: 'too many large requests at once, try again' },
  })
  slow[0]?.destroy()
  await expect.poll(ask).toBe(200)
})

test('what is forgotten although traces are left is not answered as if it were not, and names no path', async () => {
  const daemon = await startTestDaemon()
  const { directory } = daemon.brain
  for (const text of ['the spare key hangs behind the boiler', 'the safe stands in the cellar'])
    await call(daemon, '/v1/remember', { body: { text } })
  const reader = await intrude(directory, 'BEGIN; SELECT count(*) FROM memory')
  expect(await call(daemon, '/v1/forget', { body: { memory_id: 1 } })).toMatchObject({
    status: 503,
    body: {
      error: expect.stringMatching(/^memory 1 is forgotten, but .* \(other processes are using it\): run/),
    },
  })
  await reader.leave()
  // No draft of it can be made: its name would be too long.
  writeFileSync(join(directory, `before-restore-${'x'.repeat(236)}.db`), 'the safe stands in the cellar')
  expect(await call(daemon, '/v1/forget', { body: { memory_id: 2 } })).toMatchObject({
    status: 503,
    body: {
      error:
        'it is forgotten, but a copy beside the brain still holds it (ENAMETOOLONG): remove the copies beside the brain',
    },
  })
})

test('a fault of ours says nothing outside, and everything in the log under the request id', async () => {
  const daemon = await startTestDaemon()
  const saboteur = await intrude(daemon.brain.directory, 'PRAGMA foreign_keys = OFF; DROP TABLE observation')
  await saboteur.leave()
  const reply = await call(daemon, '/v1/outside_views')
  expect(reply).toMatchObject({ status: 500, body: { error: 'internal error' } })
  const faults = daemon
    .log()
    .split('\n')
    .filter((line) => line.includes('"level":"error"'))
  expect(faults).toHaveLength(1)
  expect(faults[0]).toContain(reply.headers.get('x-request-id') ?? 'no id')
  expect(faults[0]).toContain('observation')
})

test('what is broken at this machine, and what holds its store, are not told to who calls', () => {
  expect(toAnswer(new BrainError('failed', '/home/ana/model.onnx cannot be read'))).toEqual({
    status: 500,
    body: '{"error":"internal error"}',
  })
  expect(toAnswer(new BrainError('busy', '/home/ana/brain.db is being written to'))).toEqual({
    status: 503,
    body: '{"error":"store is busy, try again"}',
    headers: { 'Retry-After': '1' },
  })
})

test('a store that stays locked is a 503 with a time to try again', async () => {
  const daemon = await startTestDaemon()
  const holder = await intrude(daemon.brain.directory, 'BEGIN IMMEDIATE')
  const reply = await call(daemon, '/v1/remember', { body: { text: 'x' } })
  expect(reply.status).toBe(503)
  expect((reply.body as { error: string }).error).toContain('store is busy, try again')
  expect(reply.headers.get('retry-after')).toBe('1')
  expect(daemon.log()).not.toContain('"level":"error"')
  await holder.leave()
  expect((await call(daemon, '/v1/remember', { body: { text: 'x' } })).status).toBe(200)
})

/** Opens sockets that send this and then nothing; resolves when all are connected. */
async function crowd(port: number, count: number, sent: string): Promise<ReturnType<typeof connect>[]> {
  const sockets = Array.from({ length: count }, () => connect(port, '127.0.0.1'))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
  })
  await Promise.all(
    sockets.map(
      (socket) =>
        new Promise<void>((done) => {
          socket.once('connect', () => socket.write(sent, () => done()))
          socket.once('error', () => done())
          socket.once('close', () => done())
        }),
    ),
  )
  return sockets
}

test('thousands of half-sent headers shut nobody out, and cut off nobody who has shown a key', async () => {
  const daemon = await startTestDaemon()
  const kept = open(daemon.port)
  const state = request('GET /v1/state', ['Host: localhost', `x-svc-key: ${daemon.key}`])
  kept.socket.write(state)
  await expect.poll(() => statuses(kept.received())).toEqual(['200'])
  for (let wave = 0; wave < 3; wave += 1) {
    await crowd(daemon.port, 500, 'GET /health HTTP/1.1\r\nHost: local')
    expect((await call(daemon, '/health')).status).toBe(200)
    expect((await call(daemon, '/v1/state')).status).toBe(200)
    kept.socket.write(state)
    await expect.poll(() => statuses(kept.received())).toHaveLength(wave + 2)
  }
})

test('whoever asks for much and reads nothing is cut off, before what waits for them grows', async () => {
  const daemon = await startTestDaemon()
  const document = request('GET /v1/openapi.json', ['Host: localhost'])
  const clients = Array.from({ length: 20 }, () => {
    const client = open(daemon.port)
    // Nothing is read: the answers stay where they are.
    client.socket.pause()
    client.socket.write(document.repeat(500))
    return client
  })
  await expect.poll(async () => (await call(daemon, '/health')).status).toBe(200)
  for (const { socket } of clients) socket.resume()
  for (const { received, closed } of clients) {
    await closed
    expect(statuses(received()).length).toBeLessThan(100)
  }
})
