/** Remember: adds a memory. */
import * as z from 'zod/mini'
import { keepMemory } from './embedding.ts'
import { labelMembers, labelShape, labelsOf } from './labels.ts'
import { defineOperation } from './operation.ts'
import { relatedTo, relations } from './related.ts'
import { about, recordId, text } from './schemas.ts'

export const remember = defineOperation({
  name: 'remember',
  summary: 'Record one memory: a fact, decision or event worth finding again.',
  guidance:
    'Call when the next session needs to know it; one fact a call. What must not be done goes to flag, what is uncertain to believe.',
  help: {
    group: 'Memories',
    place: 1,
    examples: [
      'brain remember "Deploys go through the staging cluster first"',
      'git log -1 | brain remember -',
      'brain remember "Staging is frozen" --tag deploys --expires 2w',
    ],
  },
  members: {
    text: about('One self-contained note', text()),
    ...labelMembers,
  },
  unlisted: [...labelShape.unlisted, 'related'],
  output: () =>
    z.object({
      id: recordId(),
      text: z.string(),
      semantic: z.boolean(),
      /** Notes that it seems to repeat or replace; absent if there are none. */
      related: z.optional(
        z.array(z.object({ id: recordId(), relation: z.enum(relations), text: z.string() })),
      ),
    }),
  route: { method: 'POST', path: '/v1/remember' },
  effect: 'write',
  tool: true,
  command: { positional: ['text'], names: labelShape.names },
  run: async (context, input) => {
    const { memory, semantic, embedding } = await keepMemory(context, {
      text: input.text,
      caution: 0,
      ...(await labelsOf(context, input)),
    })
    const related = await relatedTo(context, memory, embedding)
    return { id: memory.id, text: memory.text, semantic, ...(related.length > 0 && { related }) }
  },
})
