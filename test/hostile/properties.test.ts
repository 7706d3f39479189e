/** Whatever is sent, a daemon answers or refuses, and what it keeps is what it was sent. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { operations } from '../../src/operations/index.ts'
import { createBrainPlace } from '../cli/command-line.ts'
import { call, openDaemon, request, sendRaw, type TestDaemon } from '../http/daemon.ts'
import { own } from '../store/by-project.ts'

let directory: string
let daemon: TestDaemon

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'brain-properties-'))
  daemon = await openDaemon(directory)
})

afterAll(async () => {
  await daemon.stop()
  await rm(directory, { recursive: true, force: true })
})

const paths = operations.flatMap(({ route }) => (route ? [route.path.replace(/:\w+/, '1')] : []))
const posts = operations.flatMap(({ route }) => (route?.method === 'POST' ? [route.path] : []))

/** A refusal is a sentence; an answer is an object; nothing else comes back. */
function expectAnswer({ status, body }: { status: number; body: unknown }): void {
  expect(status).toBeLessThan(500)
  expect(typeof body).toBe('object')
  if (status !== 200) expect(Object.keys(body as object)).toEqual(['error'])
}

/** A daemon that closed some connections without a word answered others, and is as well as before. */
async function expectUnharmed(answered: number): Promise<void> {
  expect(answered).toBeGreaterThan(0)
  expect(await call(daemon, '/health')).toMatchObject({ status: 200, body: { status: 'ok' } })
  expect(daemon.log()).not.toMatch(/"status":5\d\d/)
}

/** These bytes as the body of a POST. */
const postBytes = (path: string, bytes: Uint8Array) =>
  sendRaw(
    daemon.port,
    Buffer.concat([
      Buffer.from(
        request(`POST ${path}`, [
          'Host: localhost',
          `x-svc-key: ${daemon.key}`,
          'Content-Type: application/json',
          'Accept: application/json, text/event-stream',
          `Content-Length: ${bytes.length}`,
        ]),
      ),
      bytes,
    ]),
  )

test('any bytes in place of a request get no 5xx', async () => {
  let answered = 0
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), async (bytes) => {
      const reply = await sendRaw(daemon.port, bytes, { finish: true }).catch(() => undefined)
      if (reply === undefined) return
      answered += 1
      expectAnswer(reply)
    }),
    { numRuns: 150 },
  )
  await expectUnharmed(answered)
})

test('any bytes as a body get no 5xx, at any endpoint', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...posts), fc.uint8Array({ maxLength: 300 }), async (path, bytes) =>
      expectAnswer(await postBytes(path, bytes)),
    ),
    { numRuns: 200 },
  )
})

test('any JSON as a body gets no 5xx, at any endpoint', async () => {
  const member = fc.oneof(
    fc.constantFrom(...operations.flatMap(({ members }) => Object.keys(members))),
    fc.string({ unit: 'binary', maxLength: 12 }),
  )
  const bodies = fc.oneof(
    fc.dictionary(member, fc.jsonValue({ maxDepth: 3, stringUnit: 'binary' }), { maxKeys: 5 }),
    fc.jsonValue({ stringUnit: 'binary' }),
  )
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...posts), bodies, async (path, body) =>
      expectAnswer(await call(daemon, path, { body })),
    ),
    { numRuns: 300 },
  )
})

test('a good request with a few bytes changed gets no 5xx', async () => {
  const good = Buffer.from(
    request('GET /v1/outside_views?limit=5&subject_agent=a%20b', [
      'Host: localhost',
      `x-svc-key: ${daemon.key}`,
      'x-svc-agent: tester',
      'Accept: application/json',
    ]),
  )
  let answered = 0
  const change = fc.tuple(fc.nat(good.length - 1), fc.integer({ min: 0, max: 255 }))
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
      const bytes = Buffer.from(good)
      for (const [at, byte] of changes) bytes[at] = byte
      const reply = await sendRaw(daemon.port, bytes, { finish: true }).catch(() => undefined)
      // "/?1/outside_views" asks for the page.
      if (reply?.body === undefined || typeof reply.body === 'string') return
      answered += 1
      expectAnswer(reply)
    }),
    { numRuns: 200, examples: [[[[good.indexOf('v1'), '?'.charCodeAt(0)]]]] },
  )
  await expectUnharmed(answered)
})

test('any query gets no 5xx, at any endpoint', async () => {
  const part = fc.oneof(
    fc.constantFrom('limit', 'since_days', 'status', 'subject_agent', 'belief_id', '__proto__'),
    fc.string({ maxLength: 10 }).map(encodeURIComponent),
    fc.stringMatching(/^[%A-Fa-f0-9+=&;]{0,12}$/),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...paths),
      fc.array(fc.tuple(part, part), { maxLength: 4 }),
      async (path, pairs) => {
        const query = pairs.map(([name, value]) => `${name}=${value}`).join('&')
        expectAnswer(await call(daemon, `${path}?${query}`))
      },
    ),
    { numRuns: 200 },
  )
})

/** A text a brain keeps: anything well-formed that is more than blanks and has no NUL. */
const storable = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 60 })
  .filter((text) => text.isWellFormed() && text.trim() !== '' && !text.includes('\0'))

test('a text comes back through HTTP as it was sent, to the last code point', async () => {
  await fc.assert(
    fc.asyncProperty(storable, async (text) => {
      const { body } = await call(daemon, '/v1/remember', { body: { text } })
      const { id, text: echoed } = body as { id: number; text: string }
      expect(echoed).toBe(text)
      expect(own(await daemon.brain.store.memories.find('default', id))?.text).toBe(text)
    }),
    { numRuns: 150 },
  )
})

test('a text comes back through MCP as it was sent', async () => {
  const client = new Client({ name: 'test', version: '1' })
  const requestInit = { headers: { 'x-svc-key': daemon.key } }
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', daemon.url), { requestInit }))
  await fc.assert(
    fc.asyncProperty(storable, async (text) => {
      const { structuredContent } = await client.callTool({ name: 'remember', arguments: { text } })
      expect(structuredContent).toMatchObject({ text })
    }),
    { numRuns: 60 },
  )
  await client.close()
})

test('a text comes back through the command line as it was sent', async () => {
  const place = await createBrainPlace()
  await fc.assert(
    fc.asyncProperty(storable, async (text) => {
      const { stdout } = await place.run(['remember', '--json', '--', text])
      // A dash alone stands for standard input.
      if (text !== '-') expect(JSON.parse(stdout).text).toBe(text)
    }),
    { numRuns: 30 },
  )
})
