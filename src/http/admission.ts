/**
 * What every request has to pass before anything else, whatever it asks for. Knows headers and targets; nothing about
 * endpoints, keys or bodies.
 */
import { TLSSocket } from 'node:tls'
import type { HttpBindings } from '@hono/node-server'
import { corsHeaders } from './cors.ts'
import { type Answer, type Exchange, json, noEndpoint, toAnswer } from './exchange.ts'
import type { Guard } from './guard.ts'
import { parseTarget } from './routes.ts'

/** Maximum number of headers; a browser sends about twenty. */
const maxHeaders = 128

/**
 * What comes before anything else, and before the framework makes a URL of it: the number of headers, host and
 * origin, a target that is a path. Returns the refusal, if it is one.
 */
export function admit(
  guard: Guard,
  { incoming, outgoing }: Pick<HttpBindings, 'incoming' | 'outgoing'>,
  exchange: Exchange,
): Answer | undefined {
  const { rawHeaders } = incoming
  if (rawHeaders.length > 2 * maxHeaders) return json({ error: `headers must be at most ${maxHeaders}` }, 431)
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
  // From here on a path like any other: hono would parse the whole target as a URL, which some are not.
  if (authority !== undefined) incoming.url = query === '' ? path : `${path}?${query}`
  // What no URL can hold would be a fault in hono; here it is an unknown path.
  return /^\/[^\\]*$/.test(path) ? undefined : toAnswer(noEndpoint(incoming.method, path))
}
