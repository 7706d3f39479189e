import { expect, it } from 'vitest'
import type { Night } from '../../src/dreams/reading/material.ts'
import { happenedAt } from '../../src/dreams/reading/moments.ts'
import { areSameToldHour } from '../../src/dreams/reading/pattern.ts'

/** Noted on Friday 13 March 2026. */
const notedAt = (hour: number, text: string) =>
  happenedAt(
    {
      input: { timeZone: 'UTC' },
      concordance: { notes: [{ text, at: Date.UTC(2026, 2, 13, hour) }] },
    } as unknown as Night,
    0,
  )

it.each([
  [9, 'Gateway off the net: last packet 04:38', 5, 4.63],
  [23, 'At 22:40 all of us were thrown back', 5, 22.67],
  [23, 'Until at twenty to eleven both our connections broke off', 5, 22.67],
  [9, 'Lobby emptied last night at twenty to eleven.', 4, 22.67],
  [9, "Counted last night's cash once more, nineteen euros too little", 4, 9],
  [14, 'The press stood from half past nine.', 5, 9.5],
  [9, 'No data in the night between twenty to five and five this morning', 5, 4.67],
  [9, 'Trams at 7:10, 7:25 and 7:40 were late', 5, 9],
])('noted at %d: %s', (hour, text, weekday, told) => {
  const moment = notedAt(hour, text)
  expect(moment.weekday).toBe(weekday)
  expect(moment.hour).toBeCloseTo(told, 1)
})

it('only hours that both notes name are the same by what they say', () => {
  const [named, same, noted] = [
    notedAt(23, 'Gone at 22:40'),
    notedAt(9, 'Gone at 22:45 again'),
    notedAt(22, 'Gone again'),
  ]
  expect(areSameToldHour(named, same)).toBe(true)
  expect(areSameToldHour(named, noted)).toBe(false)
})
