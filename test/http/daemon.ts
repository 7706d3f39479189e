/** A daemon on a free port over a brain of its own, in this process, and clients that speak to it. */
import { connect } from 'node:net'
import { onTestFinished } from 'vitest'
import { type Brain, openBrain } from '../../src/brain.ts'
import { type Config, resolveConfig } from '../../src/config/config.ts'
import { createKey } from '../../src/config/keys.ts'
import { type DaemonOptions, startDaemon } from '../../src/http/daemon.ts'
import { createLog } from '../../src/http/log.ts'
import { mcpEndpoint } from '../../src/mcp/http.ts'
import type { Store } from '../../src/store/store.ts'
import { temporaryDirectory } from '../models/temporary-directory.ts'

export interface TestDaemon {
  readonly brain: Brain
  readonly url: string
  readonly port: number
  /** Opens project `default`. */
  readonly key: string
  /** Everything written to the log so far. */
  readonly log: () => string
  keyOf(project: string): Promise<string>
  stop(): Promise<void>
}

export interface TestDaemonOptions extends Partial<Omit<DaemonOptions, 'brain' | 'log'>> {
  readonly config?: Partial<Config>
  readonly directory?: string
  readonly now?: () => number
}

/** Starts a daemon; the caller stops it. */
export async function openDaemon(directory: string, options: TestDaemonOptions = {}): Promise<TestDaemon> {
  const { config, now, ...served } = options
  const brain = await openBrain({
    directory,
    config: resolveConfig([{ name: 'test', values: { embedder: 'none', durability: 'normal', ...config } }]),
    as: 'worker',
    create: true,
    label: 'test',
    warn: () => {},
    ...(now && { now }),
  })
  const lines: string[] = []
  const log = createLog({ format: 'json', write: (line) => lines.push(line), now: Date.now })
  const keyOf = async (project: string): Promise<string> =>
    (await createKey(brain.store.keys, { project, label: null, lifetime: null, now: Date.now() })).text
  const key = await keyOf('default')
  const daemon = await startDaemon({
    brain,
    log,
    endpoints: [mcpEndpoint(brain, log)],
    host: '127.0.0.1',
    port: 0,
    insecure: false,
    allowHosts: [],
    allowOrigins: [],
    ...(now && { now }),
    ...served,
  })
  let stopped: Promise<void> | undefined
  const stop = async (): Promise<void> => {
    await daemon.stop()
    await brain.close()
  }
  return {
    brain,
    url: daemon.url,
    port: Number(new URL(daemon.url).port),
    key,
    log: () => lines.join(''),
    keyOf,
    stop: () => {
      stopped ??= stop()
      return stopped
    },
  }
}

/** The same for one test: stopped, and its directory removed, when the test ends. */
export async function startTestDaemon(options: TestDaemonOptions = {}): Promise<TestDaemon> {
  const daemon = await openDaemon(options.directory ?? temporaryDirectory(), options)
  onTestFinished(() => daemon.stop())
  return daemon
}

export interface Reply {
  readonly status: number
  readonly headers: Headers
  /** Parsed when it is JSON. */
  readonly body: unknown
}

/** A call as a well-behaved client makes it. */
export async function call(
  daemon: Pick<TestDaemon, 'url' | 'key'>,
  path: string,
  init: { body?: unknown; headers?: Record<string, string>; method?: string } = {},
): Promise<Reply> {
  const { body, headers, method = body === undefined ? 'GET' : 'POST' } = init
  const response = await fetch(daemon.url + path, {
    method,
    headers: {
      'x-svc-key': daemon.key,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: response.status, headers: response.headers, body: await response.json() }
}

export interface RawReply extends Reply {
  /** As it came over the wire. */
  readonly text: string
}

function parseReply(bytes: Buffer): RawReply | undefined {
  const text = bytes.toString('latin1')
  const end = text.indexOf('\r\n\r\n')
  if (end === -1) return undefined
  const [statusLine = '', ...lines] = text.slice(0, end).split('\r\n')
  const status = Number(statusLine.split(' ')[1])
  // An interim answer: the real one follows.
  if (status === 100) return parseReply(bytes.subarray(end + 4))
  const headers = new Headers(
    lines.map((line): [string, string] => [
      line.slice(0, line.indexOf(':')),
      line.slice(line.indexOf(':') + 1),
    ]),
  )
  const length = Number(headers.get('content-length') ?? 0)
  const body = bytes.subarray(end + 4, end + 4 + length)
  if (body.length < length) return undefined
  const told = body.toString('utf8')
  // The page is no JSON.
  const isPage = headers.get('content-type')?.includes('text/html') === true
  return { status, headers, body: length === 0 ? undefined : isPage ? told : JSON.parse(told), text }
}

/** Sends exactly these bytes (`finish`: and no more ever) and reads one answer. Rejects when the socket closes without one. */
export function sendRaw(
  port: number,
  bytes: string | Uint8Array,
  options: { head?: boolean; finish?: boolean } = {},
): Promise<RawReply> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect(port, '127.0.0.1')
    const settle = (): boolean => {
      const received = Buffer.concat(chunks)
      const text = received.toString('latin1')
      const reply = options.head
        ? parseReply(Buffer.from(text.replace(/content-length: \d+/i, 'content-length: 0'), 'latin1'))
        : parseReply(received)
      if (reply === undefined) return false
      socket.destroy()
      resolve(reply)
      return true
    }
    socket.on('data', (chunk) => {
      chunks.push(chunk)
      settle()
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      if (!settle())
        reject(new Error(`closed without an answer after: ${Buffer.concat(chunks).toString('latin1')}`))
    })
    if (options.finish) socket.end(bytes)
    else socket.write(bytes)
  })
}

/** Leaves a memory and an unread dream of it in project `default`, since no operation makes a dream. */
export async function seedDream({ memories, dreams }: Store, thought = 'a secret thought'): Promise<void> {
  const { id } = await memories.add('default', { text: thought, caution: 0, agent: 'default', createdAt: 1 })
  await dreams.addMany('default', [
    { kind: 'echo', thought, sourceMemoryIds: [id], novelty: 1, createdAt: 1_700_000_000_000 },
  ])
}

/** A request as text: a request line, headers, a body. */
export function request(line: string, headers: readonly string[] = [], body = ''): string {
  return [`${line} HTTP/1.1`, ...headers, '', body].join('\r\n')
}
