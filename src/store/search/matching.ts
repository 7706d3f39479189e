/**
 * Selects the best memories by BM25 from an index's entries for some terms: the same for every store, so that the same
 * brain gives the same matches. Knows entries and counts; where they come from is not its concern.
 */
import { inverseDocumentFrequency, lengthShape, termScore } from '../../core/bm25.ts'
import { TopRows } from '../../core/top-rows.ts'
import type { KeywordMatch, TermStatistics } from '../candidates.ts'

/** Candidates whose length is looked up, as a multiple of the limit: with a factor of 4, one in 50 of the best is missed. */
const examined = 8

/** Terms looked at under one beginning: a bound, whatever the brain holds. */
export const maxTermsFrom = 4_000

export interface KeywordQuery {
  /** The query's terms; the most distinctive are looked up. */
  readonly terms: readonly string[]
  /** Of these terms. */
  readonly statistics: TermStatistics
  readonly limit: number
  /** All of the project where it is absent. */
  readonly accepts: ((id: number) => boolean) | undefined
}

/** A term and the memories that hold it: ids ascending, each once for every time that it stands there. */
export interface Posting {
  readonly term: string
  readonly entries: readonly number[]
}

/** Memories in ascending order of their ids, each with a score. */
interface Scored {
  readonly ids: Float64Array
  readonly scores: Float64Array
}

/** The same with another term's entries; by merging sorted arrays, as a map takes four times as long. */
function addEntries(known: Scored, entries: readonly number[], idf: number): Scored {
  const ids = new Float64Array(known.ids.length + entries.length)
  const scores = new Float64Array(ids.length)
  let size = 0
  let mine = 0
  let at = 0
  while (mine < known.ids.length || at < entries.length) {
    const own = known.ids[mine] ?? Number.POSITIVE_INFINITY
    const other = entries[at] ?? Number.POSITIVE_INFINITY
    ids[size] = Math.min(own, other)
    let score = 0
    if (own <= other) {
      score = known.scores[mine] ?? 0
      mine += 1
    }
    if (other <= own) {
      const first = at
      while (entries[at] === other) at += 1
      score += idf * termScore(at - first, 1)
    }
    scores[size] = score
    size += 1
  }
  return { ids: ids.subarray(0, size), scores: scores.subarray(0, size) }
}

/** The ids of the `limit` best of those selected, newest first; of equals the newest. */
function bestOf(
  { ids, scores }: Scored,
  limit: number,
  accepts: ((id: number) => boolean) | undefined,
): number[] {
  const top = new TopRows(limit)
  for (let at = ids.length - 1; at >= 0; at -= 1) {
    const id = ids[at] ?? 0
    if (accepts === undefined || accepts(id)) top.offer(id, scores[at] ?? 0)
  }
  return top.rows()
}

/** How often each of `ids`, which descend, stands among ascending entries: both are walked through once. */
function countEach(entries: readonly number[], ids: readonly number[]): Uint32Array {
  const counts = new Uint32Array(ids.length)
  let at = entries.length - 1
  for (let place = 0; place < ids.length; place += 1) {
    const id = ids[place] ?? 0
    while ((entries[at] ?? 0) > id) at -= 1
    const last = at
    while (entries[at] === id) at -= 1
    counts[place] = last - at
  }
  return counts
}

/**
 * The ids of the memories whose lengths are worth looking up, newest first: the best as if all memories were equally long,
 * some times as many as are wanted.
 */
export function findNear(
  postings: readonly Posting[],
  { statistics, limit, accepts }: Pick<KeywordQuery, 'statistics' | 'limit' | 'accepts'>,
): number[] {
  let scored: Scored = { ids: new Float64Array(), scores: new Float64Array() }
  for (const { term, entries } of postings) scored = addEntries(scored, entries, idfOf(statistics, term))
  return bestOf(scored, examined * limit, accepts)
}

const idfOf = ({ documents, frequency }: TermStatistics, term: string): number =>
  inverseDocumentFrequency(documents, frequency.get(term) ?? 0)

/** Those of `near` that BM25 puts first, by their lengths in terms. */
export function rankNear(
  postings: readonly Posting[],
  near: readonly number[],
  {
    statistics,
    limit,
    lengths,
  }: Pick<KeywordQuery, 'statistics' | 'limit'> & { lengths: ReadonlyMap<number, number> },
): KeywordMatch[] {
  const counted = postings.map(({ term, entries }) => ({
    term,
    idf: idfOf(statistics, term),
    counts: countEach(entries, near),
  }))
  const top = new TopRows(limit)
  for (const [place, id] of near.entries()) {
    const shape = lengthShape(lengths.get(id) ?? 0, statistics.averageLength)
    let score = 0
    for (const { counts, idf } of counted) {
      const count = counts[place] ?? 0
      if (count > 0) score += idf * termScore(count, shape)
    }
    top.offer(place, score)
  }
  return top.best().map(({ row: place }) => {
    const id = near[place] ?? 0
    const own = counted.flatMap(({ term, counts }) => {
      const count = counts[place] ?? 0
      return count > 0 ? [[term, count] as const] : []
    })
    return { id, counts: new Map(own), length: lengths.get(id) ?? 0 }
  })
}
