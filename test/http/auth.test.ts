import { expect, onTestFinished, test, vi } from 'vitest'
import { createKey, labelOfHolder, rotateKey } from '../../src/config/keys.ts'
import { call, request, sendRaw, startTestDaemon } from './daemon.ts'

const refusal = { status: 401, body: { error: 'invalid or missing API key' } }

test('every endpoint of /v1 but the OpenAPI document wants a key', async () => {
  const daemon = await startTestDaemon()
  const document = await call({ ...daemon, key: 'none' }, '/v1/openapi.json')
  expect(document.status).toBe(200)
  const { paths } = document.body as { paths: Record<string, Record<string, unknown>> }
  expect(Object.keys(paths)).toContain('/v1/remember')
  for (const [path, methods] of Object.entries(paths)) {
    if (path === '/health') continue
    for (const method of Object.keys(methods)) {
      const reply = await sendRaw(
        daemon.port,
        request(`${method.toUpperCase()} ${path.replace(/\{\w+\}/, '1')}`, ['Host: localhost']),
      )
      expect(reply, path).toMatchObject(refusal)
    }
  }
})

test('missing, mistyped, unknown, revoked and expired keys cannot be told apart', async () => {
  const daemon = await startTestDaemon()
  const { keys } = daemon.brain.store
  const now = Date.now()
  const revoked = await createKey(keys, { project: 'default', label: null, lifetime: null, now })
  await keys.revoke(revoked.key.id, now)
  const expired = await createKey(keys, { project: 'default', label: null, lifetime: 1, now: now - 1_000 })
  const unknown = await createKey((await startTestDaemon()).brain.store.keys, {
    project: 'default',
    label: null,
    lifetime: null,
    now,
  })
  const shape = (text: string) => text.replace(/X-Request-Id: \S+|Date: [^\r]+/g, '')
  const replies = await Promise.all(
    ['', 'nonsense', `${daemon.key}x`, daemon.key.slice(0, -1), revoked.text, expired.text, unknown.text].map(
      (key) => sendRaw(daemon.port, request('POST /v1/recall', ['Host: localhost', `x-svc-key: ${key}`])),
    ),
  )
  const missing = await sendRaw(daemon.port, request('POST /v1/recall', ['Host: localhost']))
  for (const reply of [...replies, missing]) {
    expect(reply).toMatchObject(refusal)
    expect(shape(reply.text)).toBe(shape(missing.text))
  }
})

test('a doubled key header is refused, whatever the two say', async () => {
  const daemon = await startTestDaemon()
  const headers = ['Host: localhost', 'Content-Type: application/json', 'Content-Length: 13']
  for (const second of [daemon.key, 'other', '']) {
    const reply = await sendRaw(
      daemon.port,
      request(
        'POST /v1/recall',
        [...headers, `x-svc-key: ${daemon.key}`, `x-svc-key: ${second}`],
        '{"query":"x"}',
      ),
    )
    expect(reply).toMatchObject(refusal)
  }
})

test('a key in the URL, in the body or as a bearer token opens nothing', async () => {
  const daemon = await startTestDaemon()
  const keyless = { ...daemon, key: '' }
  const body = { query: 'x' }
  expect(await call(keyless, `/v1/recall?x-svc-key=${daemon.key}`, { body })).toMatchObject(refusal)
  expect(await call(keyless, '/v1/recall', { body: { ...body, key: daemon.key } })).toMatchObject(refusal)
  const headers = { authorization: `Bearer ${daemon.key}` }
  expect(await call(keyless, '/v1/recall', { body, headers })).toMatchObject(refusal)
})

test('a key revoked by another process opens nothing from the next request on', async () => {
  const daemon = await startTestDaemon()
  const body = { query: 'x' }
  expect((await call(daemon, '/v1/recall', { body })).status).toBe(200)
  const { openSqliteStore } = await import('../../src/store/sqlite/store.ts')
  const { join } = await import('node:path')
  const other = await openSqliteStore(join(daemon.brain.directory, 'brain.db'), {
    durability: 'normal',
    create: false,
    label: 'another process',
    warn: () => {},
  })
  await other.keys.revoke(daemon.key.slice(6, 14), Date.now())
  await other.close()
  expect(await call(daemon, '/v1/recall', { body })).toMatchObject(refusal)
})

test('a rotated key opens the same project', async () => {
  const daemon = await startTestDaemon()
  await call(daemon, '/v1/remember', { body: { text: 'the deploy needs a migration' } })
  const { text } = await rotateKey(daemon.brain.store.keys, {
    id: daemon.key.slice(6, 14),
    grace: 0,
    now: Date.now(),
  })
  const body = { query: 'deploy' }
  expect(await call(daemon, '/v1/recall', { body })).toMatchObject(refusal)
  const reply = await call({ ...daemon, key: text }, '/v1/recall', { body })
  expect(reply.body).toMatchObject({ results: [{ text: 'the deploy needs a migration' }] })
})

test('a key sees its own project and no other', async () => {
  const daemon = await startTestDaemon()
  const other = { ...daemon, key: await daemon.keyOf('other') }
  await call(daemon, '/v1/remember', { body: { text: 'the default project knows' } })
  const reply = await call(other, '/v1/recall', { body: { query: 'default project knows' } })
  expect(reply.body).toMatchObject({ results: [], keyword_extra: [] })
})

test('the agent header is a name: UTF-8, trimmed, at most 128 characters, once', async () => {
  const daemon = await startTestDaemon()
  const send = (...agents: string[]) =>
    sendRaw(
      daemon.port,
      Buffer.from(
        request(
          'POST /v1/recall',
          [
            'Host: localhost',
            `x-svc-key: ${daemon.key}`,
            'Content-Type: application/json',
            'Content-Length: 13',
            ...agents.map((agent) => `x-svc-agent: ${agent}`),
          ],
          '{"query":"x"}',
        ),
        'latin1',
      ),
    )
  const utf8 = Buffer.from('plänner 😀').toString('latin1')
  for (const agent of ['planner', utf8, 'x'.repeat(128)]) expect((await send(agent)).status).toBe(200)
  const refused = async (sentence: string, ...agents: string[]) =>
    expect(await send(...agents)).toMatchObject({ status: 400, body: { error: `x-svc-agent ${sentence}` } })
  await refused('must not be empty', '')
  await refused('must be at most 128 characters', 'x'.repeat(129))
  await refused('must be well-formed Unicode', '\xff\xfe')
  await refused('must not contain control characters', 'a\tb')
  await refused('must be given once', 'a', 'b')
})

test('a key tells when it was used last', async () => {
  const daemon = await startTestDaemon()
  const { keys } = daemon.brain.store
  const lastUsed = async () => (await keys.list())[0]?.lastUsedAt
  expect(await lastUsed()).toBeNull()
  const before = Date.now()
  await call(daemon, '/v1/state')
  await expect.poll(lastUsed).toBeGreaterThanOrEqual(before)
})

test('the use of a key is noted once in ten minutes, also where that fails', async () => {
  let now = Date.now()
  const daemon = await startTestDaemon({ now: () => now })
  const { keys } = daemon.brain.store
  const touch = vi.spyOn(keys, 'touch').mockRejectedValue(new Error('nothing can be written'))
  onTestFinished(() => touch.mockRestore())
  const timesAt = async (minute: number) => {
    now += minute * 60_000
    expect((await call(daemon, '/v1/state')).status).toBe(200)
    return touch.mock.calls.length
  }
  expect([await timesAt(0), await timesAt(9.999), await timesAt(0.001)]).toEqual([1, 1, 2])
})

test('what comes with a key that somebody holds is theirs, unless the caller names another', async () => {
  const daemon = await startTestDaemon()
  const { keys } = daemon.brain.store
  const request = { project: 'default', lifetime: null, now: Date.now() }
  const held = await createKey(keys, { ...request, label: labelOfHolder('ann') })
  const labelled = await createKey(keys, { ...request, label: 'laptop' })
  const body = { subject_agent: 'planner', observation: 'late' }
  const observerOf = async (key: string, headers = {}) => {
    const reply = await call({ ...daemon, key }, '/v1/note_about', { body, headers })
    return (reply.body as { observer_agent: string }).observer_agent
  }
  expect(await observerOf(held.text)).toBe('ann')
  expect(await observerOf(held.text, { 'x-svc-agent': 'reviewer' })).toBe('reviewer')
  expect(await observerOf(labelled.text)).toBe('default')
  const { key } = await rotateKey(keys, { id: held.key.id, grace: 0, now: Date.now() })
  expect(key.label).toBe('@ann')
})
