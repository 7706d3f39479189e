/**
 * The embedding providers there are, each under the same three questions. Another one is another entry here, and its name in
 * `core/embedders.ts`; what loads a model is imported when it is first needed.
 */
import type { Config } from '../../config/config.ts'
import type { ProviderName } from '../../core/embedders.ts'
import { BrainError } from '../../core/errors.ts'
import type { BuiltinModel } from '../builtin-model.ts'
import type { Embedder, ModelIdentity } from '../embedder.ts'
import { once } from '../once.ts'
import type { OpenEndpoint } from './http.ts'

/** What a provider may need to open a model; each is made when it is first asked for. */
export interface ProviderContext {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly builtinModel: () => Promise<BuiltinModel>
  /** Pieces of the built-in vocabulary, for matching word by word; undefined without that model. */
  readonly tokenise: () => Promise<((text: string) => Uint16Array) | undefined>
  /** Directory of downloaded models. */
  readonly models: () => Promise<string>
  /** Word pieces of one call from which on other threads embed them. */
  readonly threadsFrom: number
  readonly fetch: typeof fetch | undefined
  readonly now: (() => number) | undefined
  /** Keeps an embedder to be closed at the end. */
  readonly keep: (embedder: Embedder) => Embedder
}

/** A model to open: the name its vectors carry and, where it is known, their dimension. */
export type Wanted = Pick<ModelIdentity, 'name'> & Partial<Pick<ModelIdentity, 'dimension'>>

export interface Provider {
  /** Whether models of this name are its own. */
  matches(name: string): boolean
  /** Name of the model that the settings ask of it; undefined when they ask for none of its. */
  configuredModel(config: Config): string | undefined
  /**
   * Opens a model, the same one each time.
   * @throws BrainError `failed` with the remedy, such as the setting or variable that is missing.
   */
  open(wanted: Wanted, config: Config): Promise<Embedder>
}

/** The name of the built-in model. */
export const builtinName = 'builtin'

/** Keeps one of each name, but none that failed. */
function onceEach<T>(open: (name: string) => Promise<T>): (name: string) => Promise<T> {
  const opened = new Map<string, () => Promise<T>>()
  return (name) => {
    const known = opened.get(name) ?? once(() => open(name))
    opened.set(name, known)
    return known()
  }
}

function createBuiltin({ builtinModel, threadsFrom, keep }: ProviderContext): Provider {
  const open = once(async () => {
    const { createBuiltinEmbedder } = await import('./builtin.ts')
    return keep(createBuiltinEmbedder(await builtinModel(), { threadsFrom }))
  })
  const matches = (name: string): boolean => name === builtinName
  return { matches, configuredModel: ({ embedder }) => (matches(embedder) ? embedder : undefined), open }
}

function createFastembed({ models, tokenise, keep }: ProviderContext): Provider {
  const open = onceEach(async (name) => {
    const { openFastembed } = await import('./fastembed.ts')
    return keep(openFastembed(name, { models: await models(), tokenise: await tokenise() }))
  })
  const matches = (name: string): boolean => name.startsWith('fastembed:')
  return {
    matches,
    configuredModel: ({ embedder }) => (matches(embedder) ? embedder : undefined),
    open: ({ name }) => open(name),
  }
}

type EndpointConfig = Pick<Config, 'embedder.url' | 'embedder.model' | 'embedder.key_env'>

/** @throws BrainError `failed` naming the setting or variable that is missing. */
function endpointSettings(config: EndpointConfig, environment: ProviderContext['environment']) {
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

function createHttp({ environment, tokenise, fetch, now }: ProviderContext): Provider {
  const prefix = 'http:'
  /** By all that makes one endpoint differ from another, so that each remembers its own failures. */
  const endpoint = onceEach(async (settings) => {
    const { createEndpoint } = await import('./http.ts')
    // Made a line below and by nobody else.
    const { url, model, key } = JSON.parse(settings) as ReturnType<typeof endpointSettings>
    const open: OpenEndpoint = createEndpoint({ url, model, key, tokenise: await tokenise(), fetch, now })
    return { open, unasked: once(() => open()) }
  })
  return {
    matches: (name) => name.startsWith(prefix),
    configuredModel: (config) =>
      config.embedder === 'http' ? `${prefix}${config['embedder.model'] ?? ''}` : undefined,
    // Another model at the same address, until the vectors of the configured one are there.
    open: async ({ name, dimension }, config) => {
      const model = name.slice(prefix.length) || null
      const settings = endpointSettings({ ...config, 'embedder.model': model }, environment)
      const { open, unasked } = await endpoint(JSON.stringify(settings))
      return dimension === undefined ? unasked() : open(dimension)
    },
  }
}

/** Every provider that settings can name, as one. */
export function createProviders(context: ProviderContext): Omit<Provider, 'matches'> {
  const providers: Readonly<Record<ProviderName, Provider>> = {
    builtin: createBuiltin(context),
    fastembed: createFastembed(context),
    http: createHttp(context),
  }
  const all = Object.values(providers)
  return {
    configuredModel(config) {
      for (const { configuredModel } of all) {
        const name = configuredModel(config)
        if (name !== undefined) return name
      }
      return undefined
    },
    async open(wanted, config) {
      const provider = all.find(({ matches }) => matches(wanted.name))
      if (provider !== undefined) return provider.open(wanted, config)
      throw new BrainError('failed', 'this version does not know it')
    },
  }
}
