/** A flag of which somebody said that it does not apply to such plans. */
import { expect, it } from 'vitest'
import { createExemption } from '../../src/core/judgement/exemption.ts'
import { openSmallBrain } from './small-brain.ts'

const topic = 'drop the users table in the scratch schema'

it('is held less against the very same plan, and says why', async () => {
  const brain = await openSmallBrain({ semantic: true })
  const flag = await brain.call('flag', { text: 'Never drop the users table' })
  const before = await brain.call('assess', { topic })
  await brain.store.exemptions.add('mine', { flagId: flag.id, topic, now: 1 })
  const after = await brain.call('assess', { topic })
  expect(after.nearest[0]?.relevance).toBeLessThan((before.nearest[0]?.relevance ?? 0) / 2)
  expect(after.why).toContain('it was said of a plan like it that this flag does not apply')
})

it('is held against other plans as before', async () => {
  const brain = await openSmallBrain({ semantic: true })
  const flag = await brain.call('flag', { text: 'Never drop the users table' })
  const other = 'water the plants on friday'
  const before = await brain.call('assess', { topic: other })
  await brain.store.exemptions.add('mine', { flagId: flag.id, topic, now: 1 })
  expect(await brain.call('assess', { topic: other })).toEqual(before)
})

it('is held against a graver plan, however alike the two are', async () => {
  const brain = await openSmallBrain({ semantic: true })
  const flag = await brain.call('flag', { text: "Do not force-push to main: it erased colleagues' commits" })
  const graver = 'git push --force origin main'
  const before = await brain.call('assess', { topic: graver })
  await brain.store.exemptions.add('mine', { flagId: flag.id, topic: 'git push origin main', now: 1 })
  const after = await brain.call('assess', { topic: graver })
  expect(after.nearest[0]?.relevance).toBeCloseTo(before.nearest[0]?.relevance ?? 0, 2)
})

it.each([
  [
    'Do not add an index to orders without CONCURRENTLY: it locked the table for nine minutes',
    'CREATE INDEX CONCURRENTLY orders_channel_idx ON orders(channel)',
    'CREATE INDEX orders_channel_idx ON orders(channel)',
  ],
  [
    'Never restart all consumer pods at once',
    'restart the consumer pods one at a time',
    'restart all consumer pods at the same time',
  ],
  [
    'Never run a migration against production without a snapshot first; take one with ./scripts/snapshot.sh prod',
    './scripts/snapshot.sh prod && migrate -database $PROD_URL up',
    'migrate -database $PROD_URL up',
  ],
])('lets no plan pass that its own words tell from the dismissed one: %s', async (text, dismissed, plan) => {
  const brain = await openSmallBrain({ semantic: true })
  const flag = await brain.call('flag', { text })
  const before = await brain.call('assess', { topic: plan })
  await brain.store.exemptions.add('mine', { flagId: flag.id, topic: dismissed, now: 1 })
  expect(await brain.call('assess', { topic: plan })).toEqual(before)
})

it('lets a plan pass that has words beyond the dismissed one which its flag recommends as well', () => {
  const passes = createExemption(
    'Never restart all consumer pods at once; restart them one at a time instead',
  )
  expect(passes('restart the pods one at a time', 'roll the pods one at a time')).toBe(true)
  expect(passes('restart the consumer pods one at a time', 'restart the pods one at a time')).toBe(false)
})

it('takes no exemption from a memory without caution, from another project, or from nothing', async () => {
  const brain = await openSmallBrain({ semantic: true })
  const { id } = await brain.call('remember', { text: 'The users table has ten columns' })
  const flag = await brain.call('flag', { text: 'Never drop the users table' })
  const add = (project: string, flagId: number) =>
    brain.store.exemptions.add(project, { flagId, topic, now: 1 })
  expect([await add('mine', id), await add('other', flag.id), await add('mine', 999)]).toEqual([
    false,
    false,
    false,
  ])
  expect(await add('mine', flag.id)).toBe(true)
})

it('goes when the flag is forgotten', async () => {
  const brain = await openSmallBrain({ semantic: true })
  const flag = await brain.call('flag', { text: 'Never drop the users table' })
  await brain.store.exemptions.add('mine', { flagId: flag.id, topic, now: 1 })
  expect(await brain.store.exemptions.list('mine', [flag.id])).toEqual([{ flagId: flag.id, topic }])
  await brain.call('forget', { memory_id: flag.id })
  expect(await brain.store.exemptions.list('mine', [flag.id])).toEqual([])
})
