import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Config, defaults } from '../../src/config/config.ts'
import { createEmbedderPool } from '../../src/models/pool.ts'
import { createEndpoint, type EndpointOptions } from '../../src/models/providers/http.ts'
import { createBrainPlace } from '../cli/command-line.ts'
import { temporaryDirectory } from './temporary-directory.ts'
import { installEncoder } from './tiny-models.ts'

interface Asked {
  readonly path: string
  readonly key: string | undefined
  readonly model: string
  readonly input: string[]
}

type Answer = (asked: Asked, response: ServerResponse, count: number) => void

async function readJson(request: IncomingMessage): Promise<{ model: string; input: string[] }> {
  let text = ''
  for await (const chunk of request) text += chunk
  return JSON.parse(text)
}

/** A local endpoint that answers as told and keeps what it was asked. */
async function serve(answer: Answer): Promise<{ url: string; asked: Asked[]; stop: () => void }> {
  const asked: Asked[] = []
  const server = createServer(async (request, response) => {
    const { model, input } = await readJson(request)
    const question = { path: request.url ?? '', key: request.headers.authorization, model, input }
    asked.push(question)
    answer(question, response, asked.length)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const stop = () => {
    server.closeAllConnections()
    server.close()
  }
  onTestFinished(stop)
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server listens on a port')
  return { url: `http://127.0.0.1:${address.port}/v1`, asked, stop }
}

/** Three numbers that differ from text to text. */
const toyVector = (text: string): number[] => [text.length, text.charCodeAt(0) || 1, 1]

const answerWell: Answer = ({ input }, response) => {
  // In no order, as the protocol allows: `index` says which is whose.
  const data = input.map((text, index) => ({ index, embedding: toyVector(text) })).reverse()
  response.end(JSON.stringify({ data }))
}

const answerWith =
  (embedding: unknown): Answer =>
  ({ input }, response) => {
    response.end(`{"data":[${input.map(() => `{"embedding":${JSON.stringify(embedding)}}`).join()}]}`)
  }

const openAt = (url: string, options: Partial<EndpointOptions> = {}) =>
  createEndpoint({ url, model: 'toy', ...options })

describe('the http embedder', () => {
  test('it asks base url /embeddings with model and key, and keeps texts and vectors together', async () => {
    const { url, asked } = await serve(answerWell)
    const embedder = await openAt(url, { key: 'secret' })()
    expect(embedder.identity).toMatchObject({ name: 'http:toy', dimension: 3 })
    const texts = Array.from({ length: 40 }, (_, index) => 'x'.repeat(index + 1))
    const all = await embedder.embedTexts(texts)
    for (const [index, passages] of all.entries()) {
      const expected = toyVector(texts[index] ?? '')
      expect((passages[0]?.vector[0] ?? 0) / (passages[0]?.vector[2] ?? 0)).toBeCloseTo(expected[0] ?? 0, 3)
    }
    expect(asked[0]).toMatchObject({ path: '/v1/embeddings', key: 'Bearer secret', model: 'toy' })
    expect(Math.max(...asked.map(({ input }) => input.length))).toBeLessThanOrEqual(16)
  })

  test('a known dimension needs no request to open', async () => {
    const { url, asked } = await serve(answerWell)
    const embedder = await openAt(url)(3)
    expect(asked).toEqual([])
    expect(Math.hypot(...(await embedder.embedQuery('anything')).vector)).toBeCloseTo(1, 5)
  })

  test('a long text is sent in overlapping passages', async () => {
    const { url } = await serve(answerWell)
    const text = 'some words of a long text. '.repeat(300)
    const [passages = []] = await (await openAt(url)()).embedTexts([text])
    expect(passages.length).toBeGreaterThan(2)
    expect(passages.at(-1)?.end).toBe(text.length)
  })

  const bad: [string, Answer, RegExp][] = [
    ['a status of failure', (_, response) => response.writeHead(401).end('no'), /answered 401/],
    [
      'a redirect',
      (_, response) => response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end(),
      /cannot be reached/,
    ],
    ['something that is no JSON', (_, response) => response.end('<html>'), /no JSON/],
    ['too few vectors', (_, response) => response.end('{"data":[]}'), /did not send one vector a text/],
    ['a vector of zeros', answerWith([0, 0, 0]), /zero or not finite/],
    ['a vector with null for NaN', answerWith([1, null, 2]), /not all numbers/],
    ['an empty vector', answerWith([]), /no vector/],
    [
      'an infinite component',
      (_, response) => response.end('{"data":[{"embedding":[1e999,1]}]}'),
      /zero or not finite/,
    ],
    ['a literal NaN', (_, response) => response.end('{"data":[{"embedding":[NaN,1]}]}'), /no JSON/],
    ['text for a vector', answerWith('AAAA'), /no vector/],
    ['a closed connection', (_, response) => response.destroy(), /cannot be reached/],
    [
      'half an answer',
      (_, response) => {
        response.writeHead(200, { 'content-length': '1000' }).write('{"data"')
        setTimeout(() => response.destroy(), 20)
      },
      /cannot be reached/,
    ],
  ]
  test.each(bad)('%s is refused with its reason', async (_, answer, reason) => {
    const { url } = await serve(answer)
    await expect(openAt(url)()).rejects.toThrow(reason)
    await expect(openAt(url)()).rejects.toMatchObject({ kind: 'failed' })
  })

  test('an answer without end is cut off', async () => {
    let sent = 0
    const { url } = await serve((_, response) => {
      const chunk = Buffer.alloc(1 << 20, ' ')
      const pour = () => {
        while (!response.destroyed && response.write(chunk)) sent += chunk.length
        sent += chunk.length
      }
      response.on('drain', pour)
      pour()
    })
    await expect(openAt(url)()).rejects.toThrow(/more than was asked for/)
    expect(sent).toBeLessThan(64 << 20)
  })

  test('a vector of another dimension than before is refused', async () => {
    const { url } = await serve(({ input }, response, count) =>
      response.end(
        JSON.stringify({ data: input.map(() => ({ embedding: count === 1 ? [1, 2] : [1, 2, 3] })) }),
      ),
    )
    const embedder = await openAt(url)()
    await expect(embedder.embedQuery('x')).rejects.toThrow(/3 dimensions instead of 2/)
  })

  test('an endpoint that never answers is given up after two seconds', async () => {
    const { url } = await serve(() => {})
    await expect(openAt(url)()).rejects.toThrow(/within 2000 ms/)
  })

  test('a failing endpoint rests, longer each time, and is asked again afterwards', async () => {
    let now = 0
    const { url, asked } = await serve((question, response, count) =>
      count <= 3 ? response.writeHead(503).end() : answerWell(question, response, count),
    )
    const open = openAt(url, { now: () => now })
    const failing = () => expect(open()).rejects.toThrow(/503/)
    await failing()
    await failing()
    expect(asked).toHaveLength(1)
    now += 1001
    await failing()
    now += 1001
    await failing()
    expect(asked).toHaveLength(2)
    now += 1000
    await failing()
    expect(asked).toHaveLength(3)
    now += 4001
    await open()
    expect(asked).toHaveLength(4)
  })

  test('many texts at once may take longer than one', async () => {
    const { url } = await serve((question, response) => {
      if (question.input.length === 1) answerWell(question, response, 1)
      else setTimeout(() => answerWell(question, response, 1), 2_300)
    })
    const embedder = await openAt(url)()
    expect(await embedder.embedTexts(['a', 'b', 'c'])).toHaveLength(3)
  })

  test('of questions that fail together the first counts', async () => {
    let now = 0
    let down = true
    const { url, asked } = await serve((question, response, count) =>
      down ? response.writeHead(503).end() : answerWell(question, response, count),
    )
    const embedder = await openAt(url, { now: () => now })(3)
    await Promise.allSettled(['a', 'b', 'c', 'd'].map((query) => embedder.embedQuery(query)))
    expect(asked).toHaveLength(4)
    down = false
    now += 1_001
    await embedder.embedQuery('e')
  })

  test('a cancelled call is no failure of the endpoint', async () => {
    const { url } = await serve(answerWell)
    const embedder = await openAt(url)()
    await expect(embedder.embedQuery('x', AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone')
    await embedder.embedQuery('x')
  })

  test('its identity tells endpoints and models apart', async () => {
    const { url } = await serve(answerWell)
    const hash = async (at: string, model: string) => (await openAt(at, { model })(3)).identity.hash
    expect(await hash(url, 'toy')).toBe(await hash(`${url}/embeddings`, 'toy'))
    expect(await hash(url, 'toy')).not.toBe(await hash(url, 'other'))
    expect(await hash(url, 'toy')).not.toBe(await hash(`${url}/v2`, 'toy'))
  })
})

describe('the http embedder in the pool', () => {
  const httpConfig = (url: string | null, more: Partial<Config> = {}): Config => ({
    ...defaults,
    embedder: 'http',
    'embedder.url': url,
    'embedder.model': 'toy',
    ...more,
  })

  function createPool(config: Config, environment: Record<string, string> = {}) {
    const builtinDirectory = temporaryDirectory()
    installEncoder(builtinDirectory)
    const warnings: string[] = []
    const clock = { now: 0 }
    const warn = (message: string) => warnings.push(message)
    const now = () => clock.now
    const pool = createEmbedderPool({ config, environment, warn, builtinDirectory, now })
    onTestFinished(() => pool.close())
    return { pool, warnings, clock }
  }

  test('its passages carry the built-in word pieces', async () => {
    const { url } = await serve(answerWell)
    const { pool } = createPool(httpConfig(url))
    const embedder = await pool.current()
    expect((await embedder?.embedQuery('running'))?.tokens).toHaveLength(1)
  })

  test('an endpoint that is down costs one warning and comes back by itself', async () => {
    const { url, asked } = await serve((question, response, count) =>
      count <= 1 ? response.writeHead(500).end() : answerWell(question, response, count),
    )
    const { pool, warnings, clock } = createPool(httpConfig(url))
    expect(await pool.current()).toBeUndefined()
    expect(await pool.current()).toBeUndefined()
    expect(warnings).toEqual([expect.stringMatching(/keyword only.*answered 500/)])
    expect(asked).toHaveLength(1)
    clock.now += 1001
    expect((await pool.current())?.identity.dimension).toBe(3)
  })

  test('a stored vector space of the configured endpoint opens without a request', async () => {
    const { url, asked } = await serve(answerWell)
    const { pool } = createPool(httpConfig(url))
    const { identity } = await openAt(url)(3)
    expect((await pool.of(identity))?.identity).toEqual(identity)
    expect(await pool.of({ ...identity, hash: 'of another endpoint' })).toBeUndefined()
    expect(asked).toEqual([])
  })

  test('the key comes from the variable that the configuration names', async () => {
    const { url, asked } = await serve(answerWell)
    const config = httpConfig(url, { 'embedder.key_env': 'TOY_KEY' })
    await createPool(config, { TOY_KEY: 'from the environment' }).pool.current()
    expect(asked[0]?.key).toBe('Bearer from the environment')
    const { pool, warnings } = createPool(config)
    expect(await pool.current()).toBeUndefined()
    expect(warnings[0]).toMatch(/TOY_KEY, which is not set/)
  })

  test.each(['embedder.url', 'embedder.model'] as const)(
    'without %s the warning names it',
    async (setting) => {
      const { pool, warnings } = createPool(httpConfig('http://127.0.0.1:1/v1', { [setting]: null }))
      expect(await pool.current()).toBeUndefined()
      expect(warnings[0]).toContain(`brain config set ${setting} VALUE`)
    },
  )
})

test('an endpoint is asked once for what a hook keeps', async () => {
  const { url, asked } = await serve(answerWell)
  const place = await createBrainPlace({
    BRAIN_EMBEDDER: 'http',
    BRAIN_EMBEDDER_URL: url,
    BRAIN_EMBEDDER_MODEL: 'toy',
  })
  await place.run(['remember', 'The queue is on Redis Streams'])
  const said = 'Decision: consumers are named after their hosts'
  const stdin = JSON.stringify({ session_id: 's1', cwd: place.directory, last_assistant_message: said })
  await place.run(['hook', 'claude-code', 'Stop'], { stdin })
  expect(asked.flatMap(({ input }) => input).filter((text) => text === said)).toHaveLength(1)
  const { stdout } = await place.run(['recall', said, '--json'])
  expect(JSON.parse(stdout)).toMatchObject({ mode: 'semantic', results: [{ text: said }, {}] })
})
