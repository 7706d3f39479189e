import { describe, expect, test } from 'vitest'
import type { Features } from '../../src/search/features.ts'
import type { Ordered } from '../../src/search/rerank.ts'
import { holdBack, score } from '../../src/search/score.ts'

const surroundings = {
  memories: 400,
  unrelatedBaseline: Array.from({ length: 32 }, (_, at) => 0.02 + 0.005 * (at % 8)),
  neutral: [0.02, 0.05],
  conversation: false,
}

const features: Features = {
  cosine: 0.45,
  maxSim: 0.5,
  coverage: 0.2,
  held: 0.5,
  rarest: 4,
  lacking: 2,
  codes: null,
  names: null,
  phrases: null,
  time: null,
  length: Math.log(30),
  changed: null,
  written: null,
}

const result = (blend: number, own: Partial<Features> = {}): Ordered => ({
  id: Math.round(1000 * blend),
  blend,
  features: { ...features, ...own },
})

/** Score of the first of these blends. */
const firstScore = (blends: readonly number[], own: Partial<Features> = {}): number =>
  score(
    blends.map((blend, at) => result(blend, at === 0 ? own : {})),
    surroundings,
  )[0]?.score ?? 0

describe('score', () => {
  const blends = [0.7, 0.6, 0.4, 0.4001, 0.3, 0.2].sort((a, b) => b - a)

  test('is lower where one rare word makes up what is shared', () => {
    expect(firstScore(blends, { rarest: 5 })).toBeLessThan(firstScore(blends, { rarest: 2 }))
  })

  test('is higher the longer the question of which the same share is met', () => {
    expect(firstScore(blends, { lacking: 5 })).toBeGreaterThan(firstScore(blends, { lacking: 1 }))
  })

  test('is higher for what stands above the next five, though the second is as near', () => {
    expect(firstScore([0.7, 0.6, 0.2, 0.19, 0.18, 0.17])).toBeGreaterThan(
      firstScore([0.7, 0.6, 0.59, 0.58, 0.57, 0.56]),
    )
  })

  test('of the only memory of a brain is that of one above all others', () => {
    expect(firstScore([0.4])).toBeGreaterThan(firstScore([0.4, 0.39, 0.38, 0.37, 0.36, 0.35]))
  })

  test('does not change where a text is kept twice', () => {
    const once = score(
      blends.map((blend) => result(blend)),
      surroundings,
    )
    const twice = score(
      [0.7, ...blends].map((blend) => result(blend)),
      surroundings,
    )
    expect(twice[0]?.score).toBe(once[0]?.score)
    expect(twice[1]?.score).toBe(once[0]?.score)
  })

  test('never rises down the list', () => {
    const scores = score(
      blends.map((blend) => result(blend)),
      surroundings,
    ).map((one) => one.score)
    expect(scores).toEqual([...scores].sort((a, b) => b - a))
  })

  test('is hardly changed by one memory of another matter', () => {
    const alike = Array.from({ length: 11 }, (_, at) => 0.4 + 0.002 * at)
    const ordered = blends.map((blend) => result(blend))
    const scoreAmong = (unrelatedBaseline: readonly number[]) =>
      score(ordered, { ...surroundings, memories: 12, unrelatedBaseline })[0]?.score ?? 0
    expect(scoreAmong([...alike, -0.05])).toBeGreaterThan(0.8 * scoreAmong(alike))
  })
})

test('what is of another time is held back where others are of the one asked about, and nowhere else', () => {
  const scored = (time: number | null, own: number) => ({ ...result(own, { time }), score: own })
  const told = (...results: ReturnType<typeof scored>[]) =>
    holdBack(results, new Map()).map(({ features, score, misfit }) => [features.time, score, misfit])
  expect(told(scored(0, 0.9), scored(0.9, 0.4))).toEqual([
    [0.9, 0.4, undefined],
    [0, 0.2, 'elsewhen'],
  ])
  expect(told(scored(0, 0.9), scored(0.5, 0.4))[0]).toEqual([0, 0.9, undefined])
  expect(told(scored(null, 0.9), scored(null, 0.4))[0]).toEqual([null, 0.9, undefined])
})
