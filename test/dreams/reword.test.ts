import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { defaults } from '../../src/config/config.ts'
import { createReword } from '../../src/dreams/reword.ts'
import type { Thought } from '../../src/dreams/thought.ts'
import { notesOf } from './night-input.ts'

const sources = notesOf([
  [2, 'The nightly export writes 40 GB of temporary files to db-07'],
  [11, 'Pager at 02:40, the disk of db-07 stood at 97 %'],
])
const thought: Thought = {
  kind: 'bridge',
  signal: 0.7,
  sourceMemoryIds: [1, 2],
  thought: '“db-07” joins two notes.',
  reasons: [],
}
const better = 'The nightly export writes its temporary files to db-07, whose disk stood at 97 %.'

interface Request {
  readonly path: string
  readonly authorization: string | undefined
  readonly body: { model: string; messages: { role: string; content: string }[] }
}

type Answer = (response: ServerResponse, request: IncomingMessage) => void

/** A chat endpoint on loopback, with what it was asked and what was warned of. */
async function endpoint(answer: Answer, path = '/v1', timeLimit = 2_000) {
  const requests: Request[] = []
  const warnings: string[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    requests.push({
      path: request.url ?? '',
      authorization: request.headers.authorization,
      body: JSON.parse(Buffer.concat(chunks).toString()),
    })
    answer(response, request)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(
    () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  )
  const { port } = server.address() as AddressInfo
  const reword = createReword({
    config: {
      ...defaults,
      'dream.llm.url': `http://127.0.0.1:${port}${path}`,
      'dream.llm.model': 'small',
      'dream.llm.key_env': 'KEY',
    },
    environment: { KEY: 'secret' },
    warn: (message) => warnings.push(message),
    timeLimit,
  })
  if (reword === undefined) throw new Error('an endpoint was configured')
  return { reword, requests, warnings }
}

const say =
  (content: unknown): Answer =>
  (response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ choices: [{ message: { role: 'assistant', content } }] }))
  }

describe('wording by an endpoint', () => {
  it('is taken when it says what the sources say', async () => {
    const { reword, requests } = await endpoint(say(better))
    expect(await reword(thought, sources)).toBe(better)
    const [request] = requests
    expect(request?.path).toBe('/v1/chat/completions')
    expect(request?.authorization).toBe('Bearer secret')
    expect(request?.body.model).toBe('small')
    const asked = JSON.parse(request?.body.messages[1]?.content ?? '')
    expect(asked).toEqual({ observation: thought.thought, notes: sources.map(({ text }) => text) })
  })

  it('goes to the resource itself where the setting names it', async () => {
    const { reword, requests } = await endpoint(say(better), '/api/chat/completions')
    await reword(thought, sources)
    expect(requests[0]?.path).toBe('/api/chat/completions')
  })

  it('that adds facts is left aside without a warning, and the next thought is asked for', async () => {
    const { reword, requests, warnings } = await endpoint(say('Marta filled the disk of db-07 with 80 GB.'))
    expect(await reword(thought, sources)).toBeUndefined()
    expect(await reword(thought, sources)).toBeUndefined()
    expect(requests).toHaveLength(2)
    expect(warnings).toEqual([])
  })

  const failures: [string, Answer][] = [
    ['answers 500', (response) => void response.writeHead(500).end('oops')],
    ['sends no JSON', (response) => void response.end('<html>')],
    ['sends no message', (response) => void response.end('{"choices":[]}')],
    ['sends a message that is no text', say({ text: better })],
    [
      'never stops sending',
      (response) => {
        response.on('error', () => {})
        const more = (): void => {
          while (!response.destroyed && response.write('x'.repeat(65_536)));
        }
        response.on('drain', more)
        more()
      },
    ],
    ['hangs up', (response) => void response.destroy()],
    [
      'redirects elsewhere',
      (response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
    ],
  ]
  for (const [what, answer] of failures) {
    it(`that ${what} is left alone for the night, with one warning that holds no key`, async () => {
      const { reword, requests, warnings } = await endpoint(answer)
      expect(await reword(thought, sources)).toBeUndefined()
      expect(await reword(thought, sources)).toBeUndefined()
      expect(requests).toHaveLength(1)
      expect(warnings).toHaveLength(1)
      expect(warnings[0]).toContain('built-in wording')
      expect(warnings[0]).not.toContain('secret')
    })
  }

  it('that never answers is given up', async () => {
    const { reword, warnings } = await endpoint(() => {}, '/v1', 50)
    expect(await reword(thought, sources)).toBeUndefined()
    expect(warnings).toHaveLength(1)
  })

  it('is not asked for without settings', () => {
    expect(createReword({ config: defaults, environment: {}, warn: () => {} })).toBeUndefined()
  })
})
