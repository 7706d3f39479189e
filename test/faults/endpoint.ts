/** An embeddings endpoint of the drills, good at first and then as bad as it is told to be. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { ownPort } from '../http/own-port.ts'

type Answer = (texts: readonly string[], response: ServerResponse) => void

/** A bag of words in so many dimensions: texts with words in common are near each other. */
function vectorOf(text: string, dimension: number): number[] {
  const vector = new Array<number>(dimension).fill(0.01)
  for (const word of text.toLowerCase().match(/\w+/g) ?? []) {
    let hash = 7
    for (const character of word) hash = (Math.imul(hash, 31) + character.charCodeAt(0)) >>> 0
    vector[hash % dimension] = (vector[hash % dimension] ?? 0) + 1
  }
  return vector
}

const dimension = 16

const send = (response: ServerResponse, embeddings: readonly unknown[]): void => {
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ data: embeddings.map((embedding, index) => ({ index, embedding })) }))
}

const answerWell =
  (of = dimension): Answer =>
  (texts, response) =>
    send(
      response,
      texts.map((text) => vectorOf(text, of)),
    )

/** A gigabyte without an end of anything; stops when nobody reads any more. */
const pour: Answer = (_, response) => {
  const chunk = Buffer.alloc(1 << 20, '[')
  let left = 1_024
  const go = (): void => {
    while (left > 0 && !response.destroyed) {
      left -= 1
      if (!response.write(chunk)) return
    }
    if (left === 0) response.end()
  }
  response.on('drain', go)
  go()
}

/** What may be wrong with an endpoint, by name. */
export const endpointFaults = {
  'answers in three seconds': (texts, response) => {
    setTimeout(() => answerWell()(texts, response), 3_000)
  },
  'never answers': () => {},
  'sends its head and no more': (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).write('{"data": [')
  },
  'refuses with a 401': (_, response) => {
    response.writeHead(401).end('{"error": "no"}')
  },
  'breaks with a 500': (_, response) => {
    response.writeHead(500).end()
  },
  'closes the connection': (_, response) => {
    response.destroy()
  },
  'closes in the middle of an answer': (_, response) => {
    response.writeHead(200, { 'content-length': '4000' }).write('{"data": [{"embedding": [0.1, ')
    setTimeout(() => response.destroy(), 20)
  },
  'answers NaN': (texts, response) => {
    response.end(`{"data": [${texts.map(() => '{"embedding": [NaN, 1]}').join()}]}`)
  },
  'answers null in place of numbers': (texts, response) =>
    send(
      response,
      texts.map(() => new Array(dimension).fill(null)),
    ),
  'answers zeros': (texts, response) =>
    send(
      response,
      texts.map(() => new Array(dimension).fill(0)),
    ),
  'answers in another dimension': answerWell(dimension - 1),
  'answers one vector too few': (texts, response) => {
    send(
      response,
      texts.slice(1).map((text) => vectorOf(text, dimension)),
    )
  },
  'answers one vector too many': (texts, response) => {
    send(
      response,
      [...texts, ''].map((text) => vectorOf(text, dimension)),
    )
  },
  'answers what is no JSON': (_, response) => {
    response.end('<html>Service unavailable</html>')
  },
  'answers a gigabyte': pour,
  'sends elsewhere': (_, response) => {
    response.writeHead(307, { location: 'http://127.0.0.1:9/' }).end()
  },
} as const satisfies Record<string, Answer>

/** Beside those it can be down, so that nobody listens. */
export type EndpointFault = keyof typeof endpointFaults | 'is down'

export interface Endpoint {
  readonly url: string
  /** What makes a process use it. */
  readonly environment: Readonly<Record<string, string>>
  /** Asked so often. */
  readonly asked: () => number
  /** Undefined makes it well. */
  turn(fault: EndpointFault | undefined): Promise<void>
  stop(): Promise<void>
}

async function readTexts(request: IncomingMessage): Promise<string[]> {
  let body = ''
  for await (const chunk of request) body += chunk
  return JSON.parse(body).input
}

/** Starts one; `delay` is what it takes to answer well, in milliseconds. */
export async function startEndpoint(delay = 0): Promise<Endpoint> {
  let answer: Answer = answerWell()
  let asked = 0
  const server = createServer(async (request, response) => {
    // Whoever gave up waiting is gone.
    response.on('error', () => {})
    const texts = await readTexts(request).catch(() => undefined)
    if (texts === undefined) return
    asked += 1
    setTimeout(() => answer(texts, response), delay)
  })
  const port = await ownPort()
  const listen = (): Promise<void> =>
    new Promise((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, '127.0.0.1', () => resolve())
    })
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  await listen()
  const url = `http://127.0.0.1:${port}/v1`
  return {
    url,
    environment: { BRAIN_EMBEDDER: 'http', BRAIN_EMBEDDER_URL: url, BRAIN_EMBEDDER_MODEL: 'drill' },
    asked: () => asked,
    turn: async (fault) => {
      if (fault === 'is down') return stop()
      answer = fault === undefined ? answerWell() : endpointFaults[fault]
      // What hangs from before is hung up on.
      server.closeAllConnections()
      if (!server.listening) await listen()
    },
    stop,
  }
}
