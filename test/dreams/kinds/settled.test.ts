import { describe, expect, it } from 'vitest'
import { dream, ofKind, prediction } from '../night-input.ts'

const settled = (said: string, note: string, on = 9) =>
  ofKind('settled', dream([[on, note]], { predictions: [prediction(said)] }))

const deciding: [string, string][] = [
  [
    'Average search latency drops below 300 ms with the new index',
    'The new index is live, average search latency dropped to 210 ms',
  ],
  [
    'The Norwegian tax office accepts our new invoice format',
    'The tax office in Norway rejected the new invoice format',
  ],
  [
    'Migration to Postgres 17 finishes before the holidays',
    'Migration to Postgres 17 finished on Thursday, two hours of downtime',
  ],
  ['Nina wins the regional chess tournament', 'Nina lost the final of the regional chess tournament'],
  ['The landlord extends our lease for another year', 'The landlord extended the lease by a year'],
  ['We reach 1,000 subscribers to the newsletter by June', 'The newsletter has 1,040 subscribers now'],
]

const undecided: [string, string, string][] = [
  [
    'a step on the way',
    'Build 214 passes the store review at the first attempt',
    'Submitted build 214 for the store review',
  ],
  [
    'a hope',
    'Migration to Postgres 17 finishes before the holidays',
    'We hope to have the migration to Postgres 17 finished before the holidays',
  ],
  [
    'a plan',
    'The landlord extends our lease for another year',
    'The landlord will extend the lease next week',
  ],
  [
    'a question',
    'The landlord extends our lease for another year',
    'Has the landlord extended the lease by a year?',
  ],
  [
    'not yet',
    'Migration to Postgres 17 finishes before the holidays',
    'Migration to Postgres 17 is not finished yet',
  ],
  [
    'another subject',
    'Average search latency drops below 300 ms with the new index',
    'Average temperature dropped to 4 degrees',
  ],
  ['one word in common', 'Nina wins the regional chess tournament', 'Nina lost her umbrella'],
]

describe('settled predictions', () => {
  for (const [said, note] of deciding) {
    it(`"${note}" seems to settle "${said}"`, () => {
      const found = settled(said, note)
      expect(found.map(({ sourceMemoryIds }) => sourceMemoryIds)).toEqual([[1]])
      expect(found[0]?.thought).toContain('rediction 1')
    })
  }

  for (const [why, said, note] of undecided) {
    it(`${why}: "${note}" does not settle "${said}"`, () => {
      expect(settled(said, note)).toEqual([])
    })
  }

  it('a note from before the prediction settles nothing', () => {
    expect(
      settled('The landlord extends our lease for a year', 'The landlord extended the lease by a year', 2),
    ).toEqual([])
  })
})

it('a warning settles nothing', () => {
  const [said, note] = deciding[0] ?? ['', '']
  const warned = dream([[9, note, { caution: 0.9 }]], { predictions: [prediction(said)] })
  expect(ofKind('settled', warned)).toEqual([])
})

it('tells of every prediction that one note decides, in one thought', () => {
  const note = 'Migration to Postgres 17 finished on Thursday, two hours of downtime'
  const said = [
    'Migration to Postgres 17 finishes before the holidays',
    'Migration to Postgres 17 finishes in May',
  ]
  const predictions = said.map((one, at) => ({ prediction: { ...prediction(one).prediction, id: at + 7 } }))
  const found = ofKind('settled', dream([[9, note]], { predictions }))
  expect(found).toHaveLength(1)
  for (const one of said) expect(found[0]?.thought).toContain(one)
  expect(found[0]?.quoted).toEqual([7, 8].map((id) => ({ kind: 'prediction', id })))
})
