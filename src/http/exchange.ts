/**
 * One request and its answer: what is known of it on its way, and how an answer or an error is written. Knows no endpoint and no
 * framework.
 */
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { BrainError } from '../core/errors.ts'
import type { Authenticated } from './auth.ts'
import type { Admission } from './guard.ts'
import { type Endpoint, shown } from './routes.ts'
import { statuses } from './statuses.ts'

/** A response: status, body as text, and additional headers. */
export interface Answer {
  readonly status: number
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** A request as an endpoint receives it. */
export interface Call {
  readonly incoming: IncomingMessage
  /** Aborted when the connection ends before the answer. */
  readonly signal: AbortSignal
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

/** The request's Expect header: absent, 100-continue, or unknown. */
export type Expectation = 'continue' | 'unknown'

/** State of a request in progress. */
export interface Exchange {
  readonly requestId: string
  readonly expectation: Expectation | undefined
  readonly recognised: (() => void) | undefined
  /** The endpoint's path, as it is defined. */
  route: string | null
  admission: Admission
  caller: Authenticated | undefined
}

export const json = (value: unknown, status = 200): Answer => ({ status, body: JSON.stringify(value) })

/** An error as a response. Internal errors keep their details to themselves. */
export function toAnswer(error: unknown): Answer {
  if (!(error instanceof BrainError) || statuses[error.kind] === 500)
    return json({ error: 'internal error' }, 500)
  const status = statuses[error.kind]
  // Who holds the store is told to those at this machine, not to those who call it.
  const answer = json({ error: error.kind === 'busy' ? 'store is busy, try again' : error.message }, status)
  return status === 503 ? { ...answer, headers: { 'Retry-After': '1' } } : answer
}

export const headersOf = ({ body, headers }: Answer, requestId: string): Record<string, string> => ({
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
export function send(outgoing: ServerResponse, answer: Answer, { requestId }: Exchange): void {
  const headers: OutgoingHttpHeaders = headersOf(answer, requestId)
  if (answer.body !== undefined) headers['Content-Length'] = Buffer.byteLength(answer.body)
  outgoing.writeHead(answer.status, headers)
  outgoing.end(outgoing.req.method === 'HEAD' ? undefined : answer.body)
}

export const noEndpoint = (method: string | undefined, path: string): BrainError =>
  new BrainError('no-endpoint', `no such endpoint: ${method} ${shown(path)}`)
