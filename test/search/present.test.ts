/** Questions about how things stand now: a value and the one that took its place. */
import { afterAll, describe, expect, test } from 'vitest'
import { asksPresent, tellsChange } from '../../src/search/present.ts'
import { openBrains } from './brain.ts'

const brains = openBrains()
afterAll(() => brains.close())

const on = (day: number): number => Date.UTC(2026, 9, day, 9)
const others = [
  'Brand colour for the donation screen is #C2410C, headings in Fraunces.',
  'The kiosk in the harbour wants a longer cable.',
  'Lena is away from the second to the ninth.',
  'Refunds are processed in Stripe, never by hand in the database.',
].map((text, at) => ({ text, at: on(2 + at) }))

describe('how things stand now', () => {
  test('is told by the later of two notes on one matter, and by the one that tells of a change', async () => {
    const brain = await brains.brainOf(
      [
        { text: 'Disk on lumen-a is 71 percent full.', at: on(3) },
        { text: 'Disk on lumen-a is 84 percent full.', at: on(20) },
        { text: 'A seat reservation is held for 8 minutes.', at: on(4) },
        {
          text: 'Seat reservation timeout raised to 12 minutes after complaints from school groups.',
          at: on(4),
        },
        ...others,
      ],
      on(25),
    )
    expect((await brain.places('how full is the disk on lumen-a now'))[0]).toBe(1)
    expect((await brain.places('how long does a seat reservation last at present'))[0]).toBe(3)
    await brain.close()
  })

  test.each([
    ['what is the rate limit now', true],
    ['the latest price of a family ticket', true],
    ['which port does the API listen on', false],
    ['what did we know about the outage', false],
    ['when was the last checkout timeout', true],
    ['when did the boiler last fail', true],
    ['when did we meet last week', false],
    ['how long does the last stage take', false],
  ])('is asked for or not: %s', (question, isAsked) => {
    expect(asksPresent(question)).toBe(isAsked)
  })

  test.each([
    ['The standup moved to 9:45.', true],
    ['From March the fee is 140.', true],
    ['Not on Tuesday but on Thursday.', true],
    ['The standup is at 9:15.', false],
    ['Known issues are in the wiki.', false],
  ])('is changed by a note or not: %s', (note, isTold) => {
    expect(tellsChange(note)).toBe(isTold)
  })
})
