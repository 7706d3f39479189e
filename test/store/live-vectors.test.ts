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

describe('a large partition, of whose rows some are compared', () => {
  const dimension = 384
  const next = drawFrom(8)
  /** Texts are about something: each vector is near one of some thousand. */
  const centres = Array.from({ length: 1000 }, () => unitVector(next, dimension))
  const about = (centre: Float32Array | undefined): Float32Array => {
    const other = unitVector(next, dimension)
    return other.map((component, at) => component + 0.9 * (centre?.[at] ?? 0))
  }
  const count = 90_000
  // Each of them three times: what is measured is the selection.
  const vectors = Array.from({ length: count / 3 }, (_, at) => keep(about(centres[at % centres.length])))
  const live = new LiveVectors(dimension)
  for (let id = 1; id <= count; id += 1) {
    const vector = vectors[id % vectors.length] ?? keep(new Float32Array(dimension))
    live.add(2, { passageId: id, memoryId: id, vector, tokens })
  }
  const everything = () => true

  test('has the ten nearest among those found, and each with the same similarity', () => {
    let found = 0
    for (let query = 0; query < 40; query += 1) {
      const vector = about(centres[25 * query])
      const near = live.nearest(2, { vector, limit: 100 })
      const exact = live.nearest(2, { vector, limit: 100, accepts: everything })
      expect(near).toHaveLength(100)
      const similarities = new Map(near.map(({ passageId, similarity }) => [passageId, similarity]))
      for (const { passageId, similarity } of exact) {
        if (!similarities.has(passageId)) continue
        expect(similarities.get(passageId)).toBe(similarity)
        found += 1
      }
      for (const { passageId } of exact.slice(0, 10)) expect(similarities.has(passageId)).toBe(true)
    }
    expect(found).toBeGreaterThanOrEqual(0.98 * 40 * 100)
  })

  test('gives all, where all are asked for, and none that was removed', () => {
    const vector = about(centres[3])
    for (const { passageId } of live.nearest(2, { vector, limit: 50 })) live.remove(passageId)
    const left = live.nearest(2, { vector, limit: count }).map(({ passageId }) => passageId)
    expect(left).toHaveLength(count - 50)
    expect(left.slice(0, 100)).toEqual(
      live.nearest(2, { vector, limit: 100, accepts: everything }).map(({ passageId }) => passageId),
    )
  })

  test('finds its rows also where they are all the same', () => {
    const same = new LiveVectors(dimension)
    const vector = unitVector(next, dimension)
    const kept = keep(vector)
    for (let id = 1; id <= count; id += 1) same.add(0, { passageId: id, memoryId: id, vector: kept, tokens })
    expect(same.nearest(0, { vector, limit: 5 }).map(({ passageId }) => passageId)).toEqual([1, 2, 3, 4, 5])
  })
})
