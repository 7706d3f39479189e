/** What every store promises about the tally of calls: counted at once, a project at a time, kept for later. */
import { describe, expect, it } from 'vitest'
import { adapters } from './contract.ts'

const minute = 60_000

describe.each(adapters)('activity in %s', (_, open) => {
  it('is seen at once, minute by minute, of one project only', async () => {
    const { activity } = await open()
    activity.count('mine', 10 * minute + 1)
    activity.count('mine', 10 * minute + 59_999)
    activity.count('mine', 12 * minute)
    activity.count('theirs', 11 * minute)
    expect(await activity.window('mine', 0)).toEqual({
      minutes: [
        { minute: 10 * minute, calls: 2 },
        { minute: 12 * minute, calls: 1 },
      ],
      lastActive: 12 * minute,
    })
  })

  it('before the window is left out, but the last call is told', async () => {
    const { activity } = await open()
    activity.count('mine', 10 * minute)
    expect(await activity.window('mine', 11 * minute)).toEqual({ minutes: [], lastActive: 10 * minute })
  })

  it('of a project that never called is none', async () => {
    const { activity } = await open()
    expect(await activity.window('mine', 0)).toEqual({ minutes: [], lastActive: null })
  })

  it('counted by a clock that ran ahead are none', async () => {
    const { activity } = await open()
    activity.count('mine', 10 * minute)
    activity.count('mine', 900 * minute)
    expect(await activity.window('mine', 0, 20 * minute)).toEqual({
      minutes: [{ minute: 10 * minute, calls: 1 }],
      lastActive: 10 * minute,
    })
  })
})
