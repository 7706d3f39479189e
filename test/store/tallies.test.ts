/** Counts of calls in memory until they are written: none is lost or counted twice on the way. */
import { expect, it } from 'vitest'
import { createActivityKeeper, type Tallies, tally } from '../../src/store/tallies.ts'

const minute = 60_000

it('a count is told while it is being written, after that failed, and once it was written', async () => {
  const written: Tallies = new Map()
  let settle: (failure?: Error) => void = () => {}
  const book = {
    write: async (batch: Tallies) => {
      await new Promise<void>((resolve, reject) => {
        settle = (failure) => (failure === undefined ? resolve() : reject(failure))
      })
      for (const [project, minutes] of batch)
        for (const [start, one] of minutes) tally(written, { project, minute: start, ...one })
      return new Map()
    },
    read: async (project: string) => {
      const minutes = [...(written.get(project) ?? [])].map(([start, { calls }]) => ({
        minute: start,
        calls,
      }))
      return { minutes, lastActive: null }
    },
  }
  const activity = createActivityKeeper(book, 'service')
  const callsOf = async () => (await activity.window('mine', 0)).minutes.map(({ calls }) => calls)
  activity.count('mine', minute)
  const failing = activity.flush()
  expect(await callsOf()).toEqual([1])
  activity.count('mine', minute)
  expect(await callsOf()).toEqual([2])
  settle(new Error('busy'))
  await expect(failing).rejects.toThrow('busy')
  expect(await callsOf()).toEqual([2])
  const writing = activity.flush()
  settle()
  await writing
  expect(await callsOf()).toEqual([2])
  expect(written.get('mine')?.get(minute)).toEqual({ calls: 2, lastAt: minute })
})
