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
  await using other = await openBrain({ dir: temporaryDirectory(), create: true })
  expect(await other.importFrom(file)).toMatchObject({
    imported: { memory: 1, belief: 1 },
    projects: ['default'],
  })
  expect((await other.beliefs()).beliefs).toMatchObject([{ text: 'two' }])
})

test('dreams when it is told to, and hands the thoughts out as unread', async () => {
  await using brain = await openBrain({ dir: temporaryDirectory(), create: true })
  for (let week = 1; week <= 4; week += 1)
    await brain.remember({
      text: `The nightly export failed again because the disk of host-${week} was full`,
    })
  const { dreams } = await brain.dream({ max: 2, seed: 1 })
  expect(dreams.length).toBeLessThanOrEqual(2)
  expect((await brain.recallDreams({ limit: 20 })).dreams).toEqual(dreams)
  await expect(brain.dream({ max: 0 })).rejects.toThrow('dream.max')
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
