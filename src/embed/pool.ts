/**
 * The embedders of one process: opens on first use the one a vector space asks for, keeps it, and turns
 * every failure into an honest "none" with one warning. Knows which embedder is configured; nothing of storage.
 */
import type { Config } from '../config/config.ts'
import type { Embedder, ModelIdentity } from './embedder.ts'

export interface EmbedderPool {
  /** The configured embedder, or undefined when it cannot be had (warned about once). */
  current(): Promise<Embedder | undefined>
  /** The embedder of a given vector space, or undefined when this installation does not have it. */
  of(identity: ModelIdentity): Promise<Embedder | undefined>
  /** Runs `work`; a failing embedder gives undefined and one warning instead of an error. */
  attempt<T>(work: () => Promise<T>): Promise<T | undefined>
  close(): Promise<void>
}

export const sameModel = (a: ModelIdentity, b: ModelIdentity): boolean =>
  a.name === b.name && a.hash === b.hash && a.dimension === b.dimension

export interface PoolOptions {
  readonly config: Config
  readonly warn: (message: string) => void
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** A pool for the configured embedder; opens nothing until it is asked. */
export function createEmbedderPool({ config, warn }: PoolOptions): EmbedderPool {
  let warned = config.embedder === 'none'
  return {
    current: async () => {
      if (!warned) warn('no embedder is available in this build: recall is by keyword')
      warned = true
      return undefined
    },
    of: async () => undefined,
    attempt: async (work) => work().catch(() => undefined),
    close: async () => {},
  }
}
