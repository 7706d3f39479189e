/** Reopen: undoes the resolution of a prediction. */
import * as z from 'zod/mini'
import { ownedRefusals } from '../core/access.ts'
import { reopenPrediction } from '../core/predictions.ts'
import { endings } from '../core/records.ts'
import { defineOperation } from './operation.ts'
import { about, id, oneOf, optional, recordId, remark, timestamp, toTimestamp } from './schemas.ts'

const reopenable = ['prediction'] as const

export const reopen = defineOperation({
  name: 'reopen',
  summary: 'Undo the resolution of a prediction; it stays in its history.',
  help: {
    group: 'Predictions',
    place: 4,
    examples: ['brain reopen prediction 4 --note "That was another migration"'],
  },
  errors: {
    refused: [...ownedRefusals('prediction'), 'prediction X is not resolved'],
  },
  members: {
    kind: about('What it is', optional(oneOf(reopenable), 'prediction')),
    id: about('Its id', id()),
    note: about('Why', optional(remark(), null)),
  },
  output: () =>
    z.object({
      kind: z.enum(reopenable),
      id: recordId(),
      /** The resolution that was undone. */
      outcome: z.enum(endings),
      resolved_at: timestamp(),
    }),
  route: { method: 'POST', path: '/v1/reopen' },
  effect: 'write',
  tool: false,
  command: { positional: ['kind', 'id'] },
  run: async ({ store, project, now }, input) => {
    const { id } = input
    const { reopening } = await store.predictions.reopen(project, id, (found) =>
      reopenPrediction(found, id, { note: input.note ?? null, createdAt: now() }),
    )
    return {
      kind: 'prediction' as const,
      id,
      outcome: reopening.outcome,
      resolved_at: toTimestamp(reopening.resolvedAt),
    }
  },
})
