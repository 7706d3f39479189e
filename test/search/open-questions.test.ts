import { expect, test } from 'vitest'
import { defaults } from '../../src/config/config.ts'
import { createEmbedderPool } from '../../src/models/pool.ts'
import { callOperation } from '../../src/operations/call.ts'
import { definitions } from '../../src/operations/index.ts'
import { heal } from '../../src/sleep/backfill.ts'
import { openInMemory } from '../store/temporary-store.ts'

test('a note that asks comes behind the one that answers, which is as likely as if it were alone', async () => {
  const recallOf = async (...notes: string[]) => {
    const store = await openInMemory()
    const embedders = createEmbedderPool({ config: defaults, warn: () => {}, environment: {} })
    await store.memories.addMany(
      'p',
      notes.map((text, at) => ({
        text,
        caution: 0,
        agent: 'a',
        createdAt: 1_700_000_000_000 + at * 86_400_000,
      })),
    )
    await heal({ store, embedders })
    const context = {
      ...{ project: 'p', agent: 'a', store, embedders, config: defaults, now: () => 1_710_000_000_000 },
      circumstances: () => ({}),
    }
    const query = 'why did kiosk 14 sign in as guest?'
    const { results } = await callOperation(definitions.recall, context, { query })
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
