/** Exports of one store taken in by another: what one refuses the other does, in the same words. */
import { describe, expect, test } from 'vitest'
import { adapters } from '../store/contract.ts'
import { fill, lines, oneAxis, openBrain } from './brain.ts'

const [, inFile, onServer] = adapters
const openOn = async (adapter: (typeof adapters)[number] | undefined, embedder = oneAxis) => {
  if (adapter === undefined) throw new Error('no such store')
  return openBrain({ store: await adapter[1](), embedder })
}

const joined = (records: readonly object[]): string =>
  `${[{ type: 'brain', format: 1 }, ...records, { type: 'end', records: records.length }]
    .map((record) => JSON.stringify(record))
    .join('\n')}\n`

const at = '2026-01-31T12:00:00.000+00:00'
const memory = (id: number, text: string) => ({
  type: 'memory',
  id,
  text,
  caution: 0,
  agent: 'a',
  created_at: at,
})
const belief = {
  type: 'belief',
  id: 1,
  text: 'holds',
  prior: 0.7,
  confidence: 0.7,
  sprt_log_ratio: 0,
  sprt_status: 'accumulating',
  evidence_count: 0,
  last_evidence_at: null,
  superseded_by: null,
  created_at: at,
}

describe.each([
  ['SQLite', inFile],
  ['PostgreSQL', onServer],
])('a brain on %s', (_, adapter) => {
  test('is the same after it was taken into the other kind of store and back', async () => {
    const first = await openOn(adapter)
    await fill(first)
    await fill(first, 'another')
    await first.call('amend', { memory_id: 2, text: 'first note, amended', caution: 0.2 })
    await first.call('tag', { memory_id: 2, tags: ['b', 'a'] })
    await first.call('pin', { memory_id: 3 })
    const exported = await first.export()
    const second = await openOn(adapter === inFile ? onServer : inFile)
    const { counts, known } = await second.import(exported)
    expect(known).toBe(0)
    expect(counts).toMatchObject({ memory: 9, version: 1, dream: 4, belief: 4, evidence: 4, prediction: 4 })
    expect(await second.export()).toBe(exported)
    expect(await second.store.transfer.count()).toBe(lines(exported).length - 4)
    const { results } = (await second.call('recall', { query: 'second note' })) as { results: object[] }
    expect(results[0]).toMatchObject({ text: 'second\nnote \u2028 "quoted" \\ 🦜' })
    const { id } = await second.call('remember', { text: 'one more' })
    expect(id).toBe(11)
  })

  test('takes in nothing twice', async () => {
    const brain = await openOn(adapter)
    await fill(brain)
    await brain.call('amend', { memory_id: 2, text: 'first note, amended' })
    const exported = await brain.export('default')
    const { counts, known } = await brain.import(exported)
    expect(Object.values(counts).every((count) => count === 0)).toBe(true)
    expect(known).toBe(lines(exported).length - 2)
    expect(await brain.export('default')).toBe(exported)
  })

  test('keeps what was said of flags, results of recall and dreams, until it is taken back there', async () => {
    const [source, brain] = [await openOn(inFile), await openOn(adapter)]
    await fill(source)
    const exported = await source.export('default')
    await brain.import(exported)
    const said = async ({ store }: typeof brain) => ({
      exemptions: await store.exemptions.list('default', [5]),
      verdicts: await store.verdicts.list('default'),
      dreams: await store.dreams.explain('default', [1, 2]),
      feedback: await store.dreams.feedback('default'),
    })
    expect(await said(brain)).toEqual(await said(source))
    await brain.call('assess_feedback', { memory_id: 5, topic: 'look at it', verdict: 'match' })
    await brain.call('dream_feedback', { dream_id: 1, verdict: 'none' })
    const since = await brain.export('default')
    expect(since).not.toBe(exported)
    expect((await brain.import(exported)).known).toBe(lines(exported).length - 2)
    expect(await brain.export('default')).toBe(since)
  })

  test('gives new ids where records are there, and references follow', async () => {
    const source = await openOn(inFile)
    await fill(source)
    const exported = await source.export('default')
    const brain = adapter === inFile ? await openBrain({ embedder: oneAxis }) : await openOn(adapter)
    await brain.call('remember', { text: 'was here' })
    await brain.import(exported)
    const without = (text: string) =>
      lines(text)
        .filter(({ text: words }) => words !== 'was here')
        .map(({ id: _, source_memory_ids: __, belief_id: ___, superseded_by, origin: ____, ...rest }) => ({
          ...rest,
          superseded: superseded_by != null,
        }))
    expect(without(await brain.export('default')).slice(0, -1)).toEqual(without(exported).slice(0, -1))
    const { record } = (await brain.call('show', { kind: 'belief', id: 1 })) as { record: object }
    expect(record).toMatchObject({ text: 'it holds', superseded_by: 2, evidence_count: 2 })
  })

  test.each([
    ['an id twice', [memory(1, 'a'), memory(1, 'b')], 'line 3: memory 1 is there already'],
    [
      'an event of no belief',
      [
        {
          type: 'evidence',
          id: 1,
          belief_id: 7,
          kind: 'supporting',
          strength: 0.5,
          log_likelihood: Math.log(3),
          created_at: at,
        },
      ],
      'line 2: belief 7 is not above it in the same project',
    ],
    [
      'a successor that is not there',
      [{ ...belief, superseded_by: 2 }],
      'line 2: belief 2, its successor, is missing',
    ],
    [
      'a trail that is cut',
      [{ ...belief, evidence_count: 2 }],
      'line 2: belief 1 has evidence_count 2 and 0 events',
    ],
    [
      'a ratio that is not its trail’s',
      [{ ...belief, sprt_log_ratio: 1 }],
      'line 2: belief 1 has sprt_log_ratio 1 and its events add up to 0',
    ],
  ])('refuses %s, and takes nothing in', async (_name, records, sentence) => {
    const brain = await openOn(adapter)
    await expect(brain.import(joined([memory(9, 'before'), ...records].slice(1)))).rejects.toThrow(sentence)
    expect(lines(await brain.export('default'))).toHaveLength(2)
  })

  test('shows an export one moment, whatever is written meanwhile', async () => {
    const brain = await openOn(adapter)
    await fill(brain)
    const seen: string[] = []
    for await (const record of brain.store.transfer.records('default')) {
      if (seen.length === 0 && adapter === inFile) await brain.call('remember', { text: 'late' })
      seen.push(record.type)
    }
    expect(seen.filter((type) => type === 'memory')).toHaveLength(4)
  })
})
