/** Export: every record, of one moment, and the same again after an import. */
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { callOperation } from '../../src/operations/call.ts'
import { definitions } from '../../src/operations/index.ts'
import { temporaryDirectory } from '../models/temporary-directory.ts'
import { fill, lines, oneAxis, openBrain } from './brain.ts'

const fileCited = { path: 'y', firstLine: null, lastLine: null, hash: '', stampedAt: 8 }

describe('export', () => {
  test('imported into an empty brain and exported again is the same to the byte', async () => {
    const [old, young] = [await openBrain(), await openBrain({ embedder: oneAxis })]
    await fill(old)
    const text = await old.export('default')
    expect(new Set(lines(text).map(({ type }) => type))).toEqual(
      new Set(['brain', 'memory', 'dream', 'belief', 'evidence', 'prediction', 'observation', 'end']),
    )
    expect((await young.import(text)).counts).toEqual({
      memory: 4,
      version: 0,
      dream: 2,
      belief: 2,
      evidence: 2,
      prediction: 2,
      observation: 2,
    })
    expect(await young.export('default')).toBe(text)
  })

  test('tells of earlier texts, tags, a pin and an end, and of none where there are none', async () => {
    const [old, young, other] = [await openBrain(), await openBrain(), await openBrain()]
    await fill(old)
    await old.call('amend', { memory_id: 2, text: 'first note, once more', caution: 0.5 })
    await old.call('tag', { memory_id: 2, tags: ['z', 'grüße 🦜'] })
    await old.call('pin', { memory_id: 2 })
    await old.call('expire', { memory_id: 2, when: '2w' })
    const text = await old.export('default')
    const [first, second] = lines(text).filter(({ type }) => type === 'memory')
    expect(Object.keys(second ?? {})).toEqual(['type', 'id', 'text', 'caution', 'agent', 'created_at'])
    expect(first).toMatchObject({ tags: ['grüße 🦜', 'z'] })
    await young.import(text)
    expect(await young.export('default')).toBe(text)
    expect(await young.store.memories.find('default', 2)).toEqual(await old.store.memories.find('default', 2))
    expect(await young.store.memories.versions('default', 2)).toEqual(
      await old.store.memories.versions('default', 2),
    )
    await other.call('remember', { text: 'here before' })
    await other.import(text)
    expect(await other.store.memories.versions('default', 2)).toMatchObject([{ text: 'first note' }])
  })

  test('tells what was said of flags, results of recall and dreams, after all else', async () => {
    const brain = await openBrain()
    await fill(brain)
    const records = lines(await brain.export('default'))
    const time = expect.stringMatching(/^2026-/)
    const [, , found, flag] = records.filter(({ type }) => type === 'memory')
    expect(Object.entries(flag ?? {}).at(-1)).toEqual([
      'exemptions',
      [
        { topic: 'cross it in\nthe light 🦜', created_at: time },
        { topic: 'look at it', created_at: time },
      ],
    ])
    expect(Object.entries(found ?? {}).at(-1)).toEqual([
      'recall_verdicts',
      [
        { score: 0.123456789, right: true, created_at: time },
        { score: 1, right: false, created_at: time },
      ],
    ])
    const [told, silent] = records.filter(({ type }) => type === 'dream')
    expect(Object.entries(told ?? {}).slice(-2)).toEqual([
      ['reasons', ['both name it', 'and "nothing" else does']],
      ['feedback', { verdict: 'dismiss', created_at: time }],
    ])
    expect(Object.keys(silent ?? {}).at(-1)).toBe('read_at')
  })

  test('tells no more of it than an import takes, and the latest', async () => {
    const [old, young] = [await openBrain(), await openBrain()]
    const long = (end: number) => `${'\u0001'.repeat(65_530)}${end}`
    const { id } = await old.call('flag', { text: long(0) })
    const topics = Array.from({ length: 18 }, (_, at) => long(at + 1))
    for (const topic of topics) await old.call('assess_feedback', { memory_id: id, topic })
    await old.store.dreams.addMany('default', [
      {
        kind: 'bridge',
        thought: 'one',
        sourceMemoryIds: [Number(id)],
        novelty: 1,
        createdAt: 5,
        reasons: Array.from({ length: 1_001 }, (_, at) => `reason ${at}`),
      },
    ])
    const citations = Array.from({ length: 24 }, (_, at) => ({ ...fileCited, path: `src/${at}.ts` }))
    await old.store.citations.replace('default', { kind: 'memory', id: Number(id) }, citations)
    const text = await old.export('default')
    const [, flag, dream] = lines(text)
    expect(flag).toMatchObject({ exemptions: topics.slice(2).map((topic) => ({ topic })) })
    expect(flag?.cites).toMatchObject(citations.slice(4).map(({ path }) => ({ path })))
    expect(dream?.reasons).toHaveLength(1_000)
    await young.import(text)
    expect(await young.export('default')).toBe(text)
    expect(await young.store.exemptions.list('default', [1])).toEqual(
      await old.store.exemptions.list('default', [1]),
    )
  })

  test('has annulled predictions, whose words count for nothing where they are taken in', async () => {
    const [old, young] = [await openBrain(), await openBrain()]
    const predict = (prediction: string) => old.call('predict', { prediction, domain: 'ci' })
    for (const outcome of [...Array.from({ length: 10 }, () => 'annulled'), 'correct']) {
      const { id } = await predict(`the migration is done, or ${outcome}`)
      await old.call('resolve', { prediction_id: id, outcome, actual: 'so it was' })
    }
    for (let at = 0; at < 10; at += 1) await predict(`it rains on day ${at}`)
    await young.import(await old.export('default'))
    for (const { store } of [old, young])
      expect((await store.predictions.listAdjacent('default', ['migrat'])).map(({ id }) => id)).toEqual([11])
  })

  test('has every forecast, due date and undone resolution of a prediction, and who made it', async () => {
    const [old, young] = [await openBrain(), await openBrain()]
    const predict = (input: object) =>
      old.call('predict', { prediction: 'it holds', domain: 'ci', confidence: 0.7, ...input })
    await predict({})
    await predict({ due: '2w', check: 'make test' })
    await old.call('forecast', { prediction_id: 2, confidence: 0.4, note: 'it rains' })
    await old.call('forecast', { prediction_id: 2, confidence: 0.123456789 })
    await old.call('resolve', { prediction_id: 2, outcome: 'annulled', actual: 'dropped' })
    await old.call('reopen', { id: 2, note: 'taken up again' })
    await old.call('resolve', { prediction_id: 2, outcome: 'correct', actual: 'so it was' })
    await old.call('reopen', { id: 2 })
    await old.call('resolve', { prediction_id: 2, outcome: 'annulled', actual: 'dropped for good' })
    const text = await old.export('default')
    const [, plain, full] = lines(text)
    expect(Object.keys(plain ?? {})).toEqual([
      ...['type', 'id', 'prediction', 'domain', 'confidence', 'basis', 'created_at', 'outcome', 'actual'],
      ...['surprise', 'resolved_at', 'agent'],
    ])
    expect(full).toMatchObject({ agent: 'tester', confidence: 0.7, check: 'make test', outcome: 'annulled' })
    expect(full).toMatchObject({ forecasts: [{ confidence: 0.4, note: 'it rains' }, { note: null }] })
    expect(full).toMatchObject({ reopenings: [{ outcome: 'annulled', surprise: null }, { note: null }] })
    await young.import(text)
    expect(await young.export('default')).toBe(text)
    expect(await young.call('calibration', {})).toEqual(await old.call('calibration', {}))
    expect(await young.call('show', { kind: 'prediction', id: 2 })).toEqual(
      await old.call('show', { kind: 'prediction', id: 2 }),
    )
  })

  test('of predictions of which nobody said more reads as it did in 0.1.0', async () => {
    const brain = await openBrain()
    const made = { prediction: 'x', domain: 'd', confidence: 0.5, basis: null, createdAt: 1_000 }
    await brain.store.predictions.add('default', made)
    expect((await brain.export('default')).split('\n')[1]).toBe(
      '{"type":"prediction","id":1,"prediction":"x","domain":"d","confidence":0.5,"basis":null,' +
        '"created_at":"1970-01-01T00:00:01.000+00:00","outcome":null,"actual":null,"surprise":null,"resolved_at":null}',
    )
  })

  test('of all projects keeps every record with its project, and no key', async () => {
    const [old, young] = [await openBrain(), await openBrain()]
    await fill(old, 'web')
    await fill(old, 'api')
    await old.store.keys.add({
      id: 'AbCdEfGh',
      project: 'api',
      label: null,
      createdAt: 1,
      expiresAt: null,
      secretHash: Buffer.from('d0d0d0'),
    })
    const text = await old.export()
    expect(lines(text).filter(({ type }) => type === 'project')).toEqual([
      { type: 'project', name: 'api' },
      { type: 'project', name: 'web' },
    ])
    expect(text).not.toContain('AbCdEfGh')
    expect((await young.import(text)).projects).toEqual(['api', 'web'])
    expect(await young.export()).toBe(text)
    expect(await young.export('web')).toBe(await old.export('web'))
  })

  test('of one project has nothing of another', async () => {
    const brain = await openBrain()
    await fill(brain, 'mine')
    const before = await brain.export('mine')
    await fill(brain, 'yours')
    expect(await brain.export('mine')).toBe(before)
  })

  test('says under which circumstances a record was kept, where something is known, and takes that in again', async () => {
    const [old, young] = [await openBrain(), await openBrain()]
    const circumstances = () => ({ session: 's-1', branch: 'main', commit: 'b'.repeat(40) })
    const context = { ...old.context(), agent: 'reviewer', circumstances }
    await callOperation(definitions.remember, context, { text: 'a note' })
    await callOperation(definitions.believe, context, { text: 'a claim' })
    await callOperation(definitions.evidence, context, { belief_id: 1, kind: 'refuting', strength: 0.4 })
    await callOperation(definitions.predict, context, { prediction: 'it holds', domain: 'd' })
    await callOperation(definitions.note_about, context, { subject_agent: 'p', observation: 'late' })
    await old.call('remember', { text: 'of nobody in particular' })
    const text = await old.export('default')
    const told = { session: 's-1', branch: 'main', commit: 'b'.repeat(40) }
    for (const line of lines(text).slice(1, -1)) {
      if (line.text === 'of nobody in particular') expect(line).not.toHaveProperty('branch')
      else expect(line).toMatchObject(line.type === 'observation' ? told : { ...told, agent: 'reviewer' })
    }
    await young.import(text)
    expect(await young.export('default')).toBe(text)
  })

  test('takes sources, runs and citations along, so that a run counts once in the other brain, too', async () => {
    const [old, young] = [await openBrain(), await openBrain()]
    const citations = [
      { path: 'src/x.ts', firstLine: 1, lastLine: 2, hash: 'a'.repeat(64), stampedAt: 7 },
      fileCited,
    ]
    await old.store.memories.add('default', {
      text: 'a note',
      caution: 0,
      agent: 'a',
      createdAt: 1,
      citations,
    })
    await old.call('believe', { text: 'a claim' })
    const report = '1..1\nok 1\n'
    await old.call('evidence_from', { belief_id: 1, report })
    const again = { belief_id: 1, kind: 'refuting', strength: 0.9, source: 'TAP' }
    expect(await old.call('evidence', again)).toMatchObject({ log_likelihood: 0 })
    const text = await old.export('default')
    expect(lines(text)[1]).toMatchObject({
      cites: [
        { path: 'src/x.ts', first_line: 1, last_line: 2, hash: 'a'.repeat(64) },
        { path: 'y', first_line: null, last_line: null, hash: '' },
      ],
    })
    await young.import(text)
    expect(await young.export('default')).toBe(text)
    await expect(young.call('evidence_from', { belief_id: 1, report })).rejects.toThrow(
      'counted already, as evidence 1',
    )
    expect(await young.call('evidence', again)).toMatchObject({ log_likelihood: 0, repeats: 1 })
  })

  test('of an older brain is as it was: members of which nothing was said are absent', async () => {
    const brain = await openBrain()
    await fill(brain)
    for (const line of lines(await brain.export('default'))) {
      for (const member of ['session', 'branch', 'commit', 'origin', 'source', 'run', 'cites'])
        expect(line.type === 'dream' || !(member in line)).toBe(true)
    }
  })

  test('holds one moment, whatever is written while it is read', async () => {
    const brain = await openBrain({ file: join(temporaryDirectory(), 'brain.db') })
    for (const text of ['one', 'two']) await brain.call('remember', { text })
    const records: string[] = []
    for await (const record of brain.store.transfer.records('default')) {
      await brain.call('remember', { text: 'later' })
      if (record.type === 'memory') records.push(record.text)
    }
    expect(records).toEqual(['one', 'two'])
  })

  test('any texts and numbers come through', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            text: fc.string({ unit: 'binary' }).filter((text) => text.trim() !== '' && !text.includes('\0')),
            caution: fc.double({ min: 0, max: 1, noNaN: true }),
          }),
          { maxLength: 8 },
        ),
        async (notes) => {
          const [old, young] = [await openBrain(), await openBrain()]
          for (const note of notes) await old.call('flag', note)
          const text = await old.export('default')
          await young.import(text)
          expect(await young.export('default')).toBe(text)
        },
      ),
      { numRuns: 25 },
    )
  })
})
