import fc from 'fast-check'
import { expect, test } from 'vitest'
import { TopRows } from '../../src/core/top-rows.ts'

// Few values, so that there are many equals.
const score = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.float({ min: -1, max: 1, noNaN: true }))
const lists = fc.array(score, { maxLength: 300 })

test('the best of any list are the first of the sorted list', () => {
  fc.assert(
    fc.property(lists, fc.integer({ min: 1, max: 20 }), (scores, limit) => {
      const top = new TopRows(limit)
      for (const [row, score] of scores.entries()) top.offer(row, score)
      const sorted = scores
        .map((score, row) => ({ row, score: Math.fround(score) }))
        .sort((a, b) => b.score - a.score || a.row - b.row)
      const best = sorted.slice(0, limit)
      expect(top.best()).toEqual(best)
      expect(top.rows()).toEqual(best.map(({ row }) => row).sort((a, b) => a - b))
    }),
  )
})

test('the threshold is never above a score that is still among the best', () => {
  fc.assert(
    fc.property(lists, fc.integer({ min: 1, max: 20 }), (scores, limit) => {
      const top = new TopRows(limit)
      for (const [row, score] of scores.entries()) {
        top.offer(row, score)
        const worst = top.best().at(-1)
        expect(top.threshold).toBeLessThanOrEqual(worst?.score ?? Number.POSITIVE_INFINITY)
      }
    }),
  )
})
