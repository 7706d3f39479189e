import { expect, it } from 'vitest'
import { groupsOf, type Tied } from '../../src/dreams/reading/ties.ts'

const tied = (earlier: number, later: number, odds: number): Tied => ({ earlier, later, odds })
/** Each of some notes with each, at the same log odds. */
const each = (positions: readonly number[], odds: number): Tied[] =>
  positions.flatMap((earlier, at) => positions.slice(at + 1).map((later) => tied(earlier, later, odds)))

const sorted = (ties: Tied[]): Tied[] => ties.sort((a, b) => b.odds - a.odds)

it('notes that are tied to each other are a group, oldest first, with the mean of their log odds', () => {
  expect(groupsOf(each([3, 7, 9], 1), { joinFrom: 0, most: 8 })).toEqual([{ positions: [3, 7, 9], odds: 1 }])
})

it('a note that is tied to one of them only does not join', () => {
  const ties = sorted([...each([1, 2, 3], 1), tied(3, 8, 0.9)])
  expect(groupsOf(ties, { joinFrom: 0, most: 8 }).map(({ positions }) => positions)).toEqual([[1, 2, 3]])
})

it('a note is in one group, the one that is surer', () => {
  const ties = sorted([...each([1, 2, 3], 2), ...each([3, 5, 6], 1)])
  expect(groupsOf(ties, { joinFrom: 0, most: 8 }).map(({ positions }) => positions)).toEqual([
    [1, 2, 3],
    [5, 6],
  ])
})

it('a group ends at so many notes, and begins with none that are not tied', () => {
  expect(groupsOf(each([1, 2, 3, 4], 1), { joinFrom: 0, most: 3 })[0]?.positions).toHaveLength(3)
  expect(groupsOf(each([1, 2, 3], -1), { joinFrom: 0, most: 8 })).toEqual([])
})
