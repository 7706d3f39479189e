import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dot } from '../../src/core/ranking.ts'
import { createFindNear } from '../../src/dreams/near.ts'
import { notesOf } from './night-input.ts'

const unit = (parts: readonly number[]): Float32Array =>
  Float32Array.from(parts.map((part) => part / Math.hypot(...parts)))
const vector = (dimension: number) =>
  fc
    .array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: dimension, maxLength: dimension })
    .filter((parts) => Math.hypot(...parts) > 0.1)
    .map(unit)

describe('nearest notes', () => {
  it('are those of an exhaustive search up to the rounding of int8, whatever the dimension', () => {
    const drawn = fc.integer({ min: 1, max: 40 }).chain((dimension) =>
      fc.record({
        vectors: fc.array(vector(dimension), { minLength: 1, maxLength: 30 }),
        query: vector(dimension),
      }),
    )
    fc.assert(
      fc.property(drawn, fc.integer({ min: 1, max: 8 }), ({ vectors, query }, limit) => {
        const notes = notesOf(vectors.map((each, at) => [1, `note ${at}`, { vector: each }] as const))
        const found = createFindNear(notes)?.(query, limit) ?? []
        const exact = vectors.map((each) => dot(each, query)).sort((a, b) => b - a)
        expect(found).toHaveLength(Math.min(limit, vectors.length))
        for (const [rank, { note, similarity }] of found.entries()) {
          const own = vectors[note.id - 1]
          expect(own).toBeDefined()
          expect(Math.abs(similarity - dot(own ?? query, query))).toBeLessThan(0.06)
          expect(Math.abs(similarity - (exact[rank] ?? 0))).toBeLessThan(0.06)
        }
      }),
    )
  })

  it('cannot be asked for without vectors, and give nothing for another dimension', () => {
    expect(createFindNear(notesOf([[1, 'bare']]))).toBeUndefined()
    const near = createFindNear(notesOf([[1, 'held', { vector: unit([1, 0, 0, 0]) }]]))
    expect(near?.(unit([1, 1]), 3)).toEqual([])
  })
})
