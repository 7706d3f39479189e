/** A client that knows the specification and nothing of the code: paths, bodies, statuses. */
import { call, type Reply, startTestDaemon, type TestDaemon, type TestDaemonOptions } from '../http/daemon.ts'

export interface Client {
  readonly daemon: TestDaemon
  get(path: string, headers?: Record<string, string>): Promise<Reply>
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Reply>
  /** The body of an answer that must be 200. */
  read(path: string): Promise<Record<string, unknown>>
  /** The same of a POST. */
  write(path: string, body: unknown, headers?: Record<string, string>): Promise<Record<string, unknown>>
  /** The same client with a key of another project. */
  as(project: string): Promise<Client>
}

const accepted = (reply: Reply): Record<string, unknown> => {
  if (reply.status !== 200) throw new Error(`${reply.status} ${JSON.stringify(reply.body)}`)
  return reply.body as Record<string, unknown>
}

function createClient(daemon: TestDaemon, key: string): Client {
  const target = { url: daemon.url, key }
  const get: Client['get'] = (path, headers = {}) => call(target, path, { headers })
  const post: Client['post'] = (path, body, headers = {}) => call(target, path, { body, headers })
  return {
    daemon,
    get,
    post,
    read: async (path) => accepted(await get(path)),
    write: async (path, body, headers) => accepted(await post(path, body, headers)),
    as: async (project) => createClient(daemon, await daemon.keyOf(project)),
  }
}

/** A client of a daemon of its own, for one test. */
export async function startClient(options: TestDaemonOptions = {}): Promise<Client> {
  const daemon = await startTestDaemon(options)
  return createClient(daemon, daemon.key)
}

/** Everything of a project that a client can read. */
export const readAll = async (client: Client): Promise<unknown> => ({
  beliefs: await client.read('/v1/beliefs?limit=100'),
  open: await client.read('/v1/predictions/open?limit=50'),
  calibration: await client.read('/v1/calibration'),
  views: await client.read('/v1/outside_views?limit=100'),
  memories: await client.daemon.brain.store.memories.count('default'),
})
