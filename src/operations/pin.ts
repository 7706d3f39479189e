/** Pin: puts a memory first in every session. */
import * as z from 'zod/mini'
import { defineOperation } from './operation.ts'
import { markMemory, memoryRefusals } from './own-memory.ts'
import { about, id, recordId, timestamp, toTimestamp } from './schemas.ts'

export const pin = defineOperation({
  name: 'pin',
  summary: 'Pin a memory or flag: prime puts it first in every session.',
  idempotent: true,
  help: { group: 'Memories', place: 9, examples: ['brain pin 12'] },
  errors: { refused: memoryRefusals },
  members: { memory_id: about('Id of the memory', id()) },
  output: () => z.object({ id: recordId(), pinned_at: timestamp() }),
  route: { method: 'POST', path: '/v1/pin' },
  effect: 'write',
  tool: false,
  command: { positional: ['memory_id'] },
  run: async (context, input) => {
    const now = context.now()
    const { pinnedAt = now } = await markMemory(context, input.memory_id, (before) => ({
      pinnedAt: before.pinnedAt ?? now,
    }))
    return { id: input.memory_id, pinned_at: toTimestamp(pinnedAt) }
  },
})
