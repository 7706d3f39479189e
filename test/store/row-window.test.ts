import { describe, expect, test } from 'vitest'
import { writeQuery } from '../../src/simd/kernels.ts'
import { cosineOf, createProbe, hashOf } from '../../src/store/search/int8-vector.ts'
import { RowWindow } from '../../src/store/search/row-window.ts'

const rowOf = (dimension: number, seed: number): Int8Array =>
  Int8Array.from({ length: dimension }, (_, at) => ((at * 37 + seed * 101) % 255) - 127)

describe('a window of rows', () => {
  // The last is the most that vec0 holds.
  test.each([3, 384, 1_000, 8_192])(
    'measures rows of %d components as plain arithmetic does',
    (dimension) => {
      const row = rowOf(dimension, 1)
      const probe = createProbe(dimension)
      const square = row.reduce((sum, component) => sum + component * component, 0)
      const check = row.reduce((sum, component, at) => sum + component * (probe[at] ?? 0), 0)
      expect(new RowWindow(dimension).measure(row)).toEqual({
        factor: Math.fround(1 / Math.sqrt(square)),
        check,
      })
    },
  )

  test.each([384, 8_192])(
    'is sound with rows of %d components, whatever was measured meanwhile',
    (dimension) => {
      const window = new RowWindow(dimension)
      window.fill([1, 2, 3].map((id) => ({ id, row: rowOf(dimension, id) })))
      window.measure(rowOf(dimension, 4))
      expect([...window.ids]).toEqual([1, 2, 3])
      expect(window.isSound()).toBe(true)
      window.bytes.fill(0, window.bytes.length - 1)
      expect(window.isSound()).toBe(false)
    },
  )

  test('tells the cosines of rows to the last digit as they are computed without the kernel', () => {
    const [dimension, count] = [40, 1_100]
    const window = new RowWindow(dimension)
    const rows = Array.from({ length: count }, (_, id) => {
      const row = rowOf(dimension, id)
      return { row, factor: window.measure(row).factor }
    })
    const vector = Float32Array.from({ length: dimension }, (_, at) => Math.sin(at))
    const query = new Int16Array(dimension)
    const scale = writeQuery(vector, query)
    expect(window.cosines(vector, rows)).toEqual(rows.map((row) => cosineOf(query, scale, row)))
    expect(window.cosines(vector, [])).toEqual([])
  })

  test('hashes word pieces, however many, as they are hashed without the kernel', () => {
    for (const count of [0, 1, 254, 4_096, 4_097]) {
      const tokens = Uint16Array.from({ length: count }, (_, at) => 7 * at)
      expect(new RowWindow(16).hashTokens(tokens)).toBe(hashOf(tokens))
    }
  })
})
