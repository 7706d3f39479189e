/**
 * The `/v1` API: every operation that has a route. Knows hono; sockets and signals belong to `serve`.
 */
import { Hono, type Context as HonoContext } from 'hono'
import type { Brain, Caller } from '../brain.ts'
import { BrainError } from '../core/errors.ts'
import { decodeStrings } from '../operations/decode.ts'
import { operations } from '../operations/index.ts'
import type { Operation } from '../operations/operation.ts'
import { version } from '../version.ts'
import { statuses } from './statuses.ts'

const maxBodyBytes = 1_048_576

async function readBody(c: HonoContext): Promise<unknown> {
  const type = c.req.header('content-type') ?? ''
  if (type.split(';')[0]?.trim().toLowerCase() !== 'application/json') {
    throw new BrainError('media-type', 'content type must be application/json')
  }
  const bytes = await c.req.arrayBuffer()
  if (bytes.byteLength > maxBodyBytes)
    throw new BrainError('too-large', `body must be at most ${maxBodyBytes} bytes`)
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    throw new BrainError('invalid', 'body is not valid JSON', { cause: error })
  }
}

async function readInput(c: HonoContext, operation: Operation): Promise<unknown> {
  if (operation.route?.method === 'POST') return readBody(c)
  return decodeStrings(operation.members, { ...c.req.query(), ...c.req.param() })
}

/** The application of one brain; `authenticate` turns request headers into a caller or throws. */
export function createApp(brain: Brain, authenticate: (headers: Headers) => Promise<Caller>): Hono {
  const app = new Hono()
  app.get('/health', (c) => c.json({ status: 'ok', version }))
  for (const operation of operations) {
    const { route } = operation
    if (route === undefined) continue
    app.all(route.path, async (c) => {
      if (c.req.method !== route.method) {
        c.header('Allow', route.method)
        throw new BrainError('method', `${c.req.method} is not allowed here`)
      }
      const caller = await authenticate(c.req.raw.headers)
      return c.json((await brain.call(operation, caller, await readInput(c, operation))) as object)
    })
  }
  app.notFound((c) => c.json({ error: `no such endpoint: ${c.req.method} ${c.req.path}` }, 404))
  app.onError((error, c) => {
    if (error instanceof BrainError) return c.json({ error: error.message }, statuses[error.kind])
    return c.json({ error: 'internal error' }, 500)
  })
  return app
}
