/** CORS headers for pages on allowed origins. Nobody else gets one. */
import type { IncomingMessage } from 'node:http'

/** Headers of every response to a page; none without one. */
export function corsHeaders(origin: string | undefined): Readonly<Record<string, string>> {
  if (origin === undefined) return {}
  return {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Expose-Headers': 'X-Request-Id, Retry-After, Allow',
    Vary: 'Origin',
  }
}

/** Headers of the answer to a preflight. */
export function preflightHeaders(
  methods: string,
  { headers }: IncomingMessage,
): Readonly<Record<string, string>> {
  return {
    'Access-Control-Allow-Methods': methods,
    'Access-Control-Allow-Headers':
      'content-type, x-svc-key, x-svc-agent, x-svc-session, x-svc-branch, x-svc-commit, mcp-protocol-version, mcp-session-id, mcp-method, mcp-name',
    'Access-Control-Max-Age': '600',
    ...(headers['access-control-request-private-network'] === 'true' && {
      'Access-Control-Allow-Private-Network': 'true',
    }),
  }
}
