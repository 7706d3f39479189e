/**
 * Finding memories for a text: candidates from vectors and keywords, compared word by word, then one ranking.
 * Used by recall over all memories and by the gut-check over flags alone.
 */
import { turn } from '../clock.ts'
import {
  type Candidate,
  inverseDocumentFrequency,
  type Likeness,
  likenessOf,
  medianOf,
  type QueryTerm,
  type Ranked,
  type RelevanceScale,
  rank,
  relevanceOf,
  wordTrustOf,
} from '../core/ranking.ts'
import { toIdentifiers, toQueryTerms } from '../core/words.ts'
import type { Embedder, Passage } from '../models/embedder.ts'
import type { KeywordMatch, PassageMatch, TermStatistics } from '../store/store.ts'
import { type ComparedPassage, type Comparison, createComparison, type WordMatch } from './comparison.ts'
import { embedQuery, isServed } from './embedding.ts'
import type { Context } from './operation.ts'

/** Candidates taken from the vectors and from the keywords before ranking. */
const mostNeighbours = 100
// Fewer: each one that is no neighbour costs a read of its vector, and they come best first.
const mostMatches = 60

/** Passages of flags looked at: many, since the most cautious flag need not be the nearest. */
const mostFlagPassages = 400

/** Terms in more than this share of the memories tell little and cost much, once there are some memories. */
const commonShare = 0.1
const fewDocuments = 100

/** Keyword entries one query may walk through: the rarest terms first, so that cost does not grow with the brain. */
const mostPostings = 20_000

/** FTS5 slows down with long queries; beyond this many terms the rarest decide anyway. */
const mostTerms = 256

/** From this many memories on the brain itself shows what unrelated texts score. */
const fewMemories = 300
const backgroundSize = 32

export interface Retrieved {
  readonly mode: 'semantic' | 'keyword'
  /** Ranked; in keyword mode by coverage alone. */
  readonly ranked: Ranked[]
  /** Keyword matches that have no vector, best first. */
  readonly unembedded: Ranked[]
  /** What unrelated memories score for this query; null in keyword mode. */
  readonly background: number | null
  /** Which words of the query met which words of a memory, weightiest first. */
  words(memoryId: number): WordMatch[]
}

/** From so many characters on a text takes tens of milliseconds. */
const longText = 8_192

/** Lets others have their turn between two steps of a long text. */
async function breathe(text: string): Promise<void> {
  if (text.length >= longText) await turn()
}

interface WeighedQuery {
  readonly terms: readonly QueryTerm[]
  readonly statistics: TermStatistics
}

async function weighQuery(context: Context, query: string): Promise<WeighedQuery> {
  const identifiers = new Set(toIdentifiers(query))
  const words = toQueryTerms(query).slice(0, mostTerms)
  const statistics = await context.store.index.termStatistics(context.project, words)
  const terms = words.map((term) => ({
    term,
    idf: inverseDocumentFrequency(statistics.documents, statistics.frequency.get(term) ?? 0),
    identifier: identifiers.has(term),
  }))
  return { terms, statistics }
}

/** The terms worth looking up: known ones, rarest first, common ones only when nothing else remains. */
function chooseTerms({ terms, statistics }: WeighedQuery): string[] {
  const { documents, frequency } = statistics
  const known = terms
    .map(({ term }) => ({ term, memories: frequency.get(term) ?? 0 }))
    .filter(({ memories }) => memories > 0)
    .sort((a, b) => a.memories - b.memories)
  const rare = known.filter(({ memories }) => documents < fewDocuments || memories <= documents * commonShare)
  const chosen: string[] = []
  let postings = 0
  for (const { term, memories } of rare.length > 0 ? rare : known) {
    postings += memories
    if (chosen.length > 0 && postings > mostPostings) break
    chosen.push(term)
  }
  return chosen
}

/** A memory's passage most like the query. */
interface BestPassage {
  readonly likeness: Likeness
  readonly passage: PassageMatch
}

function bestPassages(
  matches: readonly PassageMatch[],
  comparison: Comparison,
  wordTrust: number,
): Map<number, BestPassage> {
  const best = new Map<number, BestPassage>()
  for (const passage of matches) {
    const likeness = comparison.likeness(passage)
    const known = best.get(passage.memoryId)
    if (known === undefined || likenessOf(likeness, wordTrust) > likenessOf(known.likeness, wordTrust)) {
      best.set(passage.memoryId, { likeness, passage })
    }
  }
  return best
}

interface Meaning {
  readonly scale: RelevanceScale
  readonly background: number
  readonly best: ReadonlyMap<number, BestPassage>
  readonly comparison: Comparison
}

/** The bundled notes beside a query vector; none when the embedder fails over them. */
async function besideNotes(
  { embedders }: Context,
  embedder: Embedder,
  vector: Float32Array,
): Promise<ComparedPassage[]> {
  const notes = (await embedders.attempt(() => embedders.background(embedder))) ?? []
  return notes.map((note) => ({
    similarity: note.vector.reduce((sum, component, at) => sum + component * (vector[at] ?? 0), 0),
    tokens: note.tokens,
  }))
}

interface MeaningOptions {
  /** Looks at flags only, of which there are so many. */
  readonly flags?: number
  readonly also: readonly number[]
  /** Looks for no others. */
  readonly onlyThese?: boolean
  readonly statistics: TermStatistics | undefined
  /** See `wordTrustOf`. */
  readonly wordTrust: number
}

/** Switches of the model that one query lives through; there are minutes between any two. */
const mostSwitches = 2

/** What vectors say of the query: likeness of the nearest memories and of those in `also`, and the background. */
async function findMeaning(
  context: Context,
  query: string,
  options: MeaningOptions,
): Promise<Meaning | undefined> {
  for (let switches = 0; ; switches += 1) {
    await breathe(query)
    const embedded = await embedQuery(context, query)
    if (embedded === undefined) return undefined
    await breathe(query)
    const final = switches === mostSwitches
    try {
      const meaning = await compareMeaning(context, query, { ...options, ...embedded })
      if (final || (await isServed(context, embedded.embedder.identity))) return meaning
    } catch (error) {
      // Vectors that another process is just replacing may be gone before they are read.
      if (final || (await isServed(context, embedded.embedder.identity))) throw error
    }
  }
}

async function compareMeaning(
  context: Context,
  text: string,
  options: MeaningOptions & { embedder: Embedder; passage: Passage },
): Promise<Meaning> {
  const { index, memories } = context.store
  const { embedder, passage, wordTrust } = options
  const { vector } = passage
  const model = embedder.identity
  const pieces = await context.embedders.pieces()
  const comparison = createComparison(pieces, text, options.statistics)
  const near = options.onlyThese
    ? []
    : await index.nearest(context.project, {
        model,
        vector,
        limit: options.flags === undefined ? mostNeighbours : mostFlagPassages,
        flagsOnly: options.flags !== undefined,
      })
  const seen = new Set(near.map(({ memoryId }) => memoryId))
  const memoryIds = options.also.filter((id) => !seen.has(id))
  const ordinary = (await memories.count(context.project)) - (options.flags ?? 0)
  const usual = (unrelated: Parameters<typeof comparison.likeness>[0][]): number =>
    medianOf(unrelated.map((one) => likenessOf(comparison.likeness(one), wordTrust)))
  const others = await index.compare(context.project, {
    model,
    vector,
    memoryIds,
    sample: ordinary >= fewMemories ? backgroundSize : 0,
  })
  // All of them at once: the file of the word rows is gone through only once for them.
  pieces?.table.need([...near, ...others.own, ...others.sample].map(({ tokens }) => tokens))
  const own = ordinary >= fewMemories ? usual(others.sample) : undefined
  const bundled =
    own === undefined || options.flags !== undefined
      ? usual(await besideNotes(context, embedder, vector))
      : undefined
  return {
    scale: embedder.relevance,
    // A gut-check takes the higher of the two: a store of other matters makes any note of this one look near.
    background: Math.max(...[own, bundled].filter((one) => one !== undefined)),
    best: bestPassages([...near, ...others.own], comparison, wordTrust),
    comparison,
  }
}

/** Characters of a memory whose word pieces are compared while it waits for its vector. */
const comparedText = 2_048

/** How well the words of memories that wait for a vector match those of the query, 0..1, by their ids. */
async function matchPieces(
  { store, project, embedders }: Context,
  comparison: Comparison,
  ids: readonly number[],
): Promise<Map<number, number | undefined>> {
  const pieces = await embedders.pieces()
  if (pieces === undefined) return new Map()
  const memories = await store.memories.findMany(project, ids)
  const texts = memories.map(({ text }) => pieces.tokenise(text.slice(0, comparedText)))
  pieces.table.need(texts)
  return new Map(
    memories.map(({ id }, at) => {
      const tokens = texts[at] ?? new Uint16Array()
      return [id, comparison.likeness({ similarity: 0, tokens }).soft]
    }),
  )
}

/** Everything worth ranking for `query`. */
export async function retrieve(context: Context, query: string): Promise<Retrieved> {
  const weighed = await weighQuery(context, query)
  await breathe(query)
  const terms = chooseTerms(weighed)
  const matches = await context.store.index.matching(context.project, {
    terms,
    statistics: weighed.statistics,
    limit: mostMatches,
  })
  const wordTrust = wordTrustOf(weighed.terms, matches)
  const meaning = await findMeaning(context, query, {
    also: matches.map(({ id }) => id),
    statistics: weighed.statistics,
    wordTrust,
  })
  await breathe(query)
  const byId = new Map<number, KeywordMatch>(matches.map((match) => [match.id, match]))
  const toCandidate = (id: number): Candidate => ({
    id,
    likeness: meaning?.best.get(id)?.likeness,
    terms: byId.get(id),
  })
  const ranking = {
    terms: weighed.terms,
    averageLength: weighed.statistics.averageLength,
    background: meaning?.background ?? 0,
    scale: meaning?.scale ?? { slope: 1, midpoint: 0 },
    wordTrust,
  }
  const bare = matches.map(({ id }) => id).filter((id) => !meaning?.best.has(id))
  const soft = meaning && bare.length > 0 ? await matchPieces(context, meaning.comparison, bare) : undefined
  const withoutVector = rank(
    bare.map((id) => ({ ...toCandidate(id), soft: soft?.get(id) })),
    ranking,
  )
  // As long as nothing of a project has a vector, what is found by words is the answer.
  if (meaning === undefined || (meaning.best.size === 0 && bare.length > 0)) {
    return { mode: 'keyword', ranked: withoutVector, unembedded: [], background: null, words: () => [] }
  }
  return {
    mode: 'semantic',
    ranked: rank([...meaning.best.keys()].map(toCandidate), ranking),
    unembedded: withoutVector,
    background: meaning.background,
    words: (memoryId) => {
      const found = meaning.best.get(memoryId)
      return found === undefined ? [] : meaning.comparison.words(found.passage)
    },
  }
}

/**
 * How much the flags near a topic, and those in `also`, have to do with it, 0..1; those without a vector are left
 * out. Undefined when no embedder answers. `flags` is how many the project has; `onlyThese` looks at `also` alone.
 */
export async function flagRelevances(
  context: Context,
  topic: string,
  options: { also: readonly number[]; flags: number; onlyThese?: boolean },
): Promise<ReadonlyMap<number, number> | undefined> {
  // No statistics of the store and a background of ordinary memories alone: another flag changes no other's relevance.
  const meaning = await findMeaning(context, topic, { ...options, statistics: undefined, wordTrust: 1 })
  if (meaning === undefined) return undefined
  return new Map(
    [...meaning.best].map(([id, { likeness }]) => [
      id,
      relevanceOf(likenessOf(likeness), meaning.background, meaning.scale),
    ]),
  )
}
