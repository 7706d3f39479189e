import { expect, it } from 'vitest'
import { isAddressed } from '../../../src/dreams/kinds/reversal.ts'
import { dream } from '../night-input.ts'

/** A change of what was so, by whichever of the two kinds tells it. */
const reversalOf = (older: string, newer: string) =>
  dream([
    [2, older],
    [20, newer],
  ]).find(({ kind }) => kind === 'reversal' || kind === 'tension')

it('a setting with another value turns the older one round', () => {
  const told = reversalOf(
    'The cello humidifier stays at 55 percent moisture',
    'The cello humidifier stays at 60 percent moisture all the time',
  )
  expect(told?.thought).toContain('60 percent')
})

it.each([
  [
    'with numbers of their own',
    'Fridge 1 is for fish and stays at 2 degrees',
    'Fridge 2 is for fish and stays at 7 degrees',
  ],
  [
    'with letters of their own',
    'Silo B holds malting barley and stays at 9 degrees',
    'Silo C holds malting barley and stays at 14 degrees',
  ],
  [
    'named with a hyphen',
    'worker-1 has 16 GB of memory and runs mails',
    'worker-2 has 32 GB of memory and runs mails',
  ],
  [
    'in two places',
    'The cello humidifier in the garage stays at 55 percent moisture',
    'The cello humidifier in the annex stays at 60 percent moisture',
  ],
  [
    'in places told apart from them',
    'In the garage the cello humidifier stays at 55 percent moisture',
    'The cello humidifier stays at 60 percent moisture in the annex',
  ],
])('two things %s are two of a sort', (_, older, newer) => {
  expect(reversalOf(older, newer)).toBeUndefined()
})

it.each([
  [
    'an amount',
    'We stick to it: the cloudy cider comes in lots, order 12 crates at 30 euros',
    'The cloudy cider comes in lots, order 14 crates at 45 euros',
  ],
  [
    'a date',
    'Rent of the cello humidifier stays at 30 euros until March 3',
    'Rent of the cello humidifier stays at 45 euros until March 9',
  ],
])('%s tells no two things apart', (_, older, newer) => {
  expect(reversalOf(older, newer)).toBeDefined()
})

it.each([
  ['Dogs are allowed in the workshop yard', 'Dogs are no longer allowed in the workshop yard', true],
  ['Dogs are not allowed in the workshop yard', 'Dogs are welcome in the workshop yard', true],
  ['Dogs are not allowed in the workshop yard', 'Dogs may not be in the workshop yard', false],
])('what was allowed and is not is turned round, either way: %s, %s', (older, newer, isTold) => {
  expect(reversalOf(older, newer) !== undefined).toBe(isTold)
})

it.each([
  ['The cello humidifier stays at 60 percent moisture all the time', true],
  ['From today the cello humidifier stays at 60 percent moisture, no longer at 55', false],
])('what says itself that it is changed is no news: %s', (newer, isTold) => {
  const told = reversalOf('The cello humidifier stays at 55 percent moisture', newer)
  expect(told !== undefined).toBe(isTold)
})

it.each([
  ['I told Ann so', 'Ann', true],
  ['I told Anna so', 'Ann', false],
  ['Thanks Ann, said Bo', 'Bo', false],
  ['asked J.R. for it', 'J.R.', true],
  ['asked JARS for it', 'J.R.', false],
])('who is spoken to is told by the whole name: "%s" of %s', (text, name, isTold) => {
  expect(isAddressed(text, name)).toBe(isTold)
})
