/**
 * A query beside passages, word by word: which pieces of it find a like piece, and how much each weighs. Knows
 * the built-in table, whatever embedder made the vectors; candidates and order are for others.
 */
import { inverseDocumentFrequency } from '../core/bm25.ts'
import { type Likeness, maxPieceIdf, softMatch } from '../core/ranking.ts'
import { splitWords, toTerms } from '../core/words.ts'
import type { BuiltinModel } from '../models/builtin-model.ts'
import type { TermStatistics } from '../store/candidates.ts'

/** Pieces of a query that take part: the table compares so many at once. */
const maxPieces = 64

/** What is compared with the query: a passage's cosine, as its vectors gave it, and its word pieces. */
export interface ComparedPassage {
  readonly similarity: number
  readonly tokens: Uint16Array
}

/** One piece of the query and the piece of the passage most like it. */
export interface WordMatch {
  readonly piece: string
  readonly match: string
  /** Cosine of the two, -1..1. */
  readonly similarity: number
  /** Share of the query's weight that the piece has, 0..1. */
  readonly weight: number
}

export interface Comparison {
  likeness(passage: ComparedPassage): Likeness
  /** The best match of every weighing piece of the query, weightiest first. */
  words(passage: ComparedPassage): WordMatch[]
}

/** Whether a piece says anything by itself: no single characters, no punctuation. */
const tells = (piece: string): boolean => piece.replace(/^##/, '').length > 1

/** Each telling piece of the query with its length times the rarity of its word here. */
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

/** Compares by cosine alone where there are no pieces to compare. */
const byCosine: Comparison = {
  likeness: ({ similarity }) => ({ cosine: similarity, soft: undefined }),
  words: () => [],
}

/** A comparison for one query; without `statistics` every word is taken for equally rare. */
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
      if (tokens.length === 0) return { cosine: similarity, soft: undefined }
      matcher.bestSimilarities(tokens, best)
      return { cosine: similarity, soft: softMatch(shares, best) }
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
