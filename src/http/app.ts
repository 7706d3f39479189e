/**
 * The HTTP API: every operation that has a route, and the two documents anyone may read. Knows requests and
 * answers in the order they are judged (host and origin, path and method, key, body, operation); sockets,
 * signals and what an operation means are known elsewhere.
 */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { performance } from 'node:perf_hooks'
import type { Brain } from '../brain.ts'
import { BrainError } from '../core/errors.ts'
import { printable } from '../operations/call.ts'
import { decodeStrings } from '../operations/decode.ts'
import { operations } from '../operations/index.ts'
import type { Operation } from '../operations/operation.ts'
import { version } from '../version.ts'
import { type Authenticated, authenticate } from './auth.ts'
import { readJson, requireNoBody } from './body.ts'
import { corsHeaders, preflightHeaders } from './cors.ts'
import type { Guard } from './guard.ts'
import type { Log } from './log.ts'
import { createOpenApi } from './openapi.ts'
import { parseQuery } from './query.ts'
import { createRouter, type Endpoint, parseTarget } from './routes.ts'
import { statuses } from './statuses.ts'

/** Headers one request may have; a browser sends some twenty. */
const maxHeaders = 128

/** What goes back: a status, a body that is text already, and headers of its own. */
export interface Answer {
  readonly status: number
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** A request on its way to an endpoint. */
interface Call {
  readonly incoming: IncomingMessage
  readonly parameters: Readonly<Record<string, string>>
  readonly query: string
  /** Tells a client that waits for it to send its body. */
  readonly proceed: () => void
}

interface OpenEndpoint extends Endpoint {
  readonly access: 'anyone'
  answer(call: Call): Promise<Answer>
}

/** An endpoint behind the key. */
export interface KeyEndpoint extends Endpoint {
  readonly access: 'key'
  answer(call: Call, caller: Authenticated): Promise<Answer>
}

export interface AppOptions {
  readonly brain: Brain
  readonly guard: Guard
  readonly log: Log
  /** Endpoints besides the operations'. */
  readonly endpoints?: readonly KeyEndpoint[]
  readonly now?: () => number
}

/** What a request's Expect header asks for: to be told when to send the body, or something nobody knows. */
export type Expectation = 'continue' | 'unknown'

/** Handles one request; never rejects. */
export type Handler = (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  expectation?: Expectation,
) => Promise<void>

const json = (value: unknown, status = 200): Answer => ({ status, body: JSON.stringify(value) })

/** What a refusal or a fault looks like from outside. Faults keep their detail to themselves. */
function toAnswer(error: unknown): Answer {
  if (!(error instanceof BrainError) || statuses[error.kind] === 500)
    return json({ error: 'internal error' }, 500)
  const status = statuses[error.kind]
  // Who holds the store is told to those at this machine, not to those who call it.
  const answer = json({ error: error.kind === 'busy' ? 'store is busy, try again' : error.message }, status)
  return status === 503 ? { ...answer, headers: { 'Retry-After': '1' } } : answer
}

/** Refuses parameters an endpoint does not take. @throws BrainError `invalid`. */
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
  return operations.flatMap((operation) =>
    operation.route === undefined
      ? []
      : [
          {
            ...operation.route,
            access: 'key',
            answer: async (call, caller) =>
              json(await brain.call(operation, caller, await readInput(operation, call))),
          } satisfies KeyEndpoint,
        ],
  )
}

/** A document that anyone may read, made once. */
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

function send(outgoing: ServerResponse, { status, body, headers }: Answer): void {
  if (outgoing.headersSent || outgoing.destroyed) return
  outgoing.writeHead(status, {
    ...(body !== undefined && {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
    }),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...headers,
  })
  outgoing.end(outgoing.req.method === 'HEAD' ? undefined : body)
}

/** The handler of every request to one brain. */
export function createApp(options: AppOptions): Handler {
  const { brain, guard, log } = options
  const now = options.now ?? Date.now
  const router = createRouter<OpenEndpoint | KeyEndpoint>([
    openEndpoint('/health', () => ({ status: 'ok', version })),
    openEndpoint('/v1/openapi.json', createOpenApi),
    ...operationEndpoints(brain),
    ...(options.endpoints ?? []),
  ])

  return async (incoming, outgoing, expectation) => {
    const started = performance.now()
    const requestId = randomUUID()
    const method = incoming.method ?? 'GET'
    let route: string | null = null
    let caller: Authenticated | undefined
    outgoing.setHeader('X-Request-Id', requestId)
    outgoing.once('close', () =>
      log.request({
        requestId,
        method,
        route,
        status: outgoing.writableFinished ? outgoing.statusCode : null,
        milliseconds: performance.now() - started,
        ...(caller && { project: caller.project, keyId: caller.keyId }),
      }),
    )

    async function judge(): Promise<Answer> {
      const { authority, path, query } = parseTarget(incoming.url ?? '')
      const { rawHeaders } = incoming
      if (rawHeaders.length > 2 * maxHeaders)
        return json({ error: `headers must be at most ${maxHeaders}` }, 431)
      const origin = guard.check({ rawHeaders, authority, localAddress: incoming.socket.localAddress })
      for (const [name, value] of Object.entries(corsHeaders(origin))) outgoing.setHeader(name, value)

      if (expectation === 'unknown')
        return { ...json({ error: 'expectation not supported' }, 417), headers: { Connection: 'close' } }

      const { endpoints, parameters } = router.match(method, path)
      const allowed = endpoints.map((endpoint) => endpoint.method).join(', ')
      route = endpoints[0]?.path ?? null
      if (method === 'OPTIONS' && origin !== undefined)
        return { status: 204, headers: preflightHeaders(allowed, incoming) }
      const endpoint = endpoints.find((candidate) => candidate.method === method)
      if (endpoint === undefined) {
        const refusal = toAnswer(new BrainError('method', `${method} is not allowed here`))
        return { ...refusal, headers: { Allow: allowed } }
      }

      const proceed = (): void => {
        if (expectation === 'continue') outgoing.writeContinue()
      }
      const call = { incoming, parameters, query, proceed }
      if (endpoint.access === 'anyone') return endpoint.answer(call)
      caller = await authenticate(rawHeaders, { keys: brain.store.keys, now })
      return endpoint.answer(call, caller)
    }

    try {
      send(outgoing, await judge())
    } catch (error) {
      // A client that went away while it sent its body needs no answer, and is no fault of ours.
      if (outgoing.destroyed || incoming.readableAborted) return void outgoing.destroy()
      const answer = toAnswer(error)
      if (answer.status === 500) log.fault(error, requestId)
      send(outgoing, answer)
    }
  }
}
