/** What every store promises about records that are forgotten: they go with all that belongs to them, or not at all. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { BrainError } from '../../src/core/errors.ts'
import type { RecordKind } from '../../src/core/records.ts'
import { openSqliteStore } from '../../src/store/sqlite/store.ts'
import type { Store } from '../../src/store/store.ts'
import { options, temporaryDirectory } from './brain-file.ts'
import { own } from './by-project.ts'
import { adapters } from './contract.ts'

const accept = (): void => {}

/** One of each kind, all with one word, and the ids they have. */
async function fill({ memories, beliefs, predictions, dreams, observations }: Store, word: string) {
  const memory = await memories.add('mine', { text: `${word} note`, caution: 0, agent: 'a', createdAt: 1 })
  const belief = await beliefs.add('mine', { text: `${word} claim`, confidence: 0.5, createdAt: 1 })
  await beliefs.amend('mine', { id: belief.id }, () => ({
    event: { kind: 'supporting', strength: 0.5, logLikelihood: 1, note: `${word} seen`, createdAt: 2 },
    logRatio: 1,
    confidence: 0.7,
    status: 'accumulating',
  }))
  const prediction = await predictions.add('mine', {
    prediction: `${word} comes`,
    domain: word,
    confidence: 0.5,
    basis: word,
    createdAt: 1,
  })
  const [dream] = await dreams.addMany('mine', [
    { kind: 'echo', thought: `${word} thought`, sourceMemoryIds: [memory.id], novelty: 1, createdAt: 1 },
  ])
  const observation = await observations.add('mine', {
    observerAgent: word,
    subjectAgent: word,
    observation: `${word} seen`,
    kind: null,
    createdAt: 1,
  })
  return { memory, belief, prediction, dream, observation }
}

const kinds: readonly RecordKind[] = ['belief', 'prediction', 'dream', 'observation', 'memory']

describe.each(adapters)('forgetting in %s', (_, open) => {
  it.each(kinds)('a %s takes its trail along and leaves the others', async (kind) => {
    const store = await open()
    const kept = await fill(store, 'kept')
    const gone = await fill(store, 'gone')
    const before = await store.transfer.count('mine')
    await store.removal.forget('mine', { kind, ids: [gone[kind]?.id ?? 0] }, accept)
    expect(await store.transfer.count('mine')).toBe(before - (kind === 'belief' ? 2 : 1))
    expect((await store.beliefs.trail('mine', kept.belief.id)).events).toHaveLength(1)
    expect((await store.maintenance.check()).filter(({ ok }) => !ok)).toEqual([])
  })

  it('of several is all or nothing', async () => {
    const store = await open()
    const { belief } = await fill(store, 'a')
    const refuse = (id: number): void => {
      if (id !== belief.id) throw new BrainError('refused', `belief ${id} not found`)
    }
    await expect(
      store.removal.forget('mine', { kind: 'belief', ids: [belief.id, 99] }, refuse),
    ).rejects.toThrow('belief 99')
    expect((await store.beliefs.trail('mine', belief.id)).events).toHaveLength(1)
  })

  it('a revision leaves what came before it superseded by what came after, or standing again', async () => {
    const store = await open()
    const next = { text: 'next', confidence: 0.5, createdAt: 2 }
    const first = await store.beliefs.add('mine', { text: 'first', confidence: 0.5, createdAt: 1 })
    const second = (await store.beliefs.supersede('mine', first.id, () => next)).new
    const third = (await store.beliefs.supersede('mine', second.id, () => next)).new
    await store.removal.forget('mine', { kind: 'belief', ids: [second.id] }, accept)
    expect(own(await store.beliefs.find('mine', first.id))?.supersededBy).toBe(third.id)
    await store.removal.forget('mine', { kind: 'belief', ids: [third.id] }, accept)
    expect(own(await store.beliefs.find('mine', first.id))?.supersededBy).toBeNull()
  })
})

it('no byte of a forgotten record of any kind is left in the file', async () => {
  const file = join(temporaryDirectory(), 'brain.db')
  const store = await openSqliteStore(file, { ...options, create: true })
  const gone = await fill(store, 'zqxforgotten')
  await fill(store, 'kept')
  await store.memories.mark('mine', gone.memory.id, () => ({ tags: ['zqxforgotten tag'] }))
  for (const kind of kinds) await store.removal.forget('mine', { kind, ids: [gone[kind]?.id ?? 0] }, accept)
  await store.close()
  expect(readFileSync(file).includes('zqxforgotten')).toBe(false)
})
