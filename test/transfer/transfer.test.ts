import { copyFileSync, existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { defaults } from '../../src/config/config.ts'
import type { Embedder } from '../../src/embed/embedder.ts'
import type { EmbedderPool } from '../../src/embed/pool.ts'
import { callOperation } from '../../src/operations/call.ts'
import { definitions } from '../../src/operations/index.ts'
import type { Context } from '../../src/operations/operation.ts'
import { openSqliteStore } from '../../src/store/sqlite/store.ts'
import { exportLines } from '../../src/transfer/export.ts'
import { type ImportOptions, importRecords } from '../../src/transfer/import.ts'
import { temporaryDirectory } from '../embed/temporary-directory.ts'

const oneAxis: Embedder = {
  identity: { name: 'one-axis', hash: '1', dimension: 2 },
  relevance: { slope: 1, midpoint: 0 },
  embedTexts: async (texts) =>
    texts.map((text) => [
      { start: 0, end: text.length, vector: Float32Array.of(1, 0), tokens: Uint16Array.of(1) },
    ]),
  embedQuery: async () => ({ start: 0, end: 1, vector: Float32Array.of(1, 0), tokens: Uint16Array.of(1) }),
  close: async () => {},
}

const pool = (embedder: Embedder | undefined): EmbedderPool => ({
  current: async () => embedder,
  configured: async () => oneAxis,
  of: async () => embedder,
  attempt: (work) => work().catch(() => undefined),
  pieces: async () => undefined,
  background: async () => [],
  close: async () => {},
})

async function openBrain({ file = ':memory:', embedder }: { file?: string; embedder?: Embedder } = {}) {
  const store = await openSqliteStore(file, {
    durability: 'normal',
    create: true,
    label: 'test',
    warn: () => {},
  })
  onTestFinished(() => store.close())
  const clock = { now: Date.UTC(2026, 0, 31, 12) }
  const context = (project = 'default'): Context => ({
    project,
    agent: 'tester',
    store,
    embedders: pool(embedder),
    config: defaults,
    now: () => {
      clock.now += 1
      return clock.now
    },
  })
  return {
    store,
    context,
    call: (name: keyof typeof definitions, input: unknown, project?: string) =>
      callOperation(definitions[name], context(project), input) as Promise<Record<string, unknown>>,
    export: async (project?: string) => {
      let text = ''
      const { signal } = new AbortController()
      const named = project === undefined ? {} : { project }
      for await (const piece of exportLines({ store, ...named, signal, progress: () => {} })) text += piece
      return text
    },
    import: (text: string | Uint8Array, options: Partial<ImportOptions> = {}) =>
      importRecords({
        context: context(),
        source: {
          open: async function* () {
            yield Buffer.from(text)
          },
        },
        format: 'auto',
        projectNamed: false,
        signal: new AbortController().signal,
        progress: () => {},
        ...options,
      }),
  }
}

type TestBrain = Awaited<ReturnType<typeof openBrain>>

/** Some of every kind of record, with gaps in the ids. */
async function fill(brain: TestBrain, project = 'default'): Promise<void> {
  const call = (name: keyof typeof definitions, input: unknown) => brain.call(name, input, project)
  for (const text of ['gone', 'first note', 'second\nnote \u2028 "quoted" \\ 🦜', 'third note'])
    await call('remember', { text })
  const memories = await brain.store.memories.list(project, { after: 0, limit: 10 })
  const ids = memories.map(({ id }) => id)
  await call('flag', { text: 'mind the gap', caution: 0.123456789 })
  await brain.store.dreams.addMany(project, [
    { kind: 'bridge', thought: 'one', sourceMemoryIds: [ids[2] ?? 0, ids[1] ?? 0], novelty: 1, createdAt: 5 },
    { kind: 'echo', thought: 'two', sourceMemoryIds: [ids[0] ?? 0, ids[3] ?? 0], novelty: 0.3, createdAt: 6 },
  ])
  await brain.store.dreams.take(project, 1, 7)
  await brain.store.memories.forget(ids[0] ?? 0, () => {})
  const { id: belief } = await call('believe', { text: 'it holds', confidence: 0.6 })
  await call('evidence', { belief_id: belief, kind: 'supporting', strength: 0.7, note: 'seen' })
  await call('evidence', { belief_id: belief, kind: 'refuting', strength: 0.3 })
  await call('revise', { belief_id: belief, new_text: 'it holds still' })
  const { id: prediction } = await call('predict', { prediction: 'rain', domain: 'weather', confidence: 0.9 })
  await call('predict', { prediction: 'snow', domain: 'weather', basis: 'it is cold' })
  await call('resolve', { prediction_id: prediction, outcome: 'partial', actual: 'drizzle' })
  await call('note_about', { subject_agent: 'planner', observation: 'late', kind: 'pattern' })
  await call('note_about', { subject_agent: 'planner', observation: 'early' })
}

const lines = (text: string): Record<string, unknown>[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)

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
      dream: 2,
      belief: 2,
      evidence: 2,
      prediction: 2,
      observation: 2,
    })
    expect(await young.export('default')).toBe(text)
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

describe('import into a brain that holds records', () => {
  test('gives new ids, and what referred to the old ones refers to the new', async () => {
    const brain = await openBrain()
    await fill(brain)
    const text = await brain.export('default')
    await brain.import(text)
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
    await brain.import(await brain.export('default'))
    const again = {
      kind: 'bridge',
      thought: 'anew',
      sourceMemoryIds: [6, 7],
      novelty: 1,
      createdAt: 9,
    } as const
    expect(await brain.store.dreams.addMany('default', [again])).toEqual([])
  })

  test('an id that was once given is not given again', async () => {
    const [old, young] = [await openBrain(), await openBrain()]
    await old.call('remember', { text: 'from elsewhere' })
    await young.call('remember', { text: 'forgotten' })
    await young.store.memories.forget(1, () => {})
    await young.import(await old.export('default'))
    expect((await young.store.memories.list('default', { after: 0, limit: 9 })).map(({ id }) => id)).toEqual([
      2,
    ])
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
    const { counts } = await brain.import('# heading\n\n- a point\n{"text": 1}\n')
    expect(counts.memory).toBe(3)
  })

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
  const refusals: [name: string, text: string | Uint8Array, sentence: string][] = [
    ['no text', '{"text": "a"}\n{"txet": "b"}', 'line 2: unknown field: txet'],
    ['no JSON', '{"text": "a"}\n{"text"', 'line 2: is not valid JSON'],
    ['no object', '{"text": "a"}\n[1]', 'line 2: body must be a JSON object'],
    ['a wrong time', '{"text": "a", "created_at": "yesterday"}', 'line 1: created_at must be a time like'],
    ['no UTF-8', Buffer.from([0x61, 0x0a, 0xff, 0x0a]), 'line 2: must be well-formed Unicode'],
    ['a text that is too long', `a\n${'x'.repeat(65_537)}`, 'line 2: text must be at most 65536 bytes'],
    ['a line without end', `a\n${'x'.repeat(1_100_000)}`, 'line 2: must be at most 1048576 bytes'],
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
        '{"type":"evidence","id":1,"belief_id":7,"kind":"supporting","strength":0.5,"log_likelihood":1,"created_at":"2026-01-01T00:00:00Z"}',
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

describe('an interrupted import', () => {
  const notes = Array.from({ length: 2_000 }, (_, at) => JSON.stringify({ text: `note ${at}` }))

  async function interrupted(at: 'reading' | 'writing') {
    const file = join(temporaryDirectory(), 'brain.db')
    const brain = await openBrain({ file })
    const controller = new AbortController()
    const text = notes.join('\n')
    const source = {
      name: 'notes.jsonl',
      open: async function* () {
        for (let start = 0; start < text.length; start += 4_096)
          yield Buffer.from(text.slice(start, start + 4_096))
      },
    }
    const stopped = brain.import('', {
      source,
      signal: controller.signal,
      progress: ({ phase, records }) => {
        if (phase === at && records > 900) controller.abort(new Error('stop'))
      },
    })
    await expect(stopped).rejects.toThrow('stop')
    expect(await brain.store.memories.count('default')).toBe(0)
    return { brain, file, source }
  }

  test('goes on where it stopped', async () => {
    const { brain, source } = await interrupted('reading')
    const { counts, resumedAt } = await brain.import('', { source })
    expect(counts.memory).toBe(2_000)
    expect(resumedAt).toBeGreaterThan(500)
    const texts = lines(await brain.export('default')).flatMap(({ text }) =>
      text === undefined ? [] : [text],
    )
    expect(texts).toEqual(notes.map((note) => JSON.parse(note).text))
  })

  test('while writing leaves nothing written, and need not read again', async () => {
    const { brain, source } = await interrupted('writing')
    const { counts, resumedAt } = await brain.import('', { source })
    expect([counts.memory, resumedAt]).toEqual([2_000, 2_000])
  })

  test('begins anew when the file has changed', async () => {
    const { brain } = await interrupted('reading')
    const changed = notes.with(3, '{"text": "changed"}').join('\n')
    const { counts } = await brain.import('', {
      source: {
        name: 'notes.jsonl',
        open: async function* () {
          yield Buffer.from(changed)
        },
      },
    })
    expect(counts.memory).toBe(2_000)
    expect(await brain.export('default')).toContain('"changed"')
  })

  /** As a crash right after the commit leaves it: all of it written, with the staging still there. */
  async function crashedAfterwards() {
    const file = join(temporaryDirectory(), 'brain.db')
    const brain = await openBrain({ file })
    const staged = ['', '-wal'].map((suffix) => join(file, '..', `import.db${suffix}`))
    let text = notes.join('\n')
    const source = {
      name: 'notes.jsonl',
      open: async function* () {
        yield Buffer.from(text)
      },
    }
    await brain.import('', {
      source,
      progress: ({ phase }) => {
        if (phase === 'writing') for (const name of staged) copyFileSync(name, `${name}.kept`)
      },
    })
    for (const name of staged) renameSync(`${name}.kept`, name)
    const grow = (line: string): void => {
      text += `\n${line}`
    }
    return { brain, source, grow }
  }

  test('is not taken in a second time when it had been committed', async () => {
    const { brain, source } = await crashedAfterwards()
    const { counts } = await brain.import('', { source })
    expect(counts.memory).toBe(2_000)
    expect(await brain.store.memories.count('default')).toBe(2_000)
    // A third run is a new import, as after any that ended well.
    await brain.import('', { source })
    expect(await brain.store.memories.count('default')).toBe(4_000)
  })

  test('that had been committed is another one when the file has grown since', async () => {
    const { brain, source, grow } = await crashedAfterwards()
    grow('{"text": "one more"}')
    const { counts } = await brain.import('', { source })
    expect(counts.memory).toBe(2_001)
    expect(await brain.store.memories.count('default')).toBe(4_001)
  })

  test('keeps another import out while it runs', async () => {
    const file = join(temporaryDirectory(), 'brain.db')
    const [one, other] = [await openBrain({ file }), await openBrain({ file })]
    const staging = await one.store.transfer.stage('a')
    await expect(other.store.transfer.stage('b')).rejects.toMatchObject({ kind: 'busy' })
    await staging.discard()
    await (await other.store.transfer.stage('b')).discard()
  })
})
