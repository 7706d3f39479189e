import { expect, test } from 'vitest'
import { startsOf } from '../../src/store/search/samples.ts'

test('a sample is spread over the history, from the first note on', () => {
  expect(startsOf({ low: 1, high: 16 }, 4)).toEqual([1, 5, 9, 13])
  expect(startsOf({ low: 101, high: 103 }, 4)).toEqual([101, 101, 102, 103])
  expect(startsOf({ low: null, high: null }, 4)).toEqual([])
})

test('it holds while the project grows by little, and reaches what is new after at most an eighth', () => {
  const last = (high: number) => startsOf({ low: 1, high }, 32).at(-1)
  for (const high of [1_025, 1_100, 1_151]) expect(last(high)).toBe(last(1_024))
  expect(last(1_152)).toBeGreaterThan(last(1_024) ?? 0)
  for (let high = 100; high < 5_000; high += 7) expect(last(high)).toBeGreaterThan(high * 0.8)
})
