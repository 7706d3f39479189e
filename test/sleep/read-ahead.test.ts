import { expect, test, vi } from 'vitest'
import { defaults } from '../../src/config/config.ts'
import { createEmbedderPool } from '../../src/models/pool.ts'
import { heal } from '../../src/sleep/backfill.ts'
import { readAhead } from '../../src/sleep/read-ahead.ts'
import { openInMemory } from '../store/temporary-store.ts'

const flags = [
  'Never push to main on a Friday.',
  'Do not restart the queue by hand.',
  'No raw SQL on the replica.',
]

async function openBrain() {
  const store = await openInMemory()
  const embedders = createEmbedderPool({ config: defaults, warn: () => {}, environment: {} })
  await store.memories.addMany('p', [
    ...flags.map((text) => ({ text, caution: 0.9, agent: 'a', createdAt: 1 })),
    { text: 'The replica has 400 GB.', caution: 0, agent: 'a', createdAt: 1 },
  ])
  const reader = await embedders.reader()
  if (reader === undefined) throw new Error('the pair model is missing')
  const judged = vi.spyOn(reader, 'judge')
  return { brain: { store, embedders, now: Date.now }, judged }
}

test('all flags are read before anybody asks, and notes are not', async () => {
  const { brain, judged } = await openBrain()
  await heal(brain)
  await readAhead(brain, new AbortController().signal)
  expect(new Set(judged.mock.calls.map(([flag]) => flag))).toEqual(new Set(flags))
})

test('nothing is read where there are no vectors of the built-in model, nor once it is to stop', async () => {
  const { brain, judged } = await openBrain()
  await readAhead(brain, new AbortController().signal)
  expect(judged).not.toHaveBeenCalled()
  await heal(brain)
  await readAhead(brain, AbortSignal.abort())
  expect(judged.mock.calls.filter(([, plans]) => plans.length === 0)).toEqual([])
})
