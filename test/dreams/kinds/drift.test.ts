import { describe, expect, it } from 'vitest'
import { findTurn } from '../../../src/dreams/kinds/drift.ts'
import { belief, day, dream, ofKind } from '../night-input.ts'

const note = 'Exit survey: most people left the booking before the account step'
const text = 'Customers abandon the booking because of the account step'

const turned = belief(text, [
  [2, 'supporting', 0.5],
  [4, 'supporting', 0.4],
  [8, 'refuting', 0.6],
  [12, 'refuting', 0.7],
])

describe('drifts', () => {
  it('a belief whose later evidence points the other way drifts, told with the note it is about', () => {
    const found = ofKind('drift', dream([[7, note]], { beliefs: [turned] }))
    expect(found.map(({ sourceMemoryIds }) => sourceMemoryIds)).toEqual([[1]])
    expect(found[0]?.thought).toContain('8 March')
    expect(found[0]?.quoted).toEqual([{ kind: 'belief', id: turned.belief.id }])
  })

  it('evidence newer than every note makes it no stronger than evidence of their day', () => {
    const late = belief(text, [
      [2, 'supporting', 0.5],
      [4, 'supporting', 0.4],
      [200, 'refuting', 0.6],
      [365, 'refuting', 0.7],
    ])
    const [found] = ofKind('drift', dream([[7, note]], { beliefs: [late], now: day(366) }))
    expect(found?.signal).toBeLessThanOrEqual(1)
  })

  it('without any note about it there is nothing to tell', () => {
    expect(dream([[7, 'Ada sleeps through the night']], { beliefs: [turned] })).toEqual([])
  })

  const steady: [string, Parameters<typeof belief>[1]][] = [
    [
      'all evidence on one side',
      [
        [2, 'supporting', 0.5],
        [4, 'supporting', 0.4],
        [8, 'supporting', 0.6],
        [9, 'supporting', 0.6],
      ],
    ],
    [
      'one piece against three',
      [
        [2, 'supporting', 0.5],
        [4, 'supporting', 0.4],
        [8, 'supporting', 0.6],
        [9, 'refuting', 0.6],
      ],
    ],
    [
      'a faint turn',
      [
        [2, 'supporting', 0.5],
        [4, 'supporting', 0.4],
        [8, 'refuting', 0.1],
        [9, 'refuting', 0.1],
      ],
    ],
    [
      'a trail that swung back',
      [
        [2, 'supporting', 0.5],
        [4, 'supporting', 0.5],
        [6, 'refuting', 0.6],
        [7, 'refuting', 0.6],
        [9, 'supporting', 0.2],
      ],
    ],
    [
      'alternating evidence',
      [
        [2, 'supporting', 0.3],
        [4, 'refuting', 0.3],
        [6, 'supporting', 0.3],
        [8, 'refuting', 0.3],
      ],
    ],
  ]
  for (const [what, trail] of steady) {
    it(`${what} is no drift`, () => {
      expect(findTurn(belief(text, trail).trail)).toBeUndefined()
      expect(ofKind('drift', dream([[7, note]], { beliefs: [belief(text, trail)] }))).toEqual([])
    })
  }
})
