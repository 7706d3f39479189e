/**
 * The embedders of one process: opens on first use the one a vector space asks for, keeps it, and turns
 * every failure into an honest "none" with one warning. Knows which embedder is configured; nothing of storage.
 */

import { join } from 'node:path'
import { milliseconds } from '../clock.ts'
import type { Config } from '../config/config.ts'
import { BrainError, reasonOf } from '../core/errors.ts'
import type { ProcessMode } from '../core/process-mode.ts'
import type { Embedder, ModelIdentity } from './embedder.ts'
import type { NeutralNotes } from './neutral-notes.ts'
import { once } from './once.ts'
import { predecessors } from './predecessors.ts'
import { builtinName, createProviders } from './providers/index.ts'
import { createShippedModels, type ShippedModels } from './shipped-models.ts'

export interface EmbedderPool extends Pick<ShippedModels, 'pieces' | 'reader' | 'nightReader'> {
  /** The configured embedder, or undefined when it cannot be had (warned about once). */
  current(): Promise<Embedder | undefined>
  /** The configured embedder. @throws BrainError with the remedy when there is none or it cannot be had. */
  configured(): Promise<Embedder>
  /** The embedder of a given vector space, or undefined when it cannot be had (warned about once) or `none` is wanted. */
  of(identity: ModelIdentity): Promise<Embedder | undefined>
  /**
   * The built-in embedder of this release where `identity` is that of an earlier one, whose queries nobody can make any
   * more; undefined for every other, and where it cannot be had or `none` is wanted.
   */
  successor(identity: ModelIdentity): Promise<Embedder | undefined>
  /** Runs `work`; a failing embedder gives undefined and one warning instead of an error. */
  attempt<T>(work: () => Promise<T>): Promise<T | undefined>
  /** What neutral notes look like to an embedder; empty where there are none. @throws BrainError `failed`. */
  neutralNotes(embedder: Embedder): Promise<NeutralNotes>
  close(): Promise<void>
}

/** Whether vectors of this model are made in this process, without any request. */
export const isBuiltin = ({ name }: Pick<ModelIdentity, 'name'>): boolean => name === builtinName

export const sameModel = (a: ModelIdentity, b: ModelIdentity): boolean =>
  a.name === b.name && a.hash === b.hash && a.dimension === b.dimension

export interface PoolOptions {
  readonly config: Config
  /** The settings as they are now, for a process that outlives a change of them; absent where they stay. */
  readonly reread?: (() => Promise<Config>) | undefined
  /** A `service` answers others meanwhile, so that its event loop has to stay free. */
  readonly mode?: ProcessMode
  readonly warn: (message: string) => void
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Directory of the built-in model; the package's own when absent. */
  readonly builtinDirectory?: string
  /** Hashes of built-in models that it replaces; those of earlier releases when absent. */
  readonly predecessors?: readonly string[]
  /** Where fastembed's models are kept; in the user's cache when absent. */
  readonly modelsDirectory?: string
  readonly fetch?: typeof fetch
  /** Milliseconds that only grow; since whenever when absent. */
  readonly now?: () => number
}

/**
 * Word pieces of one call from which on other threads embed them: in a process that lives from some eight milliseconds
 * of work on, in a command once the threads do it sooner than it takes them to start.
 */
const threadsFrom = { service: 48, embedded: 1024, oneshot: 1024 } as const

/** How old settings may be that can be read again, in milliseconds. */
const freshness = 1_000

const embedderSettings = (config: Config): string =>
  JSON.stringify([
    config.embedder,
    config['embedder.url'],
    config['embedder.model'],
    config['embedder.key_env'],
  ])

/** Whether two settings ask for the same embedder. */
export const askForTheSame = (one: Config, other: Config): boolean =>
  embedderSettings(one) === embedderSettings(other)

/** The settings in force, not older than so many milliseconds; `onOther` is called where they ask for another embedder. */
function createSettings({ config, reread, now = milliseconds }: PoolOptions, onOther: () => void) {
  let inForce = config
  let readAt = now()
  return async (age = freshness): Promise<Config> => {
    if (reread === undefined || now() - readAt < age) return inForce
    readAt = now()
    // Settings that became unreadable leave the last good ones in force.
    const next = await reread().catch(() => inForce)
    if (!askForTheSame(next, inForce)) onOther()
    inForce = next
    return inForce
  }
}

/** Warns of each reason once, until all are forgotten. */
function createWarnings(warn: (message: string) => void) {
  const told = new Set<string>()
  return {
    of(reason: string): void {
      if (told.has(reason)) return
      told.add(reason)
      warn(`recall is by keyword only: ${reason}`)
    },
    forget: () => told.clear(),
  }
}

/** The embedder whose vectors are of this space. @throws BrainError with the remedy. */
async function openServing(
  identity: ModelIdentity,
  { providers, config }: { providers: ReturnType<typeof createProviders>; config: Config },
): Promise<Embedder> {
  const remedy = 'run brain reindex to embed them with the model in use'
  const { name } = identity
  const embedder = await providers.open(identity, config).catch((error: unknown) => {
    if (name === providers.configuredModel(config)) throw error
    const why = `the vectors here are of ${name}, which cannot be had (${reasonOf(error)})`
    throw new BrainError('failed', `${why}; ${remedy}`, { cause: error })
  })
  if (sameModel(embedder.identity, identity)) return embedder
  throw new BrainError('failed', `the vectors here are of another ${name}; ${remedy}`)
}

/** A pool for the configured embedder; opens nothing until it is asked. */
export function createEmbedderPool(options: PoolOptions): EmbedderPool {
  const { environment, builtinDirectory, fetch, now } = options
  let closed = false
  // What is under way when a command is interrupted fails by that alone.
  const warn = (message: string): void => (closed ? undefined : options.warn(message))
  const notOpened = createWarnings(warn)
  const notWorking = createWarnings(warn)
  // What was wrong with other settings is no longer known.
  const settings = createSettings(options, notOpened.forget)

  const shipped = createShippedModels(builtinDirectory)
  const models = once(async () => {
    if (options.modelsDirectory !== undefined) return options.modelsDirectory
    const { modelsDirectory } = await import('./models-directory.ts')
    return modelsDirectory(environment)
  })
  const notes = once(async () => {
    const { createNeutralNotes } = await import('./neutral-notes.ts')
    const builtin = builtinDirectory ?? (await import('./builtin-model.ts')).builtinDirectory()
    return createNeutralNotes({ builtin, cache: async () => join(await models(), '..', 'neutral-notes') })
  })
  const opened: Embedder[] = []
  const providers = createProviders({
    environment,
    builtinModel: shipped.encoder,
    async tokenise() {
      const words = await shipped.pieces()
      return words && ((text) => words.tokenise(text))
    },
    models,
    threadsFrom: threadsFrom[options.mode ?? 'embedded'],
    fetch,
    now,
    keep: (embedder) => {
      opened.push(embedder)
      return embedder
    },
  })

  async function openConfigured(config: Config): Promise<Embedder> {
    const name = providers.configuredModel(config)
    if (name !== undefined) return providers.open({ name }, config)
    throw new BrainError('failed', 'the embedder is none: choose one with brain model use NAME')
  }

  /** What `open` finds, unless none is wanted; a failure is warned about once. */
  async function findWanted(
    open: (config: Config) => Promise<Embedder | undefined>,
  ): Promise<Embedder | undefined> {
    const config = await settings()
    if (config.embedder === 'none') return undefined
    return open(config).catch((error: unknown) => {
      notOpened.of(reasonOf(error))
      return undefined
    })
  }

  return {
    current: () => findWanted(openConfigured),
    configured: async () => openConfigured(await settings()),
    of: (identity) =>
      findWanted((config) =>
        openServing(identity, { providers, config }).catch(async () =>
          // Vectors served since a moment may be of settings made since a moment.
          openServing(identity, { providers, config: await settings(0) }),
        ),
      ),
    successor: ({ name, hash }) =>
      findWanted(async (config) => {
        const replaced = options.predecessors ?? predecessors
        if (name !== builtinName || !replaced.includes(hash)) return undefined
        const embedder = await providers.open({ name }, config).catch(() => undefined)
        return embedder?.identity.hash === hash ? undefined : embedder
      }),
    async attempt(work) {
      try {
        const result = await work()
        // Working again: the next failure is news.
        notWorking.forget()
        return result
      } catch (error) {
        notWorking.of(reasonOf(error))
        return undefined
      }
    },
    pieces: shipped.pieces,
    reader: shipped.reader,
    nightReader: shipped.nightReader,
    neutralNotes: async (embedder) => (await notes())(embedder),
    async close() {
      closed = true
      await Promise.all(opened.map((embedder) => embedder.close()))
      shipped.close()
    },
  }
}
