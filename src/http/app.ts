/**
 * The HTTP API: every operation with a route, and two public documents. Knows requests and responses in the order in
 * which they are checked (host and origin, path and method, key, body, operation), not sockets, signals or the meaning
 * of an operation.
 */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { performance } from 'node:perf_hooks'
import { TLSSocket } from 'node:tls'
import { getRequestListener, type HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { type Context, Hono } from 'hono'
import type { Brain } from '../brain.ts'
import { BrainError } from '../core/errors.ts'
import { printable } from '../operations/call.ts'
import { operations } from '../operations/index.ts'
import { type Operation, variantOf } from '../operations/operation.ts'
import { decodeStrings } from '../operations/shapes.ts'
import { version } from '../version.ts'
import { type Authenticated, authenticate, authenticateCaller } from './auth.ts'
import { readJson, requireNoBody } from './body.ts'
import { corsHeaders, preflightHeaders } from './cors.ts'
import type { Admission, Guard } from './guard.ts'
import type { Log } from './log.ts'
import { createOpenApi } from './openapi.ts'
import { parseQuery } from './query.ts'
import { type Endpoint, parametersOf, parseTarget, shown } from './routes.ts'
import type { Sessions } from './sessions.ts'
import { statuses } from './statuses.ts'

/** Maximum number of headers; a browser sends about twenty. */
const maxHeaders = 128

/** A response: status, body as text, and additional headers. */
export interface Answer {
  readonly status: number
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** A request as an endpoint receives it. */
export interface Call {
  readonly incoming: IncomingMessage
  readonly parameters: Readonly<Record<string, string>>
  readonly query: string
  /** Tells a waiting client to send its body. */
  readonly proceed: () => void
}

/** A public endpoint, or one for the daemon's own page, signed in or not. */
export interface OpenEndpoint extends Endpoint {
  readonly access: 'anyone' | 'page'
  answer(call: Call): Promise<Answer>
}

/** An endpoint behind the key, or for callers of both kinds: behind a key or the page's session. */
export interface KeyEndpoint extends Endpoint {
  readonly access: 'key' | 'caller'
  answer(call: Call, caller: Authenticated): Promise<Answer>
}

export interface AppOptions {
  readonly brain: Brain
  readonly guard: Guard
  readonly log: Log
  readonly sessions: Sessions
  /** Endpoints besides the operations'. */
  readonly endpoints?: readonly (OpenEndpoint | KeyEndpoint)[]
  readonly now?: () => number
}

/** The request's Expect header: absent, 100-continue, or unknown. */
export type Expectation = 'continue' | 'unknown'

/** Additional information and callbacks for a handler. */
export interface Circumstances {
  readonly expectation?: Expectation | undefined
  /** Called when the caller has presented a key. */
  readonly recognised?: () => void
}

/** Handles one request; never rejects. */
export type Handler = (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  circumstances: Circumstances,
) => Promise<void>

/** State of a request in progress. */
interface Exchange {
  readonly requestId: string
  readonly expectation: Expectation | undefined
  readonly recognised: (() => void) | undefined
  /** The endpoint's path, as it is defined. */
  route: string | null
  admission: Admission
  caller: Authenticated | undefined
}

interface Env {
  Bindings: HttpBindings
}

const json = (value: unknown, status = 200): Answer => ({ status, body: JSON.stringify(value) })

/** An error as a response. Internal errors keep their details to themselves. */
function toAnswer(error: unknown): Answer {
  if (!(error instanceof BrainError) || statuses[error.kind] === 500)
    return json({ error: 'internal error' }, 500)
  const status = statuses[error.kind]
  // Who holds the store is told to those at this machine, not to those who call it.
  const answer = json({ error: error.kind === 'busy' ? 'store is busy, try again' : error.message }, status)
  return status === 503 ? { ...answer, headers: { 'Retry-After': '1' } } : answer
}

/** Rejects parameters that an endpoint does not accept. @throws BrainError `invalid`. */
function requireNoQuery(query: string): void {
  for (const name of Object.keys(parseQuery(query)))
    throw new BrainError('invalid', `unknown field: ${printable(name)}`)
}

async function readInput(operation: Operation, call: Call): Promise<unknown> {
  if (operation.route?.method === 'POST') {
    const body = await readJson(call.incoming, call.proceed)
    requireNoQuery(call.query)
    return body
  }
  requireNoBody(call.incoming)
  const parameters = parseQuery(call.query)
  for (const name of Object.keys(call.parameters)) {
    if (Object.hasOwn(parameters, name)) throw new BrainError('invalid', `unknown field: ${name}`)
  }
  return decodeStrings(operation.members, { ...parameters, ...call.parameters })
}

function operationEndpoints(brain: Brain): KeyEndpoint[] {
  const served = operations.flatMap((operation) => [
    operation,
    ...Object.keys(operation.variants ?? {}).map((name) => variantOf(operation, name)),
  ])
  return served.flatMap((operation) => {
    if (operation.route === undefined) return []
    const uncounted: Operation = { ...operation, counted: false }
    const endpoint: KeyEndpoint = {
      ...operation.route,
      access: 'caller',
      answer: async (call, caller) =>
        json(
          await brain.call(caller.person ? uncounted : operation, caller, await readInput(operation, call)),
        ),
    }
    return [endpoint]
  })
}

const loopback = /^(?:::ffff:)?127\.|^::1$/

/** Whether the caller is on this machine; behind a proxy this is unknown. */
function isHere({ socket, rawHeaders }: IncomingMessage): boolean {
  const { remoteAddress, localAddress } = socket
  const forwarded = rawHeaders.some(
    (name, at) => at % 2 === 0 && /^(?:forwarded|via|x-forwarded-.*)$/i.test(name),
  )
  const own = remoteAddress === localAddress || loopback.test(remoteAddress ?? '')
  return remoteAddress !== undefined && own && !forwarded
}

/** A public document, created once. */
function openEndpoint(path: string, make: () => unknown): OpenEndpoint {
  let made: Answer | undefined
  return {
    method: 'GET',
    path,
    access: 'anyone',
    answer: async ({ incoming, query }) => {
      requireNoBody(incoming)
      requireNoQuery(query)
      made ??= json(make())
      return made
    },
  }
}

const headersOf = ({ body, headers }: Answer, requestId: string): Record<string, string> => ({
  'X-Request-Id': requestId,
  ...(body !== undefined && { 'Content-Type': 'application/json' }),
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  // Opened as a document, an answer loads nothing and stands in no frame. The page's files have a fence of their own.
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  ...headers,
})

/**
 * Sends a response. CORS headers are already on the outgoing message; the rest is written at once, since Node checks
 * and copies each header set before.
 */
function send(outgoing: ServerResponse, answer: Answer, { requestId }: Exchange): void {
  const headers: OutgoingHttpHeaders = headersOf(answer, requestId)
  if (answer.body !== undefined) headers['Content-Length'] = Buffer.byteLength(answer.body)
  outgoing.writeHead(answer.status, headers)
  outgoing.end(outgoing.req.method === 'HEAD' ? undefined : answer.body)
}

const noEndpoint = (method: string | undefined, path: string): BrainError =>
  new BrainError('no-endpoint', `no such endpoint: ${method} ${shown(path)}`)

/** The handler of every request to one brain. */
export function createApp(options: AppOptions): Handler {
  const { brain, guard, log, sessions } = options
  const now = options.now ?? Date.now
  const exchanges = new WeakMap<IncomingMessage, Exchange>()
  const exchangeOf = (c: Context<Env>): Exchange => {
    const exchange = exchanges.get(c.env.incoming)
    if (exchange === undefined) throw new Error('a request that never came in')
    return exchange
  }

  /** Sends it and tells the framework so, which would send it some promises later. */
  function respond(c: Context<Env>, answer: Answer): Response {
    const { outgoing } = c.env
    const exchange = exchangeOf(c)
    // The framework makes a response of its own of what it is given for HEAD.
    if (outgoing.req.method === 'HEAD')
      return new Response(null, { status: answer.status, headers: headersOf(answer, exchange.requestId) })
    send(outgoing, answer, exchange)
    return RESPONSE_ALREADY_SENT
  }

  // The path as it was sent: a URL object would resolve dots and drop what it does not like.
  const app = new Hono<Env>({
    getPath: (_request, context) => parseTarget(context?.env?.incoming.url ?? '').path,
  })

  const endpoints: readonly (OpenEndpoint | KeyEndpoint)[] = [
    openEndpoint('/health', () => ({ status: 'ok', version })),
    openEndpoint('/v1/openapi.json', createOpenApi),
    ...operationEndpoints(brain),
    ...(options.endpoints ?? []),
  ]
  for (const endpoint of endpoints) {
    // All methods: hono would answer HEAD with the handler of GET, and reading dreams marks them.
    app.all(endpoint.path, async (c) => {
      const exchange = exchangeOf(c)
      const { incoming, outgoing } = c.env
      const method = incoming.method ?? 'GET'
      exchange.route = endpoint.path
      if (method === 'OPTIONS' && exchange.admission.origin !== undefined)
        return respond(c, { status: 204, headers: preflightHeaders(endpoint.method, incoming) })
      if (method !== endpoint.method) {
        const refusal = toAnswer(new BrainError('method', `${method} is not allowed here`))
        return respond(c, { ...refusal, headers: { Allow: endpoint.method } })
      }
      const call: Call = {
        incoming,
        parameters: parametersOf(endpoint.path, c.req.path),
        query: parseTarget(incoming.url ?? '').query,
        proceed: () => {
          if (exchange.expectation === 'continue') outgoing.writeContinue()
        },
      }
      const { access } = endpoint
      const { own } = exchange.admission
      if ((access === 'page' && own !== 'signed') || (access === 'anyone' && own === 'claimed'))
        throw new BrainError('forbidden', 'origin not allowed')
      if (access === 'anyone' || access === 'page') return respond(c, await endpoint.answer(call))
      const options = { keys: brain.store.keys, now, here: isHere(incoming) }
      exchange.caller =
        access === 'key' || own === 'claimed'
          ? await authenticate(incoming.rawHeaders, options).catch((error: unknown) => {
              throw own === 'claimed'
                ? new BrainError('forbidden', 'origin not allowed', { cause: error })
                : error
            })
          : await authenticateCaller(incoming.rawHeaders, {
              ...options,
              sessions,
              own,
              localPort: incoming.socket.localPort,
            })
      exchange.recognised?.()
      return respond(c, await endpoint.answer(call, exchange.caller))
    })
  }

  app.notFound((c) => respond(c, toAnswer(noEndpoint(c.env.incoming.method, c.req.path))))
  app.onError((error, c) => {
    const answer = toAnswer(error)
    // A client that went away while it sent its body needs no answer, and is no fault of ours.
    const left = c.env.outgoing.destroyed || c.env.incoming.readableAborted
    if (answer.status === 500 && !left) log.fault(error, exchangeOf(c).requestId)
    return respond(c, answer)
  })

  const listen = getRequestListener((request, env) => app.fetch(request, env), {
    // Bodies are read, bounded or left alone by `body`; unread ones end with their socket.
    autoCleanupIncoming: false,
    // Its own Response would be taken for one that is still to be sent.
    overrideGlobalObjects: false,
    // A fault of the framework itself is answered below, where it is known whose it is.
    errorHandler: (error) => {
      throw error
    },
  })

  /**
   * What comes before anything else, and before the framework makes a URL of it: the number of headers, host and
   * origin, a target that is a path. Returns the refusal, if it is one.
   */
  function admit({ incoming, outgoing }: HttpBindings, exchange: Exchange): Answer | undefined {
    const { rawHeaders } = incoming
    if (rawHeaders.length > 2 * maxHeaders)
      return json({ error: `headers must be at most ${maxHeaders}` }, 431)
    const { authority, scheme, path, query } = parseTarget(incoming.url ?? '')
    try {
      exchange.admission = guard.check({
        rawHeaders,
        authority,
        localAddress: incoming.socket.localAddress,
        encrypted: incoming.socket instanceof TLSSocket,
      })
    } catch (error) {
      return toAnswer(error)
    }
    for (const [name, value] of Object.entries(corsHeaders(exchange.admission.origin)))
      outgoing.setHeader(name, value)
    if (exchange.expectation === 'unknown')
      return { ...json({ error: 'expectation not supported' }, 417), headers: { Connection: 'close' } }
    if (scheme !== undefined && scheme !== 'http' && scheme !== 'https')
      return toAnswer(noEndpoint(incoming.method, incoming.url ?? ''))
    // From here on like any other: the framework would make a URL of the whole, and of some it can make none.
    if (authority !== undefined) incoming.url = query === '' ? path : `${path}?${query}`
    // What no URL can hold as it is would be a fault to the framework; here it is a path like any unknown one.
    return /^\/[^\\]*$/.test(path) ? undefined : toAnswer(noEndpoint(incoming.method, path))
  }

  return async (incoming, outgoing, { expectation, recognised }) => {
    const started = performance.now()
    const exchange: Exchange = {
      requestId: randomUUID(),
      expectation,
      recognised,
      route: null,
      admission: { origin: undefined, own: false },
      caller: undefined,
    }
    exchanges.set(incoming, exchange)
    outgoing.once('close', () => {
      const { requestId, route, caller } = exchange
      log.request({
        requestId,
        method: incoming.method ?? 'GET',
        route,
        status: outgoing.writableFinished ? outgoing.statusCode : null,
        milliseconds: performance.now() - started,
        ...(caller && { project: caller.project, keyId: caller.keyId }),
      })
    })
    const refusal = admit({ incoming, outgoing }, exchange)
    if (refusal !== undefined) return send(outgoing, refusal, exchange)
    try {
      await listen(incoming, outgoing)
    } catch (error) {
      log.fault(error, exchange.requestId)
      if (!outgoing.headersSent) send(outgoing, toAnswer(error), exchange)
    }
  }
}
