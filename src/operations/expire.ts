/** Expire: the time from which a memory is no longer shown; it is never deleted automatically. */
import * as z from 'zod/mini'
import { BrainError } from '../core/errors.ts'
import { comingForms, comingMomentOf } from '../core/moments.ts'
import { defineOperation } from './operation.ts'
import { markMemory, memoryRefusals } from './own-memory.ts'
import {
  about,
  comingMoment,
  comingRule,
  id,
  isNever,
  nullableTimestamp,
  recordId,
  timestampOrNull,
} from './schemas.ts'

export const expire = defineOperation({
  name: 'expire',
  summary:
    'Set when a memory or flag expires: from then on it is hidden from recall, assess, dreams and prime.',
  idempotent: true,
  help: { group: 'Memories', place: 11, examples: ['brain expire 12 2w', 'brain expire 12 never'] },
  errors: { refused: memoryRefusals },
  members: {
    memory_id: about('Id of the memory', id()),
    when: about(
      `${comingForms}; one that has passed hides it at once, never takes it back`,
      comingMoment({ never: true }),
    ),
  },
  output: () => z.object({ id: recordId(), expires_at: nullableTimestamp() }),
  route: { method: 'POST', path: '/v1/expire' },
  effect: 'write',
  tool: false,
  command: { positional: ['memory_id', 'when'] },
  run: async (context, input) => {
    const expiresAt = comingMomentOf(input.when, context.now())?.last ?? null
    // So far ahead that no timestamp names it.
    if (expiresAt === null && !isNever(input.when))
      throw new BrainError('invalid', `when ${comingRule({ never: true })}`)
    await markMemory(context, input.memory_id, () => ({ expiresAt }))
    return { id: input.memory_id, expires_at: timestampOrNull(expiresAt) }
  },
})
