import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Brain, openBrains } from './brain.ts'

const brains = openBrains()
let brain: Brain

const at = (day: number): number => new Date(2026, 10, day, 10).getTime()

beforeAll(async () => {
  brain = await brains.brainOf(
    [
      { text: 'Moved the queue worker to its own machine.', at: at(3) },
      { text: 'Released 3.4 to production, no incident.', at: at(12) },
      { text: 'Amara is hired and starts on 1 December.', at: at(16) },
      { text: 'The dashboard for directors is ready.', at: at(19) },
      { text: 'Replaced the disk of the backup machine.', at: at(21) },
    ],
    at(23),
  )
})

afterAll(async () => {
  await brain.close()
  await brains.close()
})

describe('the notes since an event', () => {
  test.each([
    ['what happened since the release', [4, 3, 2, 1]],
    // What came after it on its own day is told as well.
    ['what changed after the release?', [4, 3, 2, 1]],
    ['what did we do before the release', [0]],
    // She has not begun; what is known of her hiring is a note of the 16th.
    ['what has changed since the hiring of Amara', [4, 3, 2]],
  ])('"%s"', async (question, expected) => {
    expect((await brain.places(question)).slice(0, expected.length)).toEqual(expected)
  })

  // It took minutes once, where it takes a part of a second: the limit is what is tested.
  test('an event that is told by others, and these by others, is looked for once', {
    timeout: 20_000,
  }, async () => {
    const question = `what did we do ${'the day before '.repeat(1_500)}the release`
    expect((await brain.ask(question)).ranked.length).toBeGreaterThan(0)
  })

  test('nothing that could be the event is no time', async () => {
    const { spans, onlyTime } = await brain.ask('what happened since the earthquake in Lisbon')
    expect({ spans, onlyTime }).toEqual({ spans: [], onlyTime: false })
  })
})
