/**
 * The embedders of one process: opens on first use the one a vector space asks for, keeps it, and turns
 * every failure into an honest "none" with one warning. Knows which embedder is configured; nothing of storage.
 */
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { BrainError } from '../core/errors.ts'
import type { BuiltinModel } from './builtin-model.ts'
import type { Embedder, ModelIdentity, Passage } from './embedder.ts'

export interface EmbedderPool {
  /** The configured embedder, or undefined when it cannot be had (warned about once). */
  current(): Promise<Embedder | undefined>
  /** The embedder of a given vector space, or undefined when this installation has it not, or is to have `none`. */
  of(identity: ModelIdentity): Promise<Embedder | undefined>
  /** Runs `work`; a failing embedder gives undefined and one warning instead of an error. */
  attempt<T>(work: () => Promise<T>): Promise<T | undefined>
  /** Pieces and table of the built-in model, for matching word by word with any embedder; undefined without them. */
  pieces(): Promise<BuiltinModel | undefined>
  /** What neutral notes look like to an embedder; empty where there are none. @throws BrainError `failed`. */
  background(embedder: Embedder): Promise<readonly Passage[]>
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
  /** Where fastembed's models are kept; in the user's cache when absent. */
  readonly modelsDirectory?: string
  readonly fetch?: typeof fetch
  /** Milliseconds that only grow; `performance.now` when absent. */
  readonly now?: () => number
}

const isFastembed = (name: string): boolean => name.startsWith('fastembed:')

/** Runs `open` until it succeeds once, and keeps what came of it. */
function once<T>(open: () => Promise<T>): () => Promise<T> {
  let opened: Promise<T> | undefined
  return () => {
    opened ??= open().catch((error: unknown) => {
      opened = undefined
      throw error
    })
    return opened
  }
}

/** @throws BrainError `failed` naming the setting or variable that is missing. */
function endpointSettings(config: Config, environment: PoolOptions['environment']) {
  const { 'embedder.url': url, 'embedder.model': model, 'embedder.key_env': keyVariable } = config
  const missing = url === null ? 'embedder.url' : model === null ? 'embedder.model' : undefined
  if (url === null || model === null) {
    throw new BrainError(
      'failed',
      `the http embedder needs ${missing}: set it with brain config set ${missing} VALUE`,
    )
  }
  const key = keyVariable === null ? undefined : environment[keyVariable]
  if (keyVariable !== null && !key) {
    throw new BrainError(
      'failed',
      `embedder.key_env names ${keyVariable}, which is not set in the environment`,
    )
  }
  return { url, model, key }
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
  const opened: Embedder[] = []
  const kept = async (embedder: Embedder): Promise<Embedder> => {
    opened.push(embedder)
    return embedder
  }
  const builtinEmbedder = once(async () => {
    const { createBuiltinEmbedder } = await import('./builtin.ts')
    return kept(createBuiltinEmbedder(await model()))
  })

  const pieces = (): Promise<BuiltinModel | undefined> => model().catch(() => undefined)
  const tokenise = async (): Promise<((text: string) => Uint16Array) | undefined> => {
    const words = await pieces()
    return words && ((text) => words.tokenise(text))
  }
  const models = once(async () => {
    if (options.modelsDirectory !== undefined) return options.modelsDirectory
    const { modelsDirectory } = await import('./models-directory.ts')
    return modelsDirectory(options.environment)
  })
  const background = once(async () => {
    const { createBackground } = await import('./background.ts')
    const { builtinDirectory } = await import('./builtin-model.ts')
    const builtin = options.builtinDirectory ?? builtinDirectory()
    return createBackground({ builtin, pieces, cache: join(await models(), '..', 'background') })
  })
  const transformers = new Map<string, Promise<Embedder>>()
  const fastembed = async (name: string): Promise<Embedder> => {
    const known = transformers.get(name)
    if (known) return known
    const opening = (async () => {
      const { openFastembed } = await import('./fastembed.ts')
      return kept(openFastembed(name, { models: await models(), tokenise: await tokenise() }))
    })()
    transformers.set(name, opening)
    // Not installed now is no verdict: brain model use may run in another process.
    opening.catch(() => transformers.delete(name))
    return opening
  }

  const endpoint = once(async () => {
    const { createEndpoint } = await import('./endpoint.ts')
    return createEndpoint({
      ...endpointSettings(config, options.environment),
      tokenise: await tokenise(),
      fetch: options.fetch,
      now: options.now,
    })
  })
  const configuredEndpoint = once(async () => (await endpoint())())

  const configured = (): Promise<Embedder> => {
    if (config.embedder === 'builtin') return builtinEmbedder()
    if (config.embedder === 'http') return configuredEndpoint()
    if (isFastembed(config.embedder)) return fastembed(config.embedder)
    throw new BrainError('failed', `there is no embedder ${config.embedder}; set embedder to builtin`)
  }
  const named = async ({ name, dimension }: ModelIdentity): Promise<Embedder | undefined> => {
    if (name === 'builtin') return builtinEmbedder()
    if (name === `http:${config['embedder.model']}` && config['embedder.url'])
      return (await endpoint())(dimension)
    return isFastembed(name) ? fastembed(name) : undefined
  }

  return {
    async current() {
      if (config.embedder === 'none') return undefined
      try {
        return await configured()
      } catch (error) {
        warnOnce(notOpened, error)
        return undefined
      }
    },
    async of(identity) {
      if (config.embedder === 'none') return undefined
      const embedder = await named(identity).catch(() => undefined)
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
    pieces,
    background: async (embedder) => (await background())(embedder),
    async close() {
      await Promise.all(opened.map((embedder) => embedder.close()))
      builtin?.close()
    },
  }
}
