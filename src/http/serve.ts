/**
 * The daemon's sockets: their limits, errors of Node's own parser, and shutdown. Knows connections and TLS; requests
 * are the app's concern.
 */
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { milliseconds, pause, yieldToEventLoop } from '../clock.ts'
import { BrainError, codeOf } from '../core/errors.ts'
import type { Handler } from './app.ts'
import { ConnectionLimiter, maxSockets } from './connection-limiter.ts'
import type { Expectation } from './exchange.ts'
import { isLoopbackAddress } from './guard.ts'
import type { Log } from './log.ts'

export interface Running {
  readonly url: string
  /** Accepts no more connections, lets requests in progress finish, and resolves when the port is free. */
  stop(): Promise<void>
}

export interface ServeOptions {
  readonly handler: Handler
  readonly log: Log
  readonly host: string
  readonly port: number
  /** Number of following ports to try if it is taken; none when absent. */
  readonly furtherPorts?: number
  /** PEM texts; without them plain HTTP. */
  readonly tls?: { readonly cert: string; readonly key: string }
  /** Allows keys to be sent in the clear from other machines. */
  readonly insecure: boolean
  /** Milliseconds that requests in progress have to finish after `stop`. */
  readonly grace?: number
  /** Milliseconds a client has for its headers and for a whole request; 10 and 30 seconds when absent. */
  readonly timeouts?: { readonly headers: number; readonly request: number }
}

const maxHeaderBytes = 16_384

const limits = {
  maxHeaderSize: maxHeaderBytes,
  keepAliveTimeout: 5_000,
  // A missing Host is refused by the guard, in words.
  requireHostHeader: false,
} as const

const defaultTimeouts = { headers: 10_000, request: 30_000 }

/** Idle timeout of a socket, in milliseconds: not of one whose request is being worked on. */
const idleTimeout = 60_000
const defaultGrace = 3_500

/** Milliseconds in which connections and requests still arrive that were sent before the word to stop; and at most. */
const arrivalTime = 50
const longestArrival = 1_000

/** Errors of Node's parser, as status and message. */
function toRefusal(code: string | undefined): readonly [status: number, error: string] {
  if (code === 'HPE_HEADER_OVERFLOW') return [431, `headers must be at most ${maxHeaderBytes} bytes`]
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return [408, 'the request took too long to arrive']
  return [400, 'malformed HTTP request']
}

/** Responds on a bare socket, in the format of every other response, and ends it. */
function refuse(socket: Duplex, status: number, error: string): string {
  const requestId = randomUUID()
  const body = JSON.stringify({ error })
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${requestId}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  )
  return requestId
}

interface RequestInProgress {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
}

/** Makes Node's parser report errors in our format, without ever responding in place of a request in progress. */
function answerParser(server: Server, log: Log): (request: RequestInProgress) => void {
  const latest = new WeakMap<Duplex, RequestInProgress>()

  function refuseBytes(error: NodeJS.ErrnoException, socket: Duplex): void {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
    const [status, sentence] = toRefusal(error.code)
    const requestId = refuse(socket, status, sentence)
    log.request({ requestId, method: '-', route: null, status, milliseconds: 0 })
  }

  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const last = latest.get(socket)
    if (last === undefined || (last.incoming.complete && last.outgoing.writableFinished))
      return refuseBytes(error, socket)
    // Its own body is broken or late: answered here, unless it has its answer already.
    if (!last.incoming.complete)
      return last.outgoing.headersSent ? void socket.destroy() : refuseBytes(error, socket)
    // Bytes behind a good request: that one is answered first, and truthfully.
    last.outgoing.once('finish', () => refuseBytes(error, socket))
  })
  server.on('connect', (_incoming, socket: Duplex) => {
    const requestId = refuse(socket, 405, 'CONNECT is not allowed here')
    log.request({ requestId, method: 'CONNECT', route: null, status: 405, milliseconds: 0 })
  })
  return (request) => void latest.set(request.incoming.socket, request)
}

function toUrl(options: ServeOptions, server: Server): string {
  // A server that listens on host and port has an address of that form.
  const { port } = server.address() as AddressInfo
  const host = options.host.includes(':') ? `[${options.host}]` : options.host
  return `${options.tls ? 'https' : 'http'}://${host}:${port}`
}

function createListener({ tls, timeouts = defaultTimeouts }: ServeOptions): Server {
  const options = {
    ...limits,
    headersTimeout: timeouts.headers,
    requestTimeout: timeouts.request,
    connectionsCheckingInterval: timeouts.headers / 10,
  }
  if (tls === undefined) return createServer(options)
  try {
    return createTlsServer({ ...options, ...tls, minVersion: 'TLSv1.2', handshakeTimeout: timeouts.headers })
  } catch (error) {
    throw new BrainError('invalid', 'tls-cert and tls-key must be a certificate and its key in PEM form', {
      cause: error,
    })
  }
}

/** The reason listening failed, by the system's error code, and the remedy. */
const listenErrors: readonly (readonly [RegExp, string])[] = [
  [/^EADDRINUSE$/, 'another program listens there; name another with --port'],
  [/^(EACCES|EPERM)$/, 'permission is denied; ports below 1024 are for root, name another with --port'],
  [/^(EADDRNOTAVAIL|ENOTFOUND|EAI_|EINVAL)/, 'this machine has no such address; name another with --host'],
]

function listenAt(server: Server, { host, port }: { host: string; port: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

/** Listens at the port, or at the next that is free. @throws BrainError `failed` naming the port asked for. */
async function listen(server: Server, { host, port, furtherPorts = 0 }: ServeOptions): Promise<void> {
  for (let at = port; ; at += 1) {
    try {
      return await listenAt(server, { host, port: at })
    } catch (error) {
      if (!(error instanceof Error)) throw error
      if (codeOf(error) === 'EADDRINUSE' && at > 0 && at < Math.min(port + furtherPorts, 65_535)) continue
      const why = listenErrors.find(([codes]) => codes.test(codeOf(error) ?? ''))?.[1]
      throw new BrainError('failed', `cannot listen on ${host}:${port}: ${why ?? error.message}`, {
        cause: error,
      })
    }
  }
}

/**
 * Listens until `stop`.
 * @throws BrainError `invalid` for an address that would send keys in clear, `failed` when it cannot be had.
 */
export async function serve(options: ServeOptions): Promise<Running> {
  const { handler, log, host } = options
  const inClear = options.tls === undefined && host.toLowerCase() !== 'localhost' && !isLoopbackAddress(host)
  if (inClear && !options.insecure) {
    throw new BrainError(
      'invalid',
      `serving ${host} without TLS would send keys and notes in clear: give --tls-cert and --tls-key, or --insecure-http to accept that`,
    )
  }
  const server = createListener(options)
  server.maxConnections = maxSockets
  // Node would drop what is over its count without a word; the app counts and refuses.
  server.maxHeadersCount = 0
  server.timeout = idleTimeout
  const working = new Set<Duplex>()
  server.on('timeout', (socket: Socket) => {
    if (!working.has(socket)) socket.destroy()
  })
  const remember = answerParser(server, log)
  const limiter = new ConnectionLimiter()
  server.on(options.tls ? 'secureConnection' : 'connection', (socket: Socket) => limiter.enter(socket))
  let stopping = false
  let arrived = 0
  server.on('connection', () => {
    arrived += 1
  })

  /** Takes the connections that wait, of which a turn of the event loop takes one, and reads what they sent. */
  const arrivals = async (): Promise<void> => {
    const end = milliseconds() + longestArrival
    for (let before = -1; arrived !== before && milliseconds() < end; ) {
      before = arrived
      await pause(arrivalTime)
      for (let turn = 0; turn < 3; turn += 1) await yieldToEventLoop()
    }
  }

  const receive = (expectation?: Expectation) => (incoming: IncomingMessage, outgoing: ServerResponse) => {
    remember({ incoming, outgoing })
    const { socket } = incoming
    if (!limiter.begin(socket)) return
    outgoing.once('close', () => limiter.end(socket))
    if (stopping) outgoing.setHeader('Connection', 'close')
    working.add(socket)
    void handler(incoming, outgoing, { expectation, recognised: () => limiter.authenticate(socket) }).finally(
      () => working.delete(socket),
    )
  }
  server.on('request', receive())
  server.on('checkContinue', receive('continue'))
  server.on('checkExpectation', receive('unknown'))

  await listen(server, options)
  server.on('error', (error) => log.fault(error))
  if (inClear) log.note(`serving ${host} in clear: whoever can listen on the network reads keys and notes`)

  return {
    url: toUrl(options, server),
    stop: async () => {
      stopping = true
      // What was sent before is on its way: connections to take, requests to read.
      await arrivals()
      await new Promise<void>((resolve) => {
        const late = setTimeout(() => server.closeAllConnections(), options.grace ?? defaultGrace)
        // Closes idle keep-alive sockets too; busy ones are told to close with their answer.
        server.close(() => {
          clearTimeout(late)
          resolve()
        })
        server.closeIdleConnections()
      })
    },
  }
}
