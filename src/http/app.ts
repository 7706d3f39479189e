/**
 * The HTTP API: every operation with a route, and two public documents. Knows requests and responses in the order in
 * which they are checked (host and origin, path and method, key, body, operation), not sockets, signals or the meaning
 * of an operation.
 */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { performance } from 'node:perf_hooks'
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
import { admit } from './admission.ts'
import { authenticate, authenticateCaller } from './auth.ts'
import { readJson, requireNoBody } from './body.ts'
import { preflightHeaders } from './cors.ts'
import {
  type Answer,
  type Call,
  type Exchange,
  type Expectation,
  headersOf,
  json,
  type KeyEndpoint,
  noEndpoint,
  type OpenEndpoint,
  send,
  toAnswer,
} from './exchange.ts'
import { type Guard, isLoopbackAddress } from './guard.ts'
import type { Log } from './log.ts'
import { createOpenApi } from './openapi.ts'
import { parseQuery } from './query.ts'
import { parametersOf, parseTarget } from './routes.ts'
import type { Sessions } from './sessions.ts'

export interface AppOptions {
  readonly brain: Brain
  readonly guard: Guard
  readonly log: Log
  readonly sessions: Sessions
  /** Endpoints besides the operations'. */
  readonly endpoints?: readonly (OpenEndpoint | KeyEndpoint)[]
  readonly now?: () => number
}

/** Additional information and callbacks for a handler. */
export interface HandlerOptions {
  readonly expectation?: Expectation | undefined
  /** Called when the caller has presented a key. */
  readonly recognised?: () => void
}

/** Handles one request; never rejects. */
export type Handler = (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  options: HandlerOptions,
) => Promise<void>

interface Env {
  Bindings: HttpBindings
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
          await brain.call(
            caller.person ? uncounted : operation,
            { ...caller, signal: call.signal },
            await readInput(operation, call),
          ),
        ),
    }
    return [endpoint]
  })
}

/** Whether the caller is on this machine; behind a proxy this is unknown. */
function isHere({ socket, rawHeaders }: IncomingMessage): boolean {
  const { remoteAddress, localAddress } = socket
  const forwarded = rawHeaders.some(
    (name, at) => at % 2 === 0 && /^(?:forwarded|via|x-forwarded-.*)$/i.test(name),
  )
  const own = remoteAddress === localAddress || isLoopbackAddress(remoteAddress ?? '')
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

/** Answers a request for an endpoint's path; what refuses it throws a BrainError. */
function createDispatch({ brain, sessions, now = Date.now }: AppOptions) {
  /** Who calls, by key or by the session of the daemon's own page. @throws BrainError `unauthorized` or `forbidden`. */
  async function callerOf(access: KeyEndpoint['access'], incoming: IncomingMessage, { admission }: Exchange) {
    const { pageOrigin } = admission
    const { rawHeaders, socket } = incoming
    const options = { keys: brain.store.keys, now, here: isHere(incoming) }
    if (pageOrigin === 'asserted')
      return authenticate(rawHeaders, options).catch((error: unknown) => {
        throw new BrainError('forbidden', 'origin not allowed', { cause: error })
      })
    return access === 'key'
      ? authenticate(rawHeaders, options)
      : authenticateCaller(rawHeaders, { ...options, sessions, pageOrigin, localPort: socket.localPort })
  }

  return async (
    endpoint: OpenEndpoint | KeyEndpoint,
    { incoming, outgoing }: HttpBindings,
    exchange: Exchange,
  ): Promise<Answer> => {
    const { origin, pageOrigin } = exchange.admission
    const method = incoming.method ?? 'GET'
    exchange.route = endpoint.path
    if (method === 'OPTIONS' && origin !== undefined)
      return { status: 204, headers: preflightHeaders(endpoint.method, incoming) }
    if (method !== endpoint.method) {
      const refusal = toAnswer(new BrainError('method', `${method} is not allowed here`))
      return { ...refusal, headers: { Allow: endpoint.method } }
    }
    const { path, query } = parseTarget(incoming.url ?? '')
    const gone = new AbortController()
    outgoing.once('close', () => {
      if (!outgoing.writableFinished) gone.abort(new BrainError('failed', 'the caller has gone'))
    })
    const call: Call = {
      incoming,
      signal: gone.signal,
      parameters: parametersOf(endpoint.path, path),
      query,
      proceed: () => {
        if (exchange.expectation === 'continue') outgoing.writeContinue()
      },
    }
    if (endpoint.access === 'anyone' || endpoint.access === 'page') {
      if (pageOrigin !== 'verified' && (endpoint.access === 'page' || pageOrigin === 'asserted'))
        throw new BrainError('forbidden', 'origin not allowed')
      return endpoint.answer(call)
    }
    exchange.caller = await callerOf(endpoint.access, incoming, exchange)
    exchange.recognised?.()
    return endpoint.answer(call, exchange.caller)
  }
}

/** The handler of every request to one brain. */
export function createApp(options: AppOptions): Handler {
  const { brain, guard, log } = options
  const dispatch = createDispatch(options)
  const exchanges = new WeakMap<IncomingMessage, Exchange>()
  const exchangeOf = (c: Context<Env>): Exchange => {
    const exchange = exchanges.get(c.env.incoming)
    if (exchange === undefined) throw new Error('a request that never came in')
    return exchange
  }

  /** Sends an answer at once, and tells hono that it is sent: hono itself would take some promises longer. */
  function respond(c: Context<Env>, answer: Answer): Response {
    const { outgoing } = c.env
    const exchange = exchangeOf(c)
    // For HEAD hono makes a response of its own from the one it is given.
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
    app.all(endpoint.path, async (c) => respond(c, await dispatch(endpoint, c.env, exchangeOf(c))))
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
    // A fault of hono itself is answered below, where its request is known.
    errorHandler: (error) => {
      throw error
    },
  })

  return async (incoming, outgoing, { expectation, recognised }) => {
    const started = performance.now()
    const exchange: Exchange = {
      requestId: randomUUID(),
      expectation,
      recognised,
      route: null,
      admission: { origin: undefined, pageOrigin: false },
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
    const refusal = admit(guard, { incoming, outgoing }, exchange)
    if (refusal !== undefined) return send(outgoing, refusal, exchange)
    try {
      await listen(incoming, outgoing)
    } catch (error) {
      log.fault(error, exchange.requestId)
      if (!outgoing.headersSent) send(outgoing, toAnswer(error), exchange)
    }
  }
}
