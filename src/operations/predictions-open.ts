/** Predictions_open: those that nobody resolved yet. */
import * as z from 'zod/mini'
import type { Prediction } from '../core/records.ts'
import { defineOperation } from './operation.ts'
import { about, integer, optional, recordId, timestamp, toTimestamp } from './schemas.ts'

const listedPredictions = 20

/** What was predicted, as lists of predictions answer it. */
export const stated = () => ({
  id: recordId(),
  prediction: z.string(),
  domain: z.string(),
  confidence: z.number(),
  basis: z.nullable(z.string()),
  created_at: timestamp(),
})

export const toWireStated = (one: Omit<Prediction, 'resolution'>) => ({
  id: one.id,
  prediction: one.prediction,
  domain: one.domain,
  confidence: one.confidence,
  basis: one.basis,
  created_at: toTimestamp(one.createdAt),
})

export const predictionsOpen = defineOperation({
  name: 'predictions_open',
  summary: 'List unresolved predictions, oldest first.',
  help: { group: 'Predictions', place: 6, examples: ['brain predictions-open --limit 5'] },
  members: { limit: about('Maximum number', optional(integer(1, 50), listedPredictions)) },
  output: () =>
    z.object({ predictions: z.array(z.object({ ...stated(), due_at: z.exactOptional(timestamp()) })) }),
  route: { method: 'GET', path: '/v1/predictions/open' },
  effect: 'read',
  tool: true,
  command: {},
  run: async ({ store, project }, { limit }) => {
    const open = await store.predictions.listOpen(project, limit ?? listedPredictions)
    return {
      predictions: open.map((one) => ({
        ...toWireStated(one),
        ...(one.dueAt !== null && { due_at: toTimestamp(one.dueAt) }),
      })),
    }
  },
})
