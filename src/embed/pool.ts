/**
 * The embedders of one process: opens on first use the one a vector space asks for, keeps it, and turns
 * every failure into an honest "none" with one warning. Knows which embedder is configured; nothing of storage.
 */
import type { Config } from '../config/config.ts'
import { BrainError } from '../core/errors.ts'
import type { BuiltinModel } from './builtin-model.ts'
import type { Embedder, ModelIdentity } from './embedder.ts'

export interface EmbedderPool {
  /** The configured embedder, or undefined when it cannot be had (warned about once). */
  current(): Promise<Embedder | undefined>
  /** The embedder of a given vector space, or undefined when this installation does not have it. */
  of(identity: ModelIdentity): Promise<Embedder | undefined>
  /** Runs `work`; a failing embedder gives undefined and one warning instead of an error. */
  attempt<T>(work: () => Promise<T>): Promise<T | undefined>
  /** Pieces and table of the built-in model, for matching word by word with any embedder; undefined without them. */
  pieces(): Promise<BuiltinModel | undefined>
  close(): Promise<void>
}

export const sameModel = (a: ModelIdentity, b: ModelIdentity): boolean =>
  a.name === b.name && a.hash === b.hash && a.dimension === b.dimension

export interface PoolOptions {
  readonly config: Config
  readonly warn: (message: string) => void
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Where the built-in model lies; the package's own when absent. */
  readonly builtinDirectory?: string
}

/** Runs `open` once and keeps what came of it, a failure too: what is broken stays so for this process. */
function once<T>(open: () => Promise<T>): () => Promise<T> {
  let opened: Promise<T> | undefined
  return () => {
    opened ??= open()
    return opened
  }
}

/** A pool for the configured embedder; opens nothing until it is asked. */
export function createEmbedderPool(options: PoolOptions): EmbedderPool {
  const { config } = options
  const notOpened = new Set<string>()
  const notWorking = new Set<string>()
  const warnOnce = (causes: Set<string>, error: unknown): void => {
    const reason = error instanceof Error ? error.message : String(error)
    if (causes.has(reason)) return
    causes.add(reason)
    options.warn(`recall is by keyword only: ${reason}`)
  }

  let builtin: BuiltinModel | undefined
  const model = once(async () => {
    const { BuiltinModel } = await import('./builtin-model.ts')
    builtin = new BuiltinModel(options.builtinDirectory)
    return builtin
  })
  const openers = new Map<string, () => Promise<Embedder>>()
  openers.set('builtin', async () => {
    const { createBuiltinEmbedder } = await import('./builtin.ts')
    return createBuiltinEmbedder(await model())
  })

  const embedders = new Map<string, () => Promise<Embedder>>()
  const opened: Embedder[] = []
  const open = (name: string): Promise<Embedder> => {
    const known = embedders.get(name)
    if (known) return known()
    const opener = openers.get(name)
    const opening = once(async () => {
      if (!opener)
        throw new BrainError('failed', `this build has no embedder ${name}; set embedder to builtin`)
      const embedder = await opener()
      opened.push(embedder)
      return embedder
    })
    embedders.set(name, opening)
    return opening()
  }

  return {
    async current() {
      if (config.embedder === 'none') return undefined
      return open(config.embedder).catch((error: unknown) => {
        warnOnce(notOpened, error)
        return undefined
      })
    },
    async of(identity) {
      const embedder = await open(identity.name).catch(() => undefined)
      return embedder && sameModel(embedder.identity, identity) ? embedder : undefined
    },
    async attempt(work) {
      try {
        const result = await work()
        // Working again: the next failure is news.
        notWorking.clear()
        return result
      } catch (error) {
        warnOnce(notWorking, error)
        return undefined
      }
    },
    pieces: () => model().catch(() => undefined),
    async close() {
      await Promise.all(opened.map((embedder) => embedder.close()))
      builtin?.close()
    },
  }
}
