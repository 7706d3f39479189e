import { describe, expect, test } from 'vitest'
import { createGuard, isLoopbackAddress } from '../../src/http/guard.ts'
import { call, request, sendRaw, startTestDaemon } from './daemon.ts'

const refusal = { error: 'host not allowed' }

describe('Host', () => {
  test('the bound address and the names of loopback are answered, with any port', async () => {
    const { port } = await startTestDaemon()
    for (const host of ['127.0.0.1', `127.0.0.1:${port}`, 'localhost', 'LOCALHOST:1', '[::1]:80']) {
      const reply = await sendRaw(port, request('GET /health', [`Host: ${host}`]))
      expect(reply.status, host).toBe(200)
    }
  })

  test('any other name is refused before path and key are looked at', async () => {
    const daemon = await startTestDaemon()
    const { port, key } = daemon
    for (const host of [
      'evil.example',
      'localhost.evil.example',
      '127.0.0.1.evil.example',
      'evil.example:4747',
      '0.0.0.0',
      '127.0.0.2',
      'localhost:65536',
      'localhost:99999',
      'user@localhost',
      'localhost,evil.example',
      '[::1',
      '',
    ]) {
      for (const line of ['GET /health', 'GET /v1/state', 'POST /v1/remember', 'GET /nowhere']) {
        const reply = await sendRaw(port, request(line, [`Host: ${host}`, `x-svc-key: ${key}`]))
        expect(reply, `${line} ${host}`).toMatchObject({ status: 403, body: refusal })
      }
    }
  })

  test('a second Host is refused, even when both are ours', async () => {
    const { port } = await startTestDaemon()
    for (const hosts of [
      ['localhost', 'localhost'],
      ['localhost', 'evil.example'],
    ]) {
      const reply = await sendRaw(
        port,
        request(
          'GET /health',
          hosts.map((host) => `Host: ${host}`),
        ),
      )
      expect(reply).toMatchObject({ status: 403, body: refusal })
    }
  })

  test('a request without Host is told so', async () => {
    const { port } = await startTestDaemon()
    expect(await sendRaw(port, request('GET /health'))).toMatchObject({
      status: 400,
      body: { error: 'host is required' },
    })
    expect(await sendRaw(port, 'GET /health HTTP/1.0\r\n\r\n')).toMatchObject({ status: 400 })
  })

  test.each([
    ['HTTP://localhost/health', 200],
    ['HtTp://127.0.0.1/health', 200],
    ['http://localhost/health?', 200],
    ['javascript://localhost/health', 404],
    ['javascript:alert(1)', 400],
    ['file://localhost/health', 404],
    ['http://localhost/v1/dreams?limit=1', 401],
  ])('a target of the form %s is no fault of ours: %i', async (target, status) => {
    const { port, log } = await startTestDaemon()
    expect((await sendRaw(port, request(`GET ${target}`, ['Host: localhost']))).status).toBe(status)
    expect(log()).not.toContain('fault')
  })

  test('a target in absolute form is judged by its own host as well', async () => {
    const { port } = await startTestDaemon()
    const ours = await sendRaw(port, request('GET http://localhost/health', ['Host: localhost']))
    expect(ours.status).toBe(200)
    for (const [target, host] of [
      ['http://evil.example/health', 'localhost'],
      ['http://localhost/health', 'evil.example'],
      ['http://evil.example', 'localhost'],
    ]) {
      const reply = await sendRaw(port, request(`GET ${target}`, [`Host: ${host}`]))
      expect(reply, target).toMatchObject({ status: 403, body: refusal })
    }
  })

  test('a name given by allow-host is answered; with a port only on that port', async () => {
    const { port } = await startTestDaemon({ allowHosts: ['brain.lan', 'proxy.lan:8443'] })
    const status = async (host: string) =>
      (await sendRaw(port, request('GET /health', [`Host: ${host}`]))).status
    expect(await status('brain.lan')).toBe(200)
    expect(await status('BRAIN.lan:9')).toBe(200)
    expect(await status('proxy.lan:8443')).toBe(200)
    expect(await status('proxy.lan')).toBe(403)
    expect(await status('other.lan')).toBe(403)
  })
})

describe('Origin', () => {
  test('any origin is refused unless it was allowed, and no answer carries a CORS header', async () => {
    const daemon = await startTestDaemon()
    for (const origin of ['http://evil.example', 'null', '', daemon.url, 'http://localhost', 'file://']) {
      const reply = await sendRaw(
        daemon.port,
        request('GET /v1/openapi.json', ['Host: localhost', `Origin: ${origin}`, `x-svc-key: ${daemon.key}`]),
      )
      expect(reply, origin).toMatchObject({ status: 403, body: { error: 'origin not allowed' } })
      expect([...reply.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
    }
    const plain = await call(daemon, '/health')
    expect([...plain.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
  })

  test('a page that sends no Origin is known by Sec-Fetch-Site', async () => {
    const { port } = await startTestDaemon()
    const status = async (site: string) =>
      (await sendRaw(port, request('GET /health', ['Host: localhost', `Sec-Fetch-Site: ${site}`]))).status
    expect(await status('cross-site')).toBe(403)
    expect(await status('same-site')).toBe(403)
    expect(await status('none')).toBe(200)
  })

  test('an allowed origin is answered with exactly the headers its browser needs', async () => {
    const daemon = await startTestDaemon({ allowOrigins: ['https://app.example'] })
    const headers = { origin: 'https://app.example' }
    const reply = await call(daemon, '/v1/recall', { body: { query: 'x' }, headers })
    expect(reply.status).toBe(200)
    expect(reply.headers.get('access-control-allow-origin')).toBe('https://app.example')
    expect(reply.headers.get('access-control-allow-credentials')).toBeNull()
    expect(reply.headers.get('vary')).toBe('Origin')
    const refused = await call(daemon, '/v1/recall', { body: {}, headers })
    expect(refused.status).toBe(400)
    expect(refused.headers.get('access-control-allow-origin')).toBe('https://app.example')
  })

  test('a preflight is answered for an allowed origin only, and does nothing', async () => {
    const daemon = await startTestDaemon({ allowOrigins: ['https://app.example'] })
    const preflight = (origin: string) =>
      sendRaw(
        daemon.port,
        request('OPTIONS /v1/remember', [
          'Host: localhost',
          `Origin: ${origin}`,
          'Access-Control-Request-Method: POST',
        ]),
      )
    const allowed = await preflight('https://app.example')
    expect(allowed.status).toBe(204)
    expect(allowed.headers.get('access-control-allow-methods')).toBe('POST')
    expect(allowed.headers.get('access-control-allow-headers')).toContain('x-svc-key')
    expect((await preflight('https://app.example.evil')).status).toBe(403)
    expect((await call(daemon, '/v1/remember', { method: 'OPTIONS' })).status).toBe(405)
    expect(await daemon.brain.store.memories.count('default')).toBe(0)
  })

  test('a wildcard or a page cannot be allowed, only an origin', () => {
    for (const origin of ['*', 'null', 'https://app.example/', 'https://app.example/page', 'app.example']) {
      expect(
        () => createGuard({ host: '127.0.0.1', allowHosts: [], allowOrigins: [origin] }),
        origin,
      ).toThrow('allow-origin must be an origin such as https://app.example')
    }
    expect(() => createGuard({ host: '127.0.0.1', allowHosts: ['http://x'], allowOrigins: [] })).toThrow(
      'allow-host must be a host name',
    )
  })
})

describe("the daemon's own origin", () => {
  const ask = (daemon: { port: number }, line: string, headers: readonly string[]) =>
    sendRaw(daemon.port, request(line, [`Host: localhost:${daemon.port}`, ...headers]))

  test('is let in with a valid key, as clients of the protocol send it', async () => {
    const daemon = await startTestDaemon()
    const own = `Origin: http://localhost:${daemon.port}`
    const key = `x-svc-key: ${daemon.key}`
    expect((await ask(daemon, 'GET /v1/state', [own, key])).status).toBe(200)
    const reply = await ask(daemon, 'GET /v1/state', [own, key])
    expect(reply.headers.get('access-control-allow-origin')).toBeNull()
  })

  test('opens nothing without one, and no page elsewhere is taken for it', async () => {
    const daemon = await startTestDaemon()
    const own = `Origin: http://localhost:${daemon.port}`
    const key = `x-svc-key: ${daemon.key}`
    const forbidden = { status: 403, body: { error: 'origin not allowed' } }
    expect(await ask(daemon, 'GET /v1/state', [own])).toMatchObject(forbidden)
    expect(await ask(daemon, 'GET /v1/state', [own, 'x-svc-key: brain_nope'])).toMatchObject(forbidden)
    expect(await ask(daemon, 'GET /health', [own])).toMatchObject(forbidden)
    for (const origin of [
      `http://127.0.0.1:${daemon.port}`,
      `https://localhost:${daemon.port}`,
      'http://localhost',
      `http://localhost:${daemon.port + 1}`,
      `http://localhost:${daemon.port}.evil.example`,
      'null',
    ]) {
      expect(await ask(daemon, 'GET /v1/state', [`Origin: ${origin}`, key]), origin).toMatchObject(forbidden)
    }
    for (const site of ['cross-site', 'same-site', 'none']) {
      expect(await ask(daemon, 'GET /v1/state', [own, key, `Sec-Fetch-Site: ${site}`]), site).toMatchObject(
        forbidden,
      )
    }
    // A name that a page's owner could point here.
    const reply = await sendRaw(
      daemon.port,
      request('GET /v1/state', ['Host: evil.example', 'Origin: http://evil.example', key]),
    )
    expect(reply).toMatchObject({ status: 403, body: refusal })
  })
})

test('only a name of loopback is taken at its word for the page’s origin, and two origins are none', () => {
  const guard = createGuard({
    host: '127.0.0.1',
    allowHosts: ['brain.lan'],
    allowOrigins: ['https://a.example'],
    page: true,
  })
  const check = (host: string, headers: readonly (readonly [string, string])[], encrypted = false) =>
    guard.check({
      rawHeaders: [['Host', host], ...headers].flat(),
      authority: undefined,
      localAddress: '127.0.0.1',
      encrypted,
    }).pageOrigin
  const site = ['Sec-Fetch-Site', 'same-origin'] as const
  expect(check('localhost', [['Origin', 'http://localhost']])).toBe('asserted')
  expect(() => check('brain.lan', [['Origin', 'http://brain.lan']])).toThrow('origin not allowed')
  expect(check('brain.lan', [['Origin', 'http://brain.lan'], site])).toBe('verified')
  expect(check('brain.lan', [['Origin', 'https://brain.lan'], site], true)).toBe('verified')
  expect(() => check('brain.lan', [['Origin', 'http://brain.lan'], site], true)).toThrow('origin not allowed')
  expect(() => check('brain.lan', [['Origin', 'http://brain.lan'], site, site])).toThrow('origin not allowed')
  const allowed = ['Origin', 'https://a.example'] as const
  expect(() => check('localhost', [allowed, ['Origin', 'http://evil.example']])).toThrow('origin not allowed')
})

test('the address that was given and the one that is really called are names of the daemon, in any spelling', () => {
  const check = (host: string, localAddress: string | undefined, given = '0.0.0.0') =>
    createGuard({ host: given, allowHosts: [], allowOrigins: [] }).check({
      rawHeaders: ['Host', host],
      authority: undefined,
      localAddress,
    })
  for (const [host, local, given] of [
    ['192.0.2.7:4747', '192.0.2.7'],
    ['192.0.2.7', '::ffff:192.0.2.7'],
    ['[fe80::1]:4747', 'fe80::1'],
    ['brain.LAN', '192.0.2.7', 'Brain.lan'],
    ['[2001:db8::1]', undefined, '2001:DB8::1'],
    ['localhost:65535', undefined],
  ] as const)
    expect(check(host, local, given), host).toEqual({ origin: undefined, pageOrigin: false })
  for (const host of ['192.0.2.8', '192.0.2.7.evil.example', '[fe80::2]', 'evil.example'])
    expect(() => check(host, '192.0.2.7'), host).toThrow('host not allowed')
})

test('without its page no origin is the daemon’s own because a browser says so, and each of several sites counts', () => {
  const check = (page: boolean, headers: readonly string[]) =>
    createGuard({ host: '127.0.0.1', allowHosts: ['brain.lan'], allowOrigins: [], page }).check({
      rawHeaders: headers,
      authority: undefined,
      localAddress: '127.0.0.1',
    }).pageOrigin
  const site = ['Sec-Fetch-Site', 'same-origin']
  expect(check(true, ['Host', 'LOCALHOST', ...site])).toBe('absent')
  expect(check(false, ['Host', 'localhost', ...site])).toBe(false)
  expect(check(true, ['Host', 'LOCALHOST', 'Origin', 'http://localhost', ...site])).toBe('verified')
  expect(() => check(false, ['Host', 'brain.lan', 'Origin', 'http://brain.lan', ...site])).toThrow(
    'origin not allowed',
  )
  expect(() => check(true, ['Host', 'localhost', ...site, 'Sec-Fetch-Site', 'cross-site'])).toThrow(
    'origin not allowed',
  )
  expect(() => check(true, ['Host', 'localhost', 'Sec-Fetch-Site', 'of-some-kind-to-come'])).toThrow(
    'origin not allowed',
  )
})

test('loopback is 127.0.0.0/8, the same mapped into IPv6, and ::1; nothing that looks alike is', () => {
  for (const address of [
    '127.0.0.1',
    '127.0.0.0',
    '127.255.255.255',
    '::1',
    '::ffff:127.0.0.1',
    '::FFFF:127.9.8.7',
  ])
    expect(isLoopbackAddress(address), address).toBe(true)
  for (const address of [
    '',
    'localhost',
    '127.0.0.1.evil.example',
    '127.evil.example',
    '127.1',
    '127.0.0.256',
    '127.0.0.1 ',
    '128.0.0.1',
    '126.255.255.255',
    '12.7.0.1',
    '10.0.0.1',
    '0.0.0.0',
    '::',
    '::2',
    '::1%eth0',
    '[::1]',
    '::ffff:10.0.0.1',
    '::ffff:::1',
    '::ffff:::ffff:127.0.0.1',
    '::127.0.0.1',
    'fe80::1',
    '64:ff9b::127.0.0.1',
  ])
    expect(isLoopbackAddress(address), address).toBe(false)
})
