/** What may be said of a belief beyond the status of its test. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { relationsIn, repeats } from '../../src/core/sources.ts'
import { boundariesOf, confidenceAfter, logLikelihoodOf, statusOf } from '../../src/core/sprt.ts'
import { judge } from '../../src/core/verdict.ts'

const boundaries = boundariesOf({ alpha: 0.05, beta: 0.1 })
const grounds = (logRatio: number, prior: number, supporting: number, refuting = 0) => ({
  logRatio,
  confidence: confidenceAfter(prior, logRatio),
  supporting,
  refuting,
})

describe('a verdict', () => {
  it('is that of the test or none, needs two sources on its side, and never stands on the other side of one half', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -10, max: 10, noNaN: true }),
        fc.double({ min: 0.05, max: 0.95, noNaN: true }),
        fc.nat(5),
        fc.nat(5),
        (logRatio, prior, supporting, refuting) => {
          const found = grounds(logRatio, prior, supporting, refuting)
          const { verdict, caveats } = judge(found, boundaries)
          const status = statusOf(logRatio, boundaries)
          expect(['accumulating', status]).toContain(verdict)
          if (verdict === 'promoted') expect(supporting >= 2 && found.confidence > 0.5).toBe(true)
          if (verdict === 'demoted') expect(refuting >= 2 && found.confidence < 0.5).toBe(true)
          if (verdict !== status) expect(caveats.length).toBeGreaterThan(0)
          if (status === 'accumulating') expect(caveats).toEqual([])
        },
      ),
    )
  })

  it('is not reached by one observation, however strong', () => {
    const one = logLikelihoodOf('supporting', 0.9)
    expect(statusOf(one, boundaries)).toBe('promoted')
    expect(judge(grounds(one, 0.7, 1), boundaries)).toEqual({
      verdict: 'accumulating',
      caveats: [
        'One source decides nothing: a verdict needs observations from two',
        'Only supporting evidence so far: would a failure have been noted?',
      ],
    })
    expect(judge(grounds(-one, 0.7, 0, 1), boundaries).verdict).toBe('accumulating')
  })

  it('is not "promoted" at a confidence of one half, where the belief began far on the other side', () => {
    const two = 2 * logLikelihoodOf('supporting', 0.62)
    expect(confidenceAfter(0.05, two)).toBeCloseTo(0.49, 2)
    const { verdict, caveats } = judge(grounds(two, 0.05, 2), boundaries)
    expect([verdict, caveats[0]]).toEqual([
      'accumulating',
      'The evidence passed the boundary, but confidence is 0.49: the belief began on the other side',
    ])
    expect(judge(grounds(two, 0.5, 2), boundaries).verdict).toBe('promoted')
    // Evidence that takes a belief from 0.05 to one half, or from 0.95.
    expect(judge(grounds(Math.log(19), 0.05, 2), boundaries).verdict).toBe('accumulating')
    expect(judge(grounds(-Math.log(19), 0.95, 0, 2), boundaries).verdict).toBe('accumulating')
  })

  it('asks whether a failure would have been noted as long as nothing refutes', () => {
    expect(judge(grounds(4, 0.7, 3), boundaries)).toEqual({
      verdict: 'promoted',
      caveats: ['Only supporting evidence so far: would a failure have been noted?'],
    })
    expect(judge(grounds(4, 0.7, 3, 1), boundaries)).toEqual({ verdict: 'promoted', caveats: [] })
    expect(judge(grounds(-4, 0.3, 0, 3), boundaries)).toEqual({ verdict: 'demoted', caveats: [] })
    // A ratio that an import brought without its trail.
    expect(judge(grounds(-4, 0.3, 0), boundaries).caveats).toHaveLength(1)
  })
})

const event = (id: number, createdAt: number, logLikelihood: number, source?: string) => ({
  id,
  kind: 'supporting' as const,
  strength: 0.5,
  logLikelihood,
  note: null,
  createdAt,
  ...(source !== undefined && { source }),
})
const hour = 3_600_000

describe('observations of one source', () => {
  it('repeat the one that weighed for a day, counted from that one', () => {
    expect(repeats(undefined, 0)).toBe(false)
    expect(repeats({ id: 1, createdAt: 0 }, 24 * hour - 1)).toBe(true)
    expect(repeats({ id: 1, createdAt: 0 }, 24 * hour)).toBe(false)
    // An import may bring a trail whose times do not follow its order.
    expect(repeats({ id: 1, createdAt: 10 * hour }, 0)).toBe(true)
    expect(repeats({ id: 1, createdAt: 24 * hour }, 0)).toBe(false)
  })

  it('are told apart in a trail: repeated, said to be independent, or of another day', () => {
    const trail = [
      event(1, 0, 1, 'a'),
      event(2, hour, 0, 'a'),
      event(3, hour, 1, 'b'),
      event(4, 2 * hour, 1, 'a'),
      event(5, 3 * hour, 0, 'a'),
      event(6, 30 * hour, 1, 'a'),
      event(7, 31 * hour, 1),
    ]
    expect([...relationsIn(trail)]).toEqual([
      [2, { repeats: 1 }],
      [4, { independent: true }],
      [5, { repeats: 4 }],
    ])
  })

  it('repeat the one nearest in time, whatever was recorded between them by another clock', () => {
    const trail = [
      event(1, 0, 1, 'a'),
      event(2, 25 * hour, 1, 'a'),
      event(3, hour, 0, 'a'),
      event(4, hour, 1, 'a'),
      event(5, -100 * hour, 1, 'a'),
    ]
    expect([...relationsIn(trail)]).toEqual([
      [3, { repeats: 1 }],
      [4, { independent: true }],
    ])
  })
})
