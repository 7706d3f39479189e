import { describe, expect, test } from 'vitest'
import { lateInteraction } from '../../src/core/ranking.ts'

describe('late interaction', () => {
  test('is 1 where every piece is met and 0 where none is', () => {
    expect(lateInteraction(Float32Array.of(1, 2, 3), Float32Array.of(1, 1, 1))).toBeCloseTo(1, 6)
    expect(lateInteraction(Float32Array.of(1, 2, 3), Float32Array.of(0.09, 0, 0.05))).toBe(0)
    expect(lateInteraction(new Float32Array(), new Float32Array())).toBe(0)
  })

  test('is the share of the weight that is met: a piece that is not takes nothing from another', () => {
    expect(lateInteraction(Float32Array.of(2, 2), Float32Array.of(1, 0))).toBeCloseTo(0.5, 6)
    expect(lateInteraction(Float32Array.of(2, 2), Float32Array.of(1, -1))).toBeCloseTo(0.5, 6)
  })

  test('a weightier piece moves it more', () => {
    const weights = Float32Array.of(1, 3)
    expect(lateInteraction(weights, Float32Array.of(0, 1))).toBeGreaterThan(
      lateInteraction(weights, Float32Array.of(1, 0)),
    )
  })
})
