/** Untag: removes tags. */
import * as z from 'zod/mini'
import { BrainError } from '../core/errors.ts'
import { defineOperation } from './operation.ts'
import { markMemory, memoryRefusals } from './own-memory.ts'
import { about, id, recordId, tags } from './schemas.ts'

export const untag = defineOperation({
  name: 'untag',
  summary: 'Remove tags from a memory or flag.',
  help: { group: 'Memories', place: 8, examples: ['brain untag 12 staging'] },
  errors: { refused: [...memoryRefusals, 'memory X is not tagged so'] },
  members: { memory_id: about('Id of the memory', id()), tags: about('Names', tags()) },
  output: () => z.object({ id: recordId(), tags: z.array(z.string()) }),
  route: { method: 'POST', path: '/v1/untag' },
  effect: 'write',
  tool: false,
  command: { positional: ['memory_id', 'tags'] },
  run: async (context, input) => {
    const { tags: left = [] } = await markMemory(context, input.memory_id, ({ tags: own = [] }) => {
      const gone = input.tags.map((name) => name.trim())
      const strange = gone.find((name) => !own.includes(name))
      if (strange !== undefined)
        throw new BrainError('refused', `memory ${input.memory_id} is not tagged ${strange}`)
      return { tags: own.filter((name) => !gone.includes(name)) }
    })
    return { id: input.memory_id, tags: [...left] }
  },
})
