import { expect, it } from 'vitest'
import { day, dream, ofKind } from '../night-input.ts'
import { dreamOf, dreamOfGroups, type Lines, readerOf, standing } from '../reader.ts'

const plans = (older: string, newer: string): Lines => [
  [1, older, { agent: 'Ana' }],
  [16, newer, { agent: 'Ben' }],
]
const painters = 'The painters have the big room from Monday 30 March to Wednesday 1 April.'
const course = 'The first-aid course is on Tuesday 31 March, twenty people on mattresses.'

it('two plans for one day are told where they were read as colliding', () => {
  const [told] = ofKind('collision', dreamOf(plans(painters, course), { collides: 0.5 }))
  expect(told?.sourceMemoryIds).toEqual([1, 2])
  expect(told?.thought).toContain('Plans meet on 31 March')
  expect(ofKind('collision', dreamOf(plans(painters, course), {}, { reader: undefined as never }))).toEqual(
    [],
  )
})

it.each([
  ['of two who are away', 'I am in Bilbao from 30 March to 1 April.', 'Eve is on leave on 31 March.'],
  ['of one event', 'The harvest supper is on 31 March.', 'Bring plates for the harvest supper on 31 March.'],
  [
    'of what others do without whoever is away',
    'I am in Bilbao from 30 March to 1 April.',
    'On Tuesday 31 March Yasmin and I change the batteries.',
  ],
  ['that was moved', painters, 'The course is moved from 31 March to 14 April.'],
  [
    'that was put back',
    'Roadworks on Mill Lane from Monday 30 March, the bus takes the bridge.',
    'They put the Mill Lane job back a week, so the bus is on Mill Lane on 30 March.',
  ],
  [
    'of which one is over long before the other',
    'The photographer has the hall on 31 March from seven to nine.',
    'Choir practice with the guests is on 31 March at six in the evening.',
  ],
  ['of another day', painters, 'The first-aid course is on Thursday 2 April, twenty people on mattresses.'],
])('nothing is told %s', (_, older, newer) => {
  expect(ofKind('collision', dreamOf(plans(older, newer), { collides: 0.5 }))).toEqual([])
})

it('two plans that name one place are not one event for it', () => {
  const older = 'The parish hall gets new varnish from 29 March to 1 April, no shoe may go in.'
  const newer =
    'Tea for our donors is fixed: Tuesday 31 March, three, parish hall, sixty cups and the good urn.'
  const found = ofKind('collision', dreamOf(plans(older, newer), { collides: 0.5 }))
  expect(found.map(({ sourceMemoryIds }) => sourceMemoryIds)).toEqual([[1, 2]])
})

it('a thing that bears a number is missed where that number is needed', () => {
  const away = 'Lorry 2 is in the workshop from Monday 30 March to Wednesday 1 April.'
  const move = (lorry: number) => `The practice moves on Tuesday 31 March, with lorry ${lorry}.`
  const meet = (lorry: number) => ofKind('collision', dreamOf(plans(away, move(lorry)), { collides: 0.001 }))
  expect(meet(2)[0]?.thought).toContain('Both are about lorry 2')
  expect(meet(3)).toEqual([])
})

it('what meets a plan that was told is told by itself', () => {
  const lines: Lines = [
    ...plans(painters, course),
    [17, 'On 1 April the choir sings for the parents of the little ones, fifty chairs.', { agent: 'Eve' }],
  ]
  const told = [{ kind: 'collision', sourceMemoryIds: [1, 2] }] as const
  const reader = readerOf(
    () => undefined,
    () => ({ collides: 0.8 }),
  )
  const found = ofKind(
    'collision',
    dreamOfGroups(lines, () => undefined, [], { told, reader }),
  )
  expect(found.map(({ sourceMemoryIds }) => sourceMemoryIds)).toEqual([[1, 3]])
})

it('tells only the days that both plans have in common', () => {
  const older = 'Our marquee is lent out from Friday 27 March to Wednesday 1 April.'
  const newer = 'Wedding party of seventy on 31 March, dinner in the open if it rains or not.'
  const [told] = ofKind('collision', dreamOf(plans(older, newer), { collides: 0.9 }))
  expect(told?.thought).toContain('Plans meet on 31 March:')
})

it('what a note tells of its own day is a report, no plan', () => {
  const sold = 'Stall of 16 March: 447 in the tin.'
  const plan = 'The stall on 16 March is for the jars of the neighbours.'
  expect(ofKind('collision', dreamOf(plans(plan, sold), { collides: 0.9 }))).toEqual([])
})

it.each([
  ['at 3 pm', 'at 15:00', true],
  ['at 3pm', 'at 15:00', true],
  ['at three', 'from 14:30 to 16:00', true],
  ['from 9 to 5', 'at 16:00', true],
  ['from 10 am to noon', 'at 3 pm', false],
  ['at 9:30 am', 'at 10:00 pm', false],
])('without a reader hours tell whether two plans for one day meet: %s and %s', (one, other, isTold) => {
  const older = `The tiler comes on 31 March ${one}, gold leaf and all.`
  const newer = `Notary interview on 31 March ${other}, four heirs.`
  const found = ofKind('collision', dream(plans(older, newer)))
  expect(found).toHaveLength(isTold ? 1 : 0)
})

it.each([
  ['in the morning', 'from 9 to 11', false],
  ['in the afternoon', 'at 15:00', true],
])(
  'of a note with two days the hours are those of the day that both plans are on: %s',
  (_, hours, isTold) => {
    const older =
      'Keys go back on 24 March at 9:30, and the tiler comes on 31 March at 15:00, gold leaf and all.'
    const found = ofKind(
      'collision',
      dream(plans(older, `Notary interview on 31 March ${hours}, four heirs.`)),
    )
    expect(found).toHaveLength(isTold ? 1 : 0)
  },
)

it('a numbered surgery is a room, and nobody is away for it', () => {
  const older = 'The engineer for the test is here on 31 March and needs surgery 2 to himself.'
  const newer = 'Four implants for Mr Tierney are booked: 31 March, surgery 2, all morning.'
  expect(ofKind('collision', dreamOf(plans(older, newer), { collides: 0.9 }))).toHaveLength(1)
})

it('the plans that an absence meets are told together, with the days of each', () => {
  const lines: Lines = [
    [1, 'I am on leave from 29 March to 12 April.', { agent: 'Dave' }],
    [6, 'Dave has to present the roadmap to the board on 31 March.', { agent: 'Ben' }],
    [9, 'Dave has to run the invoice migration on 9 April.', { agent: 'Eve' }],
  ]
  const [told] = ofKind('collision', dream(lines))
  expect(told?.sourceMemoryIds).toEqual([1, 2, 3])
  expect(told?.thought).toContain('Plans meet on 31 March and 9 April:')
})

it('of whoever gave no name it says no name, and a default in a text is nobody', () => {
  const told = (plan: string) =>
    ofKind(
      'collision',
      dream([
        [1, 'I am on leave from 29 March to 12 April.'],
        [6, plan],
      ]),
    ).map(({ thought }) => thought)
  expect(told("I'll have to present the roadmap to the board on 31 March.")[0]).toContain(
    "Both are the author's",
  )
  expect(told('The default printer has to go to the board room on 31 March.')).toEqual([])
})

it.each([
  'I will not be in on Thursday 19 March.',
  'I won’t be around on Thursday 19 March.',
  'I take Thursday 19 March off.',
  'I have Thursday 19 March off.',
  'I cannot work on Thursday 19 March, my wisdom teeth come out.',
  'No Ellis on Thursday 19 March, I have my teeth done.',
  "Don't count on me on Thursday 19 March, I have my teeth done.",
  'I stay at home on Thursday 19 March, my daughter has no school.',
  'Holiday from 16 March until 20 March, hiking in Madeira.',
  'skiing from monday 16 to friday 20 march. no phone up there.',
  'not here on thursday 19 march, my brother marries in ghent',
  "Ellis will be at her sister's from Monday 16 to Friday 20 March and can't be reached.",
])('whoever is away misses a plan that names them: %s', (away) => {
  const lines: Lines = [
    [2, away, { agent: 'Ellis' }],
    [
      6,
      'The Harlow board comes on Thursday 19 March at eleven, Ellis walks them through the app.',
      { agent: 'Nora' },
    ],
  ]
  expect(
    ofKind('collision', dream(lines, { now: day(7) })).map(({ sourceMemoryIds }) => sourceMemoryIds),
  ).toEqual([[1, 2]])
})

it.each([
  [
    'Electricians come on Tuesday 17 March. The test server will be off the whole day.',
    "Ludlow's six clerks try out the import on our test server on Tuesday 17 March.",
  ],
  [
    'The SMS provider sends no text messages on Tuesday 17 March.',
    'Alarm drill on Tuesday 17 March at ten. Everybody gets a text message.',
  ],
])('what is out of reach is missed by a plan that needs it: %s', (gone, plan) => {
  const others =
    'bread rolls;rain again;the cat sleeps;a parcel came;new boots;tea is low;a lamp broke;long walk'.split(
      ';',
    )
  const lines: Lines = [
    ...others.map((text): Lines[number] => [1, text, { agent: 'Ana' }]),
    [2, gone, { agent: 'Ines' }],
    [6, plan, { agent: 'Olu' }],
  ]
  expect(
    ofKind('collision', dream(lines, { now: day(7) })).map(({ sourceMemoryIds }) => sourceMemoryIds),
  ).toEqual([[9, 10]])
})

it('a plan that a reader takes for an absence meets one that says so in words', () => {
  const lines = plans(
    'I am on leave from 29 March to 12 April.',
    'The tower of cheeses goes to the wedding on 31 March, Ana drives.',
  )
  const { rolesOf } = readerOf(() => 'absence')
  const reader = { rolesOf, stand: () => standing({ collides: 0.9 }) }
  expect(ofKind('collision', dreamOf(lines, { collides: 0.9 }, { reader }))).toHaveLength(1)
})

it('an identifier that two plans name is one thing, though its parts are words, too', () => {
  const dark = 'They move the racks on 26 March: finder-stg will be dark from seven until the evening.'
  const test = 'The load test is fixed for Thursday 26 March, on finder-stg, the whole day.'
  expect(ofKind('collision', dreamOf(plans(dark, test), { collides: 0.5 }))).toHaveLength(1)
})

it('who is away is told by somebody else', () => {
  const lines: Lines = [
    [
      1,
      'Bea told me of the wedding: she flies to Porto on 16 March and is back on the 20th.',
      { agent: 'mira' },
    ],
    [6, 'The cup is on 18 March, seven in the evening. Bea runs the bracket on stream.', { agent: 'mira' }],
  ]
  expect(ofKind('collision', dreamOf(lines, {}))[0]?.thought).toContain('Bea is named in both')
})
