import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createQuantiser } from '../../src/simd/kernels.ts'

const memory = new WebAssembly.Memory({ initial: 1 })
const quantise = createQuantiser(memory)
const to = 4096

/** The int8 row and its scale. */
function quantised(vector: readonly number[]): { row: Int8Array; scale: number } {
  new Float32Array(memory.buffer, 0, vector.length).set(vector)
  new Int8Array(memory.buffer, to, vector.length).fill(99)
  const scale = quantise(0, to, vector.length)
  return { row: new Int8Array(memory.buffer, to, vector.length).slice(), scale }
}

const component = fc.float({ min: -1, max: 1, noNaN: true })
const vectors = fc
  .integer({ min: 1, max: 8 })
  .chain((steps) => fc.array(component, { minLength: steps * 16, maxLength: steps * 16 }))

test('every component comes back to within half a step, the largest as 127', () => {
  fc.assert(
    fc.property(vectors, (vector) => {
      const largest = Math.max(...vector.map(Math.abs))
      // Below it a step is no float32 any more.
      fc.pre(largest > 1e-30)
      const { row, scale } = quantised(vector)
      expect(scale).toBeCloseTo(largest / 127, 7)
      expect(Math.max(...row.map(Math.abs))).toBe(127)
      for (const [at, value] of vector.entries())
        expect(Math.abs((row[at] ?? 0) * scale - value)).toBeLessThanOrEqual(scale * 0.5001)
    }),
  )
})

test('a vector of zeros is zeros', () => {
  const { row, scale } = quantised(new Array<number>(32).fill(0))
  expect([scale, ...row]).toEqual(new Array<number>(33).fill(0))
})
