/** Times of any brain as dates, and days of the calendar. */
import { expect, it } from 'vitest'
import { isCalendarDay, toInstant } from '../../src/core/instant.ts'

it('a time that no date can be is the nearest that one can', () => {
  expect(toInstant(1e300).toISOString()).toBe('+275760-09-13T00:00:00.000Z')
  expect(toInstant(-1e300).toISOString()).toBe('-271821-04-20T00:00:00.000Z')
  expect(toInstant(0).getTime()).toBe(0)
})

it('a day is one of the calendar', () => {
  expect(['2026-01-31', '2024-02-29T10:00Z'].map(isCalendarDay)).toEqual([true, true])
  expect(['2026-02-29', '2026-04-31', '2026-13-01'].map(isCalendarDay)).toEqual([false, false, false])
})
