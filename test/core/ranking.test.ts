import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { medianOf, relevanceOf, softMatch } from '../../src/core/ranking.ts'

const scale = { slope: 22.8, midpoint: 0.184 }

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

test('the median is the middle value, or the mean of the two middle ones', () => {
  expect(medianOf([3, 1, 2])).toBe(2)
  expect(medianOf([4, 1, 2, 3])).toBe(2.5)
  expect(medianOf([])).toBe(0)
})
