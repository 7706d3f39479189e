import { describe, expect, it } from 'vitest'
import { dream, ofKind } from '../matter.ts'

describe('recurrences', () => {
  it('a subject of two words on three days is a theme', () => {
    const found = ofKind(
      'recurrence',
      dream([
        [3, 'Checkout test flaky again, passed on the second run'],
        [8, 'Release delayed by an hour because the checkout test was flaky'],
        [12, 'Reran the flaky checkout test four times'],
      ]),
    )
    expect(found.map(({ sourceMemoryIds }) => sourceMemoryIds)).toEqual([[1, 2, 3]])
    expect(found[0]?.thought).toMatch(/three/i)
  })

  it('a theme that keeps to one weekday is told so', () => {
    const found = ofKind(
      'recurrence',
      dream([
        [2, 'Search timeouts before noon'],
        [9, 'More search timeouts before noon, then quiet'],
        [16, 'Search timeouts yet again before noon'],
      ]),
    )
    expect(found[0]?.thought).toContain('Each time it was a Monday.')
  })

  it('a theme from several agents names them', () => {
    const found = ofKind(
      'recurrence',
      dream([
        [2, 'Search timeouts before noon', { agent: 'planner' }],
        [10, 'More search timeouts before noon, then quiet', { agent: 'reviewer' }],
        [16, 'Search timeouts yet again before noon', { agent: 'planner' }],
      ]),
    )
    expect(found[0]?.thought).toContain('planner and reviewer')
  })

  const nearMisses: [string, Parameters<typeof dream>[0]][] = [
    [
      'two notes',
      [
        [3, 'Checkout test flaky again'],
        [8, 'Flaky checkout test delayed the release'],
      ],
    ],
    [
      'three notes on two days',
      [
        [3, 'Checkout test flaky again'],
        [3, 'Reran the flaky checkout test'],
        [8, 'Checkout test was flaky'],
      ],
    ],
    [
      'one note pasted three times',
      [
        [3, 'Rotate the signing key'],
        [8, 'Rotate the signing key'],
        [12, 'Rotate the signing key'],
      ],
    ],
    [
      'one shared name',
      [
        [3, 'Otto planted leeks'],
        [8, 'Otto finished the crossword'],
        [12, 'Chess evening with Otto'],
      ],
    ],
    [
      'shared everyday words',
      [
        [3, 'Good day at work'],
        [8, 'Bad day, much work'],
        [12, 'Work day without end'],
      ],
    ],
    [
      'three notes over half a year',
      [
        [-150, 'Checkout test flaky again'],
        [-60, 'The flaky checkout test'],
        [12, 'Checkout test was flaky'],
      ],
    ],
  ]
  for (const [what, lines] of nearMisses) {
    it(`${what} are no theme`, () => {
      expect(ofKind('recurrence', dream(lines))).toEqual([])
    })
  }

  it('what is noted daily is routine, no theme', () => {
    const lines = Array.from(
      { length: 20 },
      (_, at) => [1 + at, `Moisture sensor reading ${at} taken at the greenhouse`] as const,
    )
    expect(ofKind('recurrence', dream(lines))).toEqual([])
  })

  it('notes that are alike in meaning around one word are a theme', () => {
    const near = (angle: number): Float32Array => Float32Array.of(Math.cos(angle), Math.sin(angle))
    const spread = Array.from(
      { length: 14 },
      (_, at) => [1 + at, `Filler ${at}`, { vector: near(1.5 + at * 0.1) }] as const,
    )
    const lines = [
      [3, 'Insomnia until four', { vector: near(0) }],
      [8, 'Awake half the night, insomnia', { vector: near(0.6) }],
      [12, 'Tried tea against insomnia', { vector: near(0.3) }],
      ...spread,
    ] as const
    expect(ofKind('recurrence', dream(lines)).map(({ sourceMemoryIds }) => sourceMemoryIds)).toEqual([
      [1, 2, 3],
    ])
  })
})
