/** The library beyond its operations: what an editor shows, whole projects, and a brain that closes itself. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test, vi } from 'vitest'
import { openBrain } from '../src/library.ts'
import { operations } from '../src/operations/index.ts'
import { temporaryDirectory } from './models/temporary-directory.ts'

beforeEach(() => {
  vi.stubEnv('BRAIN_EMBEDDER', 'none')
  return () => vi.unstubAllEnvs()
})

test('every method and every member says on hover what it is, with a call', () => {
  const text = readFileSync('dist/types/library-methods.d.ts', 'utf8')
  expect(text.match(/@example await brain\.\w+\(/g)).toHaveLength(operations.length)
  const members = operations.flatMap(({ members }) => Object.keys(members))
  expect(text.match(/^ +\/\*\* .+\. \*\/$/gm)).toHaveLength(members.length)
})

test('a brain used by a block is closed at its end', async () => {
  const dir = temporaryDirectory()
  let left: { state(): Promise<unknown> }
  {
    await using brain = await openBrain({ dir, create: true })
    await brain.remember({ text: 'kept' })
    left = brain
  }
  await expect(left.state()).rejects.toThrow()
  await using again = await openBrain({ dir })
  expect((await again.recall({ query: 'kept' })).results).toHaveLength(1)
})

test('one question has the same scores in a process that runs on and in one that begins', async () => {
  vi.stubEnv('BRAIN_EMBEDDER', 'builtin')
  const dir = temporaryDirectory()
  const subjects = ['the queue', 'a release', 'the cache', 'a backup', 'the login', 'an invoice', 'the map']
  const notes = Array.from(
    { length: 330 },
    (_, at) => `note ${at}: ${subjects[at % 7]} of customer ${at * 37}`,
  )
  const file = join(temporaryDirectory(), 'notes.jsonl')
  writeFileSync(file, notes.map((text) => JSON.stringify({ text })).join('\n'))
  await using old = await openBrain({ dir, create: true })
  await old.importFrom(file)
  const ask = { query: 'which customer waits for a backup?', limit: 5 }
  const before = await old.recall(ask)
  for (let at = 0; at < 3; at += 1) {
    await old.remember({ text: `giraffes eat leaves ${at}` })
    // What samples are drawn of changes, too.
    await old.amend({ memory_id: 1 + at * 100, text: `zebras eat grass ${at}` })
    await using fresh = await openBrain({ dir })
    expect(await fresh.recall(ask)).toEqual(await old.recall(ask))
  }
  expect(before.results).toHaveLength(5)
})

test('what takes no input, or none that is required, is called with none', async () => {
  await using brain = await openBrain({ dir: temporaryDirectory(), create: true })
  expect((await brain.state()).state).toBe('rest')
  expect((await brain.beliefs()).beliefs).toEqual([])
})

test('a project goes into a file and comes in from it', async () => {
  const dir = temporaryDirectory()
  const file = join(dir, 'brain.jsonl')
  await using brain = await openBrain({ dir, create: true })
  await brain.remember({ text: 'one' })
  await brain.believe({ text: 'two' })
  expect(await brain.exportTo(file)).toEqual({ records: 2 })
  await expect(brain.exportTo(join(dir, '.brain', 'brain.db'))).rejects.toMatchObject({ kind: 'refused' })
  await using other = await openBrain({ dir: temporaryDirectory(), create: true })
  expect(await other.importFrom(file)).toMatchObject({
    imported: { memory: 1, belief: 1 },
    projects: ['default'],
  })
  expect((await other.beliefs()).beliefs).toMatchObject([{ text: 'two' }])
})

test('dreams when it is told to, and hands the thoughts out as unread', async () => {
  const dir = temporaryDirectory()
  await using brain = await openBrain({ dir, create: true })
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000)
  const due = day(9).toLocaleDateString('en-GB', { day: 'numeric', month: 'long' })
  const notes = ['Ordered cartridges', `I promised Ana the invoice report by ${due}`, 'The lift was mended']
  const lines = notes.map((text, at) => JSON.stringify({ text, created_at: day(20 - at).toISOString() }))
  writeFileSync(join(dir, 'notes.jsonl'), lines.join('\n'))
  await brain.importFrom(join(dir, 'notes.jsonl'))
  const { dreams } = await brain.dream({ max: 2, seed: 1 })
  expect(dreams).toMatchObject([{ thought: expect.stringContaining('promised Ana'), source_memory_ids: [2] }])
  expect((await brain.recallDreams({ limit: 20 })).dreams).toEqual(dreams)
  await expect(brain.dream({ max: 0 })).rejects.toThrow('dream.max')
})

test('calls under way are finished before a brain is closed, and none is begun after', async () => {
  const dir = temporaryDirectory()
  const brain = await openBrain({ dir, create: true })
  const calls = Array.from({ length: 20 }, (_, at) => brain.remember({ text: `note ${at}` }))
  const closed = brain.close()
  await expect(brain.state()).rejects.toThrow('the brain was closed')
  await expect(brain.exportTo(join(dir, 'late.jsonl'))).rejects.toThrow('the brain was closed')
  expect(await Promise.all(calls)).toHaveLength(20)
  await Promise.all([closed, brain.close()])
  await using again = await openBrain({ dir })
  expect((await again.list()).total).toBe(20)
})

test('options that are unknown or wrong are refused in a sentence, and nothing stays open', async () => {
  const dir = temporaryDirectory()
  const open = (options: object) => expect(openBrain(options as never)).rejects
  await open({}).toThrow('dir is required')
  await open({ dir, projct: 'x' }).toThrow('unknown option: projct')
  await open({ dir, session: 5, create: true }).toThrow('session must be a string')
  expect(existsSync(join(dir, '.brain'))).toBe(false)
  await using brain = await openBrain({ dir, create: true })
  const wrong = brain as unknown as Record<
    'dream' | 'importFrom' | 'exportTo',
    (...given: unknown[]) => unknown
  >
  await expect(wrong.dream({ seed: 1.5 })).rejects.toThrow('seed must be a whole number')
  await expect(wrong.dream({ maks: 1 })).rejects.toThrow('unknown option: maks')
  await expect(wrong.importFrom('x', { format: 'csv' })).rejects.toThrow('format must be one of: auto')
  await expect(wrong.exportTo()).rejects.toThrow('file must be a path')
})

test('a file that is wrong is refused whole, naming the line', async () => {
  const dir = temporaryDirectory()
  await using brain = await openBrain({ dir, create: true })
  writeFileSync(join(dir, 'wrong.jsonl'), '{"text":"a"}\n{"text":1}\n')
  await expect(brain.importFrom(join(dir, 'wrong.jsonl'))).rejects.toThrow('line 2: text must be a string')
  await expect(brain.importFrom(join(dir, 'absent'))).rejects.toThrow('absent')
  await expect(brain.exportTo(join(dir, 'no', 'where'))).rejects.toThrow('cannot write')
  expect(existsSync(join(dir, 'no'))).toBe(false)
  expect((await brain.recall({ query: 'a' })).results).toEqual([])
})
