/** The daemon's socket: listens, answers, stops. */
import type { AddressInfo } from 'node:net'
import { serve as listen } from '@hono/node-server'
import type { Brain } from '../brain.ts'
import { BrainError } from '../core/errors.ts'
import { createApp } from './app.ts'

export interface Running {
  readonly url: string
  stop(): Promise<void>
}

export interface ServeOptions {
  readonly brain: Brain
  readonly host: string
  readonly port: number
}

/** Listens until `stop`. @throws BrainError `failed` when the address cannot be had. */
export function serve({ brain, host, port }: ServeOptions): Promise<Running> {
  const app = createApp(brain, async () => {
    throw new BrainError('unauthorized', 'invalid or missing API key')
  })
  return new Promise((resolve, reject) => {
    const server = listen({ fetch: app.fetch, hostname: host, port }, (address: AddressInfo) => {
      resolve({
        url: `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`,
        stop: () => new Promise((stopped) => server.close(() => stopped())),
      })
    })
    server.once('error', (error) =>
      reject(
        new BrainError('failed', `cannot listen on ${host}:${port}: ${error.message}`, { cause: error }),
      ),
    )
  })
}
