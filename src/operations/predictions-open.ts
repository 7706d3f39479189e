/** Predictions_open: those that nobody resolved yet. */
import * as z from 'zod/mini'
import { defineOperation } from './operation.ts'
import { about, integer, optional, recordId, timestamp, toTimestamp } from './schemas.ts'

const listedPredictions = 20

export const predictionsOpen = defineOperation({
  name: 'predictions_open',
  summary: 'List unresolved predictions, oldest first.',
  help: { group: 'Predictions', place: 6, examples: ['brain predictions-open --limit 5'] },
  members: { limit: about('Maximum number', optional(integer(1, 50), listedPredictions)) },
  output: () =>
    z.object({
      predictions: z.array(
        z.object({
          id: recordId(),
          prediction: z.string(),
          domain: z.string(),
          confidence: z.number(),
          basis: z.nullable(z.string()),
          created_at: timestamp(),
        }),
      ),
    }),
  route: { method: 'GET', path: '/v1/predictions/open' },
  effect: 'read',
  tool: true,
  command: {},
  run: async ({ store, project }, { limit }) => {
    const open = await store.predictions.listOpen(project, limit ?? listedPredictions)
    return {
      predictions: open.map(({ id, prediction, domain, confidence, basis, createdAt }) => ({
        id,
        prediction,
        domain,
        confidence,
        basis,
        created_at: toTimestamp(createdAt),
      })),
    }
  },
})
