/** What every store promises of what stands beside records: where they came from, what they cite, which runs were counted. */
import { describe, expect, it } from 'vitest'
import { weighEvidence } from '../../src/core/beliefs.ts'
import type { Citation } from '../../src/core/citations.ts'
import type { Store } from '../../src/store/store.ts'
import { forget, own } from './by-project.ts'
import { adapters } from './contract.ts'

const note = { text: 'a note', caution: 0, agent: 'a', createdAt: 1 }
const citation = (path: string): Citation => ({
  path,
  firstLine: 2,
  lastLine: 3,
  hash: 'f'.repeat(64),
  stampedAt: 5,
})
const rates = { alpha: 0.05, beta: 0.1 }

interface Said {
  readonly source?: string
  readonly run?: string
  readonly kind?: 'supporting' | 'refuting'
  readonly at?: number
}

const weigh = ({ beliefs }: Store, id: number, { source, run, kind = 'supporting', at = 1_000 }: Said) =>
  beliefs.amend(
    'mine',
    { id, run, source: source === undefined ? source : { name: source, at } },
    (belief, known) => {
      const observed = {
        kind,
        strength: 0.5,
        note: null,
        createdAt: at,
        ...(source !== undefined && { source }),
      }
      return {
        ...weighEvidence(belief, id, { observed, rates, known }),
        ...(run !== undefined && { run }),
      }
    },
  )

const believe = async ({ beliefs }: Store) =>
  (await beliefs.add('mine', { text: 'it holds', confidence: 0.5, createdAt: 1 })).id

describe.each(adapters)('in %s', (_, open) => {
  it('circumstances are found by record, and of which nothing is known there are none', async () => {
    const { memories, beliefs, predictions, observations, records } = await open()
    const circumstances = { session: 's', branch: 'main', commit: 'c', agent: 'planner' }
    const told = { ...circumstances, origin: null }
    const kept = await memories.add('mine', { ...note, circumstances })
    const plain = await memories.add('mine', note)
    expect(await records.provenance('mine', 'memory', [kept.id, plain.id, 99])).toEqual(
      new Map([[kept.id, { ...told, agent: null }]]),
    )
    const belief = await beliefs.add('mine', { text: 'x', confidence: 0.5, createdAt: 1, circumstances })
    expect(await records.provenance('mine', 'belief', [belief.id])).toEqual(new Map([[belief.id, told]]))
    const predicted = {
      prediction: 'x',
      domain: 'd',
      confidence: 0.5,
      basis: null,
      createdAt: 1,
      circumstances,
    }
    const { id } = await predictions.add('mine', predicted)
    expect((await records.provenance('mine', 'prediction', [id])).get(id)).toEqual(told)
    const noted = await observations.add('mine', {
      observerAgent: 'a',
      subjectAgent: 'b',
      observation: 'x',
      kind: null,
      createdAt: 1,
      circumstances,
    })
    expect((await records.provenance('mine', 'observation', [noted.id])).get(noted.id)).toEqual({
      ...told,
      agent: null,
    })
  })

  it('of two records that were one elsewhere, both are kept, and one is found by what it was called there', async () => {
    const { memories, records } = await open()
    const origin = { circumstances: { origin: 'memory 7 of laptop' } }
    const first = await memories.add('mine', { ...note, ...origin })
    const second = await memories.add('mine', { ...note, ...origin })
    const known = await records.provenance('mine', 'memory', [first.id, second.id])
    expect([known.get(first.id)?.origin, known.has(second.id)]).toEqual(['memory 7 of laptop', false])
  })

  it('forgetting a memory takes what stands beside it, and nothing of another', async () => {
    const { memories, records, citations, removal } = await open()
    const beside = { circumstances: { branch: 'main' }, citations: [citation('a'), citation('b')] }
    const gone = await memories.add('mine', { ...note, ...beside })
    const stays = await memories.add('mine', { ...note, ...beside })
    expect((await citations.find('mine', 'memory', [gone.id])).get(gone.id)).toEqual(beside.citations)
    await forget({ removal }, 'mine', gone.id)
    expect([...(await citations.find('mine', 'memory', [gone.id, stays.id])).keys()]).toEqual([stays.id])
    expect([...(await records.provenance('mine', 'memory', [gone.id, stays.id])).keys()]).toEqual([stays.id])
  })

  it('citations are replaced, and listed by the record that shows them, of one project alone', async () => {
    const store = await open()
    const { memories, citations } = store
    const flag = await memories.add('mine', {
      ...note,
      caution: 0.5,
      citations: [citation('a'), citation('b')],
    })
    await memories.add('theirs', { ...note, citations: [citation('a')] })
    const belief = await believe(store)
    const { event } = await store.beliefs.amend('mine', { id: belief }, (found) => ({
      ...weighEvidence(found, belief, {
        observed: { kind: 'refuting', strength: 0.5, note: null, createdAt: 9 },
        rates,
      }),
      citations: [citation('c')],
    }))
    expect(await citations.list('mine')).toEqual([
      { kind: 'memory', id: flag.id, shown: { kind: 'flag', id: flag.id } },
      { kind: 'evidence', id: event.id, shown: { kind: 'belief', id: belief } },
    ])
    expect(await citations.beliefOf('mine', event.id)).toBe(belief)
    expect(await citations.beliefOf('theirs', event.id)).toBe('elsewhere')
    await citations.replace('mine', { kind: 'memory', id: flag.id }, [citation('z')])
    expect((await citations.find('mine', 'memory', [flag.id])).get(flag.id)).toEqual([citation('z')])
  })

  it('a run that was counted is told to whoever decides, and so is the event of a source that weighed and is nearest', async () => {
    const store = await open()
    const id = await believe(store)
    const { event } = await weigh(store, id, { source: 'ci', run: 'r1' })
    await expect(weigh(store, id, { run: 'r1' })).rejects.toThrow(`counted already, as evidence ${event.id}`)
    expect((await weigh(store, id, { source: 'ci', run: 'r2' })).event.logLikelihood).toBe(0)
    expect((await weigh(store, id, { source: 'ci', at: 1_000 + 86_400_000 })).event.logLikelihood).not.toBe(0)
    expect((await weigh(store, id, { source: 'ci', at: 2_000 })).event.logLikelihood).toBe(0)
    expect((await store.beliefs.trail('mine', id)).events.map(({ source }) => source)).toEqual([
      'ci',
      'ci',
      'ci',
      'ci',
    ])
  })

  it('of many that tell of one source at once, one weighs', async () => {
    const store = await open()
    const id = await believe(store)
    const all = await Promise.all(Array.from({ length: 20 }, () => weigh(store, id, { source: 'ci' })))
    expect(all.filter(({ event }) => event.logLikelihood !== 0)).toHaveLength(1)
    const { belief, events } = await store.beliefs.trail('mine', id)
    expect(own(belief)?.logRatio).toBe(events.reduce((sum, { logLikelihood }) => sum + logLikelihood, 0))
  })

  it('grounds count the different sources on each side, and each observation without one by itself', async () => {
    const store = await open()
    const id = await believe(store)
    const said: Said[] = [
      { source: 'ci' },
      { source: 'ci' },
      { source: 'ci', at: 2 * 86_400_000 },
      { source: '1', at: 2 * 86_400_000 },
      {},
      {},
      { kind: 'refuting' },
      { kind: 'refuting', source: 'a person' },
    ]
    for (const one of said) await weigh(store, id, one)
    expect((await store.beliefs.grounds('mine', [id, 99])).get(id)).toMatchObject({
      supporting: 4,
      refuting: 2,
    })
  })
})
