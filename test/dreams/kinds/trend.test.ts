import { expect, it } from 'vitest'
import { dream, ofKind } from '../night-input.ts'
import { dreamOf, dreamOfGroups, readerOf } from '../reader.ts'

type Lines = Parameters<typeof dream>[0]
const routine: Lines = Array.from({ length: 30 }, (_, at) => [
  1 + (at % 28),
  `Ordinary matter of shelf ${'abcdef'[at % 6]}`,
])
const trendOf = (lines: Lines) => ofKind('trend', dream([...lines, ...routine]))[0]

const rinses: Lines = [
  [2, 'Glasswasher cycle done in two minutes'],
  [7, 'Stood at the glasswasher, cycle of 130 secs'],
  [13, 'One glasswasher cycle, two and a half minutes, twelve napkins folded'],
  [19, 'Glasswasher cycle: 3 min'],
  [25, "The glasswasher's cycle ran from 21:00 to 21:04"],
]

it('values of one measure in whatever units and words are a trend', () => {
  const told = trendOf(rinses)
  expect(told?.sourceMemoryIds).toEqual([1, 2, 3, 4, 5])
  expect(told?.thought).toContain('goes up in small steps, 100 %')
  expect(told?.thought).toContain('21:00 to 21:04')
})

it('of a log takes more values than of what somebody noticed', () => {
  const log = (peaks: readonly number[]): Lines =>
    peaks.map((peak, at) => [2 + 4 * at, `kiln log: peak ${peak} °C, fuel 31 l, 12 pots`])
  expect(trendOf(log([810, 880, 960, 1_040]))).toBeUndefined()
  expect(trendOf(log([810, 850, 890, 930, 980, 1_040]))?.sourceMemoryIds).toEqual([1, 2, 3, 4, 5, 6])
})

it('of a share what is left of the whole tells of a change, too', () => {
  const coverage = (unit: string): Lines =>
    [81.4, 79.9, 77.2, 75.6, 73.8].map((value, at) => [
      2 + 5 * at,
      `Coverage of the checkout tests on main: ${value} ${unit}`,
    ])
  expect(trendOf(coverage('percent'))?.sourceMemoryIds).toEqual([1, 2, 3, 4, 5])
  expect(trendOf(coverage('kg'))).toBeUndefined()
})

it('what begins with a nought is a name, no number', () => {
  const batches = (names: readonly string[]): Lines =>
    names.map((name, at) => [2 + 5 * at, `Goat cheese ${name} drained well, rind smooth`])
  expect(trendOf(batches(['0203', '0251', '0302', '0354', '0410']))).toBeUndefined()
  expect(trendOf(batches(['203', '251', '302', '354', '410']))).toBeDefined()
})

it('what a value should be is no value', () => {
  const readings = [1.6, 1.5, 1.4, 1.2, 1.0].map((bar, at): Lines[number] => [
    5 + 4 * at,
    `Boiler pressure ${bar} bar`,
  ])
  const told = trendOf([[2, 'Pressure of the boiler should be between 1.2 and 1.8 bar'], ...readings])
  expect(told?.sourceMemoryIds).toEqual([2, 3, 4, 5, 6])
  expect(told?.thought).toContain('38 %')
})

it('is none once something was done about it', () => {
  expect(trendOf([...rinses, [26, 'Replaced the nozzle, glasswasher cycle is 2 min now']])).toBeUndefined()
})

it.each([
  [
    'versions that count on',
    ['2.19', '2.20', '2.21', '2.22', '3.4'].map((one) => `Kiosk login ${one} is out on all kiosks`),
  ],
  [
    'numbers of whatever it is',
    ['three towns', '5.2 MB', 'seven calls', 'eleven photos', '19 names'].map(
      (one) => `Kiosk login page: ${one}`,
    ),
  ],
  [
    'hours of the day',
    ['six were back', 'van leaves by 7.30', 'old stair is out by 9', '13 were in'].map(
      (one) => `Ferris stairs: ${one}`,
    ),
  ],
  [
    'a sum of money among counts',
    ['318 of 1,104', '412 of 1,204', 'up to 455', 'sold for €611.75', 'up to 803'].map(
      (one) => `Kiosk login of the arcade: ${one}`,
    ),
  ],
])('%s are none', (_, texts) => {
  expect(trendOf(texts.map((text, at) => [2 + 5 * at, text]))).toBeUndefined()
})

it.each([
  ['of one thing are', 4, (dish: string) => `Ginger crate for the ${dish}`],
  ['of different things are not', 0, (dish: string) => `Lunch: ${dish}`],
])('prices %s one measure', (_, sources, told) => {
  const dishes = [
    'pears in wine, 8.50 euro',
    'barley soup, 11 euro',
    'roast lamb, 13 euro',
    'smoked eel, 17 euro',
  ]
  const lines: Lines = dishes.map((dish, at) => [2 + 6 * at, told(dish)])
  const dreamt = (measures: number) =>
    ofKind(
      'trend',
      dreamOf(
        lines,
        {},
        {
          reader: readerOf(
            () => undefined,
            () => ({ measures }),
          ),
        },
      ),
    )
  expect(dreamt(0.1)[0]?.sourceMemoryIds.length ?? 0).toBe(sources)
  // Whatever their words, they are not where a reader takes them for others.
  expect(dreamt(0.01)).toEqual([])
})

/** Shares told in ever other words; what they are of, only their vectors say. */
const passedOn: Lines = [
  [2, 'Priscilla got one letter in ten handed over'],
  [7, 'Of fifty slips 14 % came on'],
  [13, '200 notices since Sunday, of which the robot forwarded 37'],
  [19, 'A good quarter of the inbox landed in my lap'],
  [25, 'Every third thing it gets comes to us'],
]
const trendOfGroup = (lines: Lines, alike: number) =>
  ofKind(
    'trend',
    dreamOfGroups(
      [...lines, ...routine],
      (text) => (lines.some((line) => line[1] === text) ? 0 : undefined),
      [alike],
    ),
  )[0]

it('values in notes without a common word are a trend where these are akin', () => {
  expect(trendOfGroup(passedOn.slice(0, 2).concat(passedOn.slice(3)), 0.35)).toBeUndefined()
  expect(trendOfGroup(passedOn, 0.35)?.sourceMemoryIds).toEqual([1, 2, 3, 4, 5])
  expect(trendOfGroup(passedOn, 0)).toBeUndefined()
})

it('six values that go one way are no noise, however little', () => {
  const weights = [61.4, 60.7, 60.1, 59.4, 58.8, 58.1]
  const lines: Lines = weights.map((weight, at) => [
    2 + 4 * at,
    `Visit ${'abcdef'[at]}, scale says ${weight} kg`,
  ])
  expect(trendOfGroup(lines, 0.35)?.sourceMemoryIds).toHaveLength(6)
  expect(trendOfGroup(lines.slice(1), 0.35)).toBeUndefined()
})

it('a figure of something else is none of its values, however well it fits', () => {
  const stray = [27, 'Ingrid spoke to the apprentices of 30 kg of wool and of nothing else'] as const
  const sacks: Lines = [20, 22, 24.5, 27].map((weight, at) => [
    2 + 6 * at,
    `Sack ${'abcd'[at]} came to ${weight} kg`,
  ])
  const all = ofKind(
    'trend',
    dreamOfGroups([...sacks, stray, ...routine], (text) => (text.startsWith('Sack') ? 0 : undefined), [0.6]),
  )
  expect(all.map(({ sourceMemoryIds }) => sourceMemoryIds)).toEqual([[1, 2, 3, 4]])
})

it('what is done later and later is a trend, whether in digits or words', () => {
  const locked = ['at 21:40', 'at ten to ten', 'at five past ten', 'at 22.20, cold night', 'at half past ten']
  const lines: Lines = locked.map((time, at) => [2 + 5 * at, `Chapel gate locked ${time}`])
  const [told] = ofKind(
    'trend',
    dreamOfGroups([...lines, ...routine], (text) => (/gate/.test(text) ? 0 : undefined), [0.6]),
  )
  expect(told?.sourceMemoryIds).toEqual([1, 2, 3, 4, 5])
  expect(told?.thought).toContain('goes later in small steps, 50 minutes')
  expect(trendOf(lines.slice(0, 4))).toBeUndefined()
})

it('what is counted in other words each time is one measure where all name one thing, and there are many', () => {
  const counts = ['180 sessions', '214 backends', '250ish connections', '290 clients', '333 in use']
  const lines: Lines = counts.map((count, at) => [2 + 5 * at, `Ledgerbase at noon: ${count}`])
  expect(trendOf(lines)?.sourceMemoryIds).toEqual([1, 2, 3, 4, 5])
  expect(trendOf(lines.slice(0, 4))).toBeUndefined()
})

it('a number without a unit is meant in the one of the others', () => {
  const gaps = ['0.6 mm', '0.9 by the gauge', '1.5 mm', '2.2 if anyone asks', '3 mm']
  const lines: Lines = gaps.map((gap, at) => [2 + 5 * at, `Gable crack is ${gap}`])
  expect(trendOf(lines)?.sourceMemoryIds).toEqual([1, 2, 3, 4, 5])
})

it('of several figures in a note takes the one of which is said what is said of the others', () => {
  const told = trendOf([
    [2, 'Depots: 63 of 63 hubs reachable, backups complete, 58 shelf labels without an answer'],
    [7, 'Shelf labels without an answer: 96'],
    [13, 'Counted 140 shelf labels that give no answer'],
    [19, 'The shelf labels, 210 of them give no answer'],
    [25, '287 shelf labels give no answer'],
  ])
  expect(told?.thought).toContain('58 (2 March), 96 (7 March)')
  expect(told?.thought).toContain('The first of these reads')
})

it('values that are read as one measure are a trend, whatever units they come in and whatever they are called', () => {
  const damp: Lines = [
    [2, 'The little dial by the door says 52 per cent damp'],
    [8, 'Hygrometer in there at 57'],
    [14, 'They want the air humidity, I read sixty-one off it'],
    [20, 'Sixty-six on the meter, put fresh lavender in'],
    [26, 'Went down for my shawl, the thing is at seventy-two'],
  ]
  const texts = new Set(damp.map(([, text]) => text))
  const told = (measures: number) =>
    ofKind(
      'trend',
      dreamOfGroups([...damp, ...routine], (text) => (texts.has(text) ? 0 : undefined), [0.3], {
        reader: readerOf(
          (text) => (texts.has(text) ? 'measure' : undefined),
          (older, newer) => (texts.has(older) && texts.has(newer) ? { measures } : {}),
        ),
      }),
    )
  expect(told(0.9).map(({ sourceMemoryIds }) => sourceMemoryIds)).toEqual([[1, 2, 3, 4, 5]])
  expect(told(0.002)).toEqual([])
})

it.each([
  [0.6, 1],
  [0.01, 0],
])('of notes without vectors, what is read decides: %d', (measures, count) => {
  const shares = [81.4, 79.1, 76.2, 73.6, 70.8].map((share, at): Lines[number] => [
    2 + 4 * at,
    `The build covers ${share} percent of all branches`,
  ])
  const reader = readerOf(
    () => 'measure',
    () => ({ measures }),
  )
  expect(ofKind('trend', dream(shares, { reader }))).toHaveLength(count)
})
