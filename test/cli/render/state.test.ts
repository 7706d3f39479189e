import { expect, it } from 'vitest'
import { render } from '../../../src/cli/render/state.ts'
import { createStyle } from '../../../src/cli/render/style.ts'

it('the spread of a pace is told in calls a minute', () => {
  const told = render(
    {
      state: 'overloaded',
      load: 16,
      variance: 6,
      reserve: 0.2,
      active_minutes: 12,
      window_minutes: 60,
      last_active: null,
      advice: 'Pause.',
      drivers: [],
    },
    createStyle(false),
  )
  expect(told).toContain('16.00 calls a minute, give or take 6.00, in 12 of the last 60 minutes')
})
