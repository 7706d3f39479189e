/**
 * Finding memories for a text: candidates from vectors and keywords, then one ranking. Used by recall over all
 * memories and by the gut-check over flags alone.
 */
import { coverage, type Evidence, inverseDocumentFrequency, type Ranked, rank } from '../core/ranking.ts'
import { toIdentifiers, toQueryTerms, toTerms } from '../core/words.ts'
import type { KeywordMatch } from '../store/store.ts'
import { embedQuery } from './embedding.ts'
import type { Context } from './operation.ts'

/** Candidates taken from each of the two indexes before ranking. */
const candidates = 200

/** Terms in more than this share of the memories tell little and cost much, from `fewDocuments` on. */
const commonShare = 0.1
const fewDocuments = 100

export interface Retrieved {
  readonly mode: 'semantic' | 'keyword'
  /** Ranked; in keyword mode by coverage alone. */
  readonly ranked: Ranked[]
  /** Keyword matches that have no vector, best first. */
  readonly unembedded: Ranked[]
}

async function keywordMatches(
  context: Context,
  query: string,
  flagsOnly: boolean,
): Promise<{ matches: KeywordMatch[]; idf: number }> {
  const terms = toQueryTerms(query).slice(0, 256)
  const { documents, frequency } = await context.store.index.termStatistics(context.project, terms)
  const known = terms.filter((term) => frequency.has(term))
  const rare = known.filter(
    (term) => documents < fewDocuments || (frequency.get(term) ?? 0) <= documents * commonShare,
  )
  const asked = rare.length > 0 ? rare : known
  const idf = terms.reduce(
    (sum, term) => sum + inverseDocumentFrequency(documents, frequency.get(term) ?? 0),
    0,
  )
  const matches = await context.store.index.matching(context.project, {
    terms: asked,
    limit: candidates,
    flagsOnly,
  })
  return { matches, idf }
}

/** Everything worth ranking for `query`. */
export async function retrieve(
  context: Context,
  query: string,
  { flagsOnly = false } = {},
): Promise<Retrieved> {
  const { index, memories } = context.store
  const embedded = await embedQuery(context, query)
  const { matches, idf } = await keywordMatches(context, query, flagsOnly)
  const bm25 = new Map(matches.map((match) => [match.id, match.bm25]))
  const byKeyword = (id: number): Evidence => ({
    id,
    cosine: undefined,
    soft: undefined,
    bm25: bm25.get(id) ?? 0,
    identifiers: 0,
  })
  if (embedded === undefined) {
    const ranked = matches.map(({ id }) => ({
      id,
      score: coverage(bm25.get(id) ?? 0, idf),
      evidence: byKeyword(id),
    }))
    return { mode: 'keyword', ranked, unembedded: [] }
  }
  const model = embedded.embedder.identity
  const near = await index.nearest(context.project, {
    model,
    vector: embedded.passage.vector,
    limit: candidates,
    flagsOnly,
  })
  const cosines = new Map(near.map(({ id, similarity }) => [id, similarity]))
  const unseen = matches.map(({ id }) => id).filter((id) => !cosines.has(id))
  for (const { memoryId, vector } of await index.passages(context.project, model, unseen)) {
    const cosine = vector.reduce(
      (sum, component, at) => sum + component * (embedded.passage.vector[at] ?? 0),
      0,
    )
    cosines.set(memoryId, Math.max(cosines.get(memoryId) ?? -1, cosine))
  }
  const identifiers = toIdentifiers(query)
  const held = new Map<number, number>()
  if (identifiers.length > 0) {
    for (const memory of await memories.findMany(context.project, [...cosines.keys()])) {
      const terms = new Set(toTerms(memory.text))
      held.set(memory.id, identifiers.filter((identifier) => terms.has(identifier)).length)
    }
  }
  const evidence = [...cosines].map(([id, cosine]) => ({
    ...byKeyword(id),
    cosine,
    identifiers: held.get(id) ?? 0,
  }))
  const unembedded = matches.filter(({ id }) => !cosines.has(id)).map(({ id }) => byKeyword(id))
  const weights = { idf, identifiers: identifiers.length }
  return {
    mode: 'semantic',
    ranked: rank(evidence, weights),
    unembedded: rank(unembedded, { ...weights, identifiers: 0 }),
  }
}
