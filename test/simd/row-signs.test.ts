/** Rows told by the signs of their components, and compared one by one. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createRowKernel, signBytesOf, strideOf } from '../../src/simd/kernels.ts'

const memory = new WebAssembly.Memory({ initial: 8 })
const { scan, takeSigns, countDifferent, listNear, compareListed } = createRowKernel(memory)
const count = 24
const [queryAt, askedAt, tallyAt, differentAt, listAt, scalesAt, signsAt, rowsAt, out] = [
  0, 16_384, 20_480, 40_960, 45_056, 49_152, 65_536, 131_072, 400_000,
]

const component = fc.integer({ min: -127, max: 127 })
const scenes = fc.integer({ min: 1, max: 400 }).chain((dimension) => {
  const row = fc.array(component, { minLength: dimension, maxLength: dimension })
  return fc.record({ query: row, rows: fc.array(row, { minLength: count, maxLength: count }) })
})

/** Lays out the query and the rows, and takes their signs. */
function lay({ query, rows }: { query: readonly number[]; rows: readonly (readonly number[])[] }) {
  new Uint8Array(memory.buffer).fill(0)
  const stride = strideOf(query.length)
  const bytes = signBytesOf(query.length)
  const put = (at: number, row: readonly number[]) => new Int8Array(memory.buffer, at, row.length).set(row)
  put(askedAt, query)
  takeSigns(askedAt, stride, askedAt + stride)
  for (const [at, row] of rows.entries()) {
    put(rowsAt + at * stride, row)
    takeSigns(rowsAt + at * stride, stride, signsAt + at * bytes)
  }
  const asked = askedAt + stride
  countDifferent(asked, signsAt, rows.length, bytes, differentAt, tallyAt)
  const different = [...new Uint16Array(memory.buffer, differentAt, rows.length)]
  return { stride, different }
}

test('signs that differ are counted, and every fourth row is tallied', () => {
  fc.assert(
    fc.property(scenes, (scene) => {
      const expected = scene.rows.map(
        (row) => row.filter((one, at) => one < 0 !== (scene.query[at] ?? 0) < 0).length,
      )
      expect(lay(scene).different).toEqual(expected)
      const tally = new Uint32Array(memory.buffer, tallyAt, scene.query.length + 1)
      const fourths = expected.filter((_, at) => at % 4 === 0)
      expect([...tally]).toEqual(
        Array.from(tally, (_, place) => fourths.filter((one) => one === place).length),
      )
    }),
  )
})

test('near rows are listed by their numbers, and compared as a scan compares them', () => {
  fc.assert(
    fc.property(scenes, fc.integer({ min: 0, max: 400 }), (scene, most) => {
      const { stride, different } = lay(scene)
      const listed = listNear(differentAt, count, most, 1_000, listAt)
      const near = [...new Uint32Array(memory.buffer, listAt, listed)]
      expect(near).toEqual(different.flatMap((one, at) => (one <= most ? [1_000 + at] : [])))
      new Int16Array(memory.buffer, queryAt, scene.query.length).set(scene.query)
      const scales = new Float32Array(memory.buffer, scalesAt, count).map((_, at) => 1 / (at + 3))
      new Float32Array(memory.buffer, scalesAt, count).set(scales)
      // A scan tells all of them.
      expect(scan(queryAt, rowsAt, count, stride, scalesAt, Number.NEGATIVE_INFINITY, out)).toBe(count)
      const scanned = Array.from(
        { length: count },
        (_, at) => new Float32Array(memory.buffer, out + 8 * at + 4, 1)[0],
      )
      const addresses = new Uint32Array(memory.buffer, listAt + 512, count + 4).fill(rowsAt)
      const factors = new Uint32Array(memory.buffer, listAt + 1024, count + 4).fill(scalesAt)
      for (const [at, number] of near.entries()) {
        addresses[at] = rowsAt + (number - 1_000) * stride
        factors[at] = scalesAt + 4 * (number - 1_000)
      }
      compareListed(queryAt, listAt + 512, listAt + 1024, near.length, stride, out)
      expect([...new Float32Array(memory.buffer, out, near.length)]).toEqual(
        near.map((number) => scanned[number - 1_000]),
      )
    }),
  )
})
