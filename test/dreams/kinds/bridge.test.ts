import { describe, expect, it } from 'vitest'
import { dream, ofKind } from '../night-input.ts'

const bridges: [string, string, string][] = [
  [
    'a host name',
    'The nightly export writes 40 GB of temporary files to db-07',
    'Pager at 02:40, the disk of db-07 stood at 97 %',
  ],
  [
    'a person with a duty who goes away',
    'Every schema change needs the approval of Marta',
    'Picnic postponed, Marta is on parental leave from next month',
  ],
]

const nearMisses: [string, string, string][] = [
  [
    'a product that many have',
    'Ordered a MacBook for the new colleague, 1,149 euros',
    'Found the outage of the invoices: restored the dump on my MacBook',
  ],
  [
    'one of several tickets',
    'KERB-2234: large fonts no longer cut off the price',
    '5.9.1 contains only KERB-2241 (crash of expired cards) and KERB-2234',
  ],
  [
    'a serial letter',
    'The butterflyfish land in November and Q2 is free for them',
    'Quarantine: Q1 empty, Q2 with a fault in the pump, Q3 six lumpsuckers',
  ],
  [
    'a host without trouble',
    'The nightly export writes 40 GB of temporary files to db-07',
    'Signing key of db-07 rolled, 0 validation errors seen by probes',
  ],
  [
    'a name in another sentence than the duty',
    'Back from the holidays. The pilot shops are Molenaar, Zwaluw and Marta',
    'Filmed the taps at the shop of Marta. Between tap and approval two seconds pass',
  ],
  ['one everyday word', 'The meeting about the budget was long', 'Long walk along the river with Otto'],
  ['one ordinary word', 'The parser accepts semicolons', 'Grandma found her parser of recipes funny'],
  [
    'two words of one sort',
    'The harbour master wants a ledger of moorings in winter',
    'Grant application: digitise the moorings of the old harbour',
  ],
  ['a word in two senses', 'The Pixel 6 arrived for testing', 'Sidebar is 1600 pixels wide, tested'],
  ['a number', 'The invoice had 37 positions', 'Bus 37 stops at the museum'],
  ['a name alone', 'Julia brought cake', 'Julia repaired the bicycle'],
  ['a month alone', 'The lease ends in April', 'Tulips bloom in April'],
  [
    'a near-duplicate',
    'Renew the domain harbour.example at the registrar',
    'Renew domain harbour.example at the registrar!',
  ],
]

describe('bridges', () => {
  for (const [what, first, second] of bridges) {
    it(`${what} joins two notes of different days`, () => {
      const found = ofKind(
        'bridge',
        dream([
          [2, first],
          [11, second],
        ]),
      )
      expect(found.map(({ sourceMemoryIds }) => sourceMemoryIds)).toEqual([[1, 2]])
      expect(found[0]?.thought).toContain('2 March')
      expect(found[0]?.thought).toContain('11 March')
    })
  }

  for (const [what, first, second] of nearMisses) {
    it(`${what} joins nothing: "${first}" and "${second}"`, () => {
      expect(
        dream([
          [2, first],
          [11, second],
        ]),
      ).toEqual([])
    })
  }

  it('a name joins by what names it, not by its particle', () => {
    const [joined] = dream([
      [2, 'Every label needs the approval of De Roos'],
      [11, 'Picnic postponed, De Roos is on parental leave from next month'],
    ])
    expect(joined?.thought).toContain('“Roos”')
  })

  it('an identifier that many notes hold joins no two of them', () => {
    const lines = Array.from(
      { length: 9 },
      (_, at) => [2 + at, `Topic ${'abcdefghi'[at]}${at} concerns db-07`] as const,
    )
    expect(ofKind('bridge', dream(lines))).toEqual([])
  })

  it('a likeness in the middle band and a word joins nothing', () => {
    const near = (angle: number): Float32Array => Float32Array.of(Math.cos(angle), Math.sin(angle))
    const spread = Array.from(
      { length: 14 },
      (_, at) => [1 + at, `Filler ${at}`, { vector: near(1.3 + at * 0.05) }] as const,
    )
    const lines = [
      [2, 'The parser accepts semicolons', { vector: near(0) }],
      [11, 'Parser speed doubled', { vector: near(0.6) }],
      ...spread,
    ] as const
    expect(dream(lines)).toEqual([])
  })
})
