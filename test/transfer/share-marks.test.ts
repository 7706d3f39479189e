/** Marks that others made, taken while somebody here marks the same memory: nobody's are lost. */
import { expect, test } from 'vitest'
import type { Context } from '../../src/operations/operation.ts'
import { addTags, takeMarks } from '../../src/transfer/share/marks.ts'
import { Acts } from '../../src/transfer/share/new-records.ts'
import { forget } from '../store/by-project.ts'
import { openBrain } from './brain.ts'

/** What others say: nothing but the tags. */
const said = new Acts([{ name: 'b', event: { type: 'marks', of: 'a', said: { at: 5, tags: ['theirs'] } } }])

/** A memory as it was read, and a brain in which somebody does something before it is marked. */
async function createPlace(meanwhile: (context: Context, id: number) => Promise<unknown>) {
  const brain = await openBrain()
  const { id } = await brain.call('remember', { text: 'the pump runs dry' })
  const own = {
    record: { kind: 'memory', id: Number(id) },
    captured: false,
    tags: [],
    of: 'a',
    marks: {},
    createdAt: 1,
  } as const
  const { store, ...context } = brain.context()
  const memories: typeof store.memories = {
    ...store.memories,
    mark: async (project, memoryId, decide) => {
      await meanwhile(brain.context(), memoryId)
      return store.memories.mark(project, memoryId, decide)
    },
  }
  const tags = async () => {
    const found = await store.memories.find('default', Number(id))
    return typeof found === 'object' ? found.tags : found
  }
  return { context: { ...context, store: { ...store, memories } }, own, tags }
}

const tagged = (context: Context, id: number) =>
  context.store.memories.mark('default', id, () => ({ tags: ['ours'] }))

test('what was tagged here since it was read stays, and goes out with the next sharing', async () => {
  const { context, own, tags } = await createPlace(tagged)
  expect(await takeMarks(context, own, { acts: said, before: undefined })).toBe(false)
  expect(await tags()).toEqual(['ours'])
})

test('tags of a memory that was merged into it come to those that it has by then', async () => {
  const { context, own, tags } = await createPlace(tagged)
  expect(await addTags(context, own, said)).toBe(true)
  expect(new Set(await tags())).toEqual(new Set(['ours', 'theirs']))
})

test('what nobody marked meanwhile is marked, and what was forgotten is left', async () => {
  const quiet = await createPlace(async () => {})
  expect(await takeMarks(quiet.context, quiet.own, { acts: said, before: undefined })).toBe(true)
  expect(await quiet.tags()).toEqual(['theirs'])
  const gone = await createPlace((context, id) => forget(context.store, 'default', id))
  expect(await takeMarks(gone.context, gone.own, { acts: said, before: undefined })).toBe(false)
  expect(await gone.tags()).toBeUndefined()
})
