/** Flag: a memory that warns. */
import * as z from 'zod/mini'
import { keepMemory } from './embedding.ts'
import { labelMembers, labelShape, labelsOf } from './labels.ts'
import { defineOperation } from './operation.ts'
import { about, number, optional, recordId, text } from './schemas.ts'

const flagCaution = 0.85

export const flag = defineOperation({
  name: 'flag',
  summary: 'Record a memory that warns: assess weighs it when a topic comes near.',
  guidance: 'Call when something went wrong or must not be done: what, why, and what to do instead.',
  help: {
    group: 'Instinct',
    place: 1,
    examples: ['brain flag "Dropping the users table takes the site down" --caution 0.9'],
  },
  members: {
    text: about('What to be careful about, and why', text()),
    caution: about('Severity: 0 harmless to 1 never again', optional(number(0, 1), flagCaution)),
    ...labelMembers,
  },
  unlisted: labelShape.unlisted,
  output: () => z.object({ id: recordId(), text: z.string(), caution: z.number() }),
  route: { method: 'POST', path: '/v1/flag' },
  effect: 'write',
  tool: true,
  command: { positional: ['text'], names: labelShape.names },
  run: async (context, input) => {
    const { memory } = await keepMemory(context, {
      text: input.text,
      caution: input.caution ?? flagCaution,
      ...(await labelsOf(context, input)),
    })
    return { id: memory.id, text: memory.text, caution: memory.caution }
  },
})
