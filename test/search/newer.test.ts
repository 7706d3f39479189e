import { expect, test } from 'vitest'
import { defaults } from '../../src/config/config.ts'
import { createEmbedderPool } from '../../src/models/pool.ts'
import { callOperation } from '../../src/operations/call.ts'
import { definitions } from '../../src/operations/index.ts'
import { heal } from '../../src/sleep/backfill.ts'
import { openInMemory } from '../store/temporary-store.ts'

/** Time and text, in no order of times. */
const notes = [
  ['2026-10-02', 'Staging postgres listens on port 5433.'],
  ['2026-11-20', 'Staging postgres was moved to port 5544 when the box was rebuilt.'],
  ['2026-11-10', 'Production postgres listens on port 5432 behind the bastion.'],
  ['2026-09-20', 'Refunds above 500 euro are signed by Helene.'],
  ['2026-11-12', 'Bertrand signs the refunds above 500 euro.'],
  ['2026-11-01', 'The coffee machine is descaled on Fridays.'],
  ['2026-10-04', 'The garden gate squeaks.'],
  ['2026-11-25T09:00:00Z', 'CI runs on Jenkins, the box is in the cellar.'],
  ['2026-11-25T09:20:00Z', 'Moved CI from Jenkins to GitHub Actions.'],
] as const

async function openDiary(edited?: { memory_id: number; text: string }) {
  const store = await openInMemory()
  const embedders = createEmbedderPool({ config: defaults, warn: () => {}, environment: {} })
  await store.memories.addMany(
    'p',
    notes.map(([day, text]) => ({ text, caution: 0, agent: 'a', createdAt: Date.parse(day) })),
  )
  await heal({ store, embedders })
  const now = () => Date.parse('2026-11-26T12:00:00Z')
  const context = {
    ...{ project: 'p', agent: 'a', store, embedders, config: defaults, now },
    circumstances: () => ({}),
  }
  if (edited !== undefined) {
    await callOperation(definitions.amend, context, edited)
    await heal({ store, embedders })
  }
  return async (query: string) => {
    const { results } = await callOperation(definitions.recall, context, { query })
    return results.map(({ text, ...rest }) => ({
      ...rest,
      place: notes.findIndex(([, its]) => its === text),
    }))
  }
}

test('a later note that tells of a change comes first, and the one before it is no longer sure', async () => {
  const recall = await openDiary()
  const [first, second] = await recall('which port does staging postgres use')
  expect(first).toMatchObject({ place: 1 })
  expect(second).toMatchObject({ place: 0, newer: [first?.id] })
  expect(second?.score).toBeLessThanOrEqual(0.4)
  expect(first?.score).toBeGreaterThan(0.5)
})

test('twenty minutes are enough', async () => {
  const recall = await openDiary()
  expect((await recall('which CI do we use')).slice(0, 2)).toMatchObject([{ place: 8 }, { place: 7 }])
})

test('one that only says otherwise is named beside the first, which stays where it was and is less sure', async () => {
  const recall = await openDiary()
  const [first, second] = await recall('by whom are refunds above 500 euro signed')
  expect([first?.place, second?.place]).toEqual([3, 4])
  expect(first?.score).toBeLessThanOrEqual(0.6)
  expect(first?.score).toBeGreaterThan(0.3)
  expect(first?.newer).toEqual([second?.id])
  expect(second).not.toHaveProperty('newer')
})

test('how it was before is answered by the older note, and notes on other matters are not named', async () => {
  const recall = await openDiary()
  const [before] = await recall('on which port did staging postgres listen')
  expect(before).toMatchObject({ place: 0 })
  // Whoever asks in a note's own words means that one.
  const [meant] = await recall('Refunds above 500 euro are signed by Helene.')
  expect(meant).toMatchObject({ place: 3, newer: [expect.any(Number)] })
  expect(meant?.score).toBeGreaterThan(0.9)
  const [descaled] = await recall('when is the coffee machine descaled')
  expect(descaled).toMatchObject({ place: 5 })
  expect(descaled).not.toHaveProperty('newer')
})

test('a note is as new as its present text', async () => {
  const recall = await openDiary({ memory_id: 1, text: 'Staging postgres listens on port 6006.' })
  const [first, second] = await recall('which port does staging postgres use')
  expect(first).toMatchObject({ id: 1, edited_at: '2026-11-26T12:00:00.000+00:00' })
  expect(first).not.toHaveProperty('newer')
  expect(second).toMatchObject({ place: 1, newer: [1] })
  expect(second).not.toHaveProperty('edited_at')
})

test('today and days to come are asked about as things stand, a day that is over as it was', async () => {
  const recall = await openDiary()
  for (const query of [
    'which port does staging postgres use today',
    'which port will staging postgres have tomorrow',
    'which port does staging postgres use at Christmas',
  ])
    expect((await recall(query)).slice(0, 2), query).toMatchObject([{ place: 1 }, { place: 0, newer: [2] }])
  const then = await recall('which port does staging postgres use on 2 October 2026')
  expect(then[0]).toMatchObject({ place: 0 })
  expect(then[0]).not.toHaveProperty('newer')
})

test('scores never rise down the list', async () => {
  const recall = await openDiary()
  for (const query of [
    'which port does staging postgres use',
    'port of the production postgres',
    'refunds',
  ]) {
    const scores = (await recall(query)).map(({ score }) => score)
    expect(scores).toEqual(scores.toSorted((a, b) => b - a))
  }
})
