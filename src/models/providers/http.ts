/**
 * An OpenAI-compatible embeddings endpoint as an embedder. Trusts nothing that it answers: time, size, shape
 * and numbers are bounded and checked, and one that is down is left alone for a while. Knows HTTP and JSON;
 * the caller chooses endpoint and key.
 */
import { createHash } from 'node:crypto'
import { milliseconds } from '../../clock.ts'
import { BrainError } from '../../core/errors.ts'
import { memberOf } from '../../core/json.ts'
import type { Embedder } from '../embedder.ts'
import { ask, resourceOf } from '../open-ai.ts'
import { cutText, embedSpans, type Window, windowCost } from '../passages.ts'
import { normalise } from '../vectors.ts'

export interface EndpointOptions {
  /** Base (`https://host/v1`) or the embeddings resource itself. */
  readonly url: string
  readonly model: string
  readonly key?: string | undefined
  /** Pieces of the built-in vocabulary, for passages to be matched word by word; absent without that model. */
  readonly tokenise?: ((text: string) => Uint16Array) | undefined
  readonly fetch?: typeof fetch | undefined
  /** Milliseconds that only grow; since whenever when absent. */
  readonly now?: (() => number) | undefined
}

const path = 'embeddings'
/** Milliseconds from the request to the last byte of the answer: of one text, and more of each further one. */
const timeLimit = (texts: number): number => 1000 + texts * 1000
const batchTexts = 16
const batchCharacters = 32_768
const maxDimensions = 16_384
/** A component in JSON takes some 22 characters. */
const sizeLimit = (texts: number): number => 65_536 + texts * maxDimensions * 24
/** Half of what most models read, since their pieces are not ours. */
const window: Window = { size: 256, overlap: 48 }
const firstPause = 1000
const longestPause = 30_000

const failed = (why: string, cause?: unknown): BrainError =>
  new BrainError(
    'failed',
    `the embeddings endpoint ${why}; check embedder.url, embedder.model and embedder.key_env`,
    { cause },
  )

/** The hash stands for weights that nobody here can see: endpoint and model name. */
const endpointHash = (url: string, model: string): string =>
  createHash('sha256')
    .update(`${resourceOf(url, path).href}\n${model}`)
    .digest('hex')
    .slice(0, 32)

function toVector(value: unknown): Float32Array {
  if (!Array.isArray(value) || value.length === 0 || value.length > maxDimensions) {
    throw failed('sent something that is no vector')
  }
  const vector = new Float32Array(value.length)
  for (const [index, component] of value.entries()) {
    if (typeof component !== 'number') throw failed('sent a vector whose components are not all numbers')
    vector[index] = component
  }
  if (!normalise(vector)) throw failed('sent a vector that is zero or not finite')
  return vector
}

function toVectors(answer: unknown, count: number): Float32Array[] {
  const data = memberOf(answer, 'data')
  if (!Array.isArray(data) || data.length !== count) {
    // Without numbers, which differ from call to call: each cause is reported once.
    throw failed('did not send one vector a text')
  }
  const vectors = new Array<Float32Array>(count)
  for (const [place, item] of data.entries()) {
    const index = memberOf(item, 'index') ?? place
    if (typeof index !== 'number' || !(index in data) || vectors[index]) {
      throw failed('sent vectors in no order')
    }
    vectors[index] = toVector(memberOf(item, 'embedding'))
  }
  return vectors
}

/** Texts in the order given, few and short enough for one request each. */
function* toBatches(texts: readonly string[]): Generator<string[]> {
  let batch: string[] = []
  let characters = 0
  for (const text of texts) {
    if (batch.length === batchTexts || (batch.length > 0 && characters + text.length > batchCharacters)) {
      yield batch
      batch = []
      characters = 0
    }
    batch.push(text)
    characters += text.length
  }
  if (batch.length > 0) yield batch
}

class Endpoint {
  readonly #options: EndpointOptions
  readonly #resource: URL
  readonly #now: () => number
  #failures = 0
  #lastFailure: unknown
  #closedUntil = 0

  constructor(options: EndpointOptions) {
    this.#options = options
    this.#resource = resourceOf(options.url, path)
    this.#now = options.now ?? milliseconds
  }

  /** One unit vector per text. @throws BrainError `failed`, immediately during the pause after a failure. */
  async vectors(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]> {
    const began = this.#now()
    if (began < this.#closedUntil) throw this.#lastFailure
    try {
      const vectors = await this.#ask(texts, signal)
      this.#failures = 0
      return vectors
    } catch (error) {
      // Of requests that were under way together the first that fails counts.
      if (signal?.aborted || began < this.#closedUntil) throw error
      this.#lastFailure = error
      this.#closedUntil = this.#now() + Math.min(longestPause, firstPause * 2 ** this.#failures)
      this.#failures += 1
      throw error
    }
  }

  async #ask(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]> {
    const { key, model, fetch } = this.#options
    const answer = await ask(
      {
        resource: this.#resource,
        key,
        body: { model, input: texts, encoding_format: 'float' },
        timeLimit: timeLimit(texts.length),
        sizeLimit: sizeLimit(texts.length),
        signal,
        fetch,
      },
      failed,
    )
    return toVectors(answer, texts.length)
  }
}

/**
 * Opens an endpoint as an embedder of a known dimension, or of the one that a first short request finds out.
 * @throws BrainError `failed` when it is asked and does not answer.
 */
export type OpenEndpoint = (knownDimension?: number) => Promise<Embedder>

/** The way to one endpoint; what failed and when is remembered between attempts to open it. */
export function createEndpoint(options: EndpointOptions): OpenEndpoint {
  const endpoint = new Endpoint(options)
  const tokenise = options.tokenise ?? (() => new Uint16Array())
  return async (knownDimension) => {
    const dimension = knownDimension ?? (await endpoint.vectors(['dimension']))[0]?.length ?? 0
    const embed = async (texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]> => {
      const vectors: Float32Array[] = []
      for (const batch of toBatches(texts)) vectors.push(...(await endpoint.vectors(batch, signal)))
      const odd = vectors.find((vector) => vector.length !== dimension)
      if (odd) throw failed(`sent ${odd.length} dimensions instead of ${dimension}`)
      return vectors
    }
    return {
      identity: { name: `http:${options.model}`, hash: endpointHash(options.url, options.model), dimension },
      async embedTexts(texts, signal) {
        const spans = texts.map((text) => cutText(text, window, (part) => windowCost(part, tokenise(part))))
        return embedSpans(texts, spans, { embed: (parts) => embed(parts, signal), tokenise })
      },
      async embedQuery(query, signal) {
        const [first = { start: 0, end: query.length }] = cutText(query, window, (part) =>
          windowCost(part, tokenise(part)),
        )
        const [vector = new Float32Array()] = await embed([query.slice(first.start, first.end)], signal)
        return { ...first, vector, tokens: tokenise(query) }
      },
      async close() {},
    }
  }
}
