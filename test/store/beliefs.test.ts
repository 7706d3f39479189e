/** What every store promises about beliefs and their trails. */
import { describe, expect, it } from 'vitest'
import { BrainError } from '../../src/core/errors.ts'
import type { Belief, EvidenceKind, Found } from '../../src/core/records.ts'
import type { BeliefAmendment, BeliefStore } from '../../src/store/belief-store.ts'
import { own } from './by-project.ts'
import { adapters } from './contract.ts'

const assertion = { text: 'the cache is warm', confidence: 0.7, createdAt: 1_000 }

/** Adds `step` to whatever ratio the belief has: any lost update shows in the sum. */
const adding =
  (step: number, kind: EvidenceKind = 'supporting', createdAt = 2_000) =>
  (belief: Found<Belief>): BeliefAmendment => ({
    event: { kind, strength: 0.5, logLikelihood: step, note: null, createdAt },
    logRatio: (own(belief)?.logRatio ?? 0) + step,
    confidence: 0.8,
    status: 'accumulating',
  })

const refuse = (): never => {
  throw new BrainError('refused', 'no')
}

async function addWith(beliefs: BeliefStore, kinds: readonly EvidenceKind[], project = 'mine') {
  const { id } = await beliefs.add(project, assertion)
  for (const kind of kinds) await beliefs.amend(project, { id }, adding(kind === 'supporting' ? 1 : -1, kind))
  return id
}

describe.each(adapters)('beliefs in %s', (_, open) => {
  it('are found as they were added, by their own project alone', async () => {
    const { beliefs } = await open()
    const { id } = await beliefs.add('mine', assertion)
    expect(await beliefs.find('mine', id)).toEqual({
      id,
      text: 'the cache is warm',
      prior: 0.7,
      confidence: 0.7,
      logRatio: 0,
      evidenceCount: 0,
      status: 'accumulating',
      lastEvidenceAt: null,
      supersededBy: null,
      createdAt: 1_000,
    })
    expect(await beliefs.find('mine', id + 1)).toBeUndefined()
    expect(await beliefs.find('theirs', id)).toBe('elsewhere')
  })

  it('that were held earlier and taken in later are listed behind', async () => {
    const { beliefs } = await open()
    const today = await beliefs.add('mine', { text: 'a', confidence: 0.5, createdAt: 2_000 })
    const imported = await beliefs.add('mine', { text: 'b', confidence: 0.5, createdAt: 1_000 })
    expect(await beliefs.list('mine', { limit: 10 })).toEqual([today, imported])
  })

  it('are listed newest first, of one project only, by log ratio when asked', async () => {
    const { beliefs } = await open()
    const first = await beliefs.add('mine', assertion)
    const second = await beliefs.add('mine', assertion)
    await beliefs.add('theirs', assertion)
    await beliefs.amend('mine', { id: first.id }, adding(3))
    const ids = async (query: Parameters<BeliefStore['list']>[1]) =>
      (await beliefs.list('mine', query)).map(({ id }) => id)
    expect(await ids({ limit: 10 })).toEqual([second.id, first.id])
    expect(await ids({ limit: 1 })).toEqual([second.id])
    expect(await ids({ limit: 10, ratios: { atLeast: 3 } })).toEqual([first.id])
    expect(await ids({ limit: 10, ratios: { above: 3 } })).toEqual([])
    expect(await ids({ limit: 10, ratios: { above: -1, below: 3 } })).toEqual([second.id])
    expect(await ids({ limit: 10, ratios: { below: 0 } })).toEqual([])
    expect(await ids({ limit: 10, ratios: { atMost: 0 } })).toEqual([second.id])
    expect(await beliefs.list('nobody', { limit: 10 })).toEqual([])
  })

  it('have a run that is seen again as evidence counted as what it was first', async () => {
    const { beliefs } = await open()
    const { id } = await beliefs.add('mine', assertion)
    const amend = () =>
      beliefs.amend('mine', { id, run: 'r1' }, (belief) => ({ ...adding(1)(belief), run: 'r1' }))
    const [first] = [await amend(), await amend()]
    await beliefs.amend('mine', { id, run: 'r1' }, (belief, known) => {
      expect(known.counted).toBe(first.event.id)
      return adding(1)(belief)
    })
    expect((await beliefs.trail('mine', id)).events).toHaveLength(3)
  })

  it('are listed by what moved last when asked, of which some moved since a moment', async () => {
    const { beliefs } = await open()
    const [first, second, third] = [
      await beliefs.add('mine', { ...assertion, createdAt: 1_000 }),
      await beliefs.add('mine', { ...assertion, createdAt: 2_000 }),
      await beliefs.add('mine', { ...assertion, createdAt: 3_000 }),
    ]
    await beliefs.amend('mine', { id: first.id }, adding(1, 'supporting', 4_000))
    await beliefs.amend('mine', { id: second.id }, adding(1, 'supporting', 2_500))
    const ids = async (query: Partial<Parameters<BeliefStore['list']>[1]>) =>
      (await beliefs.list('mine', { limit: 10, ...query })).map(({ id }) => id)
    expect(await ids({ order: 'created' })).toEqual([third.id, second.id, first.id])
    expect(await ids({ order: 'moved' })).toEqual([first.id, third.id, second.id])
    expect(await ids({ order: 'moved', limit: 1 })).toEqual([first.id])
    expect(await ids({ order: 'moved', movedSince: 2_500 })).toEqual([first.id, second.id])
    expect(await ids({ movedSince: 2_501 })).toEqual([first.id])
  })

  it('take evidence together with its event, and show both as of one moment', async () => {
    const { beliefs } = await open()
    const { id } = await beliefs.add('mine', assertion)
    const amended = await beliefs.amend('mine', { id }, (belief) => ({
      ...adding(1.25)(belief),
      event: { kind: 'refuting', strength: 0.3, logLikelihood: -0.1, note: 'seen', createdAt: 5_000 },
    }))
    expect(amended.before.logRatio).toBe(0)
    expect(amended.after).toMatchObject({
      logRatio: 1.25,
      confidence: 0.8,
      evidenceCount: 1,
      lastEvidenceAt: 5_000,
    })
    const { belief, events } = await beliefs.trail('mine', id)
    expect(belief).toEqual(await beliefs.find('mine', id))
    expect(events).toEqual([amended.event])
    expect(await beliefs.trail('mine', id + 1)).toEqual({ belief: undefined, events: [] })
  })

  it('moved last when the latest of their evidence was seen, in whatever order it came', async () => {
    const { beliefs } = await open()
    const { id } = await beliefs.add('mine', assertion)
    await beliefs.amend('mine', { id }, adding(1, 'supporting', 5_000))
    const { after } = await beliefs.amend('mine', { id }, adding(1, 'supporting', 4_000))
    expect(after.lastEvidenceAt).toBe(5_000)
    expect(own(await beliefs.find('mine', id))?.lastEvidenceAt).toBe(5_000)
  })

  it('rest on observations that weigh: one that repeats another is no ground', async () => {
    const { beliefs } = await open()
    const id = await addWith(beliefs, ['supporting', 'refuting'])
    await beliefs.amend('mine', { id }, adding(0))
    await beliefs.amend('mine', { id }, adding(0, 'refuting'))
    expect((await beliefs.grounds('mine', [id])).get(id)).toMatchObject({ supporting: 1, refuting: 1 })
  })

  it('take evidence in the place of other, of whose run, source and weight nothing is left', async () => {
    const { beliefs, citations } = await open()
    const id = await addWith(beliefs, ['refuting'])
    const run = 'suite at noon'
    const citation = { path: 'run.xml', firstLine: null, lastLine: null, hash: 'a', stampedAt: 1 }
    const { event } = await beliefs.amend('mine', { id, run }, (belief) => ({
      ...adding(3, 'refuting', 5_000)(belief),
      run,
      circumstances: { session: 'noon' },
      citations: [citation],
    }))
    const { after } = await beliefs.amend('mine', { id, run, instead: event.id }, (belief, known) => {
      expect(known.counted).toBeUndefined()
      return { ...adding(0.5, 'supporting', 3_000)(belief), run }
    })
    expect(after).toMatchObject({ logRatio: -0.5, evidenceCount: 2, lastEvidenceAt: 3_000 })
    expect(await beliefs.find('mine', id)).toEqual(after)
    const { events } = await beliefs.trail('mine', id)
    expect(events.map(({ logLikelihood }) => logLikelihood)).toEqual([-1, 0.5])
    expect(await citations.find('mine', 'evidence', [event.id])).toEqual(new Map())
    expect(await beliefs.countContested('mine', {})).toBe(1)
    // Nothing is gone where the decision refuses.
    await expect(beliefs.amend('mine', { id, instead: events[1]?.id }, refuse)).rejects.toThrow('no')
    expect(await beliefs.find('mine', id)).toEqual(after)
  })

  it('lose no evidence that arrives at once', async () => {
    const { beliefs } = await open()
    const { id } = await beliefs.add('mine', assertion)
    await Promise.all(Array.from({ length: 300 }, () => beliefs.amend('mine', { id }, adding(0.125))))
    const { belief, events } = await beliefs.trail('mine', id)
    expect(belief).toMatchObject({ logRatio: 37.5, evidenceCount: 300 })
    expect(events.map((event) => event.id)).toEqual(
      [...events.map((event) => event.id)].sort((a, b) => a - b),
    )
    expect(events).toHaveLength(300)
  })

  it('stay as they were when the decision refuses', async () => {
    const { beliefs } = await open()
    const { id } = await beliefs.add('mine', assertion)
    const before = await beliefs.find('mine', id)
    await expect(beliefs.amend('mine', { id }, refuse)).rejects.toThrow('no')
    await expect(beliefs.supersede('mine', id, refuse)).rejects.toThrow('no')
    expect(await beliefs.find('mine', id)).toEqual(before)
    expect((await beliefs.trail('mine', id)).events).toEqual([])
    expect(await beliefs.list('mine', { limit: 10 })).toHaveLength(1)
  })

  it('are superseded by a belief of the same project that starts afresh, and leave the list', async () => {
    const { beliefs } = await open()
    const id = await addWith(beliefs, ['supporting'])
    const revised = await beliefs.supersede('mine', id, () => ({
      text: 'it is cold',
      confidence: 0.8,
      createdAt: 9,
    }))
    expect(revised.old).toMatchObject({ id, supersededBy: revised.new.id, evidenceCount: 1 })
    expect(revised.new).toMatchObject({
      text: 'it is cold',
      prior: 0.8,
      logRatio: 0,
      evidenceCount: 0,
      supersededBy: null,
    })
    expect(await beliefs.find('mine', revised.new.id)).toEqual(revised.new)
    expect(await beliefs.replacedBy('mine', [id, revised.new.id])).toEqual([id])
    expect(await beliefs.replacedBy('other', [revised.new.id])).toEqual([])
    expect((await beliefs.list('mine', { limit: 10 })).map((belief) => belief.id)).toEqual([revised.new.id])
    expect((await beliefs.trail('mine', id)).events).toHaveLength(1)
  })

  it('are superseded once, however many try at once', async () => {
    const { beliefs } = await open()
    const { id } = await beliefs.add('mine', assertion)
    const attempts = Array.from({ length: 20 }, (_, attempt) =>
      beliefs.supersede('mine', id, (belief) =>
        own(belief)?.supersededBy === null
          ? { text: `try ${attempt}`, confidence: 0.5, createdAt: 3 }
          : refuse(),
      ),
    )
    const settled = await Promise.allSettled(attempts)
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await beliefs.list('mine', { limit: 100 })).toHaveLength(1)
  })

  it('are contested while evidence stands on both sides, within the ratios asked for and current', async () => {
    const { beliefs } = await open()
    const undecided = { above: -2, below: 3 }
    await addWith(beliefs, ['supporting', 'supporting'])
    await addWith(beliefs, ['refuting'])
    expect(await beliefs.countContested('mine', undecided)).toBe(0)
    const decided = await addWith(beliefs, ['supporting', 'refuting'])
    const replaced = await addWith(beliefs, ['supporting', 'refuting'])
    await addWith(beliefs, ['refuting', 'supporting'])
    await addWith(beliefs, ['supporting', 'refuting'], 'theirs')
    expect(await beliefs.countContested('mine', undecided)).toBe(3)
    await beliefs.amend('mine', { id: decided }, adding(3))
    await beliefs.supersede('mine', replaced, () => assertion)
    expect(await beliefs.countContested('mine', undecided)).toBe(1)
  })

  it('keep every bit of their numbers', async () => {
    const { beliefs } = await open()
    const { id } = await beliefs.add('mine', { ...assertion, confidence: 0.1 + 0.2 })
    const step = Math.log(1.7 / 0.3)
    await beliefs.amend('mine', { id }, adding(step))
    const { belief, events } = await beliefs.trail('mine', id)
    expect(belief).toMatchObject({ prior: 0.1 + 0.2, logRatio: step })
    expect(events[0]?.logLikelihood).toBe(step)
  })
})
