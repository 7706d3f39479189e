/** Forecast: a new confidence in an open prediction. */
import * as z from 'zod/mini'
import { ownedRefusals } from '../core/access.ts'
import { reviseForecast } from '../core/predictions.ts'
import { defineOperation } from './operation.ts'
import { about, count, id, number, optional, recordId, remark } from './schemas.ts'

export const forecast = defineOperation({
  name: 'forecast',
  summary: 'Revise the confidence in an open prediction; every earlier one stays in its history.',
  help: {
    group: 'Predictions',
    place: 2,
    examples: ['brain forecast 7 0.6 --note "The vendor slipped a week"'],
  },
  errors: {
    refused: [
      ...ownedRefusals('prediction'),
      'prediction X is already resolved',
      'prediction X has 300 forecasts already: resolve it, or make another',
    ],
  },
  members: {
    prediction_id: about('Id of the prediction', id()),
    confidence: about('Current probability that it comes true', number(0, 1)),
    note: about('What changed', optional(remark(), null)),
  },
  output: () =>
    z.object({
      prediction_id: recordId(),
      confidence: z.number(),
      previous_confidence: z.number(),
      forecasts: count(),
    }),
  route: { method: 'POST', path: '/v1/forecast' },
  effect: 'write',
  tool: false,
  command: { positional: ['prediction_id', 'confidence'] },
  run: async ({ store, project, now }, input) => {
    const id = input.prediction_id
    const stated = { confidence: input.confidence, note: input.note ?? null, createdAt: now() }
    const { before, after, forecasts } = await store.predictions.forecast(project, id, (found, earlier) =>
      reviseForecast(found, id, { stated, earlier }),
    )
    return {
      prediction_id: id,
      confidence: after.confidence,
      previous_confidence: before.confidence,
      forecasts,
    }
  },
})
