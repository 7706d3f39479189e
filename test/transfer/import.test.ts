/** Import: new ids beside old records, notes in any form, and wrong lines that change nothing. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryDirectory } from '../models/temporary-directory.ts'
import { forget } from '../store/by-project.ts'
import { fill, lines, oneAxis, openBrain } from './brain.ts'

/** An export as if it came from elsewhere: the same words, a year earlier. */
const fromElsewhere = (text: string): string => text.replaceAll('"created_at":"2026', '"created_at":"2025')

describe('import into a brain that holds records', () => {
  test('gives new ids, and what referred to the old ones refers to the new', async () => {
    const brain = await openBrain()
    await fill(brain)
    await brain.import(fromElsewhere(await brain.export('default')))
    const records = lines(await brain.export('default'))
    const of = (type: string) => records.filter((record) => record.type === type)
    expect(of('memory').map(({ id }) => id)).toEqual([2, 3, 4, 5, 6, 7, 8, 9])
    expect(of('belief').map(({ id, superseded_by }) => [id, superseded_by])).toEqual([
      [1, 2],
      [2, null],
      [3, 4],
      [4, null],
    ])
    expect(of('evidence').map(({ belief_id }) => belief_id)).toEqual([1, 1, 3, 3])
    expect(of('dream').map(({ source_memory_ids }) => source_memory_ids)).toEqual([[3, 2], [4], [7, 6], [8]])
    const trail = await brain.call('evidence_for', { belief_id: 3 })
    expect(trail.belief).toMatchObject({ evidence_count: 2, sprt_status: 'accumulating' })
  })

  test('a dream that was imported is the same dream here', async () => {
    const brain = await openBrain()
    await fill(brain)
    await brain.import(fromElsewhere(await brain.export('default')))
    const again = {
      kind: 'bridge',
      thought: 'anew',
      sourceMemoryIds: [6, 7],
      novelty: 1,
      createdAt: 9,
    } as const
    expect(await brain.store.dreams.addMany('default', [again])).toEqual([])
  })

  test('a second time takes in nothing of what is here', async () => {
    const [old, young] = [await openBrain(), await openBrain()]
    await fill(old)
    const { id } = await old.call('predict', { prediction: 'fog', domain: 'weather', confidence: 0.4 })
    await old.call('forecast', { prediction_id: id, confidence: 0.7 })
    await young.call('remember', { text: 'of its own' })
    const text = await old.export('default')
    const first = await young.import(text)
    const once = await young.export()
    const second = await young.import(text)
    expect([first.known, second.known]).toEqual([0, 15])
    expect(Object.values(second.counts)).toEqual([0, 0, 0, 0, 0, 0, 0])
    expect(await young.export()).toBe(once)
    // What came since is taken in, and refers to what is here.
    await old.call('remember', { text: 'since then' })
    await old.call('predict', { prediction: 'hail', domain: 'weather' })
    const third = await young.import(await old.export('default'))
    expect(third).toMatchObject({ known: 15, counts: { memory: 1, prediction: 1, dream: 0, evidence: 0 } })
  })

  test('what stands twice in one export comes in twice, and then not again', async () => {
    const brain = await openBrain()
    await brain.call('remember', { text: 'of its own' })
    const line = (id: number) =>
      `{"type":"memory","id":${id},"text":"m","caution":0,"agent":"a","created_at":"2026-01-01T00:00:00Z"}`
    const text = ['{"type":"brain","format":1}', line(1), line(2), '{"type":"end","records":2}'].join('\n')
    expect((await brain.import(text)).counts.memory).toBe(2)
    expect(await brain.import(text)).toMatchObject({ known: 2, counts: { memory: 0 } })
  })

  test('an id beyond what others could follow is given anew, also in an empty brain', async () => {
    const brain = await openBrain()
    const line = (id: number) =>
      `{"type":"memory","id":${id},"text":"m","caution":0,"agent":"a","created_at":"2026-01-01T00:00:00Z"}`
    await brain.import(
      ['{"type":"brain","format":1}', line(2 ** 53 - 1), line(7), '{"type":"end","records":2}'].join('\n'),
    )
    expect(await brain.call('remember', { text: 'next' })).toMatchObject({ id: 3 })
    const own = await openBrain()
    await own.import(
      ['{"type":"brain","format":1}', line(2 ** 31 - 1), '{"type":"end","records":1}'].join('\n'),
    )
    expect(lines(await own.export('default'))[1]).toMatchObject({ id: 2 ** 31 - 1 })
  })

  test('an id that was once given is not given again', async () => {
    const [old, young] = [await openBrain(), await openBrain()]
    await old.call('remember', { text: 'from elsewhere' })
    await young.call('remember', { text: 'forgotten' })
    await forget(young.store, 'default', 1)
    await young.import(await old.export('default'))
    expect((await young.store.memories.list('default', { after: 0, limit: 9 })).map(({ id }) => id)).toEqual([
      2,
    ])
  })
})

describe('records dated in the future', () => {
  const text = [
    '{"type":"brain","format":1}',
    '{"type":"memory","id":1,"text":"m","caution":0,"agent":"a","created_at":"2099-01-01T00:00:00.000+00:00"}',
    '{"type":"end","records":1}\n',
  ].join('\n')

  test('are taken as they are from an export, and counted', async () => {
    const brain = await openBrain()
    expect(await brain.import(text)).toMatchObject({ counts: { memory: 1 }, fromFuture: 1 })
    expect(await brain.export('default')).toBe(text)
  })

  test('a day ahead are taken from notes, and not a moment more', async () => {
    const brain = await openBrain()
    const context = { ...brain.context(), now: () => Date.UTC(2026, 0, 31, 12) }
    const take = (at: string) => brain.import(JSON.stringify({ text: 'm', created_at: at }), { context })
    expect(await take('2026-02-01T12:00:00.000Z')).toMatchObject({ counts: { memory: 1 }, fromFuture: 0 })
    await expect(take('2026-02-01T12:00:00.001Z')).rejects.toThrow('more than a day ahead')
  })

  test('are taken as they are from other programs, whose dates nobody can correct', async () => {
    const brain = await openBrain()
    const note = '{"text": "m", "created_at": "2099-01-01T00:00:00Z"}'
    expect(await brain.import(note, { fresh: true })).toMatchObject({ counts: { memory: 1 }, fromFuture: 1 })
  })
})

describe('import of notes', () => {
  test('takes JSON Lines with a text each, and what else a memory has', async () => {
    const brain = await openBrain()
    await brain.import(
      '\ufeff{"text": "one"}\r\n\n{"text": "two", "caution": 0.5, "agent": "me", "created_at": "2020-02-29T12:00:00+02:00"}',
    )
    const [, two] = lines(await brain.export('default')).filter(({ type }) => type === 'memory')
    expect(two).toEqual({
      type: 'memory',
      id: 2,
      text: 'two',
      caution: 0.5,
      agent: 'me',
      created_at: '2020-02-29T10:00:00.000+00:00',
    })
  })

  test('takes plain text, a note a line', async () => {
    const brain = await openBrain()
    const { counts } = await brain.import('one point\n\n- another\n{"text": 1}\n')
    expect(counts.memory).toBe(3)
  })

  test('that are called something where they come from come in once, whatever they say by then', async () => {
    const brain = await openBrain()
    const line = (text: string) =>
      JSON.stringify({ text, origin: 'mem0:1', tags: ['tea', 'green tea'], commit: 'abc' })
    await brain.import(line('one'))
    expect(await brain.import(`${line('two')}\n`)).toMatchObject({
      known: 1,
      differing: 1,
      counts: { memory: 0 },
    })
    expect(await brain.import(`${line('one')}\n`)).toMatchObject({ known: 1, differing: 0 })
    expect(lines(await brain.export('default'))[1]).toMatchObject({
      text: 'one',
      tags: ['green tea', 'tea'],
      commit: 'abc',
      origin: 'mem0:1',
    })
  })

  test('that were edited or merged since do not come back as they were', async () => {
    const brain = await openBrain()
    const notes = '{"text":"Staging is on port 5433","created_at":"2025-01-01T00:00:00Z"}\nThe host is tin\n'
    const timed = notes.split('\n', 1)[0] ?? ''
    await brain.import('The host is tin\nthe host is tin.\n')
    await brain.import(timed)
    const before = await brain.export('default')
    await brain.call('amend', { memory_id: 3, text: 'Staging is on port 6000' })
    const between = await brain.export('default')
    await brain.call('amend', { memory_id: 3, text: 'Staging is on port 7000' })
    await brain.call('duplicates', { merge: true })
    const after = await brain.export('default')
    for (const again of [timed, 'The host is tin\n', before, between])
      expect(await brain.import(again)).toMatchObject({ counts: { memory: 0, version: 0 }, differing: 0 })
    expect(await brain.export('default')).toBe(after)
  })

  test('leave a belief and a prediction that went on since as they are, and tell of a source that knows more', async () => {
    const brain = await openBrain()
    await brain.call('believe', { text: 'It holds' })
    await brain.call('predict', { prediction: 'Out in June', domain: 'release', confidence: 0.7 })
    const young = await brain.export('default')
    const other = await openBrain()
    await other.import(young)
    await brain.call('evidence', { belief_id: 1, kind: 'supporting', strength: 0.6 })
    await brain.call('resolve', { prediction_id: 1, outcome: 'correct', actual: 'Out on 3 June' })
    const old = await brain.export('default')
    const none = { belief: 0, prediction: 0, evidence: 0 }
    expect(await brain.import(young)).toMatchObject({ counts: none, known: 2, differing: 0 })
    expect(await brain.export('default')).toBe(old)
    expect(await other.import(old)).toMatchObject({ counts: none, differing: 2 })
    expect(await other.export('default')).toBe(young)
  })

  test('without a time of their own come in once, by their text', async () => {
    const brain = await openBrain()
    await brain.call('remember', { text: 'two' })
    expect(await brain.import('one\ntwo\nthree\n')).toMatchObject({ known: 1, counts: { memory: 2 } })
    const again = '{"text": "one"}\n{"text": "two", "created_at": "2020-02-29T12:00:00Z"}'
    expect(await brain.import(again)).toMatchObject({ known: 1, counts: { memory: 1 } })
    expect(await brain.import(again)).toMatchObject({ known: 2, counts: { memory: 0 } })
  })

  test('keeps for later the vectors for which its time does not last, but those of flags', async () => {
    const brain = await openBrain({ embedder: oneAxis })
    await brain.import('{"text": "one"}\n{"text": "mind the gap", "caution": 0.7}\n', { embeddingShare: 0 })
    expect(await brain.store.index.backlog('default')).toBe(1)
    expect(await brain.call('recall', { query: 'one' })).toMatchObject({ keyword_extra: [{ text: 'one' }] })
    expect(await brain.call('assess', { topic: 'mind the gap' })).toMatchObject({ verdict: 'danger' })
  })

  test.each(['# heading', '---', '```sh', '| --- | ---: |'])(
    'refuses Markdown, known by %j, with the remedy',
    async (line) => {
      const brain = await openBrain()
      await expect(brain.import(`a note\n${line}\n`)).rejects.toThrow(
        /^line 2: looks like Markdown.*brain import notes\//,
      )
      expect(await brain.store.memories.count('default')).toBe(0)
    },
  )

  test.each(['[{"text": "one"}, {"text": "two"}]', '[\n  {"text": "one"}\n]'])(
    'refuses a JSON list with the remedy: %j',
    async (list) => {
      const brain = await openBrain()
      await expect(brain.import(list)).rejects.toThrow(/^line 1: this is a JSON list: .*jq.*--format text/)
      expect(await brain.store.memories.count('default')).toBe(0)
      expect(await brain.import('[x] a task that is done\n')).toMatchObject({ counts: { memory: 1 } })
    },
  )

  test('embeds them', async () => {
    const brain = await openBrain({ embedder: oneAxis })
    await brain.import('one\ntwo\n')
    expect(await brain.store.index.backlog('default')).toBe(0)
    const found = await brain.call('recall', { query: 'anything' })
    expect(found).toMatchObject({ mode: 'semantic' })
  })

  test('without an embedder leaves them to be healed', async () => {
    const brain = await openBrain()
    await brain.import('one\ntwo\n')
    expect(await brain.store.index.backlog('default')).toBe(2)
  })
})

describe('a wrong line is named and nothing is changed', () => {
  const memory =
    '{"type":"memory","id":1,"text":"x","caution":0,"agent":"a","created_at":"2026-01-01T00:00:00Z"}'
  const belief = (id: number, more: string) =>
    `{"type":"belief","id":${id},"text":"x","prior":0.5,"confidence":0.5,"sprt_log_ratio":0,"sprt_status":"accumulating","evidence_count":0,"created_at":"2026-01-01T00:00:00Z"${more}}`
  const whole = (...records: string[]) =>
    ['{"type":"brain","format":1}', ...records, `{"type":"end","records":${records.length}}`].join('\n')
  const flag = (more: string) => whole(memory.replace('}', `,${more}}`))
  const dream = (more: string) =>
    whole(
      memory,
      `{"type":"dream","id":1,"kind":"bridge","thought":"x","source_memory_ids":[1],"novelty":1,"origin":"bridge:1","created_at":"2026-01-01T00:00:00Z",${more}}`,
    )
  const exempt = '{"topic":"x","created_at":"2026-01-01T00:00:00Z"}'
  const refusals: [name: string, text: string | Uint8Array, sentence: string][] = [
    ['an export without its first line', memory, 'line 1: this is a line of an export whose first line'],
    ['no text', '{"text": "a"}\n{"txet": "b"}', 'line 2: unknown field: txet'],
    ['no JSON', '{"text": "a"}\n{"text"', 'line 2: is not valid JSON'],
    ['no object', '{"text": "a"}\n[1]', 'line 2: body must be a JSON object'],
    ['a wrong time', '{"text": "a", "created_at": "yesterday"}', 'line 1: created_at must be a time like'],
    [
      'a time to come',
      '{"text": "a", "created_at": "2026-02-01T11:00:00Z"}\n{"text": "b", "created_at": "2026-02-02T12:00:00Z"}',
      "line 2: created_at must not be more than a day ahead of this machine's clock: it is 2026-02-02T12:00:00.000+00:00",
    ],
    ['no UTF-8', Buffer.from([0x61, 0x0a, 0xff, 0x0a]), 'line 2: must be well-formed Unicode'],
    ['a text that is too long', `a\n${'x'.repeat(65_537)}`, 'line 2: text must be at most 65536 bytes'],
    ['a line without end', `a\n${'x'.repeat(8_400_000)}`, 'line 2: must be at most 8388608 bytes'],
    ['no end', whole(memory).split('\n').slice(0, -1).join('\n'), 'line 3: the export was cut short'],
    [
      'an edited export',
      whole(memory).replace('"records":1', '"records":2'),
      'line 3: the export has 1 records and says 2',
    ],
    ['more after the end', `${whole(memory)}\n${memory}`, 'line 4: the export is over'],
    ['a later format', '{"type":"brain","format":2}', 'line 1: format 2 is of a newer brain'],
    ['an unknown type', whole('{"type":"secret"}'), 'line 2: type must be one of: brain, end, project'],
    ['an id twice', whole(memory, memory), 'line 3: memory 1 is there already'],
    [
      'an event of no belief',
      whole(
        '{"type":"evidence","id":1,"belief_id":7,"kind":"supporting","strength":0.5,"log_likelihood":1.0986122886681098,"created_at":"2026-01-01T00:00:00Z"}',
      ),
      'line 2: belief 7 is not above it',
    ],
    [
      'a successor that is missing',
      whole(belief(1, ',"superseded_by":2')),
      'line 2: belief 2, its successor, is missing',
    ],
    [
      'a trail that is torn',
      whole(belief(1, '').replace('"evidence_count":0', '"evidence_count":3')),
      'line 2: belief 1 has evidence_count 3 and 0 events',
    ],
    [
      'a day that is none',
      '{"text":"a","created_at":"2026-02-30T12:00:00Z"}',
      'line 1: created_at must be a time',
    ],
    [
      'a month that is none',
      '{"text":"a","created_at":"2026-13-01T12:00:00Z"}',
      'line 1: created_at must be a time',
    ],
    [
      'a time in the year 10000',
      '{"text":"a","created_at":"9999-12-31T23:59:59-14:00"}',
      'line 1: created_at must be a time',
    ],
    [
      'a successor of its own',
      whole(belief(1, ',"superseded_by":1')),
      'line 2: superseded_by must be the id of a later',
    ],
    [
      'a successor before it',
      whole(belief(2, ',"superseded_by":1')),
      'line 2: superseded_by must be the id of a later',
    ],
    [
      'a prior no evidence could move',
      whole(belief(1, '').replace('"prior":0.5', '"prior":1')),
      'line 2: prior must be between 0.05 and 0.95',
    ],
    [
      'a ratio that no evidence gave',
      whole(belief(1, '').replace('"sprt_log_ratio":0', '"sprt_log_ratio":1e308')),
      'line 2: belief 1 has sprt_log_ratio 1e+308 and its events add up to 0',
    ],
    [
      'an event that weighs more than its strength',
      whole(
        belief(1, ''),
        '{"type":"evidence","id":1,"belief_id":1,"kind":"supporting","strength":0.5,"log_likelihood":40,"created_at":"2026-01-01T00:00:00Z"}',
      ),
      'line 3: log_likelihood must be that of its kind and strength',
    ],
    [
      'a citation that leads out of the directory',
      whole(
        `{"type":"memory","id":1,"text":"x","caution":0,"agent":"a","created_at":"2026-01-01T00:00:00Z","cites":[{"path":"../x","hash":"${'a'.repeat(64)}","stamped_at":"2026-01-01T00:00:00Z"}]}`,
      ),
      'line 2: cites must be places inside a directory',
    ],
    ['a member of a memory that is none', flag('"judged":true'), 'line 2: unknown field: judged'],
    ['exemptions that are no list', flag('"exemptions":"all"'), 'line 2: exemptions must be a list'],
    ['a list of no exemptions', flag('"exemptions":[]'), 'line 2: exemptions must not be empty'],
    [
      'more exemptions than count',
      flag(`"exemptions":[${Array(17).fill(exempt).join()}]`),
      'line 2: exemptions must be at most 16 of them',
    ],
    [
      'an exemption from nothing',
      flag(`"exemptions":[${exempt.replace('"x"', '" "')}]`),
      'line 2: exemptions must not be empty',
    ],
    [
      'an exemption with more than it has',
      flag(`"exemptions":[${exempt.replace('}', ',"by":"a"}')}]`),
      'line 2: exemptions must be made of topic, created_at',
    ],
    [
      'an exemption at no time',
      flag('"exemptions":[{"topic":"x","created_at":"now"}]'),
      'line 2: exemptions must be a time like',
    ],
    [
      'a verdict on more than all',
      flag('"recall_verdicts":[{"score":2,"right":true,"created_at":"2026-01-01T00:00:00Z"}]'),
      'line 2: recall_verdicts must be between 0 and 1',
    ],
    [
      'a verdict that is neither',
      flag('"recall_verdicts":[{"score":1,"right":"yes","created_at":"2026-01-01T00:00:00Z"}]'),
      'line 2: recall_verdicts must be true or false',
    ],
    ['a reason that is no text', dream('"reasons":[1]'), 'line 3: reasons must be a string'],
    [
      'feedback of another kind',
      dream('"feedback":{"verdict":"love","created_at":"2026-01-01T00:00:00Z"}'),
      'line 3: feedback must be one of: keep, dismiss',
    ],
    [
      'feedback that is a word',
      dream('"feedback":"keep"'),
      'line 3: feedback must be made of verdict, created_at',
    ],
    [
      'half a resolution',
      whole(
        '{"type":"prediction","id":1,"prediction":"x","domain":"d","confidence":0.5,"created_at":"2026-01-01T00:00:00Z","outcome":"correct"}',
      ),
      'line 2: outcome, actual, surprise and resolved_at belong together',
    ],
  ]
  test.each(refusals)('%s', async (_, text, sentence) => {
    const directory = temporaryDirectory()
    const brain = await openBrain({ file: join(directory, 'brain.db') })
    await fill(brain)
    const before = await brain.export()
    await expect(brain.import(text)).rejects.toMatchObject({
      kind: 'invalid',
      message: expect.stringContaining(sentence),
    })
    expect(await brain.export()).toBe(before)
    expect(existsSync(join(directory, 'import.db'))).toBe(false)
  })

  test('an export of all projects is not for one', async () => {
    const [old, young] = [await openBrain(), await openBrain()]
    await fill(old)
    await expect(young.import(await old.export(), { projectNamed: true })).rejects.toThrow(
      'leave --project out',
    )
  })
})
