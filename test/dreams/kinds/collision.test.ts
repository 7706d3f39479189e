import { expect, it } from 'vitest'
import { dream, ofKind } from '../night-input.ts'
import { dreamOf, type Lines } from '../reader.ts'

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
  ['that was moved', painters, 'The course is moved from 31 March to 14 April.'],
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
