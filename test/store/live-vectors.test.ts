import { describe, expect, test } from 'vitest'
import { drawFrom } from '../../src/dreams/reading/chance.ts'
import { LiveVectors } from '../../src/store/sqlite/live-vectors.ts'
import { keep } from './test-embedder.ts'

function unitVector(next: () => number, dimension: number): Float32Array {
  const vector = Float32Array.from({ length: dimension }, () => next() + next() + next() - 1.5)
  const length = Math.hypot(...vector)
  return vector.map((component) => component / length)
}

const dot = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, component, at) => sum + component * (b[at] ?? 0), 0)

const tokens = Uint16Array.of(3, 1, 4)

describe.each([256, 384, 50])('vectors of %i dimensions in memory', (dimension) => {
  const next = drawFrom(dimension)
  const vectors = Array.from({ length: 3000 }, () => unitVector(next, dimension))
  const live = new LiveVectors(dimension)
  for (const [at, vector] of vectors.entries()) {
    live.add(at % 3, {
      passageId: at + 1,
      memoryId: 1000 + at,
      vector: keep(vector),
      tokens: Uint16Array.of(at),
    })
  }

  test('the ten nearest are those of an exhaustive scan, at least 99 of 100', () => {
    let found = 0
    for (let query = 0; query < 50; query += 1) {
      const vector = unitVector(next, dimension)
      const exact = vectors
        .map((row, at) => ({ passageId: at + 1, similarity: dot(row, vector), partition: at % 3 }))
        .filter(({ partition }) => partition === 1)
        .sort((a, b) => b.similarity - a.similarity)
        .slice(0, 10)
      // Int8 may swap neighbours at the edge: recall uses the first hundred, of which ten are asked for here.
      const near = new Set(live.nearest(1, { vector, limit: 12 }).map(({ passageId }) => passageId))
      found += exact.filter(({ passageId }) => near.has(passageId)).length
    }
    expect(found).toBeGreaterThanOrEqual(495)
  })

  test('similarities are cosines to within the rounding of int8, best first', () => {
    const vector = unitVector(next, dimension)
    const near = live.nearest(0, { vector, limit: 20 })
    expect(near).toHaveLength(20)
    for (const [at, { passageId, similarity }] of near.entries()) {
      expect(similarity).toBeCloseTo(dot(vectors[passageId - 1] ?? tokensAsVector, vector), 1.5)
      expect(similarity).toBeLessThanOrEqual(near[at - 1]?.similarity ?? 1)
    }
  })

  test('one passage is compared by its id, with its own word pieces', () => {
    const vector = unitVector(next, dimension)
    const compared = live.comparison(vector)(2, 3)
    expect(compared?.tokens).toEqual(Uint16Array.of(2))
    expect(compared?.similarity).toBeCloseTo(dot(vectors[2] ?? tokensAsVector, vector), 1.5)
    expect(live.comparison(vector)(1, 3)).toBeUndefined()
    expect(live.comparison(vector)(7, 3)).toBeUndefined()
  })
})

const tokensAsVector = new Float32Array(1)

test('a removed passage is found no more, and its neighbours still are', () => {
  const next = drawFrom(1)
  const live = new LiveVectors(32)
  const vectors = Array.from({ length: 300 }, () => unitVector(next, 32))
  for (const [at, vector] of vectors.entries())
    live.add(0, { passageId: at + 1, memoryId: at + 1, vector: keep(vector), tokens })
  for (let id = 100; id < 200; id += 1) live.remove(id)
  const found = live
    .nearest(0, { vector: unitVector(next, 32), limit: 300 })
    .map(({ passageId }) => passageId)
  expect(found.sort((a, b) => a - b)).toEqual([
    ...Array.from({ length: 99 }, (_, at) => at + 1),
    ...Array.from({ length: 101 }, (_, at) => at + 200),
  ])
  expect(live.comparison(unitVector(next, 32))(0, 150)).toBeUndefined()
  expect(live.comparison(unitVector(next, 32))(0, 250)).toBeDefined()
})

test('an unknown partition is empty', () => {
  expect(new LiveVectors(16).nearest(5, { vector: new Float32Array(16).fill(0.25), limit: 3 })).toEqual([])
})
