import { describe, expect, it } from 'vitest'
import { weightOf, weightsOf } from '../../src/core/dream-feedback.ts'
import type { DreamKind } from '../../src/core/records.ts'
import { isRetelling, rank } from '../../src/dreams/ranking.ts'
import type { Thought } from '../../src/dreams/thought.ts'

const thought = (kind: DreamKind, signal: number, ...sourceMemoryIds: number[]): Thought => ({
  kind,
  signal,
  sourceMemoryIds,
  thought: '',
  reasons: [],
})
const told = (kind: DreamKind, ...sourceMemoryIds: number[]) => ({ kind, sourceMemoryIds })

describe('what is told again', () => {
  it('a theme that grew by one note is no news, one that doubled is', () => {
    expect(isRetelling(told('recurrence', 1, 2, 3, 4), told('recurrence', 1, 2, 3))).toBe(true)
    expect(isRetelling(told('recurrence', 1, 2, 3, 4, 5, 6), told('recurrence', 1, 2, 3))).toBe(false)
  })

  it('one older note that is turned round twice is told once', () => {
    expect(isRetelling(told('reversal', 6, 105), told('reversal', 6, 88))).toBe(true)
  })

  it('two kinds that say much the same of two notes are told once', () => {
    expect(isRetelling(told('rule', 4, 9), told('preference', 4, 9))).toBe(true)
    expect(isRetelling(told('trend', 4, 9, 12, 15), told('question', 4, 20, 21))).toBe(false)
  })

  it('is left out of a night', () => {
    const found = [thought('question', 0.9, 1, 2, 3), thought('trend', 0.9, 4, 5, 6, 7)]
    expect(rank(found, { limit: 5, told: [told('question', 1, 2)] }).map(({ kind }) => kind)).toEqual([
      'trend',
    ])
  })
})

describe('what is news of something told', () => {
  const ids = (found: Thought[], ...earlier: ReturnType<typeof told>[]) =>
    rank(found, { limit: 5, told: earlier }).map(({ sourceMemoryIds }) => sourceMemoryIds)

  it('a second plan that meets an absence, and not the first one again', () => {
    expect(ids([thought('collision', 0.9, 23, 26, 33)], told('collision', 23, 26))).toEqual([[23, 26, 33]])
    expect(ids([thought('collision', 0.9, 23, 26)], told('collision', 23, 26, 33))).toEqual([])
  })

  it('another note that surely goes against the same one, once', () => {
    expect(ids([thought('rule', 0.8, 22, 106)], told('rule', 22, 35))).toEqual([[22, 106]])
    expect(ids([thought('rule', 0.6, 22, 106)], told('rule', 22, 35))).toEqual([])
    expect(ids([thought('rule', 0.8, 22, 106)], told('rule', 22, 35), told('tension', 22, 70))).toEqual([])
    expect(ids([thought('promise', 0.8, 22, 106)], told('promise', 22, 35))).toEqual([])
  })

  it('two values of a trend are not at odds', () => {
    const trend = thought('trend', 0.9, 1, 5, 9, 12)
    expect(ids([thought('tension', 0.9, 5, 12), trend])).toEqual([[1, 5, 9, 12]])
    expect(ids([thought('tension', 0.9, 5, 13), trend]).length).toBe(2)
  })
})

describe('what readers make of kinds', () => {
  it('moves their weight, a little at a time and within bounds', () => {
    expect(weightOf({ kept: 0, dismissed: 0 })).toBe(1)
    expect(weightOf({ kept: 1, dismissed: 0 })).toBeGreaterThan(1)
    expect(weightOf({ kept: 0, dismissed: 1 })).toBeGreaterThan(0.8)
    expect(weightOf({ kept: 0, dismissed: 1_000 })).toBe(0.25)
    expect(weightOf({ kept: 1_000, dismissed: 0 })).toBe(1.4)
  })

  it('silences a kind that is dismissed again and again, and no other', () => {
    const found = [thought('question', 0.8, 1, 2, 3), thought('trend', 0.8, 4, 5, 6, 7)]
    const worthOf = weightsOf([{ kind: 'question', kept: 0, dismissed: 14 }])
    expect(rank(found, { limit: 5, worthOf }).map(({ kind }) => kind)).toEqual(['trend'])
  })
})
