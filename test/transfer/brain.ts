/** A brain in memory or in a file that exports and imports, and one of every record to move. */
import { onTestFinished } from 'vitest'
import { defaults } from '../../src/config/config.ts'
import type { Embedder } from '../../src/models/embedder.ts'
import type { EmbedderPool } from '../../src/models/pool.ts'
import { callOperation } from '../../src/operations/call.ts'
import { definitions } from '../../src/operations/index.ts'
import type { Context } from '../../src/operations/operation.ts'
import { openSqliteStore } from '../../src/store/sqlite/store.ts'
import type { Store } from '../../src/store/store.ts'
import { exportLines } from '../../src/transfer/export.ts'
import { type ImportOptions, importRecords } from '../../src/transfer/import.ts'
import { forget } from '../store/by-project.ts'

export const oneAxis: Embedder = {
  identity: { name: 'one-axis', hash: '1', dimension: 2 },
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
  successor: async () => undefined,
  of: async () => embedder,
  attempt: (work) => work().catch(() => undefined),
  pieces: async () => undefined,
  reader: async () => undefined,
  nightReader: async () => undefined,
  neutralNotes: async () => ({ mean: new Float32Array(), products: () => [] }),
  close: async () => {},
})

export async function openBrain({
  file = ':memory:',
  embedder,
  store: given,
}: {
  file?: string
  embedder?: Embedder
  /** Another one than SQLite's; who opened it closes it. */
  store?: Store
} = {}) {
  const options = { durability: 'normal', create: true, label: 'test', warn: () => {} } as const
  const store = given ?? (await openSqliteStore(file, options))
  if (given === undefined) onTestFinished(() => store.close())
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
      callOperation<unknown>(definitions[name], context(project), input) as Promise<Record<string, unknown>>,
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
export async function fill(brain: TestBrain, project = 'default'): Promise<void> {
  const call = (name: keyof typeof definitions, input: unknown) => brain.call(name, input, project)
  for (const text of ['gone', 'first note', 'second\nnote \u2028 "quoted" \\ 🦜', 'third note'])
    await call('remember', { text })
  const memories = await brain.store.memories.list(project, { after: 0, limit: 10 })
  const ids = memories.map(({ id }) => id)
  const { id: flag } = await call('flag', { text: 'mind the gap', caution: 0.123456789 })
  for (const topic of ['cross it in\nthe light 🦜', 'look at it'])
    await call('assess_feedback', { memory_id: flag, topic })
  await call('recall_feedback', { id: ids[3], verdict: 'right', score: 0.123456789 })
  await call('recall_feedback', { id: ids[3], verdict: 'wrong', score: 1 })
  await brain.store.dreams.addMany(project, [
    {
      kind: 'bridge',
      thought: 'one',
      sourceMemoryIds: [ids[2] ?? 0, ids[1] ?? 0],
      novelty: 1,
      createdAt: 5,
      reasons: ['both name it', 'and "nothing" else does'],
    },
    { kind: 'echo', thought: 'two', sourceMemoryIds: [ids[0] ?? 0, ids[3] ?? 0], novelty: 0.3, createdAt: 6 },
  ])
  const [dream] = await brain.store.dreams.take(project, 1, 7)
  await call('dream_feedback', { dream_id: dream?.id, verdict: 'dismiss' })
  await forget(brain.store, 'default', ids[0])
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

export const lines = (text: string): Record<string, unknown>[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
