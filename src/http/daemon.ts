/**
 * The daemon as a whole: one brain, its HTTP API, and what it does in the background. Signals, streams and exit
 * codes are the command's.
 */
import type { Brain } from '../brain.ts'
import { createKey } from '../config/keys.ts'
import { defaultProject } from '../core/agent-names.ts'
import { startBackfill } from '../sleep/backfill.ts'
import { readAhead } from '../sleep/read-ahead.ts'
import { createApp } from './app.ts'
import type { KeyEndpoint } from './exchange.ts'
import { createGuard } from './guard.ts'
import { pageEndpoints, readPageFiles } from './page.ts'
import { type Running, type ServeOptions, serve } from './serve.ts'
import { Sessions } from './sessions.ts'

export interface DaemonOptions extends Omit<ServeOptions, 'handler'> {
  readonly brain: Brain
  readonly allowHosts: readonly string[]
  readonly allowOrigins: readonly string[]
  /** Whether a brain without keys gets one: only if somebody is there to see it. */
  readonly makesKey?: boolean
  /** Additional service behind a key: MCP. */
  readonly endpoints?: readonly KeyEndpoint[]
  /** Whether it serves the page; true when absent. */
  readonly page?: boolean
  /** Milliseconds since the epoch, for the expiry of keys and sessions. */
  readonly now?: () => number
}

export interface Daemon extends Running {
  /** The key created because the brain had none: to be shown once. */
  readonly firstKey: string | undefined
}

/** The first key of a brain that has none, for the default project; undefined where there are keys. */
export async function ensureKey({ store }: Brain, now: () => number = Date.now): Promise<string | undefined> {
  if ((await store.keys.count()) > 0) return undefined
  const request = { project: defaultProject, label: 'made by brain serve', lifetime: null, now: now() }
  return (await createKey(store.keys, request)).text
}

/** Serves a brain until `stop`. @throws BrainError for settings that cannot be served. */
export async function startDaemon(options: DaemonOptions): Promise<Daemon> {
  const { brain, log, now = Date.now } = options
  const files = options.page === false ? [] : readPageFiles()
  const guard = createGuard({ ...options, page: files.length > 0 })
  const sessions = new Sessions({ keys: brain.store.keys, now })
  const endpoints = [...(options.endpoints ?? []), ...pageEndpoints(files, sessions, brain)]
  const handler = createApp({ brain, guard, log, sessions, endpoints, now })
  const running = await serve({ ...options, handler })
  // Only once the port is had: a key made before a failure would never be shown.
  const ensured = options.makesKey ? ensureKey(brain, now) : Promise.resolve(undefined)
  const firstKey = await ensured.catch(async (error: unknown) => {
    await running.stop()
    throw error
  })
  const { store, embedders } = brain
  const backfill = startBackfill({
    ...{ store, embedders },
    afterFirst: (signal) => readAhead({ store, embedders, now }, signal),
    fault: (error) => log.fault(error),
  })
  return {
    url: running.url,
    firstKey,
    stop: async () => {
      await Promise.all([running.stop(), backfill.stop()])
    },
  }
}
