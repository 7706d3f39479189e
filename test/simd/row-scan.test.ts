import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dot } from '../../src/core/ranking.ts'
import { createRowKernel, largestQuery, matchBytes, scanStep } from '../../src/simd/kernels.ts'
import { hashOf } from '../../src/store/search/int8-vector.ts'

const memory = new WebAssembly.Memory({ initial: 2 })
const { scan, hash, hashShort, areSound, multiplyFloats } = createRowKernel(memory)
const rowsAt = 16_384
const scalesAt = 8_192
const out = 100_000

interface Scene {
  readonly query: readonly number[]
  readonly rows: readonly (readonly number[])[]
  readonly scales: readonly number[]
  readonly threshold: number
}

function scanned({ query, rows, scales, threshold }: Scene): [number, number][] {
  new Int16Array(memory.buffer, 0, query.length).set(query)
  new Int8Array(memory.buffer, rowsAt, rows.length * query.length).set(rows.flat())
  new Float32Array(memory.buffer, scalesAt, scales.length).set(scales)
  const found = scan(0, rowsAt, rows.length, query.length, scalesAt, threshold, out)
  const view = new DataView(memory.buffer, out, found * matchBytes)
  return Array.from({ length: found }, (_, at) => [
    view.getUint32(at * matchBytes, true),
    view.getFloat32(at * matchBytes + 4, true),
  ])
}

const scenes = fc.integer({ min: 1, max: 20 }).chain((steps) => {
  const vector = (most: number) =>
    fc.array(fc.integer({ min: -most, max: most }), {
      minLength: steps * scanStep,
      maxLength: steps * scanStep,
    })
  return fc.record({
    query: vector(largestQuery),
    rows: fc.array(vector(127), { maxLength: 20 }),
    scales: fc.array(fc.float({ min: 0, max: 1, noNaN: true }), { minLength: 20, maxLength: 20 }),
    threshold: fc.oneof(
      fc.constant(Number.NEGATIVE_INFINITY),
      fc.float({ min: -1000, max: 1000, noNaN: true }),
    ),
  })
})

test('tells each row above the threshold, with its dot product times its scale', () => {
  fc.assert(
    fc.property(scenes, (scene) => {
      const expected = scene.rows.flatMap((row, at): [number, number][] => {
        const product = row.reduce((sum, component, index) => sum + component * (scene.query[index] ?? 0), 0)
        const similarity = Math.fround(Math.fround(product) * (scene.scales[at] ?? 0))
        return similarity > scene.threshold ? [[at, similarity]] : []
      })
      expect(scanned(scene)).toEqual(expected)
    }),
  )
})

test('the largest products of the largest dimension do not overflow', () => {
  const dimension = 4096
  const query = new Array<number>(dimension).fill(largestQuery)
  const rows = [new Array<number>(dimension).fill(127), new Array<number>(dimension).fill(-127)]
  const product = dimension * largestQuery * 127
  expect(scanned({ query, rows, scales: [1, 1], threshold: Number.NEGATIVE_INFINITY })).toEqual([
    [0, Math.fround(product)],
    [1, Math.fround(-product)],
  ])
})

test('a hash is the one that is computed without the kernel', () => {
  fc.assert(
    fc.property(fc.uint32Array({ maxLength: 500 }), (words) => {
      new Uint32Array(memory.buffer, rowsAt, words.length).set(words)
      expect(hash(rowsAt, words.length) >>> 0).toBe(hashOf(words))
    }),
  )
  fc.assert(
    fc.property(fc.uint16Array({ maxLength: 500 }), (words) => {
      new Uint16Array(memory.buffer, rowsAt, words.length).set(words)
      expect(hashShort(rowsAt, words.length) >>> 0).toBe(hashOf(words))
    }),
  )
})

test('rows are sound as long as their products are those of the scan', () => {
  fc.assert(
    fc.property(scenes, fc.nat(), ({ query, rows }, which) => {
      const ones = rows.map(() => 1)
      const products = scanned({ query, rows, scales: ones, threshold: Number.NEGATIVE_INFINITY })
      const checks = new Float32Array(memory.buffer, scalesAt, rows.length)
      checks.set(products.map(([, product]) => product))
      const isSound = () => areSound(0, rowsAt, rows.length, query.length, scalesAt) === 1
      expect(isSound()).toBe(true)
      if (rows.length === 0) return
      const place = which % rows.length
      checks[place] = 1 + 2 * (checks[place] ?? 0)
      expect(isSound()).toBe(checks[place] === products[place]?.[1])
      checks[place] = Number.NaN
      expect(isSound()).toBe(false)
    }),
  )
})

test('the products of floats are those of a plain loop to the last digit', () => {
  const vector = fc.array(fc.float({ noNaN: true, noDefaultInfinity: true }), { minLength: 7, maxLength: 7 })
  fc.assert(
    fc.property(vector, fc.array(vector, { maxLength: 20 }), (asked, vectors) => {
      new Float32Array(memory.buffer, 0, 7).set(asked)
      new Float32Array(memory.buffer, rowsAt, 7 * vectors.length).set(vectors.flat())
      multiplyFloats(rowsAt, vectors.length, 0, 7, out)
      expect([...new Float64Array(memory.buffer, out, vectors.length)]).toEqual(
        vectors.map((one) => dot(Float32Array.from(one), Float32Array.from(asked))),
      )
    }),
  )
})
