import { expect, it } from 'vitest'
import { toCalendar } from '../../../src/cli/render/calendar.ts'

it('an entry holds no control character, of which some terminals know those above ASCII, too', () => {
  const told = toCalendar([
    {
      id: 1,
      prediction: 'a\u001b[31mb\u009b31mc\u0085d',
      domain: 'work',
      confidence: 0.8,
      created_at: '2026-05-20T12:00:00.000+00:00',
      due_at: '2026-06-20T12:00:00.000+00:00',
      outcome: null,
    },
  ])
  expect(told).toContain('SUMMARY:Prediction 1: a [31mb 31mc d\r\n')
})
