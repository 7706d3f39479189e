/** The gut-check's arithmetic, its sentence, and that one more flag never calms it. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  assess,
  effectiveRelevanceOf,
  isDistinctive,
  type RelevantFlag,
  scales,
  shareOfWeight,
  verdictOf,
} from '../../src/core/gut-check.ts'
import type { Outcome } from '../../src/core/records.ts'
import { type AdjacentPrediction, trackRecordOf } from '../../src/core/track-record.ts'

const unit = fc.double({ min: 0, max: 1, noNaN: true })
const kinds = fc.constantFrom('reading' as const, 'likeness' as const, 'words' as const)
const silent = { for: [], against: [] }
const flags = fc.array(
  fc.record({
    id: fc.integer({ min: 1, max: 1000 }),
    text: fc.string(),
    caution: unit,
    relevance: unit,
    kind: kinds,
    nearness: unit,
    reasons: fc.constant(silent),
  }),
  { maxLength: 20 },
)

const flag = (caution: number, relevance: number, id = 1): RelevantFlag => ({
  id,
  text: 'Never drop tables on a Friday.',
  caution,
  relevance,
  kind: 'reading',
  nearness: relevance,
  reasons: silent,
})

const past = (id: number, outcome: Outcome, surprise: number): AdjacentPrediction => ({
  id,
  prediction: `prediction ${id}`,
  domain: 'infra',
  confidence: 0.6,
  resolution: { outcome, actual: 'so', surprise, resolvedAt: id },
})

describe('the bands', () => {
  it('begin at 0.34 and 0.12', () => {
    expect(verdictOf(0.34)).toBe('danger')
    expect(verdictOf(0.339999)).toBe('caution')
    expect(verdictOf(0.12)).toBe('caution')
    expect(verdictOf(0.119999)).toBe('clear')
    expect(verdictOf(0)).toBe('clear')
  })
})

describe('effective relevance', () => {
  it.each(Object.keys(scales).map((kind) => kind as keyof typeof scales))(
    'by %s is nothing at the floor, all at the ceiling, and linear between',
    (kind) => {
      const { floor, ceiling } = scales[kind]
      expect(effectiveRelevanceOf(floor, kind)).toBe(0)
      expect(effectiveRelevanceOf(floor / 2, kind)).toBe(0)
      expect(effectiveRelevanceOf((floor + ceiling) / 2, kind)).toBeCloseTo(0.5, 12)
      expect(effectiveRelevanceOf(ceiling, kind)).toBe(1)
      expect(effectiveRelevanceOf(1, kind)).toBe(1)
    },
  )

  it('lies in 0..1 and never falls while relevance rises', () => {
    fc.assert(
      fc.property(unit, unit, kinds, (a, b, kind) => {
        const [less, more] = a <= b ? [a, b] : [b, a]
        const [low, high] = [effectiveRelevanceOf(less, kind), effectiveRelevanceOf(more, kind)]
        expect(low).toBeLessThanOrEqual(high)
        expect(low).toBeGreaterThanOrEqual(0)
        expect(high).toBeLessThanOrEqual(1)
      }),
    )
  })
})

describe('the share of a topic that a flag covers', () => {
  const weights = new Map([
    ['drop', 1],
    ['user', 1],
    ['tabl', 2],
  ])

  it('is the weight of the words it holds over the weight of all', () => {
    expect(shareOfWeight(weights, ['tabl', 'drop'])).toBe(0.75)
    expect(shareOfWeight(weights, [])).toBe(0)
    expect(shareOfWeight(weights, weights.keys())).toBe(1)
  })

  it('of a topic without a telling word is nothing', () => {
    expect(shareOfWeight(new Map(), [])).toBe(0)
  })
})

describe('assessing', () => {
  it('never lowers the risk for one more flag, wherever it stands', () => {
    fc.assert(
      fc.property(flags, flags, (some, more) => {
        const before = assess(some, null).risk
        expect(assess([...some, ...more], null).risk).toBeGreaterThanOrEqual(before)
        expect(assess([...more, ...some], null).risk).toBeGreaterThanOrEqual(before)
      }),
    )
  })

  it('reports numbers from which the verdict can be recomputed', () => {
    fc.assert(
      fc.property(flags, (some) => {
        const { verdict, risk, basedOn } = assess(some, null)
        expect(verdict).toBe(risk >= 0.34 ? 'danger' : risk >= 0.12 ? 'caution' : 'clear')
        expect(basedOn === null).toBe(verdict === 'clear')
        if (basedOn) expect(basedOn.caution * basedOn.effectiveRelevance).toBe(risk)
      }),
    )
  })

  it('is based on the gravest of flags of the same risk, then on the first that was recorded', () => {
    // Half of what the graver one warns of is as much as all of the other.
    const graver = flag(1, 0.505, 9)
    for (const some of [
      [graver, flag(0.5, 1, 2)],
      [flag(0.5, 1, 2), graver],
    ])
      expect(assess(some, null)).toMatchObject({ risk: 0.5, basedOn: { id: 9 } })
    expect(assess([flag(0.5, 1, 7), flag(0.5, 1, 3)], null).basedOn?.id).toBe(3)
  })

  it('gives the same answer whatever the order of the flags', () => {
    const distinct = fc.uniqueArray(
      fc.record({
        id: fc.integer({ min: 1, max: 99 }),
        caution: unit,
        relevance: unit,
        kind: kinds,
        text: fc.string(),
        nearness: unit,
        reasons: fc.constant(silent),
      }),
      { selector: (one) => one.id, maxLength: 12 },
    )
    fc.assert(
      fc.property(distinct, (some) => {
        expect(assess([...some].reverse(), null)).toEqual(assess(some, null))
      }),
    )
  })

  it('names the deciding flag in one sentence', () => {
    const { why, basedOn } = assess([flag(0.5, 1, 4), flag(0.9, 1, 5)], null)
    expect(basedOn?.id).toBe(5)
    expect(why).toBe('Stop and read flag 5, "Never drop tables on a Friday" (caution 0.9, relevance 1).')
  })

  it('says what spoke for and against it, in that order', () => {
    const reasons = { for: ['it drops', 'it is Friday'], against: ['it asks first'] }
    expect(assess([{ ...flag(0.9, 1, 5), reasons }], null).why).toBe(
      'Stop and read flag 5, "Never drop tables on a Friday" (caution 0.9, relevance 1): because it drops and it is Friday, although it asks first.',
    )
  })

  it('says first what spoke against a flag that does not seem to apply', () => {
    const reasons = { for: ['both name prod'], against: ['it only looks'] }
    expect(assess([{ ...flag(0.9, 0.01, 5), reasons }], null).why).toContain(
      ': it hardly does because it only looks, although both name prod.',
    )
  })

  it('says that it may apply, or hardly does, where only the other side has reasons', () => {
    const reasons = { for: [], against: ['it only looks'] }
    expect(assess([{ ...flag(0.9, 0.3, 5), reasons }], null).why).toContain(
      ': it may apply, although it only looks.',
    )
    const other = { for: ['both name prod'], against: [] }
    expect(assess([{ ...flag(0.9, 0.01, 5), reasons: other }], null).why).toContain(
      ': it hardly does, although both name prod.',
    )
  })

  it('names the likeliest flag when it is clear, as what does not seem to apply', () => {
    const { why, nearest, basedOn } = assess([flag(0.9, 0.01, 5), flag(0.2, 0.02, 6)], null)
    expect(basedOn).toBeNull()
    expect(why).toContain('No flag seems to apply; the likeliest is flag 6, "Never drop tables on a Friday"')
    expect(nearest.map(({ id }) => id)).toEqual([6, 5])
  })

  it('lists the deciding flag and the nearest others, three at most, the likeliest to apply first', () => {
    const near = (id: number, relevance: number, nearness: number) => ({
      ...flag(0.9, relevance, id),
      nearness,
    })
    const mild = [near(2, 0.02, 0.5), near(3, 0.01, 0.7), near(4, 0.03, 0.9), near(5, 0.05, 0.1)]
    expect(assess(mild, null).nearest.map(({ id }) => id)).toEqual([4, 2, 3])
    const { nearest, basedOn } = assess([near(1, 0.9, 0.1), ...mild], null)
    expect(basedOn?.id).toBe(1)
    expect(nearest.map(({ id }) => id)).toEqual([1, 4, 3])
  })

  it('shortens a long flag at a word and keeps it on one line', () => {
    const text = `${'deploys on Friday\nafternoon '.repeat(20)}end`
    const { why } = assess([{ ...flag(1, 1), text }], null)
    expect(why).toContain('…"')
    expect(why).not.toContain('\n')
    expect([...why].length).toBeLessThan(180)
  })

  it('is clear with no flag and invents none', () => {
    expect(assess([], null)).toEqual({
      verdict: 'clear',
      risk: 0,
      why: 'No flag comes close to this topic.',
      basedOn: null,
      nearest: [],
      trackRecord: null,
    })
  })

  it('adds the track record to its sentence without letting it change the risk', () => {
    const record = trackRecordOf([
      past(1, 'correct', 0.1),
      past(2, 'incorrect', 0.9),
      past(3, 'partial', 0.2),
    ])
    const assessed = assess([], record)
    expect(assessed.risk).toBe(0)
    expect(assessed.trackRecord).toBe(record)
    expect(assessed.why).toBe(
      'No flag comes close to this topic; of 3 related predictions 1 turned out correct, 1 incorrect and 1 partial.',
    )
    expect(assess([], trackRecordOf([past(1, 'partial', 0.1)])).why).toContain(
      'the one related prediction turned out partial',
    )
  })
})

describe('the track record', () => {
  it('of no predictions is null', () => {
    expect(trackRecordOf([])).toBeNull()
  })

  it('counts, averages and lists at most three surprises, the greatest first', () => {
    const record = trackRecordOf([
      past(1, 'correct', 0.1),
      past(2, 'incorrect', 0.9),
      past(3, 'partial', 0.2),
      past(4, 'correct', 0.4),
    ])
    expect(record).toMatchObject({ adjacentPredictions: 4, correct: 2, incorrect: 1, partial: 1 })
    expect(record?.accuracy).toBe(0.625)
    expect(record?.meanConfidence).toBeCloseTo(0.6, 12)
    expect(record?.meanSurprise).toBeCloseTo(0.4, 12)
    expect(record?.mostSurprising.map((one) => one.id)).toEqual([2, 4, 3])
    const alike = trackRecordOf([1, 2, 3, 4].map((id) => past(id, 'correct', 0.4)))
    expect(alike?.mostSurprising.map((one) => one.id)).toEqual([4, 3, 2])
  })
})

describe('a distinctive word', () => {
  it('has three characters, counted as code points', () => {
    expect(isDistinctive('db', 1, 1)).toBe(false)
    expect(isDistinctive('sql', 1, 1)).toBe(true)
    expect(isDistinctive('🦊🦊', 1, 1)).toBe(false)
  })

  it('may be in every prediction while there are fewer than 8, then in a quarter of them', () => {
    expect(isDistinctive('deploy', 7, 7)).toBe(true)
    expect(isDistinctive('deploy', 2, 8)).toBe(true)
    expect(isDistinctive('deploy', 3, 8)).toBe(false)
    expect(isDistinctive('deploy', 25, 100)).toBe(true)
    expect(isDistinctive('deploy', 26, 100)).toBe(false)
  })
})
