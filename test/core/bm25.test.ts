import { describe, expect, test } from 'vitest'
import { inverseDocumentFrequency, normalizedBm25, overlapOf, type QueryTerm } from '../../src/core/bm25.ts'

const word = (term: string, idf = 1): QueryTerm => ({ term, idf, identifier: false })

describe('coverage', () => {
  test('grows with every occurrence and stays below what endless repetition would give', () => {
    let before = 0
    for (const count of [1, 2, 5, 50, 5000]) {
      const covered = normalizedBm25([word('lock')], { counts: new Map([['lock', count]]), length: 10 }, 10)
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
    expect(normalizedBm25(terms, memory, 8)).toBeCloseTo((bm25(1.5, 2) + bm25(2, 1)) / (2.2 * 4.2), 12)
  })

  test('a rare term weighs more than a common one', () => {
    expect(inverseDocumentFrequency(1000, 1)).toBeGreaterThan(inverseDocumentFrequency(1000, 500))
    expect(inverseDocumentFrequency(1, 1)).toBeGreaterThan(0)
  })
})

describe('overlap', () => {
  const memory = { counts: new Map([['a', 7]]), length: 20 }

  test('tells the share of the idf that a memory holds, its rarest term, and how many it lacks', () => {
    expect(overlapOf([word('a', 3), word('b', 1)], memory)).toEqual({ share: 0.75, rarest: 3, lacking: 1 })
    expect(overlapOf([word('b', 5), word('a', 3), word('c', 4)], memory)).toEqual({
      share: 0.25,
      rarest: 3,
      lacking: 2,
    })
  })

  test('is nothing where there is no memory or no term', () => {
    expect(overlapOf([word('a', 3)], undefined)).toEqual({ share: 0, rarest: 0, lacking: 1 })
    expect(overlapOf([], memory)).toEqual({ share: 0, rarest: 0, lacking: 0 })
  })
})
