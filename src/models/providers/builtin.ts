/**
 * The embedder that is always there: offline, with nothing to download and no native runtime. Knows passages
 * of as many word pieces as the model takes; storage and ranking are not its business.
 */

import { milliseconds, turn } from '../../clock.ts'
import type { BuiltinModel } from '../builtin-model.ts'
import type { Embedder, Passage } from '../embedder.ts'
import { maxPieces } from '../encoder.ts'
import { cutText, type Window, windowCost } from '../passages.ts'

const window: Window = { size: maxPieces, overlap: 64 }
/** Milliseconds of work after which other callers get their turn. */
const longestTurn = 20

/** A text's passages one by one: each takes the time of embedding it. */
export function* embedText(model: BuiltinModel, text: string): Generator<Passage> {
  const whole = model.tokenise(text)
  // Most texts are one passage, whose pieces are known by then.
  const tokenise = (part: string): Uint16Array => (part === text ? whole : model.tokenise(part))
  // A word of a script that the model does not know is one piece, however long: characters count as well.
  const spans = cutText(text, window, (part) => windowCost(part, tokenise(part)))
  for (const { start, end } of spans) {
    const part = text.slice(start, end)
    const tokens = tokenise(part)
    yield { start, end, vector: model.embed(part, tokens), tokens }
  }
}

/** The embedder over an opened model; closing it closes nothing, the model has other users. */
export function createBuiltinEmbedder(model: BuiltinModel): Embedder {
  return {
    identity: model.identity,
    relevance: { slope: 20, midpoint: 0.16 },
    async embedTexts(texts, signal) {
      const results: Passage[][] = []
      let begun = milliseconds()
      for (const text of texts) {
        const passages: Passage[] = []
        for (const passage of embedText(model, text)) {
          passages.push(passage)
          if (milliseconds() - begun > longestTurn) {
            await turn()
            signal?.throwIfAborted()
            begun = milliseconds()
          }
        }
        results.push(passages)
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
