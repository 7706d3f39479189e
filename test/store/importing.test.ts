/** What every store promises while an import is written: others see all of it or nothing, and the more so when it is stopped. */
import { describe, expect, it } from 'vitest'
import type { Store } from '../../src/store/store.ts'
import { adapters } from './contract.ts'
import { openInFile } from './temporary-store.ts'

const many = 2_000

const never = new AbortController().signal

const note = (text: string) => ({ text, caution: 0, agent: 'a', createdAt: 1 })

/** An import of many notes into a brain that has one. */
async function stage(store: Store) {
  await store.memories.add('mine', note('there before'))
  const staging = await store.transfer.stage('a file')
  await staging.add(
    Array.from({ length: many }, (_, at) => ({
      line: at + 1,
      project: 'mine',
      record: { type: 'memory' as const, id: null, ...note(`note ${at}`) },
    })),
    { lines: many, bytes: 1, digest: '' },
  )
  return staging
}

describe.each(adapters)('an import into %s', (_, open) => {
  it('is not seen in part while it is written, nor at all after it was stopped', async () => {
    const store = await open()
    const staging = await stage(store)
    const seen: Promise<number>[] = []
    const progress = (done: number) => {
      seen.push(store.memories.count('mine'))
      void Promise.resolve().then(() => seen.push(store.memories.count('mine')))
      if (done >= many / 2) throw new Error('stopped')
    }
    await expect(staging.commit({ progress, signal: never })).rejects.toThrow('stopped')
    expect(new Set(await Promise.all(seen))).toEqual(new Set([1]))
    await staging.close()
  })

  it('is seen whole once it is written', async () => {
    const store = await open()
    const staging = await stage(store)
    const seen: Promise<number>[] = []
    const progress = () => void seen.push(store.memories.count('mine'))
    await staging.commit({ progress, signal: never })
    expect(await store.memories.count('mine')).toBe(1 + many)
    for (const count of await Promise.all(seen)) expect([1, 1 + many]).toContain(count)
  })

  it('knows what was edited, merged, resolved or given evidence since, and counts what says more', async () => {
    const store = await open()
    const { memories, beliefs, predictions } = store
    const edited = await memories.add('mine', note('port 1'))
    await memories.amend('mine', edited.id, () => ({ text: 'port 2', caution: 0, agent: 'a', now: 2 }))
    const [older, kept] = [await memories.add('mine', note('tin')), await memories.add('mine', note('Tin'))]
    const merging = { now: 3, caution: 0, tags: [], pinnedAt: null, expiresAt: null }
    await memories.merge('mine', { kept: kept.id, older: [older.id] }, () => merging)
    await memories.add('mine', { ...note('page'), circumstances: { origin: 'wiki/page' } })
    const belief = await beliefs.add('mine', { text: 'it holds', confidence: 0.5, createdAt: 1 })
    const asked = { prediction: 'out by May', domain: 'release', confidence: 0.5, basis: null, createdAt: 1 }
    await predictions.add('mine', asked)
    const staging = await store.transfer.stage('a file')
    const memory = { type: 'memory' as const, id: null }
    const resolution = { outcome: 'correct' as const, actual: 'yes', surprise: 0.5, resolvedAt: 2 }
    const records = [
      { ...memory, ...note('port 1') },
      { ...memory, ...note('tin') },
      { ...memory, ...note('another page'), createdAt: 5, circumstances: { origin: 'wiki/page' } },
      { ...memory, ...note('new') },
      { ...belief, type: 'belief' as const, id: 1 },
      {
        ...asked,
        type: 'prediction' as const,
        id: 1,
        firstConfidence: 0.5,
        agent: null,
        dueAt: null,
        check: null,
        resolution,
        forecasts: [],
        reopenings: [],
      },
    ]
    const staged = records.map((record, at) => ({ line: at + 1, project: 'mine', record }))
    await staging.add(staged as never, { lines: records.length, bytes: 1, digest: '' })
    const taken = await staging.commit({ progress: () => {}, signal: never })
    expect(taken).toMatchObject({ counts: { memory: 1, belief: 0, prediction: 0 }, known: 5, differing: 2 })
  })
})

it('an import into SQLite in a file keeps nobody from reading until it is done', async () => {
  const store = await openInFile()
  const staging = await stage(store)
  const events: string[] = []
  const progress = () => void store.memories.count('mine').then((count) => events.push(`read ${count}`))
  await staging.commit({ progress, signal: never })
  expect(events.slice(0, 2)).toEqual(['read 1', 'read 1'])
})
