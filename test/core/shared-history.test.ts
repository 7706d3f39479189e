/** What several people did with one record comes to one end, whatever the order in which it arrives. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Forecast, Reopening, Resolution } from '../../src/core/records.ts'
import { endOfPrediction, orderWordings } from '../../src/core/shared-history.ts'

const moments = fc.integer({ min: 0, max: 50 })
const wordings = fc.array(
  fc.record({
    text: fc.constantFrom('a', 'b', 'c'),
    caution: fc.constantFrom(0, 0.5),
    agent: fc.constantFrom('one', 'two'),
    createdAt: moments,
  }),
  { maxLength: 20 },
)
const resolutions = fc.array(
  fc.record({
    outcome: fc.constantFrom('correct' as const, 'incorrect' as const),
    actual: fc.constantFrom('x', 'y'),
    surprise: fc.constant(0.5),
    resolvedAt: moments,
  }),
  { maxLength: 6 },
)
const forecasts = fc.array(
  fc.record({ confidence: fc.constantFrom(0, 0.3, 1), note: fc.constantFrom(null, 'n'), createdAt: moments }),
  { maxLength: 6 },
)

const shuffled = <T>(items: readonly T[], seed: number): T[] =>
  items
    .map((item, at) => ({ item, key: Math.sin(seed + at * 97) }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item)

describe('the texts of a memory', () => {
  test('stand in one order, each once, the newest last', () => {
    fc.assert(
      fc.property(wordings, fc.integer(), (all, seed) => {
        const order = orderWordings(all)
        expect(orderWordings(shuffled([...all, ...all], seed))).toEqual(order)
        expect(order.at(-1)?.createdAt ?? 0).toBe(Math.max(0, ...all.map(({ createdAt }) => createdAt)))
      }),
    )
  })
})

describe('the end of a prediction', () => {
  const end = (said: Resolution[], undone: Reopening[], stated: Forecast[]) =>
    endOfPrediction({ resolutions: said, reopenings: undone, forecasts: stated })

  test('is the same in every order, and stays as it is when it is come to again', () => {
    fc.assert(
      fc.property(resolutions, forecasts, moments, fc.integer(), (said, stated, at, seed) => {
        const undone = said.slice(0, 2).map((one): Reopening => ({ ...one, note: null, createdAt: at + 50 }))
        const first = end(said, undone, stated)
        expect(end(shuffled(said, seed), shuffled(undone, seed), shuffled(stated, seed))).toEqual(first)
        const again = [...said, ...(first.resolution === null ? [] : [first.resolution])]
        expect(end(again, [...first.reopenings], [...first.forecasts])).toEqual(first)
      }),
    )
  })

  test('is the earliest resolution that nobody undid; later ones are kept as undone', () => {
    const early: Resolution = { outcome: 'correct', actual: 'x', surprise: 0.1, resolvedAt: 5 }
    const late: Resolution = { outcome: 'incorrect', actual: 'y', surprise: 0.9, resolvedAt: 7 }
    expect(end([late, early], [], [])).toMatchObject({
      resolution: early,
      reopenings: [{ ...late, note: null, createdAt: 7 }],
    })
    const undone: Reopening = { ...early, note: 'wrong', createdAt: 6 }
    expect(end([late, early], [undone], [])).toMatchObject({ resolution: late, reopenings: [undone] })
  })
})
