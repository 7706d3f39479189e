import { expect, test } from 'vitest'
import { readTime } from '../../src/transfer/formats/foreign-note.ts'

const moment = Date.UTC(2023, 10, 14, 22, 13, 20)

test.each([
  [moment / 1_000, moment],
  [moment, moment],
  [moment * 1_000, moment],
  [moment * 1_000_000, moment],
  ['2023-11-14T22:13:20Z', moment],
  ['2023-11-14 22:13:20', moment],
  // None that there is, or that a note could have.
  ['2026-02-30T10:00:00Z', undefined],
  [Number.MAX_VALUE, undefined],
  [-5, undefined],
  ['yesterday', undefined],
])('a time written %s is %s', (written, expected) => {
  expect(readTime(written)).toBe(expected)
})
