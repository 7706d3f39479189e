/** What every store promises about predictions. */
import { describe, expect, it } from 'vitest'
import { BrainError } from '../../src/core/errors.ts'
import type { Resolution } from '../../src/core/records.ts'
import type { PredictionStore } from '../../src/store/store.ts'
import { adapters } from './temporary-store.ts'

const guess = {
  prediction: 'the migration takes under an hour',
  domain: 'infra',
  confidence: 0.8,
  basis: 'last time it took fifty minutes',
  createdAt: 1_000,
}
const resolution: Resolution = { outcome: 'correct', actual: 'it did', surprise: 0.2, resolvedAt: 5_000 }

async function addResolved(
  predictions: PredictionStore,
  change: Partial<typeof guess> = {},
  outcome: Partial<Resolution> = {},
) {
  const { id } = await predictions.add('mine', { ...guess, ...change })
  await predictions.resolve(id, () => ({ ...resolution, ...outcome }))
  return id
}

describe.each(adapters)('predictions in %s', (_, open) => {
  it('are found as they were added, with their owner', async () => {
    const { predictions } = await open()
    const added = await predictions.add('mine', guess)
    expect(added).toEqual({ id: added.id, ...guess, resolution: null })
    expect(await predictions.find(added.id)).toEqual({ ...added, project: 'mine' })
    expect(await predictions.find(added.id + 1)).toBeUndefined()
  })

  it('are open, oldest first, until they are resolved', async () => {
    const { predictions } = await open()
    const late = await predictions.add('mine', { ...guess, createdAt: 3_000 })
    const early = await predictions.add('mine', { ...guess, createdAt: 2_000 })
    const done = await predictions.add('mine', guess)
    await predictions.add('theirs', guess)
    await predictions.resolve(done.id, () => resolution)
    const open_ = async (limit: number) => (await predictions.listOpen('mine', limit)).map(({ id }) => id)
    expect(await open_(10)).toEqual([early.id, late.id])
    expect(await open_(1)).toEqual([early.id])
  })

  it('are resolved once, however many try at once', async () => {
    const { predictions } = await open()
    const { id } = await predictions.add('mine', guess)
    const settled = await Promise.allSettled(
      Array.from({ length: 20 }, (_, attempt) =>
        predictions.resolve(id, (found) => {
          if (found?.resolution !== null) throw new BrainError('refused', 'already')
          return { ...resolution, actual: `try ${attempt}` }
        }),
      ),
    )
    const won = settled.filter((one) => one.status === 'fulfilled')
    expect(won).toHaveLength(1)
    expect((await predictions.find(id))?.resolution).toEqual(won[0]?.value.resolution)
  })

  it('are listed by what became of them from a moment on, that moment included', async () => {
    const { predictions } = await open()
    await addResolved(predictions, { domain: 'late' }, { resolvedAt: 6_000 })
    await addResolved(
      predictions,
      { domain: 'early' },
      { resolvedAt: 4_000, outcome: 'partial', surprise: 0.3 },
    )
    await predictions.add('mine', guess)
    const listed = async (since?: number) =>
      (await predictions.listOutcomes('mine', since)).map(({ domain }) => domain)
    expect(await listed()).toEqual(['early', 'late'])
    expect(await listed(4_000)).toEqual(['early', 'late'])
    expect(await listed(4_001)).toEqual(['late'])
    expect((await predictions.listOutcomes('mine'))[0]).toEqual({
      domain: 'early',
      confidence: 0.8,
      outcome: 'partial',
      surprise: 0.3,
    })
    expect(await predictions.listOutcomes('theirs')).toEqual([])
  })

  it('are summed up from a moment on; of none there is no mean', async () => {
    const { predictions } = await open()
    const nothing = { resolved: 0, meanConfidence: null, accuracy: null, meanSurprise: null }
    expect(await predictions.summarise('mine')).toEqual(nothing)
    await addResolved(predictions, { confidence: 0.5 }, { outcome: 'partial', surprise: 0, resolvedAt: 1 })
    await addResolved(
      predictions,
      { confidence: 0.75 },
      { outcome: 'correct', surprise: 0.25, resolvedAt: 9 },
    )
    await predictions.add('mine', guess)
    expect(await predictions.summarise('mine')).toEqual({
      resolved: 2,
      meanConfidence: 0.625,
      accuracy: 0.75,
      meanSurprise: 0.125,
    })
    expect(await predictions.summarise('mine', 2)).toMatchObject({ resolved: 1, accuracy: 1 })
    expect(await predictions.summarise('theirs')).toEqual(nothing)
  })

  it('are overdue when open and made before a moment', async () => {
    const { predictions } = await open()
    await predictions.add('mine', { ...guess, createdAt: 999 })
    await predictions.add('mine', { ...guess, createdAt: 1_000 })
    await predictions.add('theirs', { ...guess, createdAt: 1 })
    await addResolved(predictions, { createdAt: 1 })
    expect(await predictions.countOpenBefore('mine', 1_000)).toBe(1)
  })

  describe('next to a topic', () => {
    it('are the resolved ones of the project that hold one of its words, in any of three places', async () => {
      const { predictions } = await open()
      const inText = await addResolved(predictions, { prediction: 'Migrations finish', basis: 'x' })
      const inDomain = await addResolved(predictions, { prediction: 'y', domain: 'migration', basis: 'x' })
      const inBasis = await addResolved(predictions, { prediction: 'z', basis: 'the migrating team says so' })
      await addResolved(predictions, { prediction: 'unrelated', basis: 'x' })
      await predictions.add('mine', { ...guess, prediction: 'migration stays open' })
      const theirs = await predictions.add('theirs', { ...guess, prediction: 'migration' })
      await predictions.resolve(theirs.id, () => resolution)
      const adjacent = await predictions.listAdjacent('mine', ['migrat'])
      expect(adjacent.map(({ id }) => id)).toEqual([inText, inDomain, inBasis])
      expect(await predictions.listAdjacent('mine', ['absent'])).toEqual([])
      expect(await predictions.listAdjacent('mine', [])).toEqual([])
    })

    it('are not found by stop words, by short words or by words of over a quarter of eight', async () => {
      const { predictions } = await open()
      const ids: number[] = []
      for (let made = 0; made < 8; made++) {
        const prediction = `it is ok to deploy part${made} ${made < 2 ? 'rarely' : made < 5 ? 'often' : ''}`
        ids.push(await addResolved(predictions, { prediction, domain: `d${made}`, basis: 'none' }))
      }
      const found = async (term: string) =>
        (await predictions.listAdjacent('mine', [term])).map(({ id }) => id)
      expect(await found('is')).toEqual([])
      expect(await found('ok')).toEqual([])
      expect(await found('deploi')).toEqual([])
      expect(await found('often')).toEqual([])
      expect(await found('rare')).toEqual(ids.slice(0, 2))
      expect(await found('part3')).toEqual([ids[3]])
    })

    it('may share a word with all of fewer than eight', async () => {
      const { predictions } = await open()
      for (let made = 0; made < 7; made++) await addResolved(predictions, { prediction: 'deploy' })
      expect(await predictions.listAdjacent('mine', ['deploi'])).toHaveLength(7)
    })
  })
})
