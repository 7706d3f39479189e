import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { noveltyOf, similarityOf } from '../../src/dreams/novelty.ts'

const vector = fc
  .array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 4, maxLength: 4 })
  .filter((parts) => Math.hypot(...parts) > 0.01)
  .map((parts) => Float32Array.from(parts.map((part) => part / Math.hypot(...parts))))
const dreamt = fc.record({ thought: fc.string(), vector: fc.option(vector, { nil: undefined }) })

describe('novelty', () => {
  it('the first dream is wholly new', () => {
    expect(noveltyOf({ thought: 'anything' }, [])).toBe(1)
  })

  it('a dream dreamt before is not new', () => {
    fc.assert(
      fc.property(dreamt, fc.array(dreamt), (one, others) => {
        expect(noveltyOf(one, [...others, one])).toBeCloseTo(0, 5)
      }),
    )
  })

  it('lies in 0..1 and only falls as dreams gather', () => {
    fc.assert(
      fc.property(dreamt, fc.array(dreamt), dreamt, (one, earlier, another) => {
        const before = noveltyOf(one, earlier)
        const after = noveltyOf(one, [...earlier, another])
        expect(before).toBeGreaterThanOrEqual(0)
        expect(before).toBeLessThanOrEqual(1)
        expect(after).toBeLessThanOrEqual(before)
      }),
    )
  })

  it('is one minus the highest similarity', () => {
    fc.assert(
      fc.property(dreamt, fc.array(dreamt, { minLength: 1 }), (one, earlier) => {
        expect(noveltyOf(one, earlier)).toBe(
          1 - Math.max(...earlier.map((other) => similarityOf(one, other))),
        )
      }),
    )
  })

  it('similarity is the cosine of unit vectors, and of the words where a vector is missing', () => {
    const [east, north] = [Float32Array.of(1, 0), Float32Array.of(0.6, 0.8)]
    expect(similarityOf({ thought: 'a', vector: east }, { thought: 'b', vector: north })).toBeCloseTo(0.6, 6)
    expect(similarityOf({ thought: 'harbour ledger' }, { thought: 'harbour mooring ledger' })).toBeCloseTo(
      2 / 3,
      6,
    )
  })
})
