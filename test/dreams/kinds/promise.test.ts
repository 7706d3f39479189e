import { expect, it } from 'vitest'
import { day, dream, ofKind } from '../night-input.ts'

it.each([
  [11, '1 day ago'],
  [13, '3 days ago'],
])('a promise says how long ago it was due, in good English: %d', (today, ago) => {
  const found = ofKind(
    'promise',
    dream([[2, 'I promised to send Ana the invoice report by 10 March']], { now: day(today) }),
  )
  expect(found[0]?.reasons[0]).toMatch(new RegExp(`, ${ago}$`))
})
