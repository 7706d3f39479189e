import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Candidate,
  coverageOf,
  inverseDocumentFrequency,
  likenessOf,
  medianOf,
  type QueryTerm,
  rank,
  relevanceOf,
  softMatch,
  wordTrustOf,
} from '../../src/core/ranking.ts'

const scale = { slope: 22.8, midpoint: 0.184 }
const query = (terms: readonly QueryTerm[]) => ({
  terms,
  averageLength: 10,
  background: 0.1,
  scale,
  wordTrust: 1,
})
const word = (term: string, idf = 1): QueryTerm => ({ term, idf, identifier: false })
const named = (term: string, idf = 1): QueryTerm => ({ term, idf, identifier: true })
const counts = (...terms: string[]) => ({ counts: new Map(terms.map((term) => [term, 1])), length: 10 })

const likeness = fc.record({
  cosine: fc.double({ min: -1, max: 1, noNaN: true }),
  soft: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined }),
})
const candidates = fc
  .array(
    fc.record({
      likeness: fc.option(likeness, { nil: undefined }),
      terms: fc.option(
        fc.subarray(['lock', 'stage', 'v1.8.3']).map((terms) => counts(...terms)),
        { nil: undefined },
      ),
    }),
    { maxLength: 30 },
  )
  .map((rows): Candidate[] => rows.map((row, at) => ({ id: at + 1, ...row })))

describe('ranking', () => {
  test('scores lie in 0..1 and never rise down the list', () => {
    fc.assert(
      fc.property(candidates, (given) => {
        const ranked = rank(given, query([word('lock'), word('stage', 2), named('v1.8.3', 3)]))
        expect(ranked).toHaveLength(given.length)
        for (const [at, { score }] of ranked.entries()) {
          expect(score).toBeGreaterThanOrEqual(0)
          expect(score).toBeLessThanOrEqual(Math.min(1, ranked[at - 1]?.score ?? 1))
        }
      }),
    )
  })

  test('what holds the identifier asked for stands before all that does not', () => {
    fc.assert(
      fc.property(candidates, (given) => {
        const ranked = rank(given, query([word('lock'), named('v1.8.3')]))
        const holding = ranked.map(({ identifiers }) => identifiers === 1)
        expect(holding.lastIndexOf(true)).toBeLessThan(
          holding.indexOf(false) === -1 ? holding.length : holding.indexOf(false),
        )
      }),
    )
  })

  test('what holds more of the identifiers stands first, however like the rest is', () => {
    const names = [named('v1.8.3'), named('4711'), named('open.ts')]
    const held = fc.subarray(['v1.8.3', '4711', 'open.ts'])
    fc.assert(
      fc.property(fc.array(fc.tuple(held, likeness), { minLength: 1, maxLength: 20 }), (given) => {
        const rows = given.map(([terms, like], id) => ({ id, likeness: like, terms: counts(...terms) }))
        const shares = rank(rows, query(names)).map(({ identifiers }) => identifiers ?? 0)
        expect(shares).toEqual([...shares].sort((a, b) => b - a))
      }),
    )
  })

  test('more likeness or more coverage never lowers a score', () => {
    fc.assert(
      fc.property(likeness, fc.double({ min: 0, max: 0.5, noNaN: true }), (given, more) => {
        const one: Candidate = { id: 1, likeness: given, terms: undefined }
        const liker: Candidate = {
          id: 1,
          likeness: { cosine: given.cosine + more, soft: given.soft },
          terms: counts('lock'),
        }
        const [plain] = rank([one], query([word('lock')]))
        const [lifted] = rank([liker], query([word('lock')]))
        expect(lifted?.score).toBeGreaterThanOrEqual(plain?.score ?? 0)
      }),
    )
  })
})

describe('coverage', () => {
  test('grows with every occurrence and stays below what endless repetition would give', () => {
    let before = 0
    for (const count of [1, 2, 5, 50, 5000]) {
      const covered = coverageOf([word('lock')], { counts: new Map([['lock', count]]), length: 10 }, 10)
      expect(covered).toBeGreaterThan(before)
      expect(covered).toBeLessThan(1)
      before = covered
    }
  })

  test('equals BM25 over its bound, computed apart', () => {
    const terms = [word('a', 1.5), word('b', 0.7), word('c', 2)]
    const memory = {
      counts: new Map([
        ['a', 2],
        ['c', 1],
      ]),
      length: 14,
    }
    const bm25 = (idf: number, count: number) =>
      (idf * count * 2.2) / (count + 1.2 * (0.25 + (0.75 * 14) / 8))
    expect(coverageOf(terms, memory, 8)).toBeCloseTo((bm25(1.5, 2) + bm25(2, 1)) / (2.2 * 4.2), 12)
  })

  test('a rare term weighs more than a common one', () => {
    expect(inverseDocumentFrequency(1000, 1)).toBeGreaterThan(inverseDocumentFrequency(1000, 500))
    expect(inverseDocumentFrequency(1, 1)).toBeGreaterThan(0)
  })
})

describe('soft match', () => {
  test('is 1 where every piece is met and 0 where none is', () => {
    expect(softMatch(Float32Array.of(1, 2, 3), Float32Array.of(1, 1, 1))).toBeCloseTo(1, 6)
    expect(softMatch(Float32Array.of(1, 2, 3), Float32Array.of(0.09, 0, 0.05))).toBe(0)
    expect(softMatch(new Float32Array(), new Float32Array())).toBe(0)
  })

  test('a weightier piece moves it more', () => {
    const weights = Float32Array.of(1, 3)
    expect(softMatch(weights, Float32Array.of(0, 1))).toBeGreaterThan(
      softMatch(weights, Float32Array.of(1, 0)),
    )
  })
})

describe('relevance', () => {
  test('rises with the raw score and falls with the background', () => {
    const values = fc.double({ min: -1, max: 1, noNaN: true })
    fc.assert(
      fc.property(values, values, values, (raw, background, more) => {
        const base = relevanceOf(raw, background, scale)
        expect(base).toBeGreaterThanOrEqual(0)
        expect(base).toBeLessThanOrEqual(1)
        expect(relevanceOf(raw + Math.abs(more), background, scale)).toBeGreaterThanOrEqual(base)
        expect(relevanceOf(raw, background + Math.abs(more), scale)).toBeLessThanOrEqual(base)
      }),
    )
  })

  test('is a half at the midpoint above the background', () => {
    expect(relevanceOf(0.284, 0.1, scale)).toBeCloseTo(0.5, 10)
  })
})

describe('trust in the words of a query', () => {
  const terms = [word('lock', 2), word('stage', 2), word('kiel', 6)]

  test('is full where one memory holds a quarter of their weight, and none where the best holds a seventh', () => {
    expect(wordTrustOf(terms, [counts('lock', 'stage'), counts('cat')])).toBe(1)
    expect(wordTrustOf(terms, [counts('kiel')])).toBe(1)
    expect(wordTrustOf([...terms, word('rare', 5)], [counts('lock'), counts('stage')])).toBe(0)
    expect(wordTrustOf(terms, [])).toBe(0)
    expect(wordTrustOf([], [counts('lock')])).toBe(1)
  })

  test('never falls when a memory holds more of them', () => {
    const held = fc.array(fc.subarray(['lock', 'stage', 'kiel']), { maxLength: 5 })
    fc.assert(
      fc.property(held, fc.subarray(['lock', 'stage', 'kiel']), (memories, more) => {
        const given = memories.map((names) => counts(...names))
        const trust = wordTrustOf(terms, given)
        expect(trust).toBeGreaterThanOrEqual(0)
        expect(trust).toBeLessThanOrEqual(1)
        expect(wordTrustOf(terms, [...given, counts(...more)])).toBeGreaterThanOrEqual(trust)
      }),
    )
  })

  test('full, it weighs soft match and cosine alike; less, it leans to the cosine', () => {
    fc.assert(
      fc.property(likeness, fc.double({ min: 0, max: 1, noNaN: true }), (given, trust) => {
        const { cosine, soft = cosine } = given
        expect(likenessOf(given, 1)).toBeCloseTo((cosine + soft) / 2, 12)
        const distance = Math.abs(likenessOf(given, trust) - cosine)
        expect(distance).toBeLessThanOrEqual(Math.abs(soft - cosine) / 2 + 1e-12)
        expect(distance).toBeGreaterThanOrEqual(0.2 * Math.abs(soft - cosine) - 1e-12)
      }),
    )
  })
})

test('the median is the middle value, or the mean of the two middle ones', () => {
  expect(medianOf([3, 1, 2])).toBe(2)
  expect(medianOf([4, 1, 2, 3])).toBe(2.5)
  expect(medianOf([])).toBe(0)
})
