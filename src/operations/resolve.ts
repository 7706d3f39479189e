/** Resolve: what became of a prediction. */
import * as z from 'zod/mini'
import { resolvePrediction } from '../core/predictions.ts'
import { outcomes } from '../core/records.ts'
import { defineOperation } from './operation.ts'
import { about, id, number, oneOf, optional, recordId, text } from './schemas.ts'

export const resolve = defineOperation({
  name: 'resolve',
  summary: 'Close a prediction with what happened; surprise is derived unless given.',
  guidance: 'Call as soon as the outcome is known.',
  help: {
    group: 'Predictions',
    place: 2,
    examples: ['brain resolve 7 correct --actual "It took 40 minutes"'],
  },
  errors: {
    refused: [
      'prediction X not found',
      'prediction X belongs to another project',
      'prediction X is already resolved',
    ],
  },
  members: {
    prediction_id: about('Id of the prediction', id()),
    outcome: about('How it turned out', oneOf(outcomes)),
    actual: about('What happened', text()),
    surprise: about('0 expected to 1 astonishing; derived when absent', optional(number(0, 1))),
  },
  output: () => z.object({ prediction_id: recordId(), outcome: z.enum(outcomes), surprise: z.number() }),
  route: { method: 'POST', path: '/v1/resolve' },
  effect: 'write',
  tool: true,
  command: { positional: ['prediction_id', 'outcome'] },
  run: async ({ store, project, now }, input) => {
    const claim = { id: input.prediction_id, project }
    const closing = {
      outcome: input.outcome,
      actual: input.actual,
      surprise: input.surprise ?? null,
      resolvedAt: now(),
    }
    const { id, resolution } = await store.predictions.resolve(claim.id, (prediction) =>
      resolvePrediction(prediction, claim, closing),
    )
    return { prediction_id: id, outcome: resolution.outcome, surprise: resolution.surprise }
  },
})
