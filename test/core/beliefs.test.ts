/** What may happen to a belief, and in which words it is refused. */
import { describe, expect, it } from 'vitest'
import { assertBelief, reviseBelief, weighEvidence } from '../../src/core/beliefs.ts'
import type { Belief, Found } from '../../src/core/records.ts'
import { confidenceAfter } from '../../src/core/sprt.ts'

const belief: Belief = {
  id: 7,
  text: 'the cache is warm',
  prior: 0.7,
  confidence: 0.7,
  logRatio: 0,
  evidenceCount: 0,
  status: 'accumulating',
  lastEvidenceAt: null,
  supersededBy: null,
  createdAt: 1,
}
const observed = { kind: 'supporting', strength: 0.5, note: null, createdAt: 5 } as const
const rates = { alpha: 0.05, beta: 0.1 }
const revision = { text: 'the cache is cold', confidence: null, createdAt: 9 }

describe('asserting', () => {
  it('takes 0.7 when no confidence is given and clamps what is given', () => {
    expect(assertBelief('x', null, 1).confidence).toBe(0.7)
    expect(assertBelief('x', 1.5, 1).confidence).toBe(0.95)
    expect(assertBelief('x', -3, 1).confidence).toBe(0.05)
    expect(assertBelief('x', 0.4, 1).confidence).toBe(0.4)
  })
})

describe('evidence', () => {
  it('leaves an event and the new numbers', () => {
    expect(weighEvidence(belief, 7, { observed, rates })).toEqual({
      event: { ...observed, logLikelihood: Math.log(3) },
      logRatio: Math.log(3),
      confidence: confidenceAfter(0.7, Math.log(3)),
      status: 'accumulating',
    })
  })

  it('reaches its verdict by the error rates it is given', () => {
    const lenient = weighEvidence(belief, 7, { observed, rates: { alpha: 0.4, beta: 0.4 } })
    expect(lenient.status).toBe('promoted')
  })

  it('is refused for a belief that is missing, foreign or superseded', () => {
    const attempt = (found: Found<Belief>) => () => weighEvidence(found, 7, { observed, rates })
    expect(attempt(undefined)).toThrow('belief 7 not found')
    expect(attempt('elsewhere')).toThrow('belief 7 belongs to another project')
    expect(attempt({ ...belief, supersededBy: 8 })).toThrow('belief 7 is superseded')
  })
})

describe('revising', () => {
  it('asserts the new text with 0.8 when no confidence is given, clamped like any other', () => {
    expect(reviseBelief(belief, 7, revision)).toEqual({
      text: 'the cache is cold',
      confidence: 0.8,
      createdAt: 9,
    })
    expect(reviseBelief(belief, 7, { ...revision, confidence: 2 }).confidence).toBe(0.95)
  })

  it('is refused for a belief that is missing, foreign or already revised', () => {
    const attempt = (found: Found<Belief>) => () => reviseBelief(found, 7, revision)
    expect(attempt(undefined)).toThrow('belief 7 not found')
    expect(attempt('elsewhere')).toThrow('belief 7 belongs to another project')
    expect(attempt({ ...belief, supersededBy: 8 })).toThrow('belief 7 was already revised')
  })
})
