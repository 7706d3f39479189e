import { describe, expect, it } from 'vitest'
import { dream, ofKind } from '../night-input.ts'

const flag = { caution: 0.9 }

describe('echoes', () => {
  it('a note close to an older flag echoes it', () => {
    const found = ofKind(
      'echo',
      dream([
        [2, 'Never run the season import while the price job is active, it doubled 312 prices', flag],
        [9, 'Marketing asks to start the season import on the evening when the price job recalculates'],
      ]),
    )
    expect(found.map(({ sourceMemoryIds }) => sourceMemoryIds)).toEqual([[1, 2]])
    expect(found[0]?.thought).toContain('2 March')
  })

  it('what a flag names as its exception does not', () => {
    const echoed = (exception: string) =>
      ofKind(
        'echo',
        dream([
          [2, `Never run the season import while the price job is active. ${exception}`, flag],
          [9, 'Marketing asks to start the season import on the evening when the price job recalculates'],
        ]),
      )
    expect(echoed('The one exception is whatever marketing needs.')).toEqual([])
    expect(echoed('The one exception is the dress rehearsal.')).toHaveLength(1)
  })

  it('the heavier flag gives the stronger signal', () => {
    const signal = (caution: number): number =>
      ofKind(
        'rule',
        dream([
          [2, 'Never force push the release branch', { caution }],
          [9, 'Sam force-pushed the release branch during the hotfix'],
        ]),
      )[0]?.signal ?? 0
    expect(signal(0.9)).toBeGreaterThan(signal(0.3))
    expect(signal(0.3)).toBeGreaterThan(0)
  })

  it('a note near in meaning that shares one telling word echoes the flag', () => {
    const near = (angle: number): Float32Array => Float32Array.of(Math.cos(angle), Math.sin(angle))
    const spread = Array.from(
      { length: 14 },
      (_, at) => [1 + at, `Filler ${at}`, { vector: near(1.3 + at * 0.1) }] as const,
    )
    const found = dream([
      [2, 'Do not drop the customers table', { caution: 0.9, vector: near(0) }],
      [9, 'Cleaning up: customers schema gets removed', { vector: near(0.6) }],
      ...spread,
    ])
    expect(ofKind('echo', found).map(({ sourceMemoryIds }) => sourceMemoryIds)).toEqual([[1, 2]])
  })

  const nearMisses: [string, Parameters<typeof dream>[0]][] = [
    [
      'a note on another subject with one word in common',
      [
        [2, 'Never drop the customers table', flag],
        [9, 'Customers asked for a dark mode'],
      ],
    ],
    [
      'an older note',
      [
        [2, 'Sam force-pushed the release branch'],
        [9, 'Never force push the release branch', flag],
      ],
    ],
    [
      'another flag',
      [
        [2, 'Never force push the release branch', flag],
        [9, 'Do not force push a release branch', flag],
      ],
    ],
    [
      'an unflagged rule',
      [
        [2, 'Never force push the release branch'],
        [9, 'Otto ate a pear'],
      ],
    ],
  ]
  for (const [what, lines] of nearMisses) {
    it(`${what} is no echo`, () => {
      expect(ofKind('echo', dream(lines))).toEqual([])
    })
  }
})
