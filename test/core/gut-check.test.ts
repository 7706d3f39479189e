/** The gut-check's arithmetic, its sentence, and that one more flag never calms it. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  assess,
  effectiveRelevanceOf,
  isDistinctive,
  type Past,
  type RelevantFlag,
  relevanceByMeaning,
  shareOfWeight,
  trackRecordOf,
  verdictOf,
} from '../../src/core/gut-check.ts'

const unit = fc.double({ min: 0, max: 1, noNaN: true })
const kinds = fc.constantFrom('meaning' as const, 'words' as const)
const flags = fc.array(
  fc.record({
    id: fc.integer({ min: 1, max: 1000 }),
    text: fc.string(),
    caution: unit,
    relevance: unit,
    kind: kinds,
  }),
  { maxLength: 20 },
)

const flag = (caution: number, relevance: number, id = 1): RelevantFlag => ({
  id,
  text: 'Never drop tables on a Friday.',
  caution,
  relevance,
  kind: 'meaning',
})

const past = (id: number, outcome: Past['resolution']['outcome'], surprise: number): Past => ({
  id,
  prediction: `prediction ${id}`,
  domain: 'infra',
  confidence: 0.6,
  basis: null,
  createdAt: id,
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
  it('is nothing at the floor of its kind, all at 1, and linear between', () => {
    expect(effectiveRelevanceOf(0.6, 'meaning')).toBe(0)
    expect(effectiveRelevanceOf(0.4, 'meaning')).toBe(0)
    expect(effectiveRelevanceOf(0.8, 'meaning')).toBeCloseTo(0.5, 12)
    expect(effectiveRelevanceOf(1, 'meaning')).toBe(1)
    expect(effectiveRelevanceOf(0.2, 'words')).toBe(0)
    expect(effectiveRelevanceOf(0.6, 'words')).toBeCloseTo(0.5, 12)
    expect(effectiveRelevanceOf(1, 'words')).toBe(1)
  })

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

describe('relevance by meaning', () => {
  it('is that of the whole topic unless its action alone is like the flag', () => {
    expect(relevanceByMeaning({ whole: 0.9, object: undefined, gentler: false })).toBe(0.9)
    expect(relevanceByMeaning({ whole: 0.9, object: 0.5, gentler: false })).toBe(0.9)
    expect(relevanceByMeaning({ whole: 0.9, object: 0.25, gentler: false })).toBeCloseTo(0.675, 12)
    expect(relevanceByMeaning({ whole: 0.9, object: 0, gentler: false })).toBe(0.45)
  })

  it('of a gentler action is never danger, whatever the caution', () => {
    fc.assert(
      fc.property(unit, unit, unit, (whole, object, caution) => {
        const relevance = relevanceByMeaning({ whole, object, gentler: true })
        expect(verdictOf(caution * effectiveRelevanceOf(relevance, 'meaning'))).not.toBe('danger')
      }),
    )
    expect(relevanceByMeaning({ whole: 1, object: 1, gentler: true })).toBe(0.7)
  })

  it('lies between 0 and that of the whole topic, and never falls while a part rises', () => {
    fc.assert(
      fc.property(unit, unit, unit, unit, fc.boolean(), (a, b, c, d, gentler) => {
        const [lessWhole, moreWhole] = a <= b ? [a, b] : [b, a]
        const [lessObject, moreObject] = c <= d ? [c, d] : [d, c]
        const low = relevanceByMeaning({ whole: lessWhole, object: lessObject, gentler })
        const high = relevanceByMeaning({ whole: moreWhole, object: moreObject, gentler })
        expect(low).toBeGreaterThanOrEqual(0)
        expect(low).toBeLessThanOrEqual(lessWhole)
        expect(low).toBeLessThanOrEqual(high)
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

  it('gives the same answer whatever the order of the flags', () => {
    const distinct = fc.uniqueArray(
      fc.record({
        id: fc.integer({ min: 1, max: 99 }),
        caution: unit,
        relevance: unit,
        kind: kinds,
        text: fc.string(),
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
    expect(why).toBe(
      'This is close to flag 5, "Never drop tables on a Friday" (caution 0.9, effective relevance 1).',
    )
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
