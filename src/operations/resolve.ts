/** Resolve: the outcome of a prediction. */
import * as z from 'zod/mini'
import { ownedRefusals } from '../core/access.ts'
import { BrainError } from '../core/errors.ts'
import { resolvePrediction } from '../core/predictions.ts'
import { endings, outcomes } from '../core/records.ts'
import { defineOperation } from './operation.ts'
import { about, id, number, oneOf, optional, recordId, text } from './schemas.ts'

export const resolve = defineOperation({
  name: 'resolve',
  summary: 'Close a prediction with what happened; surprise is derived unless given.',
  guidance: 'Call as soon as the outcome is known.',
  help: {
    group: 'Predictions',
    place: 3,
    examples: [
      'brain resolve 7 correct --actual "It took 40 minutes"',
      'brain resolve 8 annulled --actual "The feature was dropped"',
    ],
  },
  errors: {
    refused: [...ownedRefusals('prediction'), 'prediction X is already resolved'],
  },
  members: {
    prediction_id: about('Id of the prediction', id()),
    outcome: about('How it turned out', oneOf(endings, outcomes)),
    actual: about('What happened', text()),
    surprise: about('0 expected to 1 astonishing; derived when absent', optional(number(0, 1))),
  },
  output: () =>
    z.object({ prediction_id: recordId(), outcome: z.enum(endings), surprise: z.nullable(z.number()) }),
  route: { method: 'POST', path: '/v1/resolve' },
  effect: 'write',
  tool: true,
  command: { positional: ['prediction_id', 'outcome'] },
  run: async ({ store, project, now }, input) => {
    if (input.outcome === 'annulled' && input.surprise != null) {
      throw new BrainError('invalid', 'surprise must be left out of what is annulled')
    }
    const closing = {
      outcome: input.outcome,
      actual: input.actual,
      surprise: input.surprise ?? null,
      resolvedAt: now(),
    }
    const id = input.prediction_id
    const { resolution } = await store.predictions.resolve(project, id, (prediction) =>
      resolvePrediction(prediction, id, closing),
    )
    return { prediction_id: id, outcome: resolution.outcome, surprise: resolution.surprise }
  },
})
