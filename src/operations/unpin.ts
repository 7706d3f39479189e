/** Unpin: removes a pin. */
import * as z from 'zod/mini'
import { defineOperation } from './operation.ts'
import { markMemory, memoryRefusals } from './own-memory.ts'
import { about, id, recordId } from './schemas.ts'

export const unpin = defineOperation({
  name: 'unpin',
  summary: 'Unpin a memory or flag.',
  idempotent: true,
  help: { group: 'Memories', place: 10, examples: ['brain unpin 12'] },
  errors: { refused: memoryRefusals },
  members: { memory_id: about('Id of the memory', id()) },
  output: () => z.object({ id: recordId(), pinned_at: z.null() }),
  route: { method: 'POST', path: '/v1/unpin' },
  effect: 'write',
  tool: false,
  command: { positional: ['memory_id'] },
  run: async (context, input) => {
    await markMemory(context, input.memory_id, () => ({ pinnedAt: null }))
    return { id: input.memory_id, pinned_at: null }
  },
})
