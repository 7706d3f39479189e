import { afterAll, expect, test } from 'vitest'
import { openBrains } from './brain.ts'

const brains = openBrains()
afterAll(() => brains.close())

const day = 86_400_000

test('a note that asks comes behind the one that answers, which is as likely as if it were alone', async () => {
  const recallOf = async (...notes: string[]) => {
    const start = 1_700_000_000_000
    const written = notes.map((text, at) => ({ text, at: start + at * day }))
    const brain = await brains.brainOf(written, start + 100 * day)
    const { ranked } = await brain.ask('why did kiosk 14 sign in as guest?')
    const results = ranked.map(({ id, score }) => ({ text: notes[brain.placeOf(id)], score }))
    await brain.close()
    return results
  }
  const others = [
    'The garden gate squeaks.',
    'Refunds above 500 euro are signed by Helene.',
    'Staging postgres listens on port 5433.',
    'CI runs on Jenkins, the box is in the cellar.',
  ]
  const answer = "Kiosk 14 explained: the till of the café uses its spare session as 'guest' for vouchers."
  const open =
    'Odd thing: kiosk 14 signs in as guest about twice an hour. Nobody on the call had an idea why.'
  const [first, ...rest] = await recallOf(open, ...others, answer)
  expect(first?.text).toBe(answer)
  const behind = rest.find(({ text }) => text === open)
  expect(behind?.score ?? 0).toBeLessThanOrEqual(0.2)
  const [alone] = await recallOf(...others, answer)
  expect(first?.score).toBeGreaterThan((alone?.score ?? 1) - 0.15)
})
