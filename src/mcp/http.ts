/**
 * MCP over streamable HTTP, one server a request: nothing is kept between requests, so any number of clients
 * and restarts are the same to it. Guard, key and body are the HTTP API's.
 */
import { createMcpHandler } from '@modelcontextprotocol/server'
import type { Brain } from '../brain.ts'
import { readJson } from '../http/body.ts'
import type { Answer, KeyEndpoint } from '../http/exchange.ts'
import type { Log } from '../http/log.ts'
import { createToolServer } from './server.ts'

/** What the protocol reads of a request's headers. */
const passed = /^(accept|content-type|mcp-.*)$/

function toHeaders(rawHeaders: readonly string[]): Headers {
  const headers = new Headers()
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]?.toLowerCase() ?? ''
    if (passed.test(name)) headers.append(name, rawHeaders[at + 1] ?? '')
  }
  return headers
}

async function toAnswer(response: Response): Promise<Answer> {
  const body = await response.text()
  const type = response.headers.get('content-type')
  return {
    status: response.status,
    ...(body !== '' && { body }),
    ...(type !== null && { headers: { 'Content-Type': type } }),
  }
}

/** The endpoint `/mcp`. */
export function mcpEndpoint(brain: Brain, log: Log): KeyEndpoint {
  return {
    method: 'POST',
    path: '/mcp',
    access: 'key',
    answer: async ({ incoming, proceed, signal }, caller) => {
      const parsedBody = await readJson(incoming, proceed)
      let reason: Error | undefined
      const handler = createMcpHandler(
        () =>
          createToolServer({
            call: (operation, input) => brain.call(operation, { ...caller, signal }, input),
            fault: log.fault,
          }),
        {
          // A stream that never ends would outlive its request; there is nothing to subscribe to.
          maxSubscriptions: 0,
          // Hears of every refusal, too; which it was is told by the status.
          onerror: (error) => {
            reason = error
          },
        },
      )
      const request = new Request('http://localhost/mcp', {
        method: 'POST',
        headers: toHeaders(incoming.rawHeaders),
      })
      const response = await handler.fetch(request, { parsedBody })
      if (response.status >= 500) log.fault(reason)
      return toAnswer(response)
    },
  }
}
