/**
 * A model of fastembed's catalogue as an embedder: its prefixes, its window, its passages. Knows one installed
 * model; downloading and running it are done elsewhere.
 */
import { createHash } from 'node:crypto'
import { BrainError } from '../../core/errors.ts'
import type { CatalogueEntry } from '../catalogue.ts'
import type { Embedder } from '../embedder.ts'
import {
  findInstalled,
  getModel,
  type InstalledModel,
  type InstallOptions,
  installModel,
} from '../installed-models.ts'
import { embedSpans, packPassages, type Span, splitSegments, type Window } from '../passages.ts'
import { installRuntime, requireRuntime } from './fastembed-runtime.ts'
import { Transformer } from './transformer.ts'

/** Maximum number of tokens of a passage: a vector of more represents each part too weakly. */
const longestPassage = 256
const overlap = 48

/** Whatever changes the vectors changes the name of their space. */
function identityHash({ entry, hash }: InstalledModel): string {
  const ways = JSON.stringify([entry.pooling, entry.queryPrefix, entry.passagePrefix, entry.window])
  return createHash('sha256').update(hash).update(ways).digest('hex').slice(0, 32)
}

async function cut(transformer: Transformer, text: string, window: Window): Promise<Span[]> {
  const segments = splitSegments(text)
  const costs = await transformer.count(segments.map(({ start, end }) => text.slice(start, end)))
  return packPassages(segments, costs, window)
}

export interface FastembedOptions {
  readonly models: string
  /** Pieces of the built-in vocabulary, for matching word by word; absent without that model. */
  readonly tokenise?: ((text: string) => Uint16Array) | undefined
}

/** Opens an installed model. @throws BrainError `failed` when it, or fastembed itself, is not installed. */
export function openFastembed(name: string, options: FastembedOptions): Embedder {
  const entry = getModel(name)
  const installed = findInstalled(entry, options.models)
  if (!installed) {
    throw new BrainError(
      'failed',
      `the model ${entry.name} is not installed; run brain model use ${entry.name}`,
    )
  }
  const runtime = requireRuntime(options.models, entry.name)
  const transformer = new Transformer({ ...entry, directory: installed.directory }, runtime)
  const tokenise = options.tokenise ?? (() => new Uint16Array())
  const window: Window = { size: Math.min(longestPassage, entry.window), overlap }
  const embed = async (prefix: string, parts: readonly string[], signal?: AbortSignal) => {
    const texts = parts.map((part) => prefix + part)
    return transformer.embed(texts, await transformer.count(texts), signal)
  }
  return {
    identity: {
      name: `fastembed:${entry.name}`,
      hash: identityHash(installed),
      dimension: installed.dimension,
    },
    async embedTexts(texts, signal) {
      const lengths = await transformer.count(texts)
      const spans = await Promise.all(
        texts.map(async (text, at) =>
          (lengths[at] ?? 0) <= window.size
            ? [{ start: 0, end: text.length }]
            : await cut(transformer, text, window),
        ),
      )
      return embedSpans(texts, spans, {
        embed: (parts) => embed(entry.passagePrefix, parts, signal),
        tokenise,
      })
    },
    async embedQuery(query, signal) {
      const [vector = new Float32Array()] = await embed(entry.queryPrefix, [query], signal)
      return { start: 0, end: query.length, vector, tokens: tokenise(query) }
    },
    close: () => transformer.close(),
  }
}

/**
 * Installs a model by name and, where they are missing, the libraries that run it: from its host, a mirror or a
 * directory, and makes sure that it embeds.
 * @throws BrainError `invalid` for an unknown name, `failed` with the reason when it cannot be had.
 */
export async function useModel(
  name: string,
  { tell, ...options }: Omit<InstallOptions, 'probe'> & { tell?: (what: string) => void },
): Promise<InstalledModel> {
  const entry: CatalogueEntry = getModel(name)
  // Before the model is downloaded: without it the download would be for nothing.
  const runtime = await installRuntime(options.models, { signal: options.signal, tell })
  const probe = async (directory: string): Promise<number> => {
    const transformer = new Transformer({ ...entry, directory }, runtime)
    try {
      return (await transformer.embed(['probe'], [1]))[0]?.length ?? 0
    } finally {
      await transformer.close()
    }
  }
  return installModel(entry, { ...options, probe })
}
