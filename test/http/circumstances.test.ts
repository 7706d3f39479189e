/** What a request tells of where it comes from, and whose files a daemon looks at. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryDirectory } from '../models/temporary-directory.ts'
import { call, request, sendRaw, startTestDaemon } from './daemon.ts'

async function daemonWithFile() {
  const directory = join(temporaryDirectory(), '.brain')
  mkdirSync(directory)
  writeFileSync(join(directory, '..', 'x.ts'), 'one\n')
  return startTestDaemon({ directory })
}

const body = { text: 'one', cites: ['x.ts:1'] }

test('session, branch and commit come in headers, and are shown with what was recorded', async () => {
  const daemon = await startTestDaemon()
  const headers = {
    'x-svc-agent': 'planner',
    'x-svc-session': ' s-1 ',
    'x-svc-branch': 'main',
    'x-svc-commit': 'abc',
  }
  await call(daemon, '/v1/believe', { body: { text: 'x' }, headers })
  const { body: shown } = await call(daemon, '/v1/records/belief/1')
  expect(shown).toMatchObject({
    record: { provenance: { agent: 'planner', session: 's-1', branch: 'main', commit: 'abc', origin: null } },
  })
  const { body: listed } = await call(daemon, '/v1/records?branch=main')
  expect(listed).toMatchObject({ total: 1 })
})

test.each([
  ['empty', ['x-svc-branch: '], 'x-svc-branch must not be empty'],
  ['too long', [`x-svc-session: ${'x'.repeat(129)}`], 'x-svc-session must be at most 128 characters'],
  ['doubled', ['x-svc-commit: a', 'x-svc-commit: b'], 'x-svc-commit must be given once'],
])('one of them that is %s is refused by its name', async (_, headers, error) => {
  const daemon = await startTestDaemon()
  const lines = ['Host: localhost', `x-svc-key: ${daemon.key}`, ...headers]
  expect(await sendRaw(daemon.port, request('GET /v1/beliefs', lines))).toMatchObject({
    status: 400,
    body: { error },
  })
})

/** An address of this machine that is none of loopback. */
const own = Object.values(networkInterfaces())
  .flat()
  .find((one) => one?.family === 'IPv4' && !one.internal)?.address

test.skipIf(process.platform !== 'linux' || own === undefined).each([
  ['127.0.0.2', '127.0.0.1', 'changed'],
  [own ?? '', own ?? '', 'changed'],
  // As from another machine: an address that is neither loopback nor the daemon's.
  [own ?? '', '127.0.0.1', 'unknown'],
])('files that are asked for from %s at %s are %s', async (localAddress, host, state) => {
  const directory = join(temporaryDirectory(), '.brain')
  mkdirSync(directory)
  writeFileSync(join(directory, '..', 'x.ts'), 'one\n')
  const daemon = await startTestDaemon({ directory, host: '0.0.0.0', insecure: true })
  const at = { url: `http://127.0.0.1:${daemon.port}`, key: daemon.key }
  await call(at, '/v1/remember', { body })
  writeFileSync(join(directory, '..', 'x.ts'), 'two\n')
  const text = await new Promise<string>((resolve, reject) => {
    const headers = { 'x-svc-key': daemon.key, 'content-type': 'application/json' }
    const asked = httpRequest({
      host,
      port: daemon.port,
      path: '/v1/recall',
      method: 'POST',
      localAddress,
      headers,
    })
    asked.once('error', reject)
    asked.once('response', (response) => {
      let received = ''
      response.on('data', (chunk) => (received += chunk)).once('end', () => resolve(received))
    })
    asked.end('{"query":"one"}')
  })
  expect(JSON.parse(text).results[0].stale[0].state).toBe(state)
})

test('files are looked at for who is at this machine, and for nobody behind a proxy', async () => {
  const daemon = await daemonWithFile()
  await call(daemon, '/v1/remember', { body })
  writeFileSync(join(daemon.brain.directory, '..', 'x.ts'), 'two\n')
  const stateFor = async (headers: Record<string, string>) => {
    const { body: found } = await call(daemon, '/v1/recall', { body: { query: 'one' }, headers })
    return (found as { results: { stale?: { state: string }[] }[] }).results[0]?.stale?.[0]?.state
  }
  expect(await stateFor({})).toBe('changed')
  expect(await stateFor({ 'x-forwarded-for': '203.0.113.7' })).toBe('unknown')
  expect(await stateFor({ Via: '1.1 proxy' })).toBe('unknown')
  const verified = await call(daemon, '/v1/verify', {
    body: { id: 1, holds: true },
    headers: { Forwarded: 'for=203.0.113.7' },
  })
  expect(verified).toMatchObject({ status: 404, body: { error: expect.stringContaining('another machine') } })
})

test('a citation that comes from elsewhere is kept and not looked at, even where there is such a file', async () => {
  const daemon = await daemonWithFile()
  const headers = { 'x-forwarded-for': '203.0.113.7' }
  expect((await call(daemon, '/v1/remember', { body, headers })).status).toBe(200)
  const { body: shown } = await call(daemon, '/v1/records/memory/1')
  expect(shown).toMatchObject({ record: { citations: [{ path: 'x.ts:1', state: 'unknown' }] } })
})
