/** Believe: a claim with a confidence that evidence will move. */
import * as z from 'zod/mini'
import { assertBelief, assertedConfidence } from '../core/beliefs.ts'
import { circumstancesOf } from './circumstances.ts'
import { defineOperation } from './operation.ts'
import { about, anyNumber, optional, recordId, text } from './schemas.ts'

export const believe = defineOperation({
  name: 'believe',
  summary: 'Assert a belief with a confidence that evidence will move.',
  guidance: 'For claims that observations could decide; facts go to remember, warnings to flag.',
  help: {
    group: 'Beliefs',
    place: 1,
    examples: ['brain believe "The cache is the bottleneck" --confidence 0.6'],
  },
  members: {
    text: about('A claim that evidence could confirm or refute', text()),
    confidence: about('Confidence, clamped to 0.05..0.95', optional(anyNumber(), assertedConfidence)),
  },
  output: () => z.object({ id: recordId(), text: z.string(), confidence: z.number() }),
  route: { method: 'POST', path: '/v1/believe' },
  effect: 'write',
  tool: true,
  command: { positional: ['text'] },
  run: async (context, input) => {
    const asserted = assertBelief(input.text, input.confidence ?? null, context.now())
    const belief = await context.store.beliefs.add(context.project, {
      ...asserted,
      circumstances: circumstancesOf(context),
    })
    return { id: belief.id, text: belief.text, confidence: belief.confidence }
  },
})
