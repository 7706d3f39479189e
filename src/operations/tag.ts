/** Tag: adds names by which memories can be listed and recalled together. */
import * as z from 'zod/mini'
import { BrainError } from '../core/errors.ts'
import { defineOperation } from './operation.ts'
import { markMemory, memoryRefusals } from './own-memory.ts'
import { about, id, maxTags, recordId, tags } from './schemas.ts'

export const tag = defineOperation({
  name: 'tag',
  summary: 'Add tags to a memory or flag, to list and recall it by.',
  idempotent: true,
  help: { group: 'Memories', place: 7, examples: ['brain tag 12 deploys staging'] },
  errors: { refused: [...memoryRefusals, `memory X would have more than ${maxTags} tags`] },
  members: { memory_id: about('Id of the memory', id()), tags: about('Names', tags()) },
  output: () => z.object({ id: recordId(), tags: z.array(z.string()) }),
  route: { method: 'POST', path: '/v1/tag' },
  effect: 'write',
  tool: false,
  command: { positional: ['memory_id', 'tags'] },
  run: async (context, input) => {
    const { tags: own = [] } = await markMemory(context, input.memory_id, ({ tags = [] }) => {
      const all = [...new Set([...tags, ...input.tags.map((name) => name.trim())])]
      if (all.length > maxTags)
        throw new BrainError('refused', `memory ${input.memory_id} would have more than ${maxTags} tags`)
      return { tags: all }
    })
    return { id: input.memory_id, tags: [...own] }
  },
})
