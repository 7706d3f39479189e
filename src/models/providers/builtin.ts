/**
 * The embedder that is always there: offline, with nothing to download and no native runtime. Knows passages
 * of as many word pieces as the model takes, and which thread embeds them; storage and ranking are not its business.
 */
import { milliseconds, yieldToEventLoop } from '../../clock.ts'
import type { BuiltinModel } from '../builtin-model.ts'
import type { Embedder, Passage } from '../embedder.ts'
import type { EmbeddingThreads } from '../embedding-threads.ts'
import { cutText, type Span, type Window, windowCost } from '../passages.ts'
import { spellingVector } from '../vectors.ts'

/**
 * A vector of more says too little of each part: of 268 questions about notes that had been put together ten by ten it found 73 %
 * first with these passages, 43 % with passages as long as the model takes.
 */
export const passageWindow: Window = { size: 64, overlap: 16 }
/** Milliseconds of work after which other callers get their turn. */
const longestTurn = 20
/** Word pieces of a call that takes tens of milliseconds in all. */
const longWork = 512
/** Word pieces of a call that two threads share, once there was enough to do for them. */
const sharedWork = 256

/**
 * Texts whose vectors are at hand for whoever asks again: a hook asks the same of two brains, twice of each, and keeps
 * what it asked.
 */
const keptVectors = 4

/** A passage but for its vector. */
interface Draft extends Span {
  readonly text: string
  readonly tokens: Uint16Array
}

/** Pieces as a key of what was made of them. */
const keyOf = (framed: Uint16Array): string => String.fromCharCode(...framed)

/** A text's passages; others have their turn between the steps of a long one. */
async function cut(model: BuiltinModel, text: string): Promise<Draft[]> {
  const whole = model.tokenise(text)
  const rest = (): Promise<void> | undefined => (whole.length >= longWork ? yieldToEventLoop() : undefined)
  await rest()
  // Most texts are one passage, whose pieces are known by then.
  const tokenise = (part: string): Uint16Array => (part === text ? whole : model.tokenise(part))
  // A word of a script that the model does not know is one piece, however long: characters count as well.
  const spans = cutText(text, passageWindow, (part) => windowCost(part, tokenise(part)))
  await rest()
  return spans.map(({ start, end }) => {
    const part = text.slice(start, end)
    return { start, end, text: part, tokens: tokenise(part) }
  })
}

/**
 * Lets others have their turn once work has held the event loop for a while, whoever did it: many callers with a little
 * each hold it as long as one with much.
 */
function createBreaks() {
  let begun: number | undefined
  return async (signal: AbortSignal | undefined): Promise<void> => {
    while (begun !== undefined && milliseconds() - begun > longestTurn) {
      await yieldToEventLoop()
      signal?.throwIfAborted()
    }
    if (begun !== undefined) return
    begun = milliseconds()
    setImmediate(() => {
      begun = undefined
    })
  }
}

export interface BuiltinOptions {
  /**
   * Word pieces of one call from which on threads embed them; also of many calls together, where they are of 256 pieces
   * and more.
   */
  readonly threadsFrom: number
}

/** The embedder over an opened model; closing it does not close the model, which has other users. */
export function createBuiltinEmbedder(
  model: BuiltinModel,
  { threadsFrom }: BuiltinOptions = { threadsFrom: Number.POSITIVE_INFINITY },
): Embedder {
  const pause = createBreaks()
  let threads: Promise<EmbeddingThreads> | undefined
  let last: Promise<unknown> = Promise.resolve()
  /** Word pieces of all calls. */
  let asked = 0
  /** By their pieces, the one asked for longest ago first. */
  const known = new Map<string, Float32Array | undefined>()
  const embedOnce = (framed: Uint16Array): Float32Array | undefined => {
    const key = keyOf(framed)
    const vector = known.has(key) ? known.get(key) : model.embedFramed(framed)
    known.delete(key)
    known.set(key, vector)
    const [oldest] = known.keys()
    if (known.size > keptVectors && oldest !== undefined) known.delete(oldest)
    return vector
  }
  // One after the other: whoever looks at the clock must see what those before have taken of it.
  const embedHere = (framed: Uint16Array, signal?: AbortSignal): Promise<Float32Array | undefined> => {
    const next = last.then(async () => {
      await pause(signal)
      return embedOnce(framed)
    })
    last = next.catch(() => {})
    return next
  }
  const openThreads = async (): Promise<EmbeddingThreads> => {
    const { EmbeddingThreads } = await import('../embedding-threads.ts')
    return new EmbeddingThreads({ model: model.path, embedHere })
  }

  /** The vectors of some passages, made on this thread or on others; of passages with the same pieces once. */
  async function embedDrafts(drafts: readonly Draft[], signal?: AbortSignal): Promise<Float32Array[]> {
    const framed = drafts.map(({ tokens }) => model.frame(tokens))
    // A line drawn of a thousand dashes is a dozen passages, and all are one.
    const different = new Map<string, Uint16Array>()
    for (const pieces of framed) if (pieces !== undefined) different.set(keyOf(pieces), pieces)
    const known = [...different.values()]
    const work = known.reduce((sum, { length }) => sum + length, 0)
    const vectors: (Float32Array | undefined)[] = []
    asked += work
    // Cutting a long text and keeping it take their time, too: neither shares a turn with its embedding.
    if (work >= longWork) await yieldToEventLoop()
    if (work >= threadsFrom || (work >= sharedWork && asked >= threadsFrom)) {
      threads ??= openThreads()
      vectors.push(...(await (await threads).embed(known, signal)))
    } else {
      for (const pieces of known) vectors.push(await embedHere(pieces, signal))
    }
    if (work >= longWork) await yieldToEventLoop()
    const made = new Map([...different.keys()].map((key, at) => [key, vectors[at]]))
    return drafts.map(({ text }, at) => {
      const pieces = framed[at]
      const vector = pieces && made.get(keyOf(pieces))
      // Each caller has its own.
      return vector?.slice() ?? spellingVector(text, model.identity.dimension)
    })
  }

  return {
    identity: model.identity,
    async embedTexts(texts, signal) {
      const drafts: Draft[][] = []
      for (const text of texts) {
        await pause(signal)
        drafts.push(await cut(model, text))
      }
      const vectors = await embedDrafts(drafts.flat(), signal)
      let next = 0
      return drafts.map((own) =>
        own.map(({ start, end, text, tokens }): Passage => {
          const vector = vectors[next++] ?? spellingVector(text, model.identity.dimension)
          return { start, end, vector, tokens }
        }),
      )
    },
    async embedQuery(query, signal) {
      const tokens = model.tokenise(query)
      const draft: Draft = { start: 0, end: query.length, text: query, tokens }
      const [vector = spellingVector(query, model.identity.dimension)] = await embedDrafts([draft], signal)
      return { start: 0, end: query.length, vector, tokens }
    },
    async close() {
      await (await threads)?.close()
    },
  }
}
