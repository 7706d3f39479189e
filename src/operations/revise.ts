/** Revise: replaces a belief by a new claim. */
import * as z from 'zod/mini'
import { ownedRefusals } from '../core/access.ts'
import { reviseBelief, revisedConfidence } from '../core/beliefs.ts'
import { circumstancesOf } from './circumstances.ts'
import { defineOperation } from './operation.ts'
import { about, anyNumber, id, optional, recordId, text } from './schemas.ts'

export const revise = defineOperation({
  name: 'revise',
  summary: 'Supersede a belief with a new text; the new belief starts a new trail.',
  guidance: 'Evidence changes the confidence of a claim; this replaces the claim itself.',
  destructive: true,
  help: {
    group: 'Beliefs',
    place: 6,
    examples: ['brain revise 3 "The database is the bottleneck" --confidence 0.7'],
  },
  errors: {
    refused: [...ownedRefusals('belief'), 'belief X was already revised'],
  },
  members: {
    belief_id: about('Id of the belief to supersede', id()),
    new_text: about('The claim that takes its place', text()),
    confidence: about('Confidence, clamped to 0.05..0.95', optional(anyNumber(), revisedConfidence)),
  },
  output: () => z.object({ revised_from: recordId(), new_belief_id: recordId(), text: z.string() }),
  route: { method: 'POST', path: '/v1/revise' },
  effect: 'write',
  tool: true,
  command: { positional: ['belief_id', 'new_text'] },
  run: async (context, input) => {
    const { store, project, now } = context
    const id = input.belief_id
    const circumstances = circumstancesOf(context)
    const revised = await store.beliefs.supersede(project, id, (belief) => ({
      ...reviseBelief(belief, id, {
        text: input.new_text,
        confidence: input.confidence ?? null,
        createdAt: now(),
      }),
      circumstances,
    }))
    return { revised_from: revised.old.id, new_belief_id: revised.new.id, text: revised.new.text }
  },
})
