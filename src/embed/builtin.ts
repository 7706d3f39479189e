/**
 * The embedder that is always there: offline, with nothing to download and no native runtime. Knows passages
 * of 128 word pieces, the length it was trained at; storage and ranking are not its business.
 */
import { setImmediate } from 'node:timers/promises'
import type { BuiltinModel } from './builtin-model.ts'
import type { Embedder, Passage } from './embedder.ts'
import { packPassages, splitSegments, type Window } from './passages.ts'

const window: Window = { size: 128, overlap: 32 }
/** Milliseconds of work after which other callers get their turn. */
const longestTurn = 20

/** What a text of so many pieces takes of the window. A script that the model does not know has one piece a word. */
const costOf = (text: string, tokens: Uint16Array): number =>
  Math.max(tokens.length, Math.ceil(text.length / 8))

function embedText(model: BuiltinModel, text: string): Passage[] {
  const tokens = model.tokenise(text)
  if (costOf(text, tokens) <= window.size) {
    return [{ start: 0, end: text.length, vector: model.embed(text, tokens), tokens }]
  }
  const segments = splitSegments(text)
  const costs = segments.map(({ start, end }) => {
    const part = text.slice(start, end)
    return costOf(part, model.tokenise(part))
  })
  return packPassages(segments, costs, window).map(({ start, end }) => {
    const part = text.slice(start, end)
    const partTokens = model.tokenise(part)
    return { start, end, vector: model.embed(part, partTokens), tokens: partTokens }
  })
}

/** The embedder over an opened model; closing it closes nothing, the model has other users. */
export function createBuiltinEmbedder(model: BuiltinModel): Embedder {
  return {
    identity: model.identity,
    // Fitted on conversations and mixed notes: unrelated pairs average .04, related ones .55 and more.
    relevance: { slope: 22.8, midpoint: 0.184 },
    async embedTexts(texts, signal) {
      const results: Passage[][] = []
      let turn = performance.now()
      for (const text of texts) {
        results.push(embedText(model, text))
        if (performance.now() - turn > longestTurn) {
          await setImmediate()
          signal?.throwIfAborted()
          turn = performance.now()
        }
      }
      return results
    },
    async embedQuery(query) {
      const tokens = model.tokenise(query)
      return { start: 0, end: query.length, vector: model.embed(query, tokens), tokens }
    },
    async close() {},
  }
}
