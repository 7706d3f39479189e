/**
 * What `src/mcp/server.ts` relies on in the SDK and the SDK does not promise: an upgrade that changes it fails here, by
 * its name.
 */
import { Server } from '@modelcontextprotocol/server'
import { expect, test } from 'vitest'

test("the SDK's server passes the handlers it is given through _wrapHandler, which ours overrides to word the misfits of requests", () => {
  const wrapped: string[] = []
  class Wrapping extends Server {
    protected override _wrapHandler(
      ...[method, handler]: Parameters<Server['_wrapHandler']>
    ): ReturnType<Server['_wrapHandler']> {
      wrapped.push(method)
      return super._wrapHandler(method, handler)
    }
  }
  const server = new Wrapping({ name: 'test', version: '0' }, { capabilities: { prompts: {} } })
  server.setRequestHandler('prompts/get', async () => ({ messages: [] }))
  expect(wrapped).toContain('prompts/get')
})
