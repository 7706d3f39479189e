/**
 * Selects the memories worth comparing with a question: the nearest by vector and the best by keyword, each with its
 * passages, and a sample of others that shows which similarities chance produces here.
 */
import type { Turns } from '../clock.ts'
import { dot } from '../core/ranking.ts'
import type { Embedder } from '../models/embedder.ts'
import type { EmbedderPool } from '../models/pool.ts'
import type { Candidates, PassageMatch } from '../store/candidates.ts'
import type { MemoryFilter } from '../store/memory-life.ts'
import type { Store } from '../store/store.ts'
import type { Asked } from './question.ts'
import { spreadOf } from './score.ts'
import { inServedSpace } from './served-embedder.ts'
import { neutralShare, neutralSpread } from './weights.ts'

/** Candidates taken from the vectors and from the keywords before ranking. */
const maxNeighbours = 100
// Fewer: each one that is no neighbour costs a read of its vector, and they come best first.
const maxMatches = 60
/** A question with a time needs more candidates, since its words say less about where the answer is. */
const maxNeighboursByTime = 300

/** From this many memories on, the brain itself shows how unrelated texts score. */
const minOwnBackground = 300
const sampleSize = 32

export interface SearchContext {
  readonly project: string
  readonly store: Store
  readonly embedders: EmbedderPool
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** Whether nobody else waits for a turn of the event loop. */
  readonly alone?: boolean
  /** Whether what is asked are a command's words, names and paths, in which a time means nothing. */
  readonly timeless?: boolean
}

/** Everything to compare with a question, and the direction of its vector; without one, keywords only. */
export interface Compared extends Candidates {
  readonly direction: Direction | undefined
}

/** The candidates for a question, from one snapshot; cosines are taken after removing what is near to everything. */
export const findCandidates = (
  context: SearchContext,
  asked: Pick<Asked, 'text' | 'terms' | 'statistics'>,
  { byTime, among, texts, turn }: { byTime: boolean; among: MemoryFilter; texts: boolean; turn: Turns },
): Promise<Compared> =>
  inServedSpace(context, asked.text, async (embedded) => {
    await turn()
    const direction = embedded && (await turnFromNeutral(context, embedded.embedder, embedded.passage.vector))
    const found = await context.store.index.candidates(context.project, {
      terms: asked.terms,
      statistics: asked.statistics,
      matches: maxMatches,
      nearest: embedded &&
        direction && {
          model: embedded.embedder.identity,
          vector: direction.vector,
          limit: byTime ? maxNeighboursByTime : maxNeighbours,
        },
      sample: { size: sampleSize, from: minOwnBackground },
      among,
      texts,
    })
    const scaled = (match: PassageMatch): PassageMatch => ({
      ...match,
      similarity: direction === undefined ? match.similarity : direction.toCosine(match.similarity),
    })
    return {
      ...found,
      direction,
      passages: found.passages.map(scaled),
      sample: found.sample.map(scaled),
    }
  })

/** A question's vector with the mean of neutral notes removed, and how neutral notes score for it. */
export interface Direction {
  /** A unit vector. */
  readonly vector: Float32Array
  /** The product with a passage: its cosine, less a share of its similarity to everything. */
  readonly toCosine: (product: number) => number
  /** The same of the bundled neutral notes; none when the embedder fails over them. */
  readonly neutral: readonly number[]
}

/**
 * Removes a share of the mean of neutral notes from a question's vector: some notes are similar to any question.
 * Cosines of other models are mapped to the scale of the built-in one, by how neutral notes score for the same
 * question.
 */
async function turnFromNeutral(
  { embedders }: Pick<SearchContext, 'embedders'>,
  embedder: Embedder,
  asked: Float32Array,
): Promise<Direction> {
  const notes = await embedders.attempt(() => embedders.neutralNotes(embedder))
  const vector = asked.slice()
  for (const [at, component] of (notes?.mean ?? []).entries())
    vector[at] = (vector[at] ?? 0) - neutralShare * component
  const scale = Math.sqrt(dot(vector, vector))
  if (!(scale > 0)) return { vector: asked, toCosine: (value) => value, neutral: [] }
  for (let at = 0; at < vector.length; at += 1) vector[at] = (vector[at] ?? 0) / scale
  const neutral = (notes?.products(vector) ?? []).map((product) => scale * product)
  const own = spreadOf(neutral)
  const strange = embedder.identity.name !== 'builtin' && own.deviation > 0
  const toUsual = (value: number): number =>
    strange ? neutralSpread.mean + ((value - own.mean) / own.deviation) * neutralSpread.deviation : value
  return { vector, toCosine: (value) => toUsual(scale * value), neutral: neutral.map(toUsual) }
}
