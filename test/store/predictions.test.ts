/** What every store promises about predictions. */

import { describe, expect, it } from 'vitest'
import { BrainError } from '../../src/core/errors.ts'
import { isOverdue } from '../../src/core/predictions.ts'
import type { Reopening, Resolution, ScoredResolution } from '../../src/core/records.ts'
import type { PredictionStore } from '../../src/store/prediction-store.ts'
import { own } from './by-project.ts'
import { adapters } from './contract.ts'

const guess = {
  prediction: 'the migration takes under an hour',
  domain: 'infra',
  confidence: 0.8,
  basis: 'last time it took fifty minutes',
  createdAt: 1_000,
}
const resolution: ScoredResolution = {
  outcome: 'correct',
  actual: 'it did',
  surprise: 0.2,
  resolvedAt: 5_000,
}

async function addResolved(
  predictions: PredictionStore,
  change: Partial<typeof guess> = {},
  outcome: Partial<ScoredResolution> = {},
) {
  const { id } = await predictions.add('mine', { ...guess, ...change })
  await predictions.resolve('mine', id, () => ({ ...resolution, ...outcome }))
  return id
}

describe.each(adapters)('predictions in %s', (_, open) => {
  it('are found as they were added, with their owner', async () => {
    const { predictions } = await open()
    const added = await predictions.add('mine', guess)
    const unsaid = { agent: null, dueAt: null, check: null, resolution: null }
    expect(added).toEqual({ id: added.id, ...guess, firstConfidence: 0.8, ...unsaid })
    expect(await predictions.find('mine', added.id)).toEqual(added)
    expect(await predictions.find('theirs', added.id)).toBe('elsewhere')
    expect(await predictions.find('mine', added.id + 1)).toBeUndefined()
  })

  it('are open, oldest first, until they are resolved', async () => {
    const { predictions } = await open()
    const late = await predictions.add('mine', { ...guess, createdAt: 3_000 })
    const early = await predictions.add('mine', { ...guess, createdAt: 2_000 })
    const done = await predictions.add('mine', guess)
    await predictions.add('theirs', guess)
    await predictions.resolve('mine', done.id, () => resolution)
    const open_ = async (limit: number) => (await predictions.listOpen('mine', limit)).map(({ id }) => id)
    expect(await open_(10)).toEqual([early.id, late.id])
    expect(await open_(1)).toEqual([early.id])
  })

  it('are resolved once, however many try at once', async () => {
    const { predictions } = await open()
    const { id } = await predictions.add('mine', guess)
    const settled = await Promise.allSettled(
      Array.from({ length: 20 }, (_, attempt) =>
        predictions.resolve('mine', id, (found) => {
          if (own(found)?.resolution !== null) throw new BrainError('refused', 'already')
          return { ...resolution, actual: `try ${attempt}` }
        }),
      ),
    )
    const won = settled.filter((one) => one.status === 'fulfilled')
    expect(won).toHaveLength(1)
    expect(own(await predictions.find('mine', id))?.resolution).toEqual(won[0]?.value.resolution)
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
      agent: null,
      createdAt: 1_000,
      dueAt: null,
      forecasts: [{ confidence: 0.8, createdAt: 1_000 }],
      outcome: 'partial',
      surprise: 0.3,
      resolvedAt: 4_000,
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
    expect(await predictions.summarise('mine', 9)).toMatchObject({ resolved: 1, accuracy: 1 })
    expect(await predictions.summarise('mine', 10)).toEqual(nothing)
    expect(await predictions.summarise('theirs')).toEqual(nothing)
  })

  it('are overdue when open and past their due date, or without one made before a moment', async () => {
    const { predictions } = await open()
    const old = await predictions.add('mine', { ...guess, createdAt: 999 })
    await predictions.add('mine', { ...guess, createdAt: 1_000 })
    await predictions.add('mine', { ...guess, createdAt: 1, dueAt: 5_000 })
    const due = await predictions.add('mine', { ...guess, createdAt: 2_000, dueAt: 4_999 })
    await predictions.add('theirs', { ...guess, createdAt: 1 })
    await addResolved(predictions, { createdAt: 1 })
    const overdue = { now: 5_000, madeBefore: 1_000 }
    expect(await predictions.listOverdue('mine', { ...overdue, limit: 9 })).toEqual({
      total: 2,
      ids: [due.id, old.id],
    })
    expect(await predictions.listOverdue('mine', { ...overdue, limit: 1 })).toEqual({
      total: 2,
      ids: [due.id],
    })
    const query = { overdue, limit: 9, skip: 0 }
    const late = (await predictions.list('mine', { ...query, standing: 'overdue' })).predictions
    expect(late.map(({ id }) => id)).toEqual([due.id, old.id])
    const all = (await predictions.list('mine', query)).predictions
    expect(all.filter((one) => isOverdue(one, overdue))).toEqual([old, due])
  })

  it('are listed by how they stand, when they are due, their domain and who predicted', async () => {
    const { predictions } = await open()
    const plain = await predictions.add('mine', guess)
    const dated = await predictions.add('mine', {
      ...guess,
      dueAt: 9_000,
      circumstances: { agent: 'planner' },
      domain: 'ci',
    })
    const resolved = await addResolved(predictions)
    const annulled = await predictions.add('mine', guess)
    await predictions.resolve('mine', annulled.id, () => ({
      ...resolution,
      outcome: 'annulled',
      surprise: null,
    }))
    const query = { overdue: { now: 0, madeBefore: 0 }, limit: 9, skip: 0 }
    const ids = async (asked: object) =>
      (await predictions.list('mine', { ...query, ...asked })).predictions.map(({ id }) => id)
    expect(await ids({})).toEqual([plain.id, dated.id, resolved, annulled.id])
    expect(await ids({ standing: 'open' })).toEqual([plain.id, dated.id])
    expect(await ids({ standing: 'resolved' })).toEqual([resolved])
    expect(await ids({ standing: 'annulled' })).toEqual([annulled.id])
    expect(await ids({ dueUpTo: 9_000 })).toEqual([dated.id])
    expect(await ids({ dueUpTo: 8_999 })).toEqual([])
    const past = await predictions.add('mine', { ...guess, dueAt: 8_000 })
    await predictions.resolve('mine', past.id, () => resolution)
    expect(await ids({ dueUpTo: 9_000 })).toEqual([dated.id])
    expect(await ids({ standing: 'resolved', dueUpTo: 9_000 })).toEqual([])
    expect(await ids({ agent: 'planner' })).toEqual([dated.id])
    expect(await ids({ domain: 'ci' })).toEqual([dated.id])
    expect(await ids({ skip: 1, limit: 2 })).toEqual([dated.id, resolved])
    expect((await predictions.list('mine', { ...query, limit: 1 })).total).toBe(5)
    expect((await predictions.list('theirs', query)).total).toBe(0)
  })

  it('are known by where they came from, in their own project alone', async () => {
    const { predictions } = await open()
    await predictions.add('mine', { ...guess, circumstances: { origin: 'fatebook 7' } })
    expect(await predictions.knownOrigins('mine', ['fatebook 7', 'fatebook 8'])).toEqual(
      new Set(['fatebook 7']),
    )
    expect(await predictions.knownOrigins('theirs', ['fatebook 7'])).toEqual(new Set())
  })

  it('keep every forecast; the last is the confidence, and what figures need has all of them', async () => {
    const { predictions } = await open()
    const { id } = await predictions.add('mine', guess)
    const earlier: number[] = []
    for (const [at, confidence] of [0.6, 0.3].entries()) {
      await predictions.forecast('mine', id, (found, count) => {
        expect(own(found)?.id).toBe(id)
        earlier.push(count)
        return { confidence, note: at === 0 ? null : 'it rains', createdAt: 2_000 + at }
      })
    }
    expect(earlier).toEqual([1, 2])
    expect(await predictions.find('mine', id)).toMatchObject({ confidence: 0.3, firstConfidence: 0.8 })
    expect((await predictions.trail('mine', id)).forecasts).toEqual([
      { confidence: 0.8, note: null, createdAt: 1_000 },
      { confidence: 0.6, note: null, createdAt: 2_000 },
      { confidence: 0.3, note: 'it rains', createdAt: 2_001 },
    ])
    await predictions.resolve('mine', id, () => resolution)
    expect(
      (await predictions.listOutcomes('mine'))[0]?.forecasts.map(({ confidence }) => confidence),
    ).toEqual([0.8, 0.6, 0.3])
    expect((await predictions.summarise('mine')).meanConfidence).toBe(0.3)
  })

  it('are open again when reopened, and keep what they were resolved as', async () => {
    const { predictions } = await open()
    const id = await addResolved(predictions)
    const undone: Reopening = { ...resolution, note: 'too soon', createdAt: 7_000 }
    await predictions.reopen('mine', id, () => undone)
    expect(own(await predictions.find('mine', id))?.resolution).toBeNull()
    expect((await predictions.trail('mine', id)).reopenings).toEqual([undone])
    expect((await predictions.listOpen('mine', 9)).map((one) => one.id)).toEqual([id])
    expect(await predictions.listOutcomes('mine')).toEqual([])
    await expect(
      predictions.reopen('mine', id, () => {
        throw new BrainError('refused', 'not resolved')
      }),
    ).rejects.toThrow('not resolved')
  })

  it('stand in no figure once annulled, and again in all once reopened', async () => {
    const { predictions } = await open()
    await addResolved(predictions)
    const figures = async () => ({
      outcomes: await predictions.listOutcomes('mine'),
      summary: await predictions.summarise('mine'),
      adjacent: await predictions.listAdjacent('mine', ['migrat']),
    })
    const before = await figures()
    const { id } = await predictions.add('mine', { ...guess, confidence: 0.1 })
    const annulment: Resolution = {
      outcome: 'annulled',
      actual: 'dropped',
      surprise: null,
      resolvedAt: 6_000,
    }
    await predictions.resolve('mine', id, () => annulment)
    expect(own(await predictions.find('mine', id))?.resolution).toEqual(annulment)
    expect(await figures()).toEqual(before)
    await predictions.reopen('mine', id, () => ({ ...annulment, note: null, createdAt: 7_000 }))
    await predictions.resolve('mine', id, () => resolution)
    const after = await figures()
    expect([after.outcomes.length, after.summary.resolved, after.adjacent.length]).toEqual([2, 2, 2])
  })

  it('have checks that are due, with the proof made for their ids', async () => {
    const { predictions } = await open()
    const check = { command: 'true', prove: (id: number) => `proof of ${id}` }
    const { id } = await predictions.add('mine', { ...guess, dueAt: 5_000, check })
    await predictions.add('mine', { ...guess, dueAt: 5_000 })
    const unproven = await predictions.add('mine', {
      ...guess,
      dueAt: 4_000,
      check: { command: 'false', prove: () => null },
    })
    const due = async (now: number) =>
      (await predictions.listDueChecks('mine', now)).map((one) => [one.id, one.check])
    expect(await due(3_999)).toEqual([])
    expect(await due(5_000)).toEqual([
      [unproven.id, { command: 'false', proof: null }],
      [id, { command: 'true', proof: `proof of ${id}` }],
    ])
    expect(await predictions.prove('mine', unproven.id, { command: 'true', proof: 'x' })).toBe(false)
    expect(await predictions.prove('mine', unproven.id, { command: 'false', proof: 'x' })).toBe(true)
    expect(own(await predictions.find('mine', unproven.id))?.check).toEqual({ command: 'false', proof: 'x' })
    expect(await predictions.listDueChecks('theirs', 9_000)).toEqual([])
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
      await predictions.resolve('theirs', theirs.id, () => resolution)
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
