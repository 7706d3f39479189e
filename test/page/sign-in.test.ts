/** Who gets into the page: the code, the cookie beside what only the page can read, and everything that is not enough. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createKey } from '../../src/config/keys.ts'
import { authenticate } from '../../src/http/auth.ts'
import { Sessions } from '../../src/http/sessions.ts'
import { openSite } from '../hostile/browser.ts'
import { call, request, sendRaw, startTestDaemon, type TestDaemon } from '../http/daemon.ts'
import { ownPort } from '../http/own-port.ts'
import { temporaryDirectory } from '../models/temporary-directory.ts'
import { describeInBrowser, newCode, newProfile, newTab, signIn } from './browser.ts'

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

interface Session {
  readonly cookie: string
  readonly csrfToken: string
}

/** What a browser sends with a request of the daemon's own page. */
const ownHeaders = ({ port }: TestDaemon): string[] => [
  `Host: 127.0.0.1:${port}`,
  `Origin: http://127.0.0.1:${port}`,
  'Sec-Fetch-Site: same-origin',
]

const post = (
  { port }: TestDaemon,
  path: string,
  { headers, body }: { headers: readonly string[]; body: unknown },
) => {
  const text = JSON.stringify(body)
  return sendRaw(
    port,
    request(
      `POST ${path}`,
      [...headers, 'Content-Type: application/json', `Content-Length: ${Buffer.byteLength(text)}`],
      text,
    ),
  )
}

const spend = (daemon: TestDaemon, code: string, headers = ownHeaders(daemon)) =>
  post(daemon, '/session', { headers, body: { code } })

async function enter(daemon: TestDaemon): Promise<Session> {
  const reply = await spend(daemon, await newCode(daemon))
  expect(reply.status).toBe(200)
  const [, cookie = ''] = /^(brain_session_\d+=[^;]+)/.exec(reply.headers.get('set-cookie') ?? '') ?? []
  return { cookie, csrfToken: (reply.body as { csrf_token: string }).csrf_token } // Shown to be a text below.
}

const signed = ({ cookie, csrfToken }: Session): string[] => [
  `Cookie: ${cookie}`,
  `X-Brain-Page: ${csrfToken}`,
]

const remember = (daemon: TestDaemon, headers: readonly string[]) =>
  post(daemon, '/v1/remember', { headers, body: { text: 'planted' } })

async function expectNothingWritten({ brain }: TestDaemon): Promise<void> {
  expect(await brain.store.memories.count('default')).toBe(0)
}

describe('the page and its headers', () => {
  test('is served with the fence around it and nothing inline, to anyone at this machine', async () => {
    const daemon = await startTestDaemon()
    const response = await fetch(daemon.url)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(response.headers.get('content-security-policy')).toBe(policy)
    expect(response.headers.get('cross-origin-opener-policy')).toBe('same-origin')
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    const text = await response.text()
    expect(text).not.toMatch(/<script(?![^>]*src=)|<style|style=|onload=/)
    const files = [...text.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path = '']) => path)
    expect(files).toHaveLength(2)
    for (const path of files) {
      const { status, headers } = await fetch(daemon.url + path)
      expect(status, path).toBe(200)
      expect(headers.get('content-security-policy'), path).toBe(policy)
      expect(headers.get('cross-origin-opener-policy'), path).toBe('same-origin')
      expect(headers.get('x-content-type-options'), path).toBe('nosniff')
    }
  })

  test('what else the daemon answers, refusals too, is no document: nothing is guessed, loaded, framed or kept', async () => {
    const daemon = await startTestDaemon()
    const session = await enter(daemon)
    const own = [...ownHeaders(daemon), ...signed(session)]
    const host = [`Host: 127.0.0.1:${daemon.port}`]
    const answers = [
      await spend(daemon, await newCode(daemon)),
      await spend(daemon, 'no code'),
      await remember(daemon, own),
      await remember(daemon, ownHeaders(daemon)),
      await remember(daemon, [...host, 'Origin: http://evil.example']),
      await post(daemon, '/v1/remember', { headers: own, body: {} }),
      await sendRaw(daemon.port, request('GET /v1/overview', own)),
      await sendRaw(daemon.port, request('GET /nowhere', host)),
      await sendRaw(daemon.port, request('GET /health', host)),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 401, 200, 401, 403, 400, 200, 404, 200])
    for (const { status, headers } of answers) {
      expect(headers.get('x-content-type-options'), String(status)).toBe('nosniff')
      expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'")
      expect(headers.get('cache-control')).toBe('no-store')
    }
  })

  test('is off with --no-page, and so is everything that belongs to it', async () => {
    const daemon = await startTestDaemon({ page: false })
    expect(await call(daemon, '/')).toMatchObject({ status: 404, body: { error: 'no such endpoint: GET /' } })
    expect(await call(daemon, '/session/code', { body: {} })).toMatchObject({ status: 404 })
    expect(await spend(daemon, 'x')).toMatchObject({ status: 403, body: { error: 'origin not allowed' } })
  })
})

describe('signing in', () => {
  test('a code makes a session of the key’s project, whose cookie no script can read and no other site sends', async () => {
    const daemon = await startTestDaemon()
    const reply = await spend(daemon, await newCode(daemon))
    expect(reply).toMatchObject({ status: 200, body: { project: 'default', agent: 'default' } })
    expect(reply.headers.get('set-cookie')).toMatch(
      /^brain_session_\d+=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/; Max-Age=43200$/,
    )
    const session = await enter(daemon)
    expect(await remember(daemon, [...ownHeaders(daemon), ...signed(session)])).toMatchObject({
      status: 200,
      body: { id: 1 },
    })
  })

  test('a person looking on is no work of agents: what the page asks is in no tally', async () => {
    const daemon = await startTestDaemon()
    const session = await enter(daemon)
    await remember(daemon, [...ownHeaders(daemon), ...signed(session)])
    expect((await call(daemon, '/v1/state')).body).toMatchObject({ active_minutes: 0 })
    await call(daemon, '/v1/remember', { body: { text: 'an agent' } })
    expect((await call(daemon, '/v1/state')).body).toMatchObject({ active_minutes: 1 })
  })

  test('signing out ends the session in the daemon, too', async () => {
    const daemon = await startTestDaemon()
    const headers = [...ownHeaders(daemon), ...signed(await enter(daemon))]
    expect(await post(daemon, '/session/end', { headers, body: {} })).toMatchObject({ status: 200 })
    expect(await remember(daemon, headers)).toMatchObject({ status: 401 })
  })

  test('a session asks for no code: whoever opens the page for others needs a key', async () => {
    const daemon = await startTestDaemon()
    const headers = [...ownHeaders(daemon), ...signed(await enter(daemon))]
    expect(await post(daemon, '/session/code', { headers, body: {} })).toMatchObject({ status: 401 })
  })
})

describe('what does not get in', () => {
  test('a code that was used', async () => {
    const daemon = await startTestDaemon()
    const code = await newCode(daemon)
    expect((await spend(daemon, code)).status).toBe(200)
    const again = await spend(daemon, code)
    expect(again).toMatchObject({ status: 401, body: { error: expect.stringContaining('brain open') } })
    expect(again.headers.get('set-cookie')).toBeNull()
  })

  test('a code after a minute, and a session after twelve hours', async () => {
    let now = Date.now()
    const daemon = await startTestDaemon({ now: () => now })
    const [late, early] = [await newCode(daemon), await newCode(daemon)]
    now += 59_999
    const reply = await spend(daemon, early)
    expect(reply.status).toBe(200)
    now += 1
    expect((await spend(daemon, late)).status).toBe(401)
    const session = await enter(daemon)
    const headers = [...ownHeaders(daemon), ...signed(session)]
    now += 12 * 3_600_000 - 1
    expect((await remember(daemon, headers)).status).toBe(200)
    now += 1
    expect((await remember(daemon, headers)).status).toBe(401)
  })

  test('the oldest of more codes than are ever open at once', async () => {
    const daemon = await startTestDaemon()
    const { keys } = daemon.brain.store
    const caller = await authenticate(['x-svc-key', daemon.key], { keys, now: Date.now, here: true })
    const sessions = new Sessions({ keys, now: Date.now })
    const [oldest = '', next = ''] = Array.from({ length: 257 }, () => sessions.issueCode(caller))
    await expect(sessions.open(oldest)).rejects.toThrow('brain open')
    expect(await sessions.open(next)).toMatchObject({ caller })
  })

  test('another origin, with the cookie and all', async () => {
    const daemon = await startTestDaemon()
    const session = await enter(daemon)
    const host = `Host: 127.0.0.1:${daemon.port}`
    for (const headers of [
      ['Origin: http://evil.example', 'Sec-Fetch-Site: cross-site'],
      ['Origin: http://evil.example', 'Sec-Fetch-Site: same-origin'],
      [`Origin: http://127.0.0.1:${daemon.port + 1}`, 'Sec-Fetch-Site: same-site'],
      [`Origin: http://localhost:${daemon.port}`, 'Sec-Fetch-Site: same-origin'],
      [`Origin: https://127.0.0.1:${daemon.port}`, 'Sec-Fetch-Site: same-origin'],
      [`Origin: http://127.0.0.1:${daemon.port}`, 'Sec-Fetch-Site: same-site'],
      [`Origin: http://127.0.0.1:${daemon.port}`],
      ['Origin: null', 'Sec-Fetch-Site: same-origin'],
    ]) {
      const all = [host, ...headers, ...signed(session)]
      expect(await remember(daemon, all), headers.join()).toMatchObject({
        status: 403,
        body: { error: 'origin not allowed' },
      })
      expect(await spend(daemon, await newCode(daemon), all)).toMatchObject({ status: 403 })
    }
    await expectNothingWritten(daemon)
  })

  test('a program without Sec-Fetch-Site, though it has cookie and header', async () => {
    const daemon = await startTestDaemon()
    const session = await enter(daemon)
    const reply = await remember(daemon, [`Host: 127.0.0.1:${daemon.port}`, ...signed(session)])
    expect(reply).toMatchObject({ status: 401, body: { error: 'invalid or missing API key' } })
    await expectNothingWritten(daemon)
  })

  test('a name that was bound to this address: DNS rebinding', async () => {
    const daemon = await startTestDaemon()
    const session = await enter(daemon)
    const host = `evil.example:${daemon.port}`
    const headers = [
      `Host: ${host}`,
      `Origin: http://${host}`,
      'Sec-Fetch-Site: same-origin',
      ...signed(session),
    ]
    expect(await remember(daemon, headers)).toMatchObject({
      status: 403,
      body: { error: 'host not allowed' },
    })
    expect(await sendRaw(daemon.port, request('GET /', [`Host: ${host}`]))).toMatchObject({ status: 403 })
    await expectNothingWritten(daemon)
  })

  test('the cookie without the header, with another’s, or twice', async () => {
    const daemon = await startTestDaemon()
    const [mine, other] = [await enter(daemon), await enter(daemon)]
    for (const headers of [
      [`Cookie: ${mine.cookie}`],
      [`Cookie: ${mine.cookie}`, 'X-Brain-Page: 1'],
      [`Cookie: ${mine.cookie}`, `X-Brain-Page: ${other.csrfToken}`],
      [`Cookie: ${mine.cookie}`, `X-Brain-Page: ${mine.csrfToken}`, `X-Brain-Page: ${mine.csrfToken}`],
      [`Cookie: ${mine.cookie}; ${other.cookie}`, `X-Brain-Page: ${mine.csrfToken}`],
      [`X-Brain-Page: ${mine.csrfToken}`],
    ]) {
      const reply = await remember(daemon, [...ownHeaders(daemon), ...headers])
      expect(reply, headers.join()).toMatchObject({
        status: 401,
        body: { error: 'this page is not signed in: run `brain open`' },
      })
      // GET /v1/dreams writes, too: reading is no way round.
      const dreams = await sendRaw(
        daemon.port,
        request('GET /v1/dreams', [...ownHeaders(daemon), ...headers]),
      )
      expect(dreams.status).toBe(401)
    }
    await expectNothingWritten(daemon)
  })

  test('the cookie of another daemon, and of this one before it ended', async () => {
    const [one, two] = [await startTestDaemon(), await startTestDaemon()]
    const session = await enter(one)
    const renamed = { ...session, cookie: session.cookie.replace(/\d+=/, `${two.port}=`) }
    expect((await remember(two, [...ownHeaders(two), ...signed(renamed)])).status).toBe(401)
    await expectNothingWritten(two)
  })

  test('a session whose key was revoked, from the next request on, and a code of such a key', async () => {
    const daemon = await startTestDaemon()
    const { key, text } = await createKey(daemon.brain.store.keys, {
      project: 'default',
      label: 'brain open',
      lifetime: null,
      now: Date.now(),
    })
    const owner = { ...daemon, key: text }
    const headers = [...ownHeaders(daemon), ...signed(await enter(owner))]
    const code = await newCode(owner)
    expect((await remember(daemon, headers)).status).toBe(200)
    await daemon.brain.store.keys.revoke(key.id, Date.now())
    expect((await remember(daemon, headers)).status).toBe(401)
    expect((await spend(daemon, code)).status).toBe(401)
  })
})

describeInBrowser('in a real browser', () => {
  test('the code leaves the address and the history, and the session holds over a reload and in another tab', async () => {
    const daemon = await startTestDaemon()
    const context = await newProfile()
    const { page } = await signIn(daemon, context)
    expect(page.url()).toBe(`${daemon.url}/#/search`)
    await page.reload()
    await page.getByRole('searchbox').waitFor()
    const { page: second } = await newTab(context)
    await second.goto(`${daemon.url}/#/state`)
    await second.getByText('What it holds').waitFor()
    expect(await page.evaluate('document.cookie')).toBe('')
  })

  test('the header says which brain it is, in a tab that another one at the same address took over, too', async () => {
    const named = (name: string): string => {
      const directory = join(temporaryDirectory(), name)
      mkdirSync(directory)
      return join(directory, '.brain')
    }
    const port = await ownPort()
    const orchard = await startTestDaemon({ directory: named('orchard'), port })
    const context = await newProfile()
    const { page } = await signIn(orchard, context)
    const header = page.getByRole('banner')
    await header.getByText('orchard', { exact: true }).waitFor()
    await page.reload()
    await header.getByText('orchard', { exact: true }).waitFor()
    await expect.poll(() => page.title()).toBe('Search · orchard · brain')
    await orchard.stop()
    await signIn(await startTestDaemon({ directory: named('meadow'), port }), context)
    await header.getByText('meadow', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'State' }).click()
    await page.getByRole('region', { name: 'Where it is kept' }).getByText('meadow').waitFor()
  })

  test('a link that was used says so, and what to do', async () => {
    const daemon = await startTestDaemon()
    const code = await newCode(daemon)
    const context = await newProfile()
    const { page } = await newTab(context)
    await page.goto(`${daemon.url}/#code=${code}`)
    await page.getByRole('searchbox').waitFor()
    expect(daemon.log()).not.toContain(code)
    const { page: thief } = await newTab(await newProfile())
    await thief.goto(`${daemon.url}/#code=${code}`)
    await thief.getByRole('heading', { name: 'Not signed in' }).waitFor()
    expect(await thief.getByRole('alert').textContent()).toContain('used already')
    expect(await thief.getByText('brain open').count()).toBeGreaterThan(0)
  })

  test('another site can neither frame it, nor post to it, nor read from it with the cookie in the jar', async () => {
    const daemon = await startTestDaemon()
    const context = await newProfile()
    await signIn(daemon, context)
    const site = await openSite(`
      const frame = document.createElement('iframe')
      frame.src = '${daemon.url}/'
      document.body.append(frame)
      const posted = await fetch('${daemon.url}/v1/remember', { method: 'POST', credentials: 'include',
        headers: { 'content-type': 'text/plain' }, mode: 'no-cors', body: '{"text":"planted"}' }).then((r) => r.type, () => 'blocked')
      const read = await fetch('${daemon.url}/v1/overview', { credentials: 'include' }).then((r) => r.status, () => 'blocked')
      document.title = posted + ' ' + read
    `)
    const { page } = await newTab(context)
    await page.goto(`http://evil.example:${site.port}/`)
    await page.waitForFunction('document.title.includes("blocked")')
    expect(await page.title()).toBe('opaque blocked')
    const frame = page.frames().find((one) => one !== page.mainFrame())
    expect(
      await frame
        ?.locator('#app')
        .count()
        .catch(() => 0),
    ).toBe(0)
    await expectNothingWritten(daemon)
  })

  test('a name rebound to this machine is shown nothing', async () => {
    const daemon = await startTestDaemon()
    const { page } = await newTab(await newProfile())
    const response = await page.goto(`http://rebound.example:${daemon.port}/`)
    expect(response?.status()).toBe(403)
  })
})
