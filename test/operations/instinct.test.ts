/** Flag and assess: what is near a flag is dangerous, what is not is clear, and one more flag never calms. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { effectiveRelevanceOf } from '../../src/core/gut-check.ts'
import { openSmallBrain, type SmallBrain } from './small-brain.ts'

const warning = 'never drop production tables without a backup'

async function resolveOne(brain: SmallBrain, prediction: string, outcome = 'correct', confidence = 0.75) {
  const { id } = await brain.call('predict', { prediction, domain: 'infra', confidence })
  await brain.call('resolve', { prediction_id: id, outcome, actual: 'so it went' })
  return id
}

describe('flag', () => {
  it('answers id, text and caution, 0.85 unless told, and is found by recall', async () => {
    const brain = await openSmallBrain()
    expect(await brain.call('flag', { text: warning })).toEqual({ id: 1, text: warning, caution: 0.85 })
    expect((await brain.call('flag', { text: 'x', caution: 0.2 })).caution).toBe(0.2)
    const { results } = await brain.call('recall', { query: 'production tables' })
    expect(results[0]).toMatchObject({ id: 1, caution: 0.85 })
  })

  it('with caution 0 is an ordinary memory', async () => {
    const brain = await openSmallBrain()
    await brain.call('flag', { text: warning, caution: 0 })
    expect(await brain.call('assess', { topic: warning })).toMatchObject({ verdict: 'clear', risk: 0 })
  })
})

describe.each([
  ['by meaning', true],
  ['by words', false],
])('assess %s', (_, semantic) => {
  it('sees danger in the words of a flag and none in an unrelated topic', async () => {
    const brain = await openSmallBrain({ semantic })
    await brain.call('flag', { text: warning })
    await brain.call('remember', { text: 'lunch is at noon in the garden' })
    const near = await brain.call('assess', { topic: warning })
    expect(near.verdict).toBe('danger')
    expect(near.topic).toBe(warning)
    expect(near.based_on).toMatchObject({ memory_id: 1, caution: 0.85 })
    expect(near.why).toContain(warning)
    const far = await brain.call('assess', { topic: 'lunch menu ideas for spring' })
    expect(far).toMatchObject({ verdict: 'clear', based_on: null, track_record: null })
  })

  it('reports every number, so that the verdict can be recomputed', async () => {
    const brain = await openSmallBrain({ semantic })
    await brain.call('flag', { text: warning })
    const { risk, based_on } = await brain.call('assess', { topic: 'drop the production tables' })
    const { caution = 0, relevance = 0, effective_relevance = 0 } = based_on ?? {}
    expect(effective_relevance).toBe(effectiveRelevanceOf(relevance, semantic ? 'likeness' : 'words'))
    expect(risk).toBe(caution * effective_relevance)
    expect(risk).toBeGreaterThanOrEqual(0.12)
  })

  it('never calms down for one more flag or one more crowd of them', async () => {
    const words = [
      'drop',
      'tables',
      'backup',
      'friday',
      'deploy',
      'users',
      'cache',
      'restart',
      'the',
      'lunch',
    ]
    const text = fc
      .array(fc.constantFrom(...words), { minLength: 1, maxLength: 6 })
      .map((all) => all.join(' '))
    const flags = fc.array(fc.record({ text, caution: fc.double({ min: 0.01, max: 1, noNaN: true }) }), {
      minLength: 1,
      maxLength: 12,
    })
    await fc.assert(
      fc.asyncProperty(text, flags, fc.array(text, { maxLength: 5 }), async (topic, added, ordinary) => {
        const brain = await openSmallBrain({ semantic })
        for (const memory of ordinary) await brain.call('remember', { text: memory })
        let risk = 0
        for (const flag of added) {
          await brain.call('flag', flag)
          const next = (await brain.call('assess', { topic })).risk
          expect(next).toBeGreaterThanOrEqual(risk)
          risk = next
        }
      }),
      { numRuns: 20 },
    )
  })

  it('is not distracted from a grave flag by many mild ones that are just as near', async () => {
    const brain = await openSmallBrain({ semantic })
    await brain.call('flag', { text: warning, caution: 0.9 })
    const before = await brain.call('assess', { topic: warning })
    for (let made = 0; made < 450; made++) await brain.call('flag', { text: warning, caution: 0.05 })
    expect(await brain.call('assess', { topic: warning })).toEqual(before)
  })

  it('forgets a flag that is forgotten', async () => {
    const brain = await openSmallBrain({ semantic })
    const { id } = await brain.call('flag', { text: warning })
    await brain.call('forget', { memory_id: id })
    expect(await brain.call('assess', { topic: warning })).toMatchObject({ verdict: 'clear', risk: 0 })
  })

  it('never looks at flags or predictions of another project', async () => {
    const brain = await openSmallBrain({ semantic })
    await brain.call('flag', { text: warning }, { project: 'theirs' })
    const { id } = await brain.call('predict', { prediction: warning, domain: 'd' }, { project: 'theirs' })
    await brain.call('resolve', { prediction_id: id, outcome: 'correct', actual: 'x' }, { project: 'theirs' })
    const answer = await brain.call('assess', { topic: warning })
    expect(answer).toMatchObject({ verdict: 'clear', risk: 0, based_on: null, track_record: null })
  })
})

describe('assess', () => {
  it('sees a grave flag behind a crowd of mild ones that share no word with the topic', async () => {
    const brain = await openSmallBrain({ semantic: true })
    const { id } = await brain.call('flag', { text: 'never drop tables without backup', caution: 0.9 })
    const topic = 'delete relation lacking snapshot'
    const before = await brain.call('assess', { topic })
    expect(before.based_on?.memory_id).toBe(id)
    const mild = { text: 'remove table copy', caution: 0.05 }
    for (let made = 0; made < 450; made++) await brain.call('flag', mild)
    // A mild one may be named beside it.
    const { nearest: _, ...after } = await brain.call('assess', { topic })
    expect(before).toMatchObject(after)
  })

  it('knows a flag again in other words when it compares by meaning', async () => {
    const brain = await openSmallBrain({ semantic: true })
    await brain.call('flag', { text: 'never drop tables without backup' })
    const { verdict } = await brain.call('assess', { topic: 'delete relation without snapshot' })
    expect(verdict).toBe('danger')
  })

  it('judges by its words a flag recorded while no embedder answered', async () => {
    const brain = await openSmallBrain({ semantic: true })
    await brain.call('flag', { text: 'lunch is never at noon' })
    brain.embedder.reachable = false
    const { id } = await brain.call('flag', { text: warning })
    brain.embedder.reachable = true
    expect((await brain.call('assess', { topic: warning })).based_on?.memory_id).toBe(id)
  })

  it('weighs the words that are rare among memories more than common ones', async () => {
    const brain = await openSmallBrain()
    for (let made = 0; made < 20; made++) await brain.call('remember', { text: `the deploy number ${made}` })
    const rare = await brain.call('flag', { text: 'vacuum locks everything' })
    await brain.call('flag', { text: 'deploy slowly' })
    const { based_on } = await brain.call('assess', { topic: 'vacuum and deploy' })
    expect(based_on?.memory_id).toBe(rare.id)
    expect(based_on?.relevance).toBeGreaterThan(0.8)
  })

  it('of a topic of stop words alone is clear', async () => {
    const brain = await openSmallBrain()
    await brain.call('flag', { text: 'it is what it is' })
    expect((await brain.call('assess', { topic: 'is it what' })).verdict).toBe('clear')
  })

  describe('the track record', () => {
    it('sums up resolved predictions that share a distinctive word after stemming', async () => {
      const brain = await openSmallBrain()
      const right = await resolveOne(brain, 'migrations finish overnight')
      const wrong = await resolveOne(brain, 'the migration breaks nothing', 'incorrect')
      await resolveOne(brain, 'nobody notices')
      await brain.call('predict', { prediction: 'migrating stays open', domain: 'infra' })
      const { track_record, why, verdict } = await brain.call('assess', { topic: 'start migrating users' })
      expect(track_record).toEqual({
        adjacent_predictions: 2,
        correct: 1,
        incorrect: 1,
        partial: 0,
        accuracy: 0.5,
        mean_confidence: 0.75,
        mean_surprise: 0.5,
        most_surprising: [
          {
            id: wrong,
            prediction: 'the migration breaks nothing',
            domain: 'infra',
            outcome: 'incorrect',
            surprise: 0.75,
          },
          {
            id: right,
            prediction: 'migrations finish overnight',
            domain: 'infra',
            outcome: 'correct',
            surprise: 0.25,
          },
        ],
      })
      expect(verdict).toBe('clear')
      expect(why).toContain('of 2 related predictions 1 turned out correct, 1 incorrect')
    })

    it('is null rather than invented', async () => {
      const brain = await openSmallBrain()
      await resolveOne(brain, 'it is up to us')
      for (const topic of ['is it up', 'to be or not', 'entirely different']) {
        expect((await brain.call('assess', { topic })).track_record).toBeNull()
      }
    })

    it('ignores a word that a quarter of eight predictions and more share', async () => {
      const brain = await openSmallBrain()
      for (let made = 0; made < 8; made++)
        await resolveOne(brain, `release ${made} ships${made < 2 ? ' rollback' : ''}`)
      expect((await brain.call('assess', { topic: 'the release' })).track_record).toBeNull()
      const { track_record } = await brain.call('assess', { topic: 'the release rollback' })
      expect(track_record?.adjacent_predictions).toBe(2)
    })
  })
})
