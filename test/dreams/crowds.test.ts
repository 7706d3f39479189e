import { expect, it } from 'vitest'
import { drawFrom } from '../../src/dreams/reading/chance.ts'
import { crowdIn } from '../../src/dreams/reading/crowds.ts'
import type { Moment } from '../../src/dreams/reading/pattern.ts'
import { finish } from '../../src/dreams/thinking.ts'

const draw = drawFrom(7)
/** A day of a year that begins on a Thursday, at an hour. */
const moment = (day: number, hour: number): Moment => ({
  ...{ day, hour, weekday: (day + 3) % 7 },
  at: (day * 24 + hour) * 3_600_000,
})
const others = Array.from({ length: 16 }, (_, at) => moment(1 + 4 * at, 8 + Math.floor(10 * draw())))
const chances = Array.from({ length: 400 }, () => 0.2 * draw())

/** Twelve notes and more, of which the first four are alike. */
const crowdOf = (moments: readonly Moment[], alike = 0.5) =>
  finish(
    crowdIn(
      [...moments, ...others],
      (a, b) => (a < 4 && b < 4 ? alike : (chances[Math.min(a, b) * 20 + Math.max(a, b)] ?? 0)),
      { seed: 'a night', maxChance: 0.01 },
    ),
  )

it('trouble that is alike on one weekday crowds there', () => {
  const found = crowdOf([moment(5, 10), moment(19, 14), moment(26, 9), moment(40, 16)])
  expect(found?.places).toEqual([0, 1, 2, 3])
  expect(found?.when).toEqual({ weekday: moment(5, 10).weekday })
  expect(found?.chance).toBeLessThanOrEqual(0.01)
})

it('trouble that is alike at one hour of different weekdays crowds there', () => {
  const found = crowdOf([moment(5, 20.1), moment(17, 20.4), moment(26, 20.3), moment(39, 20.2)])
  expect(found?.places).toEqual([0, 1, 2, 3])
  expect(found?.when).toMatchObject({ hour: expect.closeTo(20.25, 1) })
})

it.each([
  ['at all sorts of times', [moment(5, 8), moment(17, 12), moment(26, 15), moment(39, 20)], 0.5],
  ['on one day', [moment(5, 10), moment(5, 11), moment(5, 12), moment(5, 13)], 0.5],
  ['and no more alike than others', [moment(5, 10), moment(19, 14), moment(26, 9), moment(40, 16)], 0.1],
])('trouble %s does not', (_, moments, alike) => {
  expect(crowdOf(moments, alike)).toBeUndefined()
})
