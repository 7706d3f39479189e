/**
 * The embedder that is always there: offline, with nothing to download and no native runtime. Knows passages
 * of 128 word pieces, the length it was trained at; storage and ranking are not its business.
 */

import { milliseconds, turn } from '../../clock.ts'
import type { BuiltinModel } from '../builtin-model.ts'
import type { Embedder, Passage } from '../embedder.ts'
import { cutText, type Window, windowCost } from '../passages.ts'

const window: Window = { size: 128, overlap: 32 }
/** Milliseconds of work after which other callers get their turn. */
const longestTurn = 20

function embedText(model: BuiltinModel, text: string): Passage[] {
  const whole = model.tokenise(text)
  // Most texts are one passage, whose pieces are known by then.
  const tokenise = (part: string): Uint16Array => (part === text ? whole : model.tokenise(part))
  // A word of a script that the model does not know is one piece, however long: characters count as well.
  const spans = cutText(text, window, (part) => windowCost(part, tokenise(part)))
  return spans.map(({ start, end }) => {
    const part = text.slice(start, end)
    const tokens = tokenise(part)
    return { start, end, vector: model.embed(part, tokens), tokens }
  })
}

/** The embedder over an opened model; closing it closes nothing, the model has other users. */
export function createBuiltinEmbedder(model: BuiltinModel): Embedder {
  return {
    identity: model.identity,
    // Fitted on the development sets, as the model card says: unrelated notes average .03, related ones .69.
    relevance: { slope: 24.8, midpoint: 0.186 },
    async embedTexts(texts, signal) {
      const results: Passage[][] = []
      let begun = milliseconds()
      for (const text of texts) {
        results.push(embedText(model, text))
        if (milliseconds() - begun > longestTurn) {
          await turn()
          signal?.throwIfAborted()
          begun = milliseconds()
        }
      }
      return results
    },
    async embedQuery(query) {
      const tokens = model.tokenise(query)
      return { start: 0, end: query.length, vector: model.embed(query, tokens), tokens }
    },
    compare: (vector, tokens) => model.table.cosine(vector, tokens),
    async close() {},
  }
}
