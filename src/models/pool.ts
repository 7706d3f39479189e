/**
 * The embedders of one process: opens on first use the one a vector space asks for, keeps it, and turns
 * every failure into an honest "none" with one warning. Knows which embedder is configured; nothing of storage.
 */

import { join } from 'node:path'
import { milliseconds } from '../clock.ts'
import type { Config } from '../config/config.ts'
import { BrainError, reasonOf } from '../core/errors.ts'
import type { ProcessMode } from '../core/process-mode.ts'
import type { BuiltinModel } from './builtin-model.ts'
import type { Embedder, ModelIdentity } from './embedder.ts'
import type { NeutralNotes } from './neutral-notes.ts'
import type { NightModel } from './night-model.ts'
import type { PairModel } from './pair-model.ts'
import { predecessors } from './predecessors.ts'
import { builtinName, createProviders, once, type Wanted } from './providers/index.ts'

export interface EmbedderPool {
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
  /** Pieces and table of the built-in model, for matching word by word with any embedder; undefined without them. */
  pieces(): Promise<BuiltinModel | undefined>
  /** The model that reads two texts at once, over the built-in one's words; undefined without the files of both. */
  reader(): Promise<PairModel | undefined>
  /** The model that reads two notes at once for dreams, over the same words; undefined without the files of both. */
  nightReader(): Promise<NightModel | undefined>
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

/** A pool for the configured embedder; opens nothing until it is asked. */
export function createEmbedderPool(options: PoolOptions): EmbedderPool {
  let { config } = options
  const now = options.now ?? milliseconds
  const notOpened = new Set<string>()
  const notWorking = new Set<string>()
  let closed = false
  const warnOnce = (causes: Set<string>, reason: string): void => {
    // What is under way when a command is interrupted fails by that alone.
    if (closed || causes.has(reason)) return
    causes.add(reason)
    options.warn(`recall is by keyword only: ${reason}`)
  }

  let readAt = now()
  /** Takes over what another process changed in the settings. */
  const refresh = async (age = freshness): Promise<void> => {
    if (options.reread === undefined || now() - readAt < age) return
    readAt = now()
    // Settings that became unreadable leave the last good ones in force.
    const next = await options.reread().catch(() => config)
    // What was wrong with other settings is no longer known.
    if (!askForTheSame(next, config)) notOpened.clear()
    config = next
  }

  let builtin: BuiltinModel | undefined
  const model = once(async () => {
    const { openBuiltinModel } = await import('./builtin-model.ts')
    builtin = openBuiltinModel(options.builtinDirectory)
    return builtin
  })
  const reader = once(async () => {
    const { openPairModel } = await import('./pair-model.ts')
    return openPairModel(await model())
  })
  const nightReader = once(async () => {
    const { openNightModel } = await import('./night-model.ts')
    return openNightModel(await model())
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
  const neutralNotes = once(async () => {
    const { createNeutralNotes } = await import('./neutral-notes.ts')
    const { builtinDirectory } = await import('./builtin-model.ts')
    const builtin = options.builtinDirectory ?? builtinDirectory()
    return createNeutralNotes({
      builtin,
      cache: async () => join(await models(), '..', 'neutral-notes'),
    })
  })
  const opened: Embedder[] = []
  const providers = Object.values(
    createProviders({
      environment: options.environment,
      builtinModel: model,
      tokenise,
      models,
      threadsFrom: threadsFrom[options.mode ?? 'embedded'],
      fetch: options.fetch,
      now: options.now,
      keep: (embedder) => {
        opened.push(embedder)
        return embedder
      },
    }),
  )

  const named = async (wanted: Wanted): Promise<Embedder> => {
    const provider = providers.find(({ matches }) => matches(wanted.name))
    if (provider !== undefined) return provider.open(wanted, config)
    throw new BrainError('failed', 'this version does not know it')
  }
  const configuredName = (): string | undefined => {
    for (const { configuredModel } of providers) {
      const name = configuredModel(config)
      if (name !== undefined) return name
    }
    return undefined
  }
  const configured = async (): Promise<Embedder> => {
    const name = configuredName()
    if (name !== undefined) return named({ name })
    throw new BrainError('failed', 'the embedder is none: choose one with brain model use NAME')
  }

  /** @throws BrainError with the remedy. */
  const serving = async (identity: ModelIdentity): Promise<Embedder> => {
    const remedy = 'run brain reindex to embed them with the model in use'
    let embedder: Embedder
    try {
      embedder = await named(identity)
    } catch (error) {
      if (identity.name === configuredName()) throw error
      const why = `the vectors here are of ${identity.name}, which cannot be had (${reasonOf(error)})`
      throw new BrainError('failed', `${why}; ${remedy}`, { cause: error })
    }
    if (sameModel(embedder.identity, identity)) return embedder
    throw new BrainError('failed', `the vectors here are of another ${identity.name}; ${remedy}`)
  }

  return {
    async current() {
      await refresh()
      if (config.embedder === 'none') return undefined
      try {
        return await configured()
      } catch (error) {
        warnOnce(notOpened, reasonOf(error))
        return undefined
      }
    },
    async configured() {
      await refresh()
      return configured()
    },
    async of(identity) {
      await refresh()
      if (config.embedder === 'none') return undefined
      try {
        // Vectors served since a moment may be of settings made since a moment.
        return await serving(identity).catch(() => refresh(0).then(() => serving(identity)))
      } catch (error) {
        warnOnce(notOpened, reasonOf(error))
        return undefined
      }
    },
    async successor({ name, hash }) {
      await refresh()
      const replaced = options.predecessors ?? predecessors
      if (config.embedder === 'none' || name !== builtinName || !replaced.includes(hash)) return undefined
      const embedder = await named({ name: builtinName }).catch(() => undefined)
      return embedder?.identity.hash === hash ? undefined : embedder
    },
    async attempt(work) {
      try {
        const result = await work()
        // Working again: the next failure is news.
        notWorking.clear()
        return result
      } catch (error) {
        warnOnce(notWorking, reasonOf(error))
        return undefined
      }
    },
    pieces,
    reader: () => reader().catch(() => undefined),
    nightReader: () => nightReader().catch(() => undefined),
    neutralNotes: async (embedder) => (await neutralNotes())(embedder),
    async close() {
      closed = true
      await Promise.all(opened.map((embedder) => embedder.close()))
      builtin?.close()
    },
  }
}
