/**
 * Compares a query with passages word by word: which of its pieces have a similar piece, and the weight of each. Uses
 * the built-in table whichever embedder made the vectors; candidates and order are decided elsewhere.
 */
import { inverseDocumentFrequency } from '../core/bm25.ts'
import { type Likeness, lateInteraction, maxPieceIdf } from '../core/ranking.ts'
import { splitWords, toTerms } from '../core/words.ts'
import type { BuiltinModel } from '../models/builtin-model.ts'
import type { TermStatistics } from '../store/candidates.ts'

/** Maximum number of a query's pieces: the table compares this many at once. */
const maxPieces = 64

/** A passage to compare with the query: its cosine, from its vectors, and its word pieces. */
export interface ComparedPassage {
  readonly similarity: number
  readonly tokens: Uint16Array
}

/** A piece of the query and the most similar piece of the passage. */
export interface WordMatch {
  readonly piece: string
  readonly match: string
  /** Cosine of the two, -1..1. */
  readonly similarity: number
  /** The piece's share of the query's weight, 0..1. */
  readonly weight: number
}

export interface Comparison {
  likeness(passage: ComparedPassage): Likeness
  /** The best match of every piece with weight, heaviest first. */
  words(passage: ComparedPassage): WordMatch[]
}

/** Whether a piece is meaningful by itself: not a single character or punctuation. */
const tells = (piece: string): boolean => piece.replace(/^##/, '').length > 1

/** The weight of each meaningful piece of the query: its length times the rarity of its word here. */
function weighPieces(
  model: BuiltinModel,
  query: string,
  statistics: TermStatistics | undefined,
): Map<number, number> {
  const weights = new Map<number, number>()
  for (const word of splitWords(query)) {
    if (weights.size >= maxPieces) break
    const frequency = Math.max(0, ...toTerms(word).map((term) => statistics?.frequency.get(term) ?? 0))
    const idf = statistics
      ? Math.min(maxPieceIdf, inverseDocumentFrequency(statistics.documents, frequency))
      : 1
    for (const id of model.tokenise(word)) {
      if (weights.has(id) || weights.size >= maxPieces || !tells(model.vocabulary.piece(id))) continue
      weights.set(id, model.table.norm(id) * idf)
    }
  }
  return weights
}

/** Compares only by cosine, for a query without pieces. */
const byCosine: Comparison = {
  likeness: ({ similarity }) => ({ cosine: similarity, maxSim: undefined }),
  words: () => [],
}

/** A comparison for one query; without `statistics` every word counts as equally rare. */
export function createComparison(
  model: BuiltinModel | undefined,
  query: string,
  statistics: TermStatistics | undefined,
): Comparison {
  if (model === undefined) return byCosine
  const weights = weighPieces(model, query, statistics)
  if (weights.size === 0) return byCosine
  const ids = Uint16Array.from(weights.keys())
  const shares = Float32Array.from(weights.values())
  const whole = shares.reduce((sum, share) => sum + share, 0)
  const matcher = model.table.match(ids)
  const best = new Float32Array(shares.length)
  return {
    likeness: ({ similarity, tokens }) => {
      if (tokens.length === 0) return { cosine: similarity, maxSim: undefined }
      matcher.bestSimilarities(tokens, best)
      return { cosine: similarity, maxSim: lateInteraction(shares, best) }
    },
    words: ({ tokens }) => {
      if (tokens.length === 0) return []
      const matches = [...ids].map((id, index) => {
        const likest = tokens.reduce((known, token) =>
          matcher.similarity(index, token) > matcher.similarity(index, known) ? token : known,
        )
        return {
          piece: model.vocabulary.piece(id),
          match: model.vocabulary.piece(likest),
          similarity: matcher.similarity(index, likest),
          weight: (shares[index] ?? 0) / whole,
        }
      })
      return matches.sort((a, b) => b.weight - a.weight)
    },
  }
}
