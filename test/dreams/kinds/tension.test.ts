import { describe, expect, it } from 'vitest'
import type { NightInput } from '../../../src/dreams/thought.ts'
import { belief, dream, kindsOf, ofKind } from '../night-input.ts'
import { readerOf } from '../reader.ts'

const contradictions: [string, string][] = [
  [
    'The API gateway retries failed payment requests',
    'The API gateway does not retry failed payment requests',
  ],
  ['The cache survives a restart of the worker', 'The cache does not survive a restart of the worker'],
  ['The session timeout is 30 minutes', 'The session timeout is 45 minutes'],
  ['Session timeout: 30 minutes', 'Session timeout: 45 minutes'],
  ['The deploy window is on Tuesday', 'The deploy window is on Thursday'],
  ['Standup starts at 9:30 in the blue room', 'Standup starts at 10:00 in the blue room'],
  ['The team prefers tabs over spaces', 'The team prefers spaces over tabs'],
  ['Marta prefers async standups over calls', 'Marta would rather have calls than async standups'],
  ['User asked to never use semicolons', 'Semicolons are required, said the user'],
  ['Marta owns the billing service', 'Jonas owns the billing service'],
  ['Telemetry is enabled in the desktop client', 'Telemetry is disabled in the desktop client'],
  ['Force pushing to main is allowed for maintainers', 'Force pushing to main is forbidden for maintainers'],
  ['Our landlord allows dogs in the flat', 'Our landlord does not allow dogs in the flat'],
  ['Nina eats fish', 'Nina never eats fish'],
  ['Uploads are limited to 20 MB', 'Uploads are limited to 50 MB'],
  ['The guitar lesson costs €40', 'The guitar lesson costs €55'],
  ['Staging data is refreshed every Monday', 'Staging data is refreshed nightly'],
  ['The lease runs for two years', 'The lease runs for 36 months'],
  [
    'The license header is mandatory in every source file',
    'The license header is optional in every source file',
  ],
]

const nearMisses: [string, string, string][] = [
  ['readings of one gauge', 'Disk on lumen-a at 61 %', 'Disk on lumen-a at 60 %'],
  ['what was counted', 'Orders: 41,200 rows', 'Orders: 38,900 rows'],
  ['a level that moves', 'Upper weir 2.18 m at eight, rising', 'Upper weir 2.29 m at nine, falling'],
  [
    'trouble and its end',
    'The tower clock no longer strikes',
    'The new spring is in, the tower clock strikes and works',
  ],
  [
    'a fault and its repair',
    'The cellar pump does not start',
    'Fuse replaced, the cellar pump does start and runs again',
  ],
  ['two environments', 'The timeout in staging is 30 seconds', 'The timeout in production is 60 seconds'],
  ['a case and the rule', 'The API rate limit is 100', 'The API rate limit for partners is 1000'],
  ['one case before the noun', 'The API rate limit is 100', 'The partner API rate limit is 1000'],
  ['the same in years', 'The lease runs for two years', 'The lease runs for 24 months'],
  ['the same in other units', 'The session timeout is 60 minutes', 'The session timeout is one hour'],
  ['two uses', 'We do not use Redis for sessions', 'We use Redis for the job queue'],
  ['two people', 'Marta likes coffee with oat milk', 'Jonas likes coffee with oat milk'],
  ['two tastes of two people', 'Marta loves the open office', 'Jonas hates the open office'],
  ['two events', 'The build failed on Monday', 'The build passed on Tuesday'],
  ['two measurements', 'The build took 12 minutes on Monday', 'The build took 15 minutes on Tuesday'],
  ['two runs', 'Backup finished, duration 62 minutes', 'Backup finished, duration 131 minutes'],
  ['a question', 'The cache survives a restart', 'Does the cache not survive a restart?'],
  ['a plan', 'The session timeout is 30 minutes', 'We should set the session timeout to 45 minutes'],
  [
    'a supposition',
    'The gateway retries failed requests',
    'Maybe the gateway does not retry failed requests',
  ],
  [
    'the same said twice',
    'The cache does not survive a restart',
    'After a restart the cache does not survive',
  ],
  ['the same quantity', 'The parcel locker limit is 2 kg', 'The parcel locker limit is 2000 g'],
  ['the same value', 'The session timeout is 30 minutes', 'The session timeout is 30 min'],
  ['different measures', 'The parser handles 300 files', 'The parser handles files of 20 MB'],
  ['the same order', 'The linter runs before the tests', 'The tests run after the linter'],
  ['a double negation', 'Never merge without a review', 'Merge only with a review'],
  ['another subject', 'Backups are not encrypted at rest', 'Laptops are encrypted at rest'],
]

describe('tensions between notes', () => {
  for (const [first, second] of contradictions) {
    it(`"${second}" is in tension with "${first}"`, () => {
      const found = ofKind(
        'tension',
        dream([
          [2, first],
          [9, second],
        ]),
      )
      expect(found.map(({ sourceMemoryIds }) => sourceMemoryIds)).toEqual([[1, 2]])
    })
  }

  for (const [why, first, second] of nearMisses) {
    it(`${why}: "${second}" is in no tension with "${first}"`, () => {
      expect(
        ofKind(
          'tension',
          dream([
            [2, first],
            [9, second],
          ]),
        ),
      ).toEqual([])
    })
  }

  it('a figure that is measured again and again is a series, not a tension', () => {
    const lines = [61, 64, 66, 70].map((share, at) => [2 + at * 3, `Test coverage is ${share} %`] as const)
    expect(kindsOf(dream(lines))).not.toContain('tension')
  })

  it('the wording quotes both values', () => {
    const [thought] = ofKind(
      'tension',
      dream([
        [2, 'The session timeout is 30 minutes'],
        [9, 'The session timeout is 45 minutes'],
      ]),
    )
    expect(thought?.thought).toContain('30 minutes')
    expect(thought?.thought).toContain('45 minutes')
    expect(thought?.thought).toContain('9 March')
  })
})

/** Two notes whose vectors say that they mean much the same, among others that do not. */
const close = (first: string, second: string, more: Partial<NightInput> = {}) => {
  const near = (angle: number): Float32Array => Float32Array.of(Math.cos(angle), Math.sin(angle))
  const others = Array.from(
    { length: 14 },
    (_, at) => [1 + at, `Filler ${at}`, { vector: near(1.2 + at * 0.15) }] as const,
  )
  return dream([[2, first, { vector: near(0) }], [9, second, { vector: near(0.3) }], ...others], more)
}

describe('tensions between notes in other words', () => {
  const contradicting: [string, string][] = [
    ['Auth tokens expire after 15 minutes', 'JWT access tokens are valid for one hour'],
    ['The mobile app supports iOS 14 and later', 'iOS 15 is the minimum version for the mobile app'],
  ]
  for (const [first, second] of contradicting) {
    it(`"${second}" is in tension with "${first}"`, () => {
      expect(ofKind('tension', close(first, second)).map(({ sourceMemoryIds }) => sourceMemoryIds)).toEqual([
        [1, 2],
      ])
    })
  }

  const apart: [string, string, string][] = [
    [
      'two bounds',
      'The pool holds a minimum of 5 connections',
      'A connection pool has at most 20 connections',
    ],
    ['two cases', 'Staging tokens expire after 15 minutes', 'Production tokens are valid for one hour'],
    ['two names', 'The lesson of Ada costs €40', 'A guitar lesson with Otto costs €55'],
    ['an event', 'Auth tokens expire after 15 minutes', 'Yesterday the token lookup took one hour'],
  ]
  for (const [why, first, second] of apart) {
    it(`${why}: "${second}" is in no tension with "${first}"`, () => {
      expect(ofKind('tension', close(first, second))).toEqual([])
    })
  }
})

describe('tensions in nearly the same words', () => {
  it.each([
    ['The hail button works', 'The hail button does not work'],
    ['The session timeout is 30 minutes', 'The session timeout is 45 minutes'],
  ])('are told whatever a reader makes of them: "%s"', (first, second) => {
    const found = ofKind('tension', close(first, second, { reader: readerOf(() => undefined) }))
    expect(found.map(({ sourceMemoryIds }) => sourceMemoryIds)).toEqual([[1, 2]])
  })
})

describe('tensions with beliefs', () => {
  it('a note that denies a belief is in tension with it', () => {
    const found = dream([[6, 'The vendor does not honour the retry header']], {
      beliefs: [belief('The vendor honours the retry header')],
    })
    expect(found).toMatchObject([
      { kind: 'tension', sourceMemoryIds: [1], quoted: [{ kind: 'belief', id: expect.any(Number) }] },
    ])
  })

  it('a note that judges the other way is in tension with a belief', () => {
    const found = dream([[6, 'Friday deploys are safe since the canary']], {
      beliefs: [belief('Friday deploys are risky')],
    })
    expect(kindsOf(found)).toEqual(['tension'])
  })

  it('a note that agrees with a belief gives nothing', () => {
    expect(
      dream([[6, 'The vendor honours the retry header, tried it today']], {
        beliefs: [belief('The vendor honours the retry header')],
      }),
    ).toEqual([])
  })

  it('a note on another part of the subject gives nothing', () => {
    expect(
      dream([[6, 'The vendor does not answer on weekends']], {
        beliefs: [belief('The vendor honours the retry header')],
      }),
    ).toEqual([])
  })
})
