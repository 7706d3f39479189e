import { expect, it } from 'vitest'
import { day, dream, ofKind } from '../night-input.ts'
import { dreamOf, type Lines, readerOf } from '../reader.ts'

it.each([
  [11, '1 day ago'],
  [13, '3 days ago'],
])('a promise says how long ago it was due, in good English: %d', (today, ago) => {
  const found = ofKind(
    'promise',
    dream([[2, 'I promised to send Ana the invoice report by 10 March']], { now: day(today) }),
  )
  expect(found[0]?.reasons[0]).toMatch(new RegExp(`, ${ago}$`))
})

it('a promise is due on a day that can be looked up, however it was written', () => {
  const found = ofKind(
    'promise',
    dream([[2, 'I promised Ana the invoice report by Friday']], { now: day(20) }),
  )
  expect(found[0]?.thought).toMatch(/ was due on \d+ March: /)
})

it('a due day of the year before is told with its year', () => {
  const told = dream([[-70, 'I promised Ana the invoice report by 28 December']], { now: day(-57) })
  expect(ofKind('promise', told)[0]?.thought).toMatch(/ was due on 28 December 2025: /)
})

it('a due day that a later note shows to have been missed needs no word of promise', () => {
  const lines: Lines = [
    [2, 'The rooflight glass is here, in by Tuesday the 10th, before the wet starts.', { agent: 'Dez' }],
    [20, 'Knelt in the puddle below the rooflight, and the pane leans at the wall still.', { agent: 'Tam' }],
  ]
  expect(ofKind('promise', dreamOf(lines, { unkept: 0.8 }))[0]?.sourceMemoryIds).toEqual([1, 2])
  expect(ofKind('promise', dreamOf(lines, {}))).toEqual([])
})

it.each([
  ['The paper from the dairy has arrived.', []],
  ['The paper from the dairy lies on some pile.', [1]],
])('what reads half as kept is kept where it is told as done: %s', (text, ids) => {
  const lines: Lines = [
    [2, 'Mrs Fenn promised that we will have the credit note by 10 March.', { agent: 'Dez' }],
    [9, text, { agent: 'Dez' }],
  ]
  const told = ofKind('promise', dreamOf(lines, { kept: 0.5 }, { now: day(24) }))
  expect(told.flatMap(({ sourceMemoryIds }) => sourceMemoryIds.slice(0, 1))).toEqual(ids)
})

it.each([
  ['Tonight Emre has tables 1 to 13, Sofie 14 to 25, I take the bar', []],
  ['Tomorrow Ana covers the counter, then I will do the pass', []],
  ['Ana will have the allergen list done by 10 March', [1]],
])('a roster is no promise: %s', (text, ids) => {
  const found = ofKind('promise', dream([[2, text]], { now: day(14) }))
  expect(found.flatMap(({ sourceMemoryIds }) => sourceMemoryIds)).toEqual(ids)
})

it.each([
  ['I rang him at three, and it was nothing worse', 'Ruth', []],
  ['The rail is up, a day early', 'Tam', []],
  ['I ring the bell at three each day', 'Ruth', [1]],
  ['Mr Dyce has the result, Ruth sent it at noon', 'Tam', []],
  ["Ruth's result for Mr Dyce is here", 'Tam', []],
  ['Ruth sent the hymn numbers at noon', 'Tam', [1]],
  ['I rang him at three, and it was nothing worse', 'Tam', [1]],
])('what tells the deed as done keeps a promise: %s (%s)', (text, agent, ids) => {
  const lines: Lines = [
    [2, 'I shall ring Mr Dyce with the result by 10 March, I promise', { agent: 'Ruth' }],
    [9, text, { agent }],
  ]
  const found = ofKind('promise', dreamOf(lines, {}, { now: day(14) }))
  expect(found.flatMap(({ sourceMemoryIds }) => sourceMemoryIds)).toEqual(ids)
})

it('a promise and what was last noted of it are told by their ids in order, whichever was edited last', () => {
  const lines: Lines = [
    [2, 'I shall mend the rooflight by 10 March, I promise', { agent: 'Dez', id: 5 }],
    [20, 'Knelt in the puddle below the rooflight', { agent: 'Tam', id: 3 }],
  ]
  expect(ofKind('promise', dreamOf(lines, { unkept: 0.8 }))[0]?.sourceMemoryIds).toEqual([3, 5])
})

it('a promise to reply is kept by a reply', () => {
  const lines: Lines = [
    [2, "I'll reply to the Corvane offer by Friday 6 March", { agent: 'Ruth' }],
    [9, 'I replied to Corvane, and they took it well', { agent: 'Ruth' }],
  ]
  expect(ofKind('promise', dreamOf(lines, {}, { now: day(14) }))).toEqual([])
})

it.each([
  'Failover howto: mine, in the wiki by 10 March',
  'Shelf guard came. I fit it by 10 March',
  'Handrail is loose. Will have it mended by Tue 10 March',
  'The library gets the figures from me before 10 March',
])('who takes something on with its day has promised it: %s', (text) => {
  const found = ofKind('promise', dream([[2, text]], { now: day(14) }))
  expect(found.flatMap(({ sourceMemoryIds }) => sourceMemoryIds)).toEqual([1])
})

it.each([
  [9, 'Stripe keys: read the vault list aloud', []],
  [22, 'Vault list of keys: Stripe 11 March 2025, HubSpot in June', [1, 2]],
  [22, 'Stripe key is rotated, the vault knows', []],
])(
  'what names the matter long after its day shows that it waits, unless it tells the deed: %d, %s',
  (on, text, ids) => {
    const lines: Lines = [
      [2, 'I will rotate the Stripe keys in the vault by 10 March', { agent: 'Ruth' }],
      [on, text, { agent: 'Tam' }],
    ]
    const found = ofKind('promise', dream(lines, { now: day(26) }))
    expect(found.flatMap(({ sourceMemoryIds }) => sourceMemoryIds)).toEqual(ids)
  },
)

it('knows September by its four letters', () => {
  const found = ofKind('promise', dream([[206, 'I will write the guide by Fri 25 Sept']], { now: day(215) }))
  expect(found[0]?.reasons[0]).toContain('due Fri 25 Sept')
})

it.each([
  ['The wall board will be up by Sunday the 15th', 'promise', [1]],
  ['The wall board will be up by Sunday the 15th', 'plan', []],
  ['The workshop stays shut until Sunday the 15th', 'promise', []],
  ['The board goes up by Sunday the 15th, my word on it', undefined, [1]],
  ['The slip dries. I varnish it by Sunday the 15th', undefined, [1]],
] as const)('what a note does may make a promise of it: %s (%s)', (text, role, ids) => {
  const lines: Lines = [
    [2, text, { agent: 'Ruth' }],
    [20, 'Two crates of limes and a new kettle', { agent: 'Tam' }],
  ]
  const reader = readerOf((one) => (one === text ? role : undefined))
  const found = ofKind('promise', dreamOf(lines, {}, { reader }))
  expect(found.flatMap(({ sourceMemoryIds }) => sourceMemoryIds)).toEqual(ids)
})

it.each([
  ["I'm putting a number on the outside of each gauge cabinet. Done by 10 March.", [1]],
  ['The loose tile is dangerous. I take this one. Mended and dry on Tuesday 10 March.', [1]],
  [
    "Nobody knows who has a key. I'll make the list. Every key, every name, signed. On the desk by 10 March.",
    [1],
  ],
  ['By the tenth of March they hang in the bakehouse, with weights and all.', [1]],
  ['Nuno gets a style guide from me, in the folder by 10 March.', [1]],
  ['The depot takes deliveries. The gate opens on Tuesday 10 March.', []],
])('what somebody takes on is a promise, wherever its day stands: %s', (text, ids) => {
  const found = ofKind('promise', dream([[2, text]], { now: day(14) }))
  expect(found.flatMap(({ sourceMemoryIds }) => sourceMemoryIds)).toEqual(ids)
})

it('whoever is early says so without naming the matter', () => {
  const lines: Lines = [
    [2, 'The wiki page on dead hobs is from 2022. I write it new by 20 March', { agent: 'Sorin' }],
    [18, 'Recovery guide is there, two days before I said. Eleven steps', { agent: 'Sorin' }],
  ]
  expect(ofKind('promise', dreamOf(lines, {}, { now: day(25) }))).toEqual([])
})

it.each([
  ['Glossary finished! Words from acquirer to float', 'Rory', []],
  ['Glossary at last: acquirer took me three people', 'Rory', [1]],
])('its author who tells it as done needs few of its words: %s', (text, agent, ids) => {
  const lines: Lines = [
    [
      2,
      "I'm going to write a glossary of these words on the wiki, acquirer, interchange, float, by 20 March",
      { agent: 'Rory' },
    ],
    [9, text, { agent }],
  ]
  const found = ofKind('promise', dreamOf(lines, {}, { now: day(25) }))
  expect(found.flatMap(({ sourceMemoryIds }) => sourceMemoryIds)).toEqual(ids)
})

it.each([
  'The Riverside chairman sent a basket of apples.',
  'Riverside signed for another year.',
  'Half of Riverside was locked out this morning.',
])('a note about the same customer alone is no sequel: %s', (text) => {
  const others =
    'bread rolls;rain again;the cat sleeps;a parcel came;new boots;tea is low;a lamp broke'.split(';')
  const lines: Lines = [
    ...others.map((one, at): Lines[number] => [1, one, { agent: 'Ana', id: 1001 + at }]),
    [2, 'I will have the invoice export ready for Riverside by Friday 13 March.', { agent: 'Tomek' }],
    [8, text, { agent: 'Ellis', id: 1020 }],
  ]
  const found = ofKind('promise', dreamOf(lines, {}, { now: day(16) }))
  expect(found.map(({ sourceMemoryIds }) => sourceMemoryIds[0])).toEqual([8])
})

it.each([
  'The finished piece is to be with me on the 9th of March, Tomasz says.',
  'Roofer Dahlke was here. His offer will be with us on 9 March, he told Nadine at the door.',
  'Mr Aalto sends us the certificate by 9 March.',
])('what somebody else has promised is a promise: %s', (text) => {
  expect(ofKind('promise', dream([[2, text]], { now: day(14) }))).toHaveLength(1)
})
